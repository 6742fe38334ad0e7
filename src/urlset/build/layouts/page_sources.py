"""Which source files make a page: the layout of the generator gives each file its URL, and pages look it up."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from urlset.build.layouts.includes import Includes
from urlset.build.layouts.layout_rules import SourcePlace
from urlset.build.layouts.layout_table import PROGRAMS
from urlset.build.layouts.source_folder import SourceFolder
from urlset.build.refusal_log import MAX_EXAMPLES
from urlset.build.sources import front_matter
from urlset.build.sources.languages import LANGUAGES
from urlset.build.sources.paths import alias_key
from urlset.build.sources.source_urls import url_of_source
from urlset.errors import reason_of
from urlset.files.bounded import MAX_PAGE_BYTES, read_file
from urlset.model.source_mapping import SourceMapping, Unmapped
from urlset.net.urlparts import split_url
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from urlset.build.sources.paths import FolderFile

MIN_MAPPED = 0.5
"""Share of pages with a source file from which the project that their directory is in is theirs. Our choice."""

_ANYWHERE = "https://x.invalid/"
"""Base URL of source files, of which only the path of their page matters."""

_LANGUAGE = re.compile(r"(?P<language>[a-z]{2}(-[a-z]{2,4})?)(/|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A source file that may make a page.

    Attributes:
        keys: The pages that it may make, the likeliest first.
        files: All files with words of the page.
        refusal: Why these files are not known; empty if they are.
    """

    name: str
    keys: tuple[str, ...]
    files: tuple[str, ...] = ()
    refusal: str = ""


