"""What became of the entries and the files: the summary of a set, and what was left out and why."""

from __future__ import annotations

import json
import logging
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from urlset.errors import EntryRefusedError, OutputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from urlset.build.options import WriteOptions

MAX_EXAMPLES = 1_000
"""How many of those left out the summary keeps; the counts are exact whatever this is."""

MAX_SHOWN = 200
"""Longest URL in a message, in characters."""

logger = logging.getLogger("urlset.build")


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
                f"deprecated fields: Google ignores {_enumerated(self.deprecated_fields)} of images; "
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


def _enumerated(names: tuple[str, ...]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


class Ledger:
    """Takes note of what is left out: logs it, counts it, keeps the first, writes the list that was asked for."""

    def __init__(self, options: WriteOptions, told: Callable[[Refused], None] | None = None) -> None:
        self.refused: Counter[str] = Counter()
        self.fields: Counter[str] = Counter()
        self.examples: list[Refused] = []
        self._strict = options.strict
        self._told = told
        self._path = None if options.refused_to is None else Path(options.refused_to)
        self._list: IO[str] | None = None

    def note(self, number: int, url: str, reason: str, field: str, detail: str, value: str, whole: bool) -> None:
        """Takes note of one; the core calls it.

        Raises:
            EntryRefusedError: Strictness was asked for.
        """
        one = Refused(number, url, reason, field, detail, value, whole)
        if self._strict:
            raise EntryRefusedError(f"{one}; nothing is published, since strictness was asked for", one)
        (self.refused if whole else self.fields)[reason] += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(one)
        logger.warning("%s: %s", "left out" if whole else "field left out", one)
        if self._path is not None:
            self._write(one)
        if self._told is not None:
            self._told(one)

    def _write(self, one: Refused) -> None:
        try:
            if self._list is None and self._path is not None:
                self._list = self._path.open("w", encoding="utf-8")
            if self._list is not None:
                self._list.write(json.dumps(asdict(one), ensure_ascii=False) + "\n")
        except OSError as error:
            raise OutputError(f"{self._path} cannot be written: {(error.strerror or str(error)).lower()}") from error

    def close(self) -> None:
        """Ends the list; one that nothing was written to is empty.

        Raises:
            OutputError: It cannot be written.
        """
        try:
            if self._list is not None:
                self._list.close()
                self._list = None
            elif self._path is not None and not self.examples:
                self._path.write_text("", encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{self._path} cannot be written: {(error.strerror or str(error)).lower()}") from error
