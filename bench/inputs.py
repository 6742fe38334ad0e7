"""Generate the inputs of the benchmark: the same bytes on every machine, kept in a folder that git ignores."""

from __future__ import annotations

import gzip
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ENTRIES = 50_000
LINT_FILES = 20

_VERSION = "1"
"""Part of every file name, so that files of an older version are not used after a change below."""

_SECTIONS = ("garden", "kitchen", "lighting", "bathroom", "bedroom", "outdoor", "office", "storage", "textiles", "toys")
_WORDS = (
    "amber", "ash", "beech", "birch", "brass", "canvas", "cedar", "classic", "copper", "cotton", "deep", "double",
    "elm", "fine", "folding", "glass", "green", "heavy", "indigo", "iron", "large", "light", "linen", "long", "maple",
    "marble", "narrow", "oak", "olive", "pine", "plain", "round", "sand", "short", "silver", "slate", "small", "soft",
    "square", "steel", "stone", "tall", "teak", "twin", "velvet", "walnut", "warm", "white", "wide", "willow",
)  # fmt: skip
_FREQUENCIES = ("daily", "weekly", "monthly", "yearly")
_PRIORITIES = ("0.3", "0.5", "0.6", "0.8", "1.0")

_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
_XHTML = "http://www.w3.org/1999/xhtml"


@dataclass(frozen=True, slots=True)
class Input:
    """A generated file: its path, its content, and its size."""

    name: str
    about: str
    path: Path
    entries: int

    @property
    def megabytes(self) -> float:
        """Size of the file, in millions of bytes."""
        return self.path.stat().st_size / 1e6


def _slug(rng: random.Random, number: int, words: int) -> str:
    return "-".join((*rng.choices(_WORDS, k=words), str(number)))


def _lastmod(rng: random.Random) -> str:
    return (
        f"2025-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:00+00:00"
    )


def _plain_entry(rng: random.Random, number: int) -> str:
    """Return an entry as shops write it: a URL of about 90 characters, every fourth with an escaped ampersand."""
    section = rng.choice(_SECTIONS)
    query = f"?colour={rng.choice(_WORDS)}&amp;page={rng.randint(1, 40)}" if number % 4 == 0 else ""
    loc = f"https://www.example.com/catalogue/{section}/{_slug(rng, number, 5)}/{rng.choice(_WORDS)}{query}"
    return (
        f"<url>\n<loc>{loc}</loc>\n<lastmod>{_lastmod(rng)}</lastmod>\n"
        f"<changefreq>{rng.choice(_FREQUENCIES)}</changefreq>\n<priority>{rng.choice(_PRIORITIES)}</priority>\n</url>\n"
    )


_NON_ASCII_WORDS = (
    "café", "façade", "größe", "grün", "kälte", "naïve", "smörgås", "über", "école", "öl", "łódź", "žluť",
    "дом", "сад", "кухня", "лампа", "σπίτι", "κήπος", "部屋", "庭", "家具", "方", "집", "정원",
)  # fmt: skip


def _non_ascii_entry(rng: random.Random, number: int) -> str:
    """Return an entry with a path in any of several scripts, as a shop writes it that does not percent-encode URLs."""
    section = rng.choice(_SECTIONS)
    slug = "-".join((*rng.choices(_WORDS, k=2), *rng.choices(_NON_ASCII_WORDS, k=3), str(number)))
    return (
        f"<url>\n<loc>https://www.example.com/catalogue/{section}/{slug}/{rng.choice(_NON_ASCII_WORDS)}</loc>\n"
        f"<lastmod>{_lastmod(rng)}</lastmod>\n<changefreq>{rng.choice(_FREQUENCIES)}</changefreq>\n"
        f"<priority>{rng.choice(_PRIORITIES)}</priority>\n</url>\n"
    )


def _rich_entry(rng: random.Random, number: int) -> str:
    """Return an entry of a shop in three languages: three hreflang links and two images."""
    slug = _slug(rng, number, 3)
    section = rng.choice(_SECTIONS)
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="https://www.example.com/{code}/{section}/{slug}"/>\n'
        for code in ("en", "de", "fr-CH")
    )
    images = "".join(
        f"<image:image><image:loc>https://images.example.com/{section}/{slug}-{side}.jpg</image:loc></image:image>\n"
        for side in ("front", "back")
    )
    return (
        f"<url>\n<loc>https://www.example.com/en/{section}/{slug}</loc>\n<lastmod>{_lastmod(rng)}</lastmod>\n"
        f"{links}{images}</url>\n"
    )


