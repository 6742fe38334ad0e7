"""Results of a build: files, counts, what was left out and why, and robots.txt lines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct, field, to_builtins

from urlset.model.fields import NOT_IN_JSON, NonNegativeFloat, NonNegativeInt, PositiveInt, about, computed
from urlset.model.notification import NotifyResult
from urlset.model.result import with_short_repr
from urlset.model.source_mapping import SourceMapping
from urlset.model.stable import PartCounts, StableChanges, StableLayout
from urlset.options.sources import LastmodSource
from urlset.text.sizes import enumeration, inflect, quantity

LEFT_NAMED = 10
"""Maximum files of a replaced set to name."""

NO_FAULT = frozenset({"duplicate"})
"""Reasons of the writer that are not problems, since sources may overlap."""

MAX_SHOWN = 200
"""Longest URL in a message, in characters."""


class Refusal(Struct, frozen=True):
    """An entry, or a field of an entry, that the writer left out."""

    number: Annotated[
        PositiveInt,
        about("Position of the entry in the input, from 1; 0 if the input has no order, such as a frame of Spark."),
    ]
    url: Annotated[str, about("The URL of the entry as given; empty if it has none.")]
    reason: Annotated[str, about("Code of the reason; the page on the writer lists all codes.")]
    field: Annotated[
        str, about("The invalid field, such as `video.title`; empty if the reason concerns the entry as a whole.")
    ]
    detail: Annotated[str, about("Details, if the reason is not specific; may be empty.")]
    value: Annotated[str, about("The invalid value, cut to 200 characters.")]
    whole: Annotated[bool, about("Whether the entry was left out; if false, only the field was.")]

    def __str__(self) -> str:
        unnamed = f"entry {self.number:,}" if self.number else "an entry without a URL"
        what = _log_text(self.url) if self.url else unnamed
        place = "" if self.field in ("", "loc") else f" in {self.field}"
        value = f": {self.value!r}" if self.value and self.value != self.url else ""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{what}: {self.reason}{place}{value}{detail}"


def _log_text(url: str) -> str:
    """Return a URL for a line of a log, escaped if necessary and cut to `MAX_SHOWN` characters."""
    text = url if url.isprintable() else repr(url)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"


Digest: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class File(Struct, frozen=True):
    """One file of a sitemap set."""

    name: Annotated[str, about("Its file name.")]
    url: Annotated[str, about("Its URL.")]
    kind: Annotated[Literal["urlset", "sitemapindex"], about("Its kind.")]
    group: Annotated[str, about("Name of the group of its entries; empty if entries are not grouped.")]
    entries: Annotated[NonNegativeInt, about("Number of URLs, or of sitemaps in an index.")]
    bytes: Annotated[NonNegativeInt, about("Uncompressed size.")]
    file_bytes: Annotated[NonNegativeInt, about("Size of the file, which may be compressed.")]
    digest: Annotated[Digest, about("XXH3 hash of the file, 128 bits in hexadecimal, to detect changes.")]
    lastmod: Annotated[str | None, about("The newest lastmod in it, for the index; None if no entry has one.")]
    changed: Annotated[bool, about("Whether it differs from what was published before.")]
    alternates: Annotated[NonNegativeInt, about("Number of hreflang links.")] = 0
    images: Annotated[NonNegativeInt, about("Number of images.")] = 0
    videos: Annotated[NonNegativeInt, about("Number of videos.")] = 0
    news: Annotated[NonNegativeInt, about("Number of news records.")] = 0
    label: Annotated[
        str, about("Name of a part without the name of its set, such as `12` or `shoes-2`; empty for other files.")
    ] = ""


class Feed(Struct, frozen=True):
    """A feed of the newest entries."""

    path: Annotated[str, about("Path of the file.")]
    entries: Annotated[NonNegativeInt, about("Number of entries.")]
    changed: Annotated[bool, about("Whether it differs from the previous file.")]


class Summary(Struct, frozen=True):
    """Result of writing a sitemap set."""

    files: Annotated[tuple[File, ...], about("Its files, indexes first.")]
    received: Annotated[NonNegativeInt, about("Number of entries in the input.")]
    written: Annotated[
        NonNegativeInt, about("Number of entries written; an entry with several languages counts once per language.")
    ]
    refused: Annotated[
        Mapping[str, PositiveInt],
        about("Number of invalid or duplicate entries that were left out, by reason, each at least 1."),
    ] = field(default_factory=dict)
    fields_left_out: Annotated[
        Mapping[str, PositiveInt], about("Number of fields left out of written entries, by reason, each at least 1.")
    ] = field(default_factory=dict)
    examples: Annotated[tuple[Refusal, ...], about("The first 1,000 entries and fields that the writer left out.")] = ()
    removed: Annotated[tuple[str, ...], about("Obsolete files of the previous set that are removed.")] = ()
    before: Annotated[NonNegativeInt, about("Number of URLs published before.")] = 0
    unescaped: Annotated[
        NonNegativeInt,
        about("Number of entries whose URL had XML escapes, such as `?a=1&amp;b=2`, which were resolved."),
    ] = 0
    deprecated: Annotated[
        NonNegativeInt,
        about("Number of images with a caption, geo_location, title, or license, which Google has ignored since 2022."),
    ] = 0
    deprecated_fields: Annotated[tuple[str, ...], about("The deprecated fields in use.")] = ()
    feed: Annotated[
        Feed | None, about("The feed of the entries with the newest lastmod; None if it was not requested.")
    ] = None
    stable: Annotated[StableChanges | None, about("What changed with the stable layout; None with another layout.")] = (
        None
    )
    ledger_note: Annotated[
        str, about("Why the ledger of the stable layout was created or rebuilt; empty if it was not.")
    ] = ""
    left: Annotated[
        tuple[str, ...],
        about(
            "Files of the replaced set that were kept, because the last build did not write them or they have changed "
            "since."
        ),
    ] = ()
    dated: Annotated[
        NonNegativeInt | None, about("Number of entries written with a lastmod; None if it was not counted.")
    ] = None

    @property
    def urls(self) -> int:
        """Number of URLs in the sitemaps, which is `written`; named as in other summaries."""
        return self.written

    @property
    def parts(self) -> tuple[File, ...]:
        """The sitemaps among the files."""
        return tuple(file for file in self.files if file.kind == "urlset")

    @property
    def part_counts(self) -> PartCounts | None:
        """What happened to the parts, with the stable layout."""
        if self.stable is None:
            return None
        published = self.stable.published
        old = [file for file in self.parts if file.label in published]
        changed = sum(file.changed for file in old)
        return PartCounts(
            unchanged=len(old) - changed,
            changed=changed,
            new=len(self.parts) - len(old),
            removed=len(published) - len(old),
        )

    @property
    def indexes(self) -> tuple[File, ...]:
        """The indexes among the files."""
        return tuple(file for file in self.files if file.kind == "sitemapindex")

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on changed values and ineffective fields."""
        sentences = [self.ledger_note] if self.ledger_note else []
        if self.left:
            is_one = len(self.left) == 1
            them = "it" if is_one else "them"
            names = ", ".join(self.left[:LEFT_NAMED]) + (", …" if len(self.left) > LEFT_NAMED else "")
            sentences.append(
                f"{quantity(len(self.left), 'file')} of the replaced set {'was' if is_one else 'were'} kept, because "
                f"the last build here did not write {them} or {'it has' if is_one else 'they have'} changed since: "
                f"{names}; remove {them} if nothing else needs {them}"
            )
        if self.unescaped:
            entries = quantity(self.written, "entry", "entries")
            sentences.append(f"XML escapes in URLs were resolved (&amp; became &) in {self.unescaped:,} of {entries}")
        if self.deprecated:
            fields = inflect(len(self.deprecated_fields), "field")
            images = quantity(sum(file.images for file in self.files), "image")
            sentences.append(
                f"Google ignores the deprecated image {fields} {enumeration(self.deprecated_fields)}, "
                f"present in {self.deprecated:,} of {images}"
            )
        return tuple(sentences)

    @property
    def robots(self) -> tuple[str, ...]:
        """Lines for robots.txt: every index, or the only sitemap if there is no index."""
        return tuple(f"Sitemap: {file.url}" for file in self.indexes or self.parts)

    def to_dict(self) -> dict[str, object]:
        """Return the summary as JSON values."""
        stable = None if self.stable is None else self.stable.to_dict()
        return {**to_builtins(self), "stable": stable, "robots": list(self.robots)}


