"""Results of a build: files, counts, what was left out and why, and robots.txt lines."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from urlset.model.result import with_short_repr
from urlset.model.stable import PartCounts, StableChanges
from urlset.text.sizes import enumeration, inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from urlset.model.notification import NotifyResult
    from urlset.options.sources import LastmodSource

NO_FAULT = frozenset({"duplicate"})
"""Reasons of the writer that are not problems, since sources may overlap."""

MAX_SHOWN = 200
"""Longest URL in a message, in characters."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An entry, or a field of an entry, that the writer left out.

    Attributes:
        number: Position of the entry in the input, from 1; 0 if the input has no order, such as a frame of Spark.
        url: The URL of the entry as given; empty if it has none.
        reason: Code of the reason; the page on the writer lists all codes.
        field: The invalid field, such as `video.title`; empty if the reason concerns the entry as a whole.
        detail: Details, if the reason is not specific; may be empty.
        value: The invalid value, cut to 200 characters.
        whole: Whether the entry was left out; if false, only the field was.
    """

    number: int
    url: str
    reason: str
    field: str
    detail: str
    value: str
    whole: bool

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


@dataclass(frozen=True, slots=True)
class File:
    """One file of a sitemap set.

    Attributes:
        name: Its file name.
        url: Its URL.
        kind: Its kind.
        group: Name of the group of its entries; empty if entries are not grouped.
        entries: Number of URLs, or of sitemaps in an index.
        bytes: Uncompressed size.
        file_bytes: Size of the file, which may be compressed.
        digest: XXH3 hash of the file, 128 bits in hexadecimal, to detect changes.
        lastmod: The newest lastmod in it, for the index; None if no entry has one.
        changed: Whether it differs from what was published before.
        alternates: Number of hreflang links.
        images: Number of images.
        videos: Number of videos.
        news: Number of news records.
        label: Name of a part without the name of its set, such as `12` or `shoes-2`; empty for other files.
    """

    name: str
    url: str
    kind: Literal["urlset", "sitemapindex"]
    group: str
    entries: int
    bytes: int
    file_bytes: int
    digest: str
    lastmod: str | None
    changed: bool
    alternates: int = 0
    images: int = 0
    videos: int = 0
    news: int = 0
    label: str = ""


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed of the newest entries.

    Attributes:
        path: Path of the file.
        entries: Number of entries.
        changed: Whether it differs from the previous file.
    """

    path: str
    entries: int
    changed: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """Result of writing a sitemap set.

    Attributes:
        files: Its files, indexes first.
        received: Number of entries in the input.
        written: Number of entries written; an entry with several languages counts once per language.
        refused: Number of invalid or duplicate entries that were left out, by reason, each at least 1.
        fields_left_out: Number of fields left out of written entries, by reason, each at least 1.
        examples: The first 1,000 entries and fields that the writer left out.
        removed: Obsolete files of the previous set that are removed.
        before: Number of URLs published before.
        unescaped: Number of entries whose URL had XML escapes, such as `?a=1&amp;b=2`, which were resolved.
        deprecated: Number of images with a caption, geo_location, title, or license, which Google has ignored
            since 2022.
        deprecated_fields: The deprecated fields in use.
        feed: The feed of the entries with the newest lastmod; None if it was not requested.
        stable: What changed with the stable layout; None with another layout.
        ledger_note: Why the ledger of the stable layout was created or rebuilt; empty if it was not.
        left: Obsolete files of the previous set that stay, because they were changed since.
        dated: Number of entries written with a lastmod; None if it was not counted.
    """

    files: tuple[File, ...]
    received: int
    written: int
    refused: Mapping[str, int] = field(default_factory=dict)
    fields_left_out: Mapping[str, int] = field(default_factory=dict)
    examples: tuple[Refusal, ...] = ()
    removed: tuple[str, ...] = ()
    before: int = 0
    unescaped: int = 0
    deprecated: int = 0
    deprecated_fields: tuple[str, ...] = ()
    feed: Feed | None = None
    stable: StableChanges | None = None
    ledger_note: str = ""
    left: tuple[str, ...] = ()
    dated: int | None = None

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
            first = ", ".join(self.left[:3]) + (", …" if len(self.left) > 3 else "")
            sentences.append(
                f"{quantity(len(self.left), 'obsolete file')} not removed, because the last build here did not write "
                f"{'it' if len(self.left) == 1 else 'them'} or the content has changed since: {first}"
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
        return {**asdict(self), "stable": stable, "robots": list(self.robots)}


@dataclass(frozen=True, slots=True)
class SourceDate:
    """Date of a page according to one source.

    Attributes:
        source: The source.
        value: The date; None if the source has no date.
        reason: Where the date comes from, or why no date was found.
    """

    source: LastmodSource
    value: date | datetime | str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Lastmod:
    """The lastmod of a page and its origin.

    Attributes:
        url: The page.
        value: The date; None if no source has one.
        source: The source of the date.
        sources: The date according to each source, in order of preference.
    """

    url: str
    value: date | datetime | str | None
    source: LastmodSource | None
    sources: tuple[SourceDate, ...]


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


@dataclass(frozen=True, slots=True)
class LeftOutPage:
    """A page that a source left out.

    Attributes:
        what: Its path in the directory, or its URL.
        reason: Code of the reason.
        detail: Details, such as the canonical URL, the line of robots.txt, or the glob pattern; may be empty.
    """

    what: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RobotsUpdate:
    """What a build did with a robots.txt.

    Attributes:
        path: The file; None without `--robots`, in which case you add the lines yourself.
        host: Its host.
        lines: The Sitemap lines that it must contain.
        changed: Whether the file changed.
    """

    path: str | None
    host: str
    lines: tuple[str, ...]
    changed: bool = False


@with_short_repr
@dataclass(frozen=True, slots=True)
class SiteReport:
    """Result for a site.

    Attributes:
        base_url: URL of the directory of its sitemaps.
        out: Path of that directory, or a URL.
        summary: Its files, counts, and what the writer left out.
        left_out: Number of pages that the sources left out, by reason, each at least 1.
        examples: The first 1,000 pages that the sources left out; `--left-out` writes all of them to a file.
        notes: Further notes, as sentences.
        robots: Result for its robots.txt.
        explained: The lastmod of the page given by `--explain-lastmod`; None if the site does not have the page.
        dates_from: Number of pages whose lastmod is from each source (a `LastmodSource`), before any was refused.
        shrinking: Why publishing would be refused: the set has no URLs, or less than half as many as published; None
            otherwise.
    """

    base_url: str
    out: str
    summary: Summary
    left_out: Mapping[str, int]
    examples: tuple[LeftOutPage, ...]
    notes: tuple[str, ...]
    robots: RobotsUpdate
    explained: Lastmod | None = None
    shrinking: str | None = None
    dates_from: Mapping[str, int] = field(default_factory=dict)

    @property
    def left_out_in_total(self) -> int:
        """Number of pages and entries that were left out, by the sources and by the writer."""
        return sum(self.left_out.values()) + sum(self.summary.refused.values())

    @property
    def dates(self) -> Mapping[str, int] | None:
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
        """Whether any of its files, its feed, or its robots.txt differ from what was published before."""
        feed = self.summary.feed
        return (
            any(file.changed for file in self.summary.files)
            or bool(self.summary.removed)
            or self.robots.changed
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
@dataclass(frozen=True, slots=True)
class IndexReport:
    """Result for the index of all sites.

    Attributes:
        out: Its directory.
        files: The index, or several indexes if one cannot hold all sitemaps.
        removed: Obsolete indexes of the previous build.
    """

    out: str
    files: tuple[File, ...]
    removed: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether it differs from what was published before."""
        return any(file.changed for file in self.files) or bool(self.removed)


@with_short_repr
@dataclass(frozen=True, slots=True)
class BuildReport:
    """Result of a build.

    Attributes:
        sites: Result for each site.
        index: Result for the index of all sites; None if no index was requested.
        published: Whether the files were published; false with `--check`, `--dry-run`, and `--diff`.
        elapsed: Duration, in seconds.
        notified: What was sent to search engines; None if that was not requested.
    """

    sites: tuple[SiteReport, ...]
    index: IndexReport | None
    published: bool
    elapsed: float
    notified: NotifyResult | None = None

    @property
    def changed(self) -> bool:
        """Whether anything differs from what was published before."""
        return any(site.changed for site in self.sites) or (self.index is not None and self.index.changed)

    @property
    def explained(self) -> Lastmod | None:
        """The lastmod of the page given by `--explain-lastmod`; None without the option, or if no site has the page."""
        return next((site.explained for site in self.sites if site.explained is not None), None)

    @property
    def would_be_refused(self) -> bool:
        """Whether publishing would be refused because a set is much smaller than the published one."""
        return not self.published and any(site.shrinking is not None for site in self.sites)

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems of all sites, as sentences."""
        return tuple(problem for site in self.sites for problem in site.problems)

    @property
    def written(self) -> int:
        """Number of entries written, over all sites."""
        return sum(site.summary.written for site in self.sites)
