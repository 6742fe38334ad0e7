"""What became of a build: of each site, of the index over them, of each robots.txt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.build.sources.source import FAULTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.build.sources.dating import Lastmod
    from urlset.build.sources.source import LeftOut
    from urlset.build.summary import File, Summary

NO_FAULT = frozenset({"duplicate"})
"""Reasons of the writer that are nobody's fault: sources may overlap."""


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