SWEEP = 3
"""Number of files that a commit changed in the same way, from which the proof of a date says so."""


class DateProof(Struct, frozen=True):
    """The commit that gave a file its present words."""

    path: Annotated[str, about("The file, by its path in the repository.")]
    commit: Annotated[str, about("The commit: of a merged branch, the merge.")]
    committed: Annotated[datetime, about("The committer date, in UTC.")]
    subject: Annotated[str, about("The first line of its message, cut to 200 characters.")]
    words: Annotated[str, about("The first words that it changed; empty if the file has none.")]
    files: Annotated[
        PositiveInt, about("Number of source files whose newest words are from the same change of this commit.")
    ] = 1

    def __str__(self) -> str:
        same = f", the same change in {self.files:,} files" if self.files >= SWEEP else ""
        return f"commit {self.commit[:12]} {self.words or 'added it'}{same}: {self.subject}"


class SourceDate(Struct, frozen=True):
    """Date of a page according to one source."""

    source: Annotated[LastmodSource, about("The source.")]
    value: Annotated[date | datetime | str | None, NOT_IN_JSON, about("The date; None if the source has no date.")]
    reason: Annotated[str, about("Where the date comes from, or why no date was found.")]
    proof: Annotated[
        DateProof | None, about("The commit that proves the date, of the source `git-text`; None for other sources.")
    ] = None

    @property
    @computed(before="reason")
    def lastmod(self) -> str | None:
        """The date, before it is truncated to a day; None if no date was found."""
        return _date_text(self.value)


