"""Reading one target: from what the user gave to a document."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from urlset.documents import DocumentReader
from urlset.errors import InputError, Unreadable, UsageError
from urlset.fetch import fetch
from urlset.pipeline.named import trust_in
from urlset.sources import Source, SourceKind, Target, as_targets, sources_of
from urlset.tables import SITEMAP_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.net.trust import Trust
    from urlset.options.verbs import ReadOptions

OTHER_FILES = frozenset({"xml", "robots", "unknown"})
"""Kinds of file that belong in a site's folder beside its sitemaps. Anything else that ends in .xml is a mistake."""


def open_one(
    target: Target, options: ReadOptions, *, hashed: bool = True, trust: Trust | None = None
) -> DocumentReader:
    """Opens a target that is one document.

    Args:
        target: The document.
        options: How to fetch and read.
        hashed: Whether to work out its SHA-256.
        trust: Whom the user trusts; the target unless given.

    Raises:
        InputError: It could not be reached at all.
        UsageError: It is a folder, several targets or no target.
    """
    targets = as_targets(target)
    if len(targets) != 1:
        raise UsageError(f"one target at a time, not {len(targets)}")
    source = next(sources_of(targets[0]))
    if source.is_searched:
        raise UsageError(f"{target!r} is a folder: read its files one by one, or use validate")
    with fetching([source], options, trust or trust_in(targets, options, discover=False)) as fetcher:
        fetched = fetch(source, options, fetcher)
    return DocumentReader(source, fetched, 0, options, hashed=hashed)


def fetching(sources: Iterable[Source], options: ReadOptions, trust: Trust) -> AbstractContextManager[Fetcher | None]:
    """What fetches the URLs among some sources, all of them together, so that each host is asked politely."""
    if not any(source.kind is SourceKind.URL for source in sources):
        return nullcontext()
    # It takes a while to import, and files do without it.
    from urlset.fetch.fetcher import Fetcher

    return Fetcher(options, trust)


def list_sources(targets: Sequence[Target]) -> Iterator[Source | Unreadable]:
    """Every source that the targets stand for, and the targets that stand for none."""
    for target in targets:
        try:
            yield from sources_of(target)
        except InputError as error:
            yield Unreadable.of(error)


def is_left_out(source: Source, reader: DocumentReader) -> bool:
    """Whether a file of a folder, read to its end, is no sitemap and was not called one either."""
    if not source.is_searched or source.is_called_sitemap:
        return False
    kind = reader.facts.get("kind")
    if kind is None:
        # Too large to have been read to its end, and so no small file that happens to lie beside the sitemaps.
        return False
    is_text = source.name.lower().removesuffix(".gz").endswith(".txt")
    return kind in OTHER_FILES or (is_text and kind not in SITEMAP_KINDS)
