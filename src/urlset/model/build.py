"""What became of a build: of each site, of the index over them, of each robots.txt, and what was left out and why."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from urlset.sizes import enumerated

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from urlset.options.sources import LastmodSource

NO_FAULT = frozenset({"duplicate"})
"""Reasons of the writer that are nobody's fault: sources may overlap."""

MAX_SHOWN = 200
"""Longest URL in a message, in characters."""


@dataclass(frozen=True, slots=True)
class Refused:
    """An entry that was left out, or a field of one.

    Attributes:
        number: Which one it was of the entries given, from 1.
        url: The URL of the entry as given; empty if it has none.
        reason: Why, in a word of a closed set: `urlset.refusal_reasons()` has them all, with what they mean.
        field: The field at fault, such as `video.title`; empty if it is the entry as a whole.
        detail: What exactly is wrong, where the reason leaves that open.
        value: The value at fault, cut to 200 characters.
        whole: Whether the entry was left out; if not, the field alone was.
    """

    number: int
    url: str
    reason: str
    field: str
    detail: str
    value: str
    whole: bool

    def __str__(self) -> str:
        what = _shown(self.url) if self.url else f"entry {self.number:,}"
        place = "" if self.field in ("", "loc") else f" in {self.field}"
        value = f": {self.value!r}" if self.value and self.value != self.url else ""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{what}: {self.reason}{place}{value}{detail}"


def _shown(url: str) -> str:
    """A URL on one line of a log, cut to what a person would read."""
    text = url if url.isprintable() else repr(url)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"


@dataclass(frozen=True, slots=True)
class File:
    """One file of a set.

    Attributes:
        name: Its name in the folder.
        url: Its address.
        kind: `urlset` or `sitemapindex`.
        group: The group of entries that it has, if they were given in groups; else empty.
        entries: How many entries it has.
        bytes: Its uncompressed size.
        file_bytes: Its size as it is.
        digest: XXH3 of it as it is, 128 bits in hexadecimal: tells whether it changed.
        lastmod: The newest lastmod in it, as an index says it; None if none is known.
        changed: Whether it differs from what was published before.
        alternates: How many hreflang links it has.
        images: How many images.
        videos: How many videos.
        news: How many news records.
    """

    name: str
    url: str
    kind: str
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


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed of the newest entries.

    Attributes:
        path: Its file.
        entries: How many entries it has.
        changed: Whether it differs from what was there before.
    """

    path: str
    entries: int
    changed: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """What became of a set.

    Attributes:
        files: Its files, the indexes first.
        offered: How many entries were given.
        written: How many were written; a group with several URLs counts as several.
        refused: Entries left out, by reason.
        fields_left_out: Fields left out of entries that were written, by reason.
        examples: The first 1,000 that were left out.
        removed: Files of the set before that are gone.
        before: How many URLs were published before.
        unescaped: Entries with a URL that was escaped as XML, such as `?a=1&amp;b=2`, and was written without that.
        deprecated: Images with a caption, geo_location, title or license, which Google has ignored since 2022.
        deprecated_fields: Which of those fields they have.
        feed: The feed of the newest entries, and whether it changed; None if none was asked for.
    """

    files: tuple[File, ...]
    offered: int
    written: int
    refused: Mapping[str, int] = field(default_factory=dict)
    fields_left_out: Mapping[str, int] = field(default_factory=dict)
    examples: tuple[Refused, ...] = ()
    removed: tuple[str, ...] = ()
    before: int = 0
    unescaped: int = 0
    deprecated: int = 0
    deprecated_fields: tuple[str, ...] = ()
    feed: Feed | None = None

    @property
    def parts(self) -> tuple[File, ...]:
        """The sitemaps among the files."""
        return tuple(file for file in self.files if file.kind == "urlset")

    @property
    def indexes(self) -> tuple[File, ...]:
        """The indexes among the files."""
        return tuple(file for file in self.files if file.kind == "sitemapindex")

    @property
    def notes(self) -> tuple[str, ...]:
        """What was altered or is of little use, in sentences."""
        found = []
        if self.unescaped:
            found.append(f"URLs escaped as XML: &amp; was read as & in {self.unescaped:,} of {self.written:,} entries")
        if self.deprecated:
            found.append(
                f"deprecated fields: Google ignores {enumerated(self.deprecated_fields)} of images; "
                f"{self.deprecated:,} of {sum(file.images for file in self.files):,} images "
                f"{'has' if self.deprecated == 1 else 'have'} {'it' if len(self.deprecated_fields) == 1 else 'them'}"
            )
        return tuple(found)

    @property
    def robots(self) -> tuple[str, ...]:
        """The lines for robots.txt: every index, or the one sitemap where there is none."""
        return tuple(f"Sitemap: {file.url}" for file in self.indexes or self.parts)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON."""
        return {**asdict(self), "robots": list(self.robots)}


@dataclass(frozen=True, slots=True)
class Said:
    """What one of those who were asked said.

    Attributes:
        source: Who.
        value: The date; None if it is not known.
        reason: Where it stands, or why it is not known.
    """

    source: LastmodSource
    value: date | datetime | str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Lastmod:
    """What is written as lastmod of a page, and why.

    Attributes:
        url: The page.
        value: The date; None if nobody knows one.
        source: Who decided.
        said: What each of those asked said, in their order.
    """

    url: str
    value: date | datetime | str | None
    source: LastmodSource | None
    said: tuple[Said, ...]


