"""Count the published URLs of a set, so that a build does not replace it with a much smaller one."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from urlset import _core
from urlset.errors import ShrinkError
from urlset.net.urlparts import split_url

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

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
    children: list[str] = []
    with path.open("rb") as file:
        reader = _core.Reader(file, hash=False)
        for batch in reader:
            if "children" in batch:
                children += [loc for loc in batch["children"].column("loc") if loc]
        facts = reader.facts()
    entries = 0 if facts["kind"] == "sitemapindex" else int(facts["entries"])
    return entries, [unquote(split_url(url).path).rpartition("/")[2] for url in children]