class Lastmod(Struct, frozen=True):
    """The lastmod of a page and its origin."""

    url: Annotated[str, about("The page.")]
    value: Annotated[date | datetime | str | None, NOT_IN_JSON, about("The date; None if no source has one.")]
    source: Annotated[LastmodSource | None, about("The source of the date.")]
    sources: Annotated[tuple[SourceDate, ...], about("The date according to each source, in order of preference.")]

    @property
    @computed(before="source")
    def lastmod(self) -> str | None:
        """The date, before it is truncated to a day; None if no date was found."""
        return _date_text(self.value)


def _date_text(value: date | datetime | str | None) -> str | None:
    return value if value is None or isinstance(value, str) else value.isoformat()


class Reason(StrEnum):
    """Why a source leaves out a page. The writer has separate reasons for invalid entries."""

    EXCLUDED = "excluded"
    """A glob pattern excludes it."""
    ERROR_PAGE = "error-page"
    """It is an error page, such as 404.html."""
    VERIFICATION = "verification"
    """It verifies the owner of the site, or is in .well-known."""
    TOOLING = "tooling"
    """It is in a directory of a package manager, framework, or other tool, such as node_modules."""
    PARTIAL = "partial"
    """It is a part of other pages, such as a layout or an include."""
    TEMPLATE = "template"
    """It is a template that was not rendered."""
    EMPTY = "empty"
    """It has no content."""
    NOT_HTML = "not-html"
    """Its content is a feed, JSON, or other data instead of HTML."""
    CMS_ADMIN = "cms-admin"
    """It is the login page of a content management system."""
    HIDDEN = "hidden"
    """The host does not publish it, such as a name that begins with `_` on GitHub Pages without .nojekyll."""
    NOINDEX = "noindex"
    """It has noindex."""
    CANONICAL = "canonical-elsewhere"
    """Its canonical URL is a different page."""
    REDIRECT = "redirect"
    """It redirects to another URL with a meta refresh."""
    ROBOTS = "robots"
    """robots.txt disallows it."""
    DRAFT = "draft"
    """Its front matter or its directory marks it as a draft or as unlisted."""
    NOT_YET = "not-yet"
    """It has a publication date in the future or an expiry date in the past."""
    UNKNOWN_URL = "unknown-url"
    """Only the generator of the site can determine its URL."""
    UNREADABLE = "unreadable"
    """It cannot be read."""


