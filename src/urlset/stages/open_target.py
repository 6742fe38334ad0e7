"""Open the document of a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset.documents import DocumentReader
from urlset.errors import InputError, Unreadable, UsageError
from urlset.sources import Source, Target, as_targets, sources_of, uncompressed_name
from urlset.tables import SITEMAP_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.stages.session import Session

OTHER_FILES = frozenset({"xml", "robots", "unknown"})
"""Kinds of files that are normal in a site's directory next to its sitemaps. Other .xml files are mistakes."""


def open_one(target: Target, session: Session, *, hashed: bool = True) -> DocumentReader:
    """Open a target that is a single document.

    Args:
        hashed: Whether to compute its SHA-256.

    Raises:
        InputError: It cannot be fetched or opened.
        UsageError: It is a directory, several targets, or no target.
    """
    targets = as_targets(target)
    if len(targets) != 1:
        raise UsageError(f"expected one target, got {len(targets)}")
    source = next(sources_of(targets[0]))
    if source.is_searched:
        raise UsageError(f"{target!r} is a directory; read its files one at a time, or use validate")
    return DocumentReader(source, session.fetch(source), 0, session.options, hashed=hashed)


def list_sources(targets: Sequence[Target]) -> Iterator[Source | Unreadable]:
    """Yield all sources of the targets, and the targets without sources."""
    for target in targets:
        try:
            yield from sources_of(target)
        except InputError as error:
            yield Unreadable.of(error)


MIN_ABSOLUTE = 0.9
"""Share of the lines of a text file that must be URLs, if nothing else shows that it is a sitemap: licenses and
llms-full.txt have a few."""


def is_left_out(source: Source, facts: Mapping[str, Any]) -> bool:
    """Return whether a file of a directory, read to the end, is neither a sitemap nor named like one.

    Args:
        facts: The row of the document.
    """
    if not source.is_searched or source.is_called_sitemap:
        return False
    kind = facts.get("kind")
    if kind is None:
        # Too large to be read to the end, so it is not just a small file next to the sitemaps.
        return False
    if kind == "text":
        return bool(facts["loc_absolute"] < MIN_ABSOLUTE * facts["entries"])
    is_text = uncompressed_name(source.name).endswith(".txt")
    return kind in OTHER_FILES or (is_text and kind not in SITEMAP_KINDS)