def _write(path: Path, namespaces: str, entries: Iterator[str]) -> None:
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_SITEMAP}"{namespaces}>\n')
        file.writelines(entries)
        file.write("</urlset>\n")
    unfinished.replace(path)


def _make(
    folder: Path,
    name: str,
    about: str,
    entry: Callable[[random.Random, int], str],
    namespaces: str = "",
    first: int = 0,
    entries: int = ENTRIES,
) -> Input:
    path = folder / f"{name}-v{_VERSION}.xml"
    if not path.exists():
        rng = random.Random(name)
        _write(path, namespaces, (entry(rng, number) for number in range(first, first + entries)))
    return Input(name, about, path, entries)


def make_plain(folder: Path) -> Input:
    """Return a file of 50,000 entries with loc, lastmod, changefreq, and priority, about 10 MB."""
    about = "50,000 entries with loc, lastmod, changefreq and priority"
    return _make(folder, "plain", about, _plain_entry)


def make_non_ascii(folder: Path) -> Input:
    """Return a file of 50,000 entries with letters of several scripts in each URL, about 11 MB."""
    about = "50,000 entries with non-ASCII URLs"
    return _make(folder, "non-ascii", about, _non_ascii_entry)


def make_small(folder: Path) -> Input:
    """Return a file of one entry."""
    return _make(folder, "small", "one entry", _plain_entry, entries=1)


def make_rich(folder: Path) -> Input:
    """Return a file of 50,000 entries with loc, lastmod, three hreflang links, and two images each, about 33 MB."""
    about = "50,000 entries with loc, lastmod, three hreflang links and two images each"
    return _make(folder, "rich", about, _rich_entry, f' xmlns:xhtml="{_XHTML}" xmlns:image="{_IMAGE}"')


_LANGUAGES = ("de", "en", "fr")


def _version_entry(rng: random.Random, number: int, language: str) -> str:
    """Return a page in one of three languages, which links to all three; the others are in other files."""
    path = f"{rng.choice(_SECTIONS)}/{_slug(rng, number, 3)}"
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="https://www.example.com/{code}/{path}"/>\n'
        for code in _LANGUAGES
    )
    return (
        f"<url>\n<loc>https://www.example.com/{language}/{path}</loc>\n<lastmod>{_lastmod(rng)}</lastmod>\n"
        f"{links}</url>\n"
    )


def make_versions(folder: Path, files: int) -> Path:
    """Return a folder of files of 50,000 entries: every page in three languages, each language in a separate file."""
    target = folder / f"versions-{files}-v{_VERSION}"
    target.mkdir(exist_ok=True)
    for number in range(files):
        group, language = divmod(number, len(_LANGUAGES))
        path = target / f"sitemap-{number:03}.xml"
        if not path.exists():
            # The files of a group have the same pages, because they start with the same seed.
            rng = random.Random(f"versions-{group}")
            numbers = range(group * ENTRIES, (group + 1) * ENTRIES)
            entries = (_version_entry(rng, each, _LANGUAGES[language]) for each in numbers)
            _write(path, f' xmlns:xhtml="{_XHTML}"', entries)
    return target


def make_lint(folder: Path, files: int) -> list[Input]:
    """Return a number of files like that of `make_plain`, without repeated URLs."""
    about = "50,000 entries with loc, lastmod, changefreq and priority"
    return [
        _make(folder, f"lint-{number:02}", about, _plain_entry, first=number * ENTRIES)
        for number in range(1, files + 1)
    ]


def make_sized(folder: Path, urls: int) -> Path:
    """Return a folder of sitemaps with this many URLs in all, at most 50,000 each, without repeated URLs."""
    target = folder / f"sized-{urls}-v{_VERSION}"
    target.mkdir(exist_ok=True)
    for first in range(0, urls, ENTRIES):
        name = f"sitemap-{first // ENTRIES:03}"
        _make(target, name, "", _plain_entry, first=first, entries=min(ENTRIES, urls - first))
    return target


def make_children(folder: Path, children: int, entries: int) -> Path:
    """Return a folder of compressed sitemaps without repeated URLs."""
    place = folder / f"children-{children}-{entries}-http-v{_VERSION}"
    if not place.exists():
        made = place.with_suffix(".part")
        made.mkdir(exist_ok=True)
        for number in range(children):
            rng = random.Random(number)
            listed = "".join(_plain_entry(rng, number * entries + entry) for entry in range(entries))
            # They are served without TLS, so the URLs are http.
            listed = listed.replace("<loc>https:", "<loc>http:")
            text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_SITEMAP}">\n{listed}</urlset>\n'
            (made / f"sitemap-{number:04}.xml.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
        made.rename(place)
    return place