ABOUT: Mapping[Reason, str] = {
    Reason.EXCLUDED: "excluded by a glob pattern",
    Reason.ERROR_PAGE: "error page",
    Reason.VERIFICATION: "not for visitors: verifies the owner of the site, or is in .well-known",
    Reason.TOOLING: "in a directory of a package manager, framework, or other tool",
    Reason.PARTIAL: "part of other pages, such as a layout or an include",
    Reason.TEMPLATE: "template that was not rendered",
    Reason.EMPTY: "has no content",
    Reason.NOT_HTML: "a feed, JSON, or other data instead of HTML",
    Reason.CMS_ADMIN: "login page of a content management system",
    Reason.HIDDEN: "not published by the host",
    Reason.NOINDEX: "has noindex",
    Reason.CANONICAL: "canonical URL is a different page",
    Reason.REDIRECT: "redirects to another URL",
    Reason.ROBOTS: "disallowed by robots.txt",
    Reason.DRAFT: "marked as a draft or unlisted in its front matter or by its directory",
    Reason.NOT_YET: "not yet published or expired",
    Reason.UNKNOWN_URL: "only the generator of the site can determine its URL",
    Reason.UNREADABLE: "cannot be read",
}
"""Description of each reason."""


FAULTS = frozenset({Reason.UNREADABLE})
"""Reasons that indicate a problem rather than a choice."""


class LeftOutPage(Struct, frozen=True):
    """A page that a source left out."""

    what: Annotated[str, about("Its path in the directory, or its URL.")]
    reason: Annotated[str, about("Code of the reason.")]
    detail: Annotated[
        str, about("Details, such as the canonical URL, the line of robots.txt, or the glob pattern; may be empty.")
    ] = ""


class RobotsUpdate(Struct, frozen=True):
    """What a build did with a robots.txt."""

    path: Annotated[
        str | None,
        about("The file, of `--robots` or with all lines in the directory; None if you add the lines yourself."),
    ]
    host: Annotated[str, about("Its host.")]
    lines: Annotated[tuple[str, ...], about("The Sitemap lines that it must contain.")]
    changed: Annotated[bool, about("Whether the file changed.")] = False


class LlmsUpdate(Struct, frozen=True):
    """What a build did with an llms.txt or llms-full.txt."""

    path: Annotated[str, about("The file.")]
    pages: Annotated[NonNegativeInt, about("Number of pages in it.")]
    changed: Annotated[bool, about("Whether the file changed.")]


