"""How much a set has that is published already, so that a build does not replace it with next to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from urlset import _core
from urlset.errors import ShrinkError
from urlset.net.urlparts import split_url

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

MOST_KEPT_OUT = 2
"""A set is refused that has less than one in so many of the URLs that are published."""


def shrink(before: int, after: int) -> ShrinkError | None:
    """Return the error for replacing a set by a much smaller one, or None if that may be.

    Args:
        before: How many URLs are published.
        after: How many are to be.
    """
    if before and after * MOST_KEPT_OUT < before:
        return ShrinkError(before, after)
    return None


def count_published(name: str, known: Mapping[str, int | None], path_of: Callable[[str], Path | None]) -> int:
    """Count the URLs of a published set.

    Args:
        name: Name of the set.
        known: Files of the set, as its manifest has them, and how many URLs each has; None where that must be counted.
            Empty if the manifest is lost: what the file of the set's own name lists is then counted.
        path_of: Gives a file of that name to read; None if there is none.
    """
    found = dict(known) or _discovered(name, path_of)
    return sum(_count(file, path_of) if count is None else count for file, count in found.items())


def _discovered(name: str, path_of: Callable[[str], Path | None]) -> dict[str, int | None]:
    """The files of a set that nothing else tells of: the one of its name, and what that lists."""
    found: dict[str, int | None] = {}
    for root in (f"{name}.xml", f"{name}.xml.gz"):
        path = path_of(root)
        if path is None:
            continue
        entries, children = _read(path)
        found[root] = entries
        # Further indexes are numbered, and their children stand beside them, too.
        number = 2
        while (further := path_of(root.replace(name, f"{name}-index-{number}", 1))) is not None:
            children += _read(further)[1]
            number += 1
        found |= dict.fromkeys(children)
    return found


def _count(name: str, path_of: Callable[[str], Path | None]) -> int:
    path = path_of(name)
    return 0 if path is None else _read(path)[0]


def _read(path: Path) -> tuple[int, list[str]]:
    """How many URLs a document has, and the names of the files that it lists."""
    children: list[str] = []
    with path.open("rb") as file:
        reader = _core.Reader(file, hash=False)
        for batch in reader:
            if "children" in batch:
                children += [loc for loc in batch["children"].column("loc") if loc]
        facts = reader.facts()
    entries = 0 if facts["kind"] == "sitemapindex" else int(facts["entries"])
    return entries, [unquote(split_url(url).path).rpartition("/")[2] for url in children]