class Reason(StrEnum):
    """Why a page is left out before the writer sees it. The writer has reasons of its own for bad entries."""

    EXCLUDED = "excluded"
    """A glob excludes it."""
    ERROR_PAGE = "error-page"
    """It is what a server shows in place of another page, such as 404.html."""
    NOINDEX = "noindex"
    """It asks search engines not to list it."""
    CANONICAL = "canonical-elsewhere"
    """It says that another URL is the canonical one."""
    REDIRECT = "redirect"
    """It leads on to another URL by meta refresh."""
    ROBOTS = "robots"
    """robots.txt forbids it."""
    DRAFT = "draft"
    """Its front matter says that it is a draft, or not to be listed."""
    NOT_YET = "not-yet"
    """Its front matter has a date that is still to come, or one of expiry that is past."""
    UNREADABLE = "unreadable"
    """It cannot be read."""


ABOUT: Mapping[Reason, str] = {
    Reason.EXCLUDED: "excluded by a glob",
    Reason.ERROR_PAGE: "shown by servers in place of others",
    Reason.NOINDEX: "asks not to be indexed",
    Reason.CANONICAL: "canonical URL is another one",
    Reason.REDIRECT: "leads on to another URL",
    Reason.ROBOTS: "forbidden by robots.txt",
    Reason.DRAFT: "a draft, by its front matter",
    Reason.NOT_YET: "not published now, by its front matter",
    Reason.UNREADABLE: "cannot be read",
}
"""Each reason in words, for people."""


FAULTS = frozenset({Reason.UNREADABLE})
"""Reasons that are nobody's intention: something is wrong."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A page that a source left out.

    Attributes:
        what: Its path in the folder, or its URL.
        reason: Why.
        detail: What exactly: the canonical URL, the line of robots.txt, the glob.
    """

    what: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RobotsReport:
    """What became of a robots.txt.

    Attributes:
        path: The file; None where no file was named, and the lines are for somebody to put in.
        host: The host that it is for.
        lines: The lines that it has to have.
        changed: Whether the file differs from what was there before.
    """

    path: str | None
    host: str
    lines: tuple[str, ...]
    changed: bool = False


@dataclass(frozen=True, slots=True)
class SiteReport:
    """What became of a site.

    Attributes:
        base_url: The address of the folder of its sitemaps.
        out: That folder.
        summary: Its files, counts, and what the writer left out.
        left_out: What the sources left out, by reason.
        examples: The first 1,000 of those.
        notes: What a user should know besides, in sentences.
        robots: What became of its robots.txt.
        explained: The lastmod of the page that was asked about, and why it is so; None if there is no such page.
        shrinking: Why the set would not be published: it has no URLs, or less than half of those that are published.
            None otherwise.
    """

    base_url: str
    out: str
    summary: Summary
    left_out: Mapping[str, int]
    examples: tuple[LeftOut, ...]
    notes: tuple[str, ...]
    robots: RobotsReport
    explained: Lastmod | None = None
    shrinking: str | None = None

    @property
    def changed(self) -> bool:
        """Whether any of its files differ from what was published before."""
        feed = self.summary.feed
        return (
            any(file.changed for file in self.summary.files)
            or bool(self.summary.removed)
            or self.robots.changed
            or (feed is not None and feed.changed)
        )

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong, in sentences."""
        found = [] if self.shrinking is None else [f"{self.base_url}: {self.shrinking}"]
        if not self.summary.written:
            found.append(f"{self.base_url}: there is no entry at all")
        for reason, count in self.summary.refused.items():
            if reason not in NO_FAULT:
                found.append(f"{self.base_url}: {count:,} left out as bad: {reason}")
        for reason, count in self.summary.fields_left_out.items():
            found.append(f"{self.base_url}: {count:,} fields left out as bad: {reason}")
        for reason, count in self.left_out.items():
            if reason in FAULTS:
                found.append(f"{self.base_url}: {count:,} left out: {reason}")
        return tuple(found)


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What became of the index over all sites.

    Attributes:
        out: Its folder.
        files: The index, or several where one cannot hold all.
        removed: Indexes of the build before that are gone.
    """

    out: str
    files: tuple[File, ...]
    removed: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether it differs from what was published before."""
        return any(file.changed for file in self.files) or bool(self.removed)


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What became of a build.

    Attributes:
        sites: Each site.
        index: The index over them; None if none was asked for.
        published: Whether anything was written, or only found out.
        elapsed: How long it took, in seconds.
    """

    sites: tuple[SiteReport, ...]
    index: IndexReport | None
    published: bool
    elapsed: float

    @property
    def changed(self) -> bool:
        """Whether anything differs from what was published before."""
        return any(site.changed for site in self.sites) or (self.index is not None and self.index.changed)

    @property
    def explained(self) -> Lastmod | None:
        """The lastmod of the page that was asked about; None if none was, or if no site has it."""
        return next((site.explained for site in self.sites if site.explained is not None), None)

    @property
    def would_be_refused(self) -> bool:
        """Whether a set would not be published, since it is much smaller than the one that is."""
        return not self.published and any(site.shrinking is not None for site in self.sites)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong, in sentences."""
        return tuple(problem for site in self.sites for problem in site.problems)

    @property
    def written(self) -> int:
        """How many entries there are in all."""
        return sum(site.summary.written for site in self.sites)