@with_short_repr
class SiteReport(Struct, frozen=True):
    """Result for a site."""

    IN_JSON: ClassVar = (
        "base_url", "out", "changed", "summary.received", "summary.written", "summary.files", "summary.removed",
        "summary.dated", "dates_from=dates", "left_out_in_total", "left_out", "left_out_examples=examples",
        "summary.refused", "summary.fields_left_out", "refused_examples=summary.examples",
        "published_before=summary.before", "shrinking", "summary.unescaped", "deprecated_images=summary.deprecated",
        "summary.feed", "stable", "notes", "mappings", "robots", "llms",
    )  # fmt: skip

    base_url: Annotated[str, about("URL of the directory of its sitemaps.")]
    out: Annotated[str, about("Path of that directory, or a URL.")]
    summary: Annotated[Summary, about("Its files, counts, and what the writer left out.")]
    left_out: Annotated[
        Mapping[str, PositiveInt], about("Number of pages that the sources left out, by reason, each at least 1.")
    ]
    examples: Annotated[
        tuple[LeftOutPage, ...],
        about("The first 1,000 pages that the sources left out; `--left-out` writes all of them to a file."),
    ]
    notes: Annotated[tuple[str, ...], about("Further notes, as sentences.")]
    robots: Annotated[RobotsUpdate, about("Result for its robots.txt.")]
    llms: Annotated[tuple[LlmsUpdate, ...], about("Results for its llms.txt and llms-full.txt, if requested.")] = ()
    explained: Annotated[
        Lastmod | None,
        about("The lastmod of the page given by `--explain-lastmod`; None if the site does not have the page."),
    ] = None
    shrinking: Annotated[
        str | None,
        about(
            "Why publishing would be refused: the set has no URLs, or less than half as many as published; None "
            "otherwise."
        ),
    ] = None
    dates_from: Annotated[
        Mapping[str, NonNegativeInt],
        about("Number of pages whose lastmod is from each source (a `LastmodSource`), before any was refused."),
    ] = field(default_factory=dict)
    mappings: Annotated[
        tuple[SourceMapping, ...],
        about("For dates from `git-text`: which pages of each directory of HTML have known source files."),
    ] = ()

    @property
    def stable(self) -> StableLayout | None:
        """What happened to the parts and their URLs; None if the layout is not stable."""
        summary = self.summary
        if summary.stable is None or summary.part_counts is None:
            return None
        return StableLayout(summary.part_counts, summary.stable, summary.ledger_note or None)

    @property
    def left_out_in_total(self) -> NonNegativeInt:
        """Number of pages and entries that were left out, by the sources and by the writer."""
        return sum(self.left_out.values()) + sum(self.summary.refused.values())

    @property
    def dates(self) -> Mapping[str, PositiveInt] | None:
        """Number of entries by the source of their lastmod, each at least 1; None if that is not known exactly."""
        dated, total = self.summary.dated, sum(self.dates_from.values())
        if dated is None or dated < total or (self.summary.refused and self.dates_from):
            return None
        # What no page has was given by a list, a query, or a sitemap.
        rest = {"given": dated - total + self.dates_from.get("given", 0)}
        counts = {**{name: count for name, count in self.dates_from.items() if name != "given"}, **rest}
        return {name: count for name, count in counts.items() if count}

    @property
    def changed(self) -> bool:
        """Whether any of its files, its feed, its robots.txt, or its llms.txt differ from what was published before."""
        feed = self.summary.feed
        return (
            any(file.changed for file in self.summary.files)
            or bool(self.summary.removed)
            or self.robots.changed
            or any(file.changed for file in self.llms)
            or (feed is not None and feed.changed)
        )

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems, as sentences."""
        sentences = [] if self.shrinking is None else [f"{self.base_url}: {self.shrinking}"]
        if not self.summary.written:
            sentences.append(f"{self.base_url}: no entries")
        for reason, count in self.summary.refused.items():
            if reason not in NO_FAULT:
                sentences.append(f"{self.base_url}: {quantity(count, 'entry', 'entries')} left out: {reason}")
        for reason, count in self.summary.fields_left_out.items():
            sentences.append(f"{self.base_url}: {quantity(count, 'field')} left out: {reason}")
        for reason, count in self.left_out.items():
            if reason in FAULTS:
                sentences.append(f"{self.base_url}: {quantity(count, 'page')} left out: {reason}")
        return tuple(sentences)


@with_short_repr
class IndexReport(Struct, frozen=True):
    """Result for the index of all sites."""

    out: Annotated[str, about("Its directory.")]
    files: Annotated[tuple[File, ...], about("The index, or several indexes if one cannot hold all sitemaps.")]
    removed: Annotated[tuple[str, ...], about("Obsolete indexes of the previous build.")] = ()

    @property
    def changed(self) -> bool:
        """Whether it differs from what was published before."""
        return any(file.changed for file in self.files) or bool(self.removed)


@with_short_repr
class BuildReport(Struct, frozen=True):
    """Result of a build."""

    sites: Annotated[tuple[SiteReport, ...], about("Result for each site.")]
    index: Annotated[IndexReport | None, about("Result for the index of all sites; None if no index was requested.")]
    published: Annotated[
        bool, about("Whether the files were published; false with `--check`, `--dry-run`, and `--diff`.")
    ]
    elapsed: Annotated[float, about("Duration, in seconds.")]
    notified: Annotated[
        NotifyResult | None, about("What was sent to search engines; None if that was not requested.")
    ] = None

    @property
    def changed(self) -> bool:
        """Whether anything differs from what was published before."""
        return any(site.changed for site in self.sites) or (self.index is not None and self.index.changed)

    @property
    def explained(self) -> Lastmod | None:
        """The lastmod of the page given by `--explain-lastmod`; None without the option, or if no site has the page."""
        return next((site.explained for site in self.sites if site.explained is not None), None)

    @property
    def elapsed_seconds(self) -> NonNegativeFloat:
        """Duration of the build."""
        return round(self.elapsed, 3)

    @property
    def would_be_refused(self) -> bool:
        """Whether publishing would be refused because a set is much smaller than the published one."""
        return not self.published and any(site.shrinking is not None for site in self.sites)

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems of all sites, as sentences."""
        return tuple(problem for site in self.sites for problem in site.problems)

    @property
    def written(self) -> NonNegativeInt:
        """Number of entries written, over all sites."""
        return sum(site.summary.written for site in self.sites)
