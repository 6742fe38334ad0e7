"""Changes between two runs: plain values, which every format of `urlset diff` shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, ClassVar, Generic, Literal, TypeVar

from msgspec import Struct, field

from urlset.errors import Unreadable
from urlset.model.document import SkippedFile
from urlset.model.fields import NOT_IN_JSON, Flat, NonNegativeInt, PositiveInt, about, computed
from urlset.model.page_changes import LlmsChanges, PageChanges, RobotsChanges
from urlset.model.report import Report
from urlset.model.result import with_short_repr
from urlset.rules.rule import Severity
from urlset.text.sizes import inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator


Item = TypeVar("Item", covariant=True)


class DocumentCount(Struct, frozen=True):
    """A document with some of the changes."""

    document: Annotated[str, about("The document.")]
    count: Annotated[NonNegativeInt, about("Number of changes in it.")]


class Part(Struct, Generic[Item], frozen=True):
    """Changes of one kind: their number, the first of them, and the documents with most of them."""

    count: Annotated[NonNegativeInt, about("Exact number of changes.")]
    examples: Annotated[tuple[Item, ...], about("The first changes, by URL.")] = ()
    documents: Annotated[
        tuple[tuple[str, int], ...], about("Documents with most changes and their number, largest first.")
    ] = ()

    @property
    @computed("documents")
    def document_counts(self) -> list[DocumentCount]:
        """Documents with most of them, largest first; empty if they do not belong to documents."""
        return [DocumentCount(name, count) for name, count in self.documents]


class IncompleteDocuments(Struct, frozen=True):
    """Documents whose URLs are missing, in whole or in part."""

    count: Annotated[NonNegativeInt, about("Exact number of documents.")] = 0
    examples: Annotated[
        tuple[Unreadable, ...], about("The first ones, by URL, each with the reason why URLs are missing.")
    ] = ()


class Gaps(Struct, frozen=True):
    """What a side lacks because it could not be read completely."""

    unreadable: Annotated[
        tuple[Unreadable, ...],
        about("Targets, and documents that are neither listed nor counted, that could not be read."),
    ] = ()
    incomplete: Annotated[
        IncompleteDocuments,
        about(
            "Documents whose URLs are missing, in whole or in part: they end too early, exceed a limit, are not "
            "sitemaps, or are listed by an index and could not be fetched; and indexes with sitemaps beyond a limit."
        ),
    ] = IncompleteDocuments()
    skipped: Annotated[tuple[SkippedFile, ...], about("Skipped files of directories, which are not sitemaps.")] = ()
    notes: Annotated[
        tuple[str, ...],
        about(
            "Notes on how sites were searched and which rules did not run; for a run of a store, only a note if it "
            "did not request all listed pages."
        ),
    ] = ()

    @property
    def may_lack_urls(self) -> bool:
        """Whether URLs can be missing."""
        return bool(self.unreadable) or self.incomplete.count > 0


class Side(Struct, frozen=True):
    """One side of a comparison."""

    name: Annotated[str, about("Name to show: the target as given, or the store with its run.")]
    run_id: Annotated[
        PositiveInt | None, about("Run of the store; None if the target was read for this comparison.")
    ] = field(name="run")
    at: Annotated[datetime, about("Time at which it was read.")]
    documents: Annotated[NonNegativeInt, about("Number of documents.")]
    urls: Annotated[NonNegativeInt, about("Number of distinct URLs that they list.")]
    gaps: Annotated[
        Gaps, Flat("incomplete", "skipped", "notes"), about("What it lacks because it could not be read completely.")
    ] = Gaps()

    @property
    @computed("at")
    def read_at(self) -> datetime:
        """Time at which it was read, in UTC."""
        return self.at.astimezone(UTC).replace(microsecond=0)

    @property
    @computed(before="incomplete")
    def unreadable(self) -> list[str]:
        """Targets and documents that could not be read, with reasons."""
        return [f"{gap.target}: {gap.reason}" for gap in self.gaps.unreadable]


class ListedUrl(Struct, frozen=True):
    """A URL that one side lists."""

    url: Annotated[str, about("The URL.")]
    document: Annotated[str, about("The first document that lists it.")]
    lastmod: Annotated[
        str | None, about("Its lastmod as written, the newest if there are several; None if it has none.")
    ]
    respelled: Annotated[
        str | None,
        about("A URL that only the other side lists, and that differs only in its spelling; None if there is none."),
    ] = None
    moved: Annotated[
        str | None,
        about("A URL that only the other side lists, whose page has the same main text; None if there is none."),
    ] = None


class RespelledUrl(Struct, frozen=True):
    """A URL that the later side lists in another spelling: escapes, scheme, `www.`, final slash, extension, index file."""  # noqa: E501

    url: Annotated[str, about("The URL on the earlier side, which counts as removed.")]
    after: Annotated[str, about("The URL on the later side, which counts as added.")]
    document: Annotated[str, about("The first document of the earlier side that lists it.")]
    is_same: Annotated[
        bool, about("Whether both are the same URL by RFC 3986; otherwise the old one should redirect to the new one.")
    ]


class MovedPage(Struct, frozen=True):
    """A page that the later side lists at another URL, recognized by main text that no other page has."""

    url: Annotated[str, about("The URL on the earlier side, which counts as removed.")]
    after: Annotated[str, about("The URL on the later side, which counts as added.")]
    document: Annotated[str, about("The first document of the earlier side that lists it.")]


class RenamedPage(Struct, frozen=True):
    """A page that the later of two builds of a directory has at another URL only, recognized by its main text.

    The sitemaps do not say so: they list the old URL still, or do not list the new one.
    """

    url: Annotated[str, about("The URL on the earlier side, which returns an error now.")]
    after: Annotated[str, about("The URL on the later side.")]


class LastmodChangeKind(StrEnum):
    """How a lastmod changed."""

    LATER = "later"
    EARLIER = "earlier"
    ADDED = "added"
    REMOVED = "removed"
    REWRITTEN = "rewritten"


class LastmodChange(Struct, frozen=True):
    """A URL that both sides list, with a different lastmod."""

    url: Annotated[str, about("The URL.")]
    document: Annotated[str, about("The first document of the later side that lists it.")]
    before: Annotated[str | None, about("Its lastmod as written; None if it had none.")]
    after: Annotated[str | None, about("Its lastmod now; None if it no longer has one.")]
    moved: Annotated[
        LastmodChangeKind,
        about("How it changed; `rewritten` if only the spelling differs: the same instant, or an invalid date."),
    ]


class State(StrEnum):
    """How a finding changed."""

    NEW = "new"
    GROWN = "grown"
    UNCHANGED = "unchanged"
    SHRUNK = "shrunk"
    FIXED = "fixed"
    UNLISTED = "unlisted"
    """No sitemap lists the pages of its places any more."""
    NOT_CHECKED = "not-checked"
    """The later side did not check the places that it lacks, so that they may still be there."""
    NOT_CHECKED_BEFORE = "not-checked-before"
    """The earlier side did not check these places, so the findings may have existed before."""

    @property
    def words(self) -> str:
        """What to call it, to follow the number of findings."""
        return _STATE_WORDS.get(self, self.value)


_STATE_WORDS = {
    State.UNLISTED: "on pages no longer listed",
    State.NOT_CHECKED: "no longer checked",
    State.NOT_CHECKED_BEFORE: "not checked before",
}


class Unchecked(StrEnum):
    """Why one side did not check a place that broke a rule on the other side."""

    RULE = "rule"
    DOCUMENT = "document"
    ROBOTS = "robots"
    PAGE = "page"
    RESPONSE = "response"
    LINKS = "links"
    ANCHORS = "anchors"

    @property
    def words(self) -> str:
        """The reason, to follow the number of places that the later side did not check."""
        return _UNCHECKED[self]

    @property
    def words_before(self) -> str:
        """The reason, to follow the number of places that the earlier side did not check."""
        return _UNCHECKED_BEFORE.get(self, self.words)


_UNCHECKED = {
    Unchecked.RULE: "the rule was not run, or ignored in other documents",
    Unchecked.DOCUMENT: "the sitemap or robots.txt was not read to its end",
    Unchecked.ROBOTS: "robots.txt blocks the page",
    Unchecked.PAGE: "the page is still listed or linked, and was not requested",
    Unchecked.RESPONSE: "the page returned a server error, a refusal, or nothing",
    Unchecked.LINKS: "a page that linked to it was not read",
    Unchecked.ANCHORS: "it is unknown which anchors the page has",
}

_UNCHECKED_BEFORE = {
    Unchecked.ROBOTS: "robots.txt blocked the page",
    Unchecked.PAGE: "the page was listed or linked, and was not requested",
    Unchecked.LINKS: "a page that links to it was not read",
    Unchecked.ANCHORS: "it was unknown which anchors the page had",
}


class FindingChange(Struct, frozen=True):
    """One rule in one document, on both sides."""

    code: Annotated[str, about("The rule's code.")]
    severity: Annotated[Severity, about("Its severity, as of the later side if it is still there.")]
    document: Annotated[str, about("The document.")]
    before: Annotated[NonNegativeInt, about("Number of places that broke the rule.")]
    after: Annotated[NonNegativeInt, about("Number of places that break it now.")]
    message: Annotated[str, about("Message of one of the places.")]
    unchecked: Annotated[
        Mapping[Unchecked, NonNegativeInt],
        about("Number of places of the earlier side that the later one did not check, by reason."),
    ] = field(default_factory=dict)
    unchecked_before: Annotated[
        Mapping[Unchecked, NonNegativeInt],
        about("Number of places of the later side that the earlier one did not check, by reason."),
    ] = field(default_factory=dict)
    unlisted: Annotated[
        NonNegativeInt, about("Number of places of the earlier side whose pages no sitemap of the later side lists.")
    ] = 0

    @property
    @computed(before="code")
    def state(self) -> State:
        """How it changed: fixed only if a listed page was checked again, and new only if it was checked before."""
        if self.after == self.before:
            return State.UNCHANGED
        if self.after > self.before:
            if self.before + sum(self.unchecked_before.values()) >= self.after:
                return State.NOT_CHECKED_BEFORE
            return State.GROWN if self.before else State.NEW
        unchecked = sum(self.unchecked.values())
        if self.after + unchecked >= self.before:
            return State.NOT_CHECKED
        if self.after or unchecked:
            return State.SHRUNK
        return State.UNLISTED if self.unlisted >= self.before else State.FIXED

    @property
    def places(self) -> str:
        """The number of places before and now, how many only one side checked, and how many it no longer lists."""
        return "; ".join([f"{self.before:,} to {self.after:,}", *self._reasons()])

    @property
    def reasons(self) -> str:
        """How many places only one side checked or lists, with the reasons; empty if both have all."""
        return "; ".join(self._reasons())

    def _reasons(self) -> Iterator[str]:
        yield from (f"{count:,} no longer checked: {reason.words}" for reason, count in self.unchecked.items())
        for reason, count in self.unchecked_before.items():
            yield f"{count:,} not checked before: {reason.words_before}"
        if self.unlisted:
            yield f"{self.unlisted:,} {State.UNLISTED.words}"


class UrlChange(StrEnum):
    """How a URL differs between two sides."""

    ADDED = "added"
    """Only the later side lists it."""
    REMOVED = "removed"
    """Only the earlier side lists it."""
    CHANGED = "changed"
    """Both list it, with a different lastmod."""


URL_COLUMNS = ("change", "url", "lastmod_before", "lastmod_after")
"""The columns of the URLs that differ."""


class RemovedUrlStatus(StrEnum):
    """Current status of a URL that is no longer listed."""

    REDIRECTED = "redirected"
    STILL_THERE = "still there"
    LOST = "lost"
    UNKNOWN = "unknown"


class RemovedUrl(Struct, frozen=True):
    """Result of requesting a URL that only the earlier side lists."""

    url: Annotated[str, about("The URL.")]
    outcome: Annotated[
        RemovedUrlStatus,
        about(
            "redirected; still there: it responds but is not listed; lost: 404, 410, or another error without a "
            "redirect; unknown: no response, or one that may apply to this client only (401, 402, 403, 407, 429)."
        ),
    ]
    status: Annotated[NonNegativeInt | None, about("The final status code; None without a response.")]
    target: Annotated[str | None, about("The final URL of its redirects; None if it does not redirect.")] = None
    is_listed: Annotated[bool, about("Whether the later side lists that target.")] = field(
        default=False, name="target_listed"
    )
    reason: Annotated[str | None, about("Why its status is unknown; None if it is known.")] = None
    moved: Annotated[
        str | None,
        about("The URL at which the later side lists the same page, or the same URL in another spelling."),
    ] = None

    @property
    def is_lost(self) -> bool:
        """Whether it returns an error, and its page is not known to be elsewhere."""
        return self.outcome is RemovedUrlStatus.LOST and self.moved is None


class UnindexedPage(Struct, frozen=True):
    """A listed page that was indexable on the earlier side and is not on the later one."""

    url: Annotated[str, about("The URL.")]
    reason: Annotated[str, about("Why, such as `noindex` or `not found: 404`.")]


class Alarm(Struct, frozen=True):
    """A change that is likely a mistake."""

    name: Annotated[
        Literal[
            "url-count-drop",
            "sitemap-disappeared",
            "new-errors",
            "lastmod-earlier",
            "page-not-indexable",
            "page-lost",
            "page-moved-without-redirect",
        ],
        about("Its name."),
    ]
    message: Annotated[str, about("What happened.")]


class LastmodCounts(Struct, frozen=True):
    """The changes of lastmod by kind."""

    later: Annotated[NonNegativeInt, about("Number of URLs with a later lastmod than before.")] = 0
    earlier: Annotated[NonNegativeInt, about("Number of URLs with an earlier lastmod than before.")] = 0
    added: Annotated[NonNegativeInt, about("Number of URLs that had no lastmod before.")] = 0
    removed: Annotated[NonNegativeInt, about("Number of URLs that no longer have a lastmod.")] = 0
    rewritten: Annotated[
        NonNegativeInt,
        about("Number of URLs whose lastmod is only spelled differently: the same instant, or an invalid date."),
    ] = 0


class LastmodChanges(Struct, frozen=True):
    """URLs that both sides list, with a different lastmod."""

    count: Annotated[NonNegativeInt, about("Exact number of URLs.")]
    examples: Annotated[Sequence[LastmodChange], about("The first changes, by URL.")]
    documents: Annotated[Sequence[DocumentCount], about("Documents with most of them, largest first.")]
    moved: Annotated[LastmodCounts, about("Number of these URLs by kind of change.")]


class UrlChanges(Struct, frozen=True):
    """The URLs that differ."""

    added: Annotated[Part[ListedUrl], about("URLs that only the later side lists.")]
    removed: Annotated[Part[ListedUrl], about("URLs that only the earlier side lists.")]
    lastmod: Annotated[LastmodChanges, about("URLs that both sides list, with a different lastmod.")]
    respelled: Annotated[
        Part[RespelledUrl],
        about("Removed URLs that the later side lists in another spelling, under which they count as added."),
    ]


class SitemapChanges(Struct, frozen=True):
    """The sitemaps that only indexes of one side list."""

    added: Annotated[Part[str], about("Sitemaps that only indexes of the later side list.")]
    removed: Annotated[Part[str], about("Sitemaps that only indexes of the earlier side list.")]


class FindingChangeCounts(Struct, frozen=True):
    """The findings by how they changed."""

    new: Annotated[NonNegativeInt, about("Number of findings that only the later side has.")] = 0
    grown: Annotated[NonNegativeInt, about("Number of findings in more places than before.")] = 0
    unchanged: Annotated[NonNegativeInt, about("Number of findings in as many places as before.")] = 0
    shrunk: Annotated[NonNegativeInt, about("Number of findings in fewer places than before.")] = 0
    fixed: Annotated[
        NonNegativeInt,
        about("Number of findings that only the earlier side has, and whose places the later side checked again."),
    ] = 0
    unlisted: Annotated[
        NonNegativeInt,
        about("Number of findings that only the earlier side has, on pages that no sitemap lists any more."),
    ] = 0
    not_checked: Annotated[
        NonNegativeInt,
        about("Number of findings that the later side may still have, because it did not check their places."),
    ] = 0
    not_checked_before: Annotated[
        NonNegativeInt,
        about("Number of findings that the earlier side may already have had; it did not check their places."),
    ] = 0


class NotCompared(Struct, frozen=True):
    """Codes of rules with findings on one side that did not run on the other."""

    before: Annotated[Sequence[str], about("Those with findings on the earlier side, which are no longer checked.")]
    after: Annotated[Sequence[str], about("Those with findings on the later side.")]


class FindingChanges(Struct, frozen=True):
    """The findings of both sides."""

    counts: Annotated[FindingChangeCounts, about("Number of findings by how they changed.")]
    changes: Annotated[Sequence[FindingChange], about("The findings, new ones first.")]
    unchecked: Annotated[
        Mapping[Unchecked, NonNegativeInt],
        about(
            "Number of places of the earlier side that the later one did not check, by reason: `rule` if the rule "
            "was not run, `document` if the sitemap or robots.txt was not read to its end, `robots` if robots.txt "
            "blocks the page, `page` if the page was not requested, `response` if it returned a server error, a "
            "refusal, or nothing, `links` if a page that linked to it was not read."
        ),
    ]
    unchecked_before: Annotated[
        Mapping[Unchecked, NonNegativeInt],
        about("Number of places of the later side that the earlier one did not check, by the same reasons."),
    ]
    not_compared: Annotated[
        NotCompared, about("Codes of rules with findings on one side that did not run on the other.")
    ]


class RemovedUrls(Struct, frozen=True):
    """Results of requesting the removed URLs."""

    count: Annotated[NonNegativeInt, about("Exact number of URLs.")]
    examples: Annotated[Sequence[RemovedUrl], about("The first ones, by URL.")]
    documents: Annotated[
        Sequence[DocumentCount],
        about("Documents with most of them, largest first; empty if they do not belong to documents."),
    ]
    outcomes: Annotated[Mapping[RemovedUrlStatus, NonNegativeInt], about("Number of these URLs by status.")]
    moved_lost: Annotated[
        NonNegativeInt, about("Number of lost URLs whose page the later side lists at another URL.")
    ] = 0


@with_short_repr
class Comparison(Struct, frozen=True):
    """Changes between two sides."""

    IN_JSON: ClassVar = (
        "before", "after", "same=is_same", "alarms", "urls=url_changes", "sitemaps=sitemap_changes",
        "findings=finding_changes", "removed_urls=removed_url_results", "pages", "unindexed",
        "moved_pages", "renamed_pages", "new_unlisted", "robots", "llms",
    )  # fmt: skip

    before: Annotated[Side, about("The earlier side.")]
    after: Annotated[Side, about("The later side.")]
    added: Annotated[
        Part[ListedUrl], about("URLs that only the later side lists; those that are only respelled come last.")
    ]
    removed: Annotated[
        Part[ListedUrl], about("URLs that only the earlier side lists; those that are only respelled come last.")
    ]
    lastmod: Annotated[Part[LastmodChange], about("URLs that both sides list, with a different lastmod.")]
    moved: Annotated[dict[LastmodChangeKind, NonNegativeInt], about("Number of those per kind of change.")]
    children_added: Annotated[Part[str], about("Sitemaps that only indexes of the later side list.")]
    children_removed: Annotated[Part[str], about("Sitemaps that only indexes of the earlier side list.")]
    findings: Annotated[
        tuple[FindingChange, ...] | None,
        about(
            "Findings of either side, new ones first; None if rules were not run on both sides. Findings of rules "
            "that ran on the earlier side only are no longer checked."
        ),
    ]
    removed_urls: Annotated[
        Part[RemovedUrl] | None, about("Results of requesting the removed URLs; None if they were not requested.")
    ] = None
    removed_url_counts: Annotated[
        dict[RemovedUrlStatus, NonNegativeInt] | None, about("Number of removed URLs per status.")
    ] = None
    moved_lost: Annotated[
        NonNegativeInt, about("Number of lost URLs whose page the later side lists at another URL.")
    ] = 0
    max_drop: Annotated[float, about("Maximum share of URLs that can disappear without an alarm, in percent.")] = 10.0
    respelled: Annotated[
        Part[RespelledUrl], about("The removed URLs that the later side lists in another spelling.")
    ] = Part(0)
    respelled_added: Annotated[
        NonNegativeInt, about("Number of added URLs that the earlier side lists in another spelling.")
    ] = 0
    moved_pages: Annotated[Part[MovedPage], about("Removed URLs whose page the later side lists at another URL.")] = (
        Part(0)
    )
    renamed_pages: Annotated[
        Part[RenamedPage] | None,
        about("Pages that are only at another URL now, which sitemaps do not say; None unless both sides are builds."),
    ] = None
    new_unlisted: Annotated[
        Part[str] | None,
        about("Pages that only the later side has and does not list; None unless both sides are builds."),
    ] = None
    only_after: Annotated[
        tuple[str, ...],
        about(
            "Rules with findings on the later side that did not run on the earlier one, and are therefore not compared."
        ),
    ] = ()
    unindexed: Annotated[
        Part[UnindexedPage] | None,
        about("Listed pages that are no longer indexable; None if the pages of a side were not fetched."),
    ] = None
    robots: Annotated[
        tuple[RobotsChanges, ...], about("The robots.txt files whose meaning changed, if both sides are audited.")
    ] = ()
    llms: Annotated[
        tuple[LlmsChanges, ...], about("The llms.txt files whose links changed, if both sides are audited.")
    ] = ()
    pages: Annotated[
        PageChanges | None,
        about("What changed on the pages; None if the pages of a side were not requested."),
    ] = None
    new_findings: Annotated[
        Report | None,
        NOT_IN_JSON,
        about("The later side with its new findings only; None if rules were not run on both sides, or not asked for."),
    ] = None

    def findings_that_are(self, *states: State) -> list[FindingChange]:
        """Return the findings in any of these states."""
        return [change for change in self.findings or () if change.state in states]

    @property
    def only_added(self) -> Part[ListedUrl]:
        """The URLs that only the later side lists, without other spellings and the new URLs of moved pages."""
        return _without_pairs(self.added, self.respelled_added + self.moved_pages.count)

    @property
    def only_removed(self) -> Part[ListedUrl]:
        """The URLs that only the earlier side lists, without other spellings and the old URLs of moved pages."""
        return _without_pairs(self.removed, self.respelled.count + self.moved_pages.count)

    @property
    def renamed_to(self) -> dict[str, str]:
        """The new URLs of the first renamed pages, by their old ones."""
        return {} if self.renamed_pages is None else {page.url: page.after for page in self.renamed_pages.examples}

    @property
    def only_before(self) -> tuple[str, ...]:
        """Rules with findings on the earlier side that did not run on the later one."""
        return tuple(sorted({change.code for change in self.findings or () if Unchecked.RULE in change.unchecked}))

    @property
    def unchecked(self) -> dict[Unchecked, int]:
        """Number of places of the earlier side that the later one did not check, by reason."""
        counts: Counter[Unchecked] = Counter()
        for change in self.findings or ():
            counts.update(change.unchecked)
        return {reason: counts[reason] for reason in Unchecked if counts[reason]}

    @property
    def unchecked_before(self) -> dict[Unchecked, int]:
        """Number of places of the later side that the earlier one did not check, by reason."""
        counts: Counter[Unchecked] = Counter()
        for change in self.findings or ():
            counts.update(change.unchecked_before)
        return {reason: counts[reason] for reason in Unchecked if counts[reason]}

    @property
    def alarms(self) -> list[Alarm]:
        """Changes that are likely mistakes."""
        alarms = []
        gone = self.before.urls - self.after.urls
        if self.before.urls and 100 * gone > self.max_drop * self.before.urls:
            share = 100 * gone / self.before.urls
            text = f"{quantity(self.after.urls, 'URL')} instead of {self.before.urls:,} ({share:.1f}% fewer)"
            alarms.append(Alarm("url-count-drop", text))
        if self.children_removed.count:
            sitemaps = quantity(self.children_removed.count, "sitemap is", "sitemaps are")
            text = f"{sitemaps} no longer in any index"
            alarms.append(Alarm("sitemap-disappeared", text))
        worse = [
            change for change in self.findings_that_are(State.NEW, State.GROWN) if change.severity is Severity.ERROR
        ]
        if worse:
            errors = quantity(len(worse), "error is", "errors are")
            alarms.append(Alarm("new-errors", f"{errors} new or in more places than before"))
        if self.moved.get(LastmodChangeKind.EARLIER):
            urls = quantity(self.moved[LastmodChangeKind.EARLIER], "URL has", "URLs have")
            text = f"{urls} an earlier lastmod than before"
            alarms.append(Alarm("lastmod-earlier", text))
        if unindexed := self._unindexed_count:
            pages = quantity(unindexed, "page is", "pages are")
            alarms.append(Alarm("page-not-indexable", f"{pages} no longer indexable"))
        lost = (self.removed_url_counts or {}).get(RemovedUrlStatus.LOST, 0) - self.moved_lost
        if lost:
            urls = quantity(lost, "removed URL returns", "removed URLs return")
            alarms.append(Alarm("page-lost", f"{urls} an error instead of a redirect"))
        if self.moved_lost:
            pages = quantity(self.moved_lost, "page", "pages")
            text = f"{pages} moved, and the old {inflect(self.moved_lost, 'URL returns', 'URLs return')} an error"
            alarms.append(Alarm("page-moved-without-redirect", text))
        return alarms

    @property
    def _unindexed_count(self) -> int:
        return 0 if self.unindexed is None else self.unindexed.count

    @property
    def is_same(self) -> bool:
        """Whether nothing changed."""
        states = {change.state for change in self.findings or ()}
        counts = (
            self.added, self.removed, self.lastmod, self.children_added, self.children_removed,
            self.renamed_pages or Part(0), self.new_unlisted or Part(0), self.unindexed or Part(0),
        )  # fmt: skip
        has_same_pages = self.pages is None or not self.pages.changed
        has_same_files = not (self.robots or self.llms)
        return (
            not any(part.count for part in counts) and states <= {State.UNCHANGED} and has_same_pages and has_same_files
        )

    def fails(self, fail_on: str, *, new_only: bool = False) -> bool:
        """Return whether the changes count as a failure.

        Args:
            fail_on: `alarm` for alarms, which include new errors, `warning` also for new warnings, `any` for every
                change, `never`.
            new_only: Whether only findings that are new or in more places than before, and pages that are no longer
                indexable, count.
        """
        new = {change.severity for change in self.findings_that_are(State.NEW, State.GROWN)}
        match fail_on:
            case "never":
                return False
            case "any":
                return bool(new or self._unindexed_count) if new_only else not self.is_same
            case "warning" if Severity.WARNING in new:
                return True
            case _:
                is_worse = Severity.ERROR in new or bool(self._unindexed_count)
                return is_worse or (not new_only and bool(self.alarms))

    @property
    def url_changes(self) -> UrlChanges:
        """The URLs that differ."""
        part = self.lastmod
        moved = LastmodCounts(**{kind.value: count for kind, count in self.moved.items()})
        lastmod = LastmodChanges(part.count, part.examples, part.document_counts, moved)
        return UrlChanges(self.added, self.removed, lastmod, self.respelled)

    @property
    def sitemap_changes(self) -> SitemapChanges:
        """The sitemaps that only indexes of one side list."""
        return SitemapChanges(self.children_added, self.children_removed)

    @property
    def finding_changes(self) -> FindingChanges | None:
        """Findings of either side; None if rules were not run on both sides."""
        if (changes := self.findings) is None:
            return None
        states = [change.state.value.replace("-", "_") for change in changes]
        not_compared = NotCompared(self.only_before, self.only_after)
        counts = FindingChangeCounts(**{state: states.count(state) for state in {*states}})
        return FindingChanges(counts, changes, self.unchecked, self.unchecked_before, not_compared)

    @property
    def removed_url_results(self) -> RemovedUrls | None:
        """Results of requesting the removed URLs; None if they were not requested."""
        if (part := self.removed_urls) is None:
            return None
        counts = self.removed_url_counts or {}
        return RemovedUrls(part.count, part.examples, part.document_counts, counts, self.moved_lost)


def _without_pairs(part: Part[ListedUrl], pairs: int) -> Part[ListedUrl]:
    alone = tuple(entry for entry in part.examples if entry.respelled is None and entry.moved is None)
    return Part(max(part.count - pairs, len(alone)), alone)