class PageSources:
    """The source files of pages.

    Args:
        source: The directory with the files.
        urls: The URLs of all pages.
        base: The base URL of the site.
    """

    def __init__(self, source: SourceFolder, urls: Iterable[str], base: str) -> None:
        self.source = source
        self._unmapped: list[Unmapped] = []
        self._why_unmapped: dict[str, str] = {}
        self._base = base
        self._pages = {key: url for url in urls if (key := self._key_of(url, base)) is not None}
        self._includes = Includes.of(source)
        self._claims = self._assign(list(self._claimed()))

    @classmethod
    def of(cls, content: Path, pages: Path | None, urls: Sequence[str], base: str) -> PageSources:
        """Return the source files in a directory of the pages in another, or at a site.

        Raises:
            InputError: The directory cannot be listed.
        """
        return cls(SourceFolder.of(content, pages), urls, base)

    @classmethod
    def find(cls, content: Path | None, pages: Path, urls: Sequence[str], base: str) -> PageSources | None:
        """Return the source files of the pages in a directory.

        Without a directory of them, that of the generator is used if it has most of the pages; None if there is none.

        Args:
            content: The directory of source files.
            pages: The directory of pages.
            urls: The URLs of all pages.
            base: The URL of their directory.

        Raises:
            InputError: The directory of source files cannot be listed.
        """
        if content is not None:
            return cls.of(content, pages, urls, base)
        source = SourceFolder.beside(pages)
        if source is None:
            return None
        sources = cls(source, urls, base)
        mapping = sources.mapping
        return None if mapping.mapped < MIN_MAPPED * mapping.pages else sources

    def files(self, url: str) -> Sequence[str]:
        """Return the files with the words of a page; none if they are not known."""
        key = self._key_of(url, self._base)
        return self._claims[key].files if key in self._claims else ()

    def why_unmapped(self, url: str) -> str:
        """Return why the source files of a page are not known; empty if they are."""
        return self._why_unmapped.get(url, "")

    def all_files(self) -> Sequence[str]:
        return list(dict.fromkeys(path for claim in self._claims.values() for path in claim.files))

    @property
    def code(self) -> Collection[str]:
        """The files that pages show as they are."""
        return self._includes.code

    @property
    def mapping(self) -> SourceMapping:
        """How many pages were mapped, and what was not."""
        return SourceMapping(
            content=str(self.source.folder),
            generator=self.source.layout.generator,
            pages=len(self._pages),
            mapped=len(self._claims),
            unmapped_in_total=len(self._unmapped),
            unmapped=tuple(self._unmapped[:MAX_EXAMPLES]),
        )

    def _key_of(self, url: str, base: str) -> str | None:
        """Return what two spellings of the URL of a page share, relative to the base URL; None for other sites."""
        if not url.startswith(base):
            return "" if f"{url}/" == base else None
        path = unquote(split_url(url[len(base) - 1 :]).path)
        key = alias_key(path).strip("/")
        return key.lower() if self.source.layout.is_lower else key

    def _assign(self, claims: Sequence[_Claim]) -> dict[str, _Claim]:
        """Return the file that makes each page, if it is the only one."""
        mapped: dict[str, _Claim] = {}
        reasons: dict[str, str] = {}
        by_key: dict[str, list[_Claim]] = {}
        versions = Counter(claim.keys[-1] for claim in claims)
        for claim in claims:
            # A directory with the code of a language may be of that language if other files are versions of its files.
            keys = claim.keys if versions[claim.keys[-1]] > 1 else claim.keys[:1]
            key = next((key for key in keys if key in self._pages), None)
            if key is None:
                self._refuse(claim.name, f"there is no page at /{claim.keys[0]}")
            else:
                by_key.setdefault(key, []).append(claim)
        for key, rivals in by_key.items():
            # A file in the directory of a language only makes a page without it if no other file does.
            first = [claim for claim in rivals if claim.keys[0] == key] or rivals
            if len(first) > 1:
                names = ", ".join(claim.name for claim in first[:3])
                reasons[key] = f"{quantity(len(first), 'possible source file')}: {names}"
            elif first[0].refusal:
                reasons[key] = f"{first[0].name}: {first[0].refusal}"
            else:
                mapped[key] = first[0]
            for claim in rivals:
                if claim not in first:
                    self._refuse(claim.name, f"{first[0].name} makes the page at /{key}")
        for key, url in self._pages.items():
            if key not in mapped:
                why = reasons.get(key, "no source file found; it may be a list that the generator makes")
                self._why_unmapped[url] = why
                self._refuse(url, why)
        return mapped

    def _refuse(self, what: str, reason: str) -> None:
        self._unmapped.append(Unmapped(what, reason))

    def _claimed(self) -> Iterator[_Claim]:
        layout = self.source.layout
        placed = [(file, place) for file in self.source.files() if (place := self.source.place_of(file)) is not None]
        names = frozenset(place.name for _, place in placed)
        for file, place in placed:
            if layout.parts is not None and layout.parts.search(place.name):
                continue
            claim = self._claim(file, place, names)
            if isinstance(claim, str):
                self._refuse(file.name, claim)
            elif claim is not None:
                yield claim

    def _claim(self, file: FolderFile, place: SourcePlace, names: frozenset[str]) -> _Claim | str | None:
        """Return what a file makes, why that is not known, or None if it makes no page."""
        layout = self.source.layout
        try:
            text = read_file(file.path, MAX_PAGE_BYTES).decode("utf-8", "replace").removeprefix("\ufeff")
            front = {} if file.name.lower().endswith(PROGRAMS) else front_matter.parse(text[: front_matter.MAX_BYTES])
        except OSError as error:
            return reason_of(error)
        except front_matter.FrontMatterError as error:
            return f"{front_matter.FRONT_MATTER}{error}"
        ruled: SourcePlace | str | None = replace(place, front=front, has_front=bool(front_matter.split(text).mark))
        if layout.rule is not None and isinstance(ruled, SourcePlace):
            ruled = layout.rule(ruled)
        if not isinstance(ruled, SourcePlace):
            return ruled
        below = _ANYWHERE + ruled.below
        url = url_of_source(ruled.name, ruled.front, names, place=below, base=_ANYWHERE, layout=layout)
        if isinstance(url, tuple):
            return url[1]
        key = self._key_of(url, _ANYWHERE)
        if key is None:
            return f"its page is on another site, {url}"
        language = _LANGUAGE.match(key)
        is_language = language is not None and language["language"][:2].lower() in LANGUAGES
        keys = (key,) if language is None or not is_language else (key, key[language.end() :])
        included = self._includes.files_of(file.path, text)
        if isinstance(included, str):
            return _Claim(file.name, keys, refusal=included)
        return _Claim(file.name, keys, (file.path, *included))
