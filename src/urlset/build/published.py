"""What is published already: how many URLs, so that no far smaller set replaces them, and the sitemaps of others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from urlset import _core
from urlset.errors import ShrinkError
from urlset.net.urlparts import split_url
from urlset.text.sizes import quantity
from urlset.web.robots_txt import Robots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Set
    from pathlib import Path

    from urlset.build.options import BaseUrl

INDEX = "sitemapindex"

_NAME = re.compile(r"[\w-][\w.-]*", re.ASCII)

MAX_SHRINKAGE = 2
"""A set is refused if it has fewer URLs than the published number divided by this."""


def shrink(before: int, after: int) -> ShrinkError | None:
    """Return the error for replacing `before` published URLs with far fewer, `after`; None if there are enough."""
    if before and after * MAX_SHRINKAGE < before:
        return ShrinkError(before, after)
    return None


def count_published_urls(name: str, counts: Mapping[str, int | None], path_of: Callable[[str], Path | None]) -> int:
    """Count the URLs of a published set.

    Args:
        counts: Files of the set in the manifest, and the number of URLs of each, or None if they must be counted. Empty
            if the manifest is missing; the files that the main file lists are then counted.
        path_of: Returns the local path for a file name; None if there is no such file.
    """
    files = dict(counts) or discover_files(name, path_of)
    return sum(_count(file, path_of) if count is None else count for file, count in files.items())


def discover_files(name: str, path_of: Callable[[str], Path | None]) -> dict[str, int | None]:
    """Return the files of a set without a manifest: the main file, and the files that it lists."""
    files: dict[str, int | None] = {}
    for root in (f"{name}.xml", f"{name}.xml.gz"):
        path = path_of(root)
        if path is None:
            continue
        entries, children = _read(path)
        # Some generators write the same set compressed as well; its URLs count once.
        files[root] = max(0, entries - sum(count or 0 for count in files.values()))
        # Further indexes are numbered, and their children are in the same directory.
        number = 2
        while (further := path_of(root.replace(name, f"{name}-index-{number}", 1))) is not None:
            children += _read(further)[1]
            number += 1
        files |= dict.fromkeys(children)
    return files


def _count(name: str, path_of: Callable[[str], Path | None]) -> int:
    path = path_of(name)
    return 0 if path is None else _read(path)[0]


def _read(path: Path) -> tuple[int, list[str]]:
    """Return the number of URLs of a document, and the names of the files that it lists."""
    facts, children = _facts(path)
    entries = 0 if facts["kind"] == INDEX else int(facts["entries"])
    return entries, [unquote(split_url(url).path).rpartition("/")[2] for url in children]


def _facts(path: Path) -> tuple[Mapping[str, Any], list[str]]:
    """Return the facts of a document, and the URLs of the sitemaps that it lists."""
    children: list[str] = []
    with path.open("rb") as file:
        reader = _core.Reader(file, hash=False)
        for batch in reader:
            if "children" in batch:
                children += [loc for loc in batch["children"].column("loc") if loc]
        return reader.facts(), children


def notes_on_sitemaps(robots: Path, content: bytes, base: BaseUrl, urls: Set[str], out: Path) -> Iterator[str]:
    """Yield notes on sitemaps that a robots.txt names, and that a build of its directory has nothing to do with.

    They are indexes that list no sitemap of the build, and files that the directory does not have.

    Args:
        robots: The file, at the base URL.
        urls: The URLs of the files that the build writes. An index that lists one of them is still in use.
        out: The directory of these files; whether a file of another directory exists is unknown.
    """
    missing = []
    for sitemap in Robots.parse(content).sitemaps:
        name = sitemap.url.removeprefix(base.text)
        path = robots.parent / name
        if sitemap.url in urls or not _NAME.fullmatch(name):
            continue
        if not path.is_file():
            missing += [sitemap.url] if robots.parent == out else []
            continue
        try:
            facts, children = _facts(path)
        except OSError:
            # Not a file of this build, which can do without it.
            continue
        if facts["kind"] == INDEX and urls.isdisjoint(children):
            yield (
                f"{robots} still names {sitemap.url}, an index that this build did not write and that does not list "
                "its sitemaps; if this build replaces it, remove the line and the file"
            )
    if missing:
        sitemaps = quantity(len(missing), "sitemap that is no file", "sitemaps that are no files")
        yield f"{robots} names {sitemaps} of {robots.parent}, such as {missing[0]}; remove what does not exist"
