"""One sitemap as bytes that are handed out while its entries still come: for an answer of a web framework."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.build.ledger import Ledger
from urlset.build.options import BaseUrl, WriteArguments, WriteOptions
from urlset.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
    from typing import Unpack

    from urlset.build.writer import Entries, OneEntry
    from urlset.model.build import Refused

PIECE = 1_000
"""Entries that one piece has, about 100 kB."""


def stream(
    entries: Entries,
    *,
    base_url: str | None = None,
    told: Callable[[Refused], None] | None = None,
    **options: Unpack[WriteArguments],
) -> Iterator[bytes]:
    """Makes one sitemap and yields it in pieces of about 100 kB, in constant memory.

    The namespaces that the first 1,000 entries use are declared at the top; one that comes into use later is declared
    where it is used. Options that are about files have no meaning here.

    Args:
        entries: As for `Writer.extend`.
        base_url: Where the sitemap is served: entries on other hosts are then bad; any host may be unless given.
        told: Called with each entry or field that is left out, besides its being logged.
        options: See `urlset.WriteOptions`.

    Yields:
        The bytes of the document, in order.

    Raises:
        EntryRefusedError: An entry is bad, and strictness was asked for.
        MisuseError: An argument cannot be meant, or the entries are too many for one sitemap.

    Example:
        >>> print(b"".join(stream(["https://example.com/?a=1&b=2"])).decode(), end="")
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/?a=1&amp;b=2</loc></url>
        </urlset>
    """
    core, ledger = _begin(base_url, told, options)
    return _pieces(entries, core, ledger)


def _pieces(entries: Any, core: _core.StreamWriter, ledger: Ledger) -> Iterator[bytes]:
    try:
        if hasattr(entries, "__arrow_c_stream__"):
            batches = core.batches(entries)
            while core.add_batch(batches):
                yield core.take()
        else:
            for number, entry in enumerate(entries, 1):
                core.add(entry)
                if number % PIECE == 0:
                    yield core.take()
        yield core.finish()
    except _core.EntryError as error:
        raise MisuseError(str(error)) from None
    finally:
        ledger.close()


async def astream(
    entries: AsyncIterable[OneEntry],
    *,
    base_url: str | None = None,
    told: Callable[[Refused], None] | None = None,
    **options: Unpack[WriteArguments],
) -> AsyncIterator[bytes]:
    """As `stream`, for an asynchronous iterable such as the rows of an asynchronous database client.

    Yields:
        The bytes of the document, in order.

    Raises:
        EntryRefusedError: An entry is bad, and strictness was asked for.
        MisuseError: An argument cannot be meant, or the entries are too many for one sitemap.

    Example:
        >>> import asyncio
        >>> async def pages():
        ...     yield "https://example.com/"
        >>> async def size():
        ...     return sum([len(piece) async for piece in astream(pages())])
        >>> asyncio.run(size())
        153
    """
    core, ledger = _begin(base_url, told, options)
    number = 0
    try:
        async for entry in entries:
            core.add(entry)
            number += 1
            if number % PIECE == 0:
                yield core.take()
        yield core.finish()
    except _core.EntryError as error:
        raise MisuseError(str(error)) from None
    finally:
        ledger.close()


def index_document(children: Iterable[tuple[str, date | datetime | None]], **options: Unpack[WriteArguments]) -> bytes:
    """Makes an index of sitemaps, as bytes.

    Args:
        children: The address of each sitemap, and when it was last modified, if that is known.
        options: See `urlset.WriteOptions`; an index has a use for `index_lastmod`, `pretty`, `stylesheet` and limits.

    Raises:
        MisuseError: An argument cannot be meant, or the sitemaps are too many for one index.

    Example:
        >>> print(index_document([("https://example.com/sitemap-1.xml", date(2025, 11, 14))]).decode(), end="")
        <?xml version="1.0" encoding="UTF-8"?>
        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://example.com/sitemap-1.xml</loc><lastmod>2025-11-14</lastmod></sitemap>
        </sitemapindex>
    """
    given = WriteOptions.of(options)
    listed = []
    for url, lastmod in children:
        good = _core.good_url(url)
        if good is None:
            raise MisuseError(f"{url!r} is no address that a sitemap can have")
        listed.append((good, _index_lastmod(lastmod, given)))
    document = _core.index_document(listed, given.for_core(None, index=True))
    if document is None:
        raise MisuseError(f"{len(listed):,} sitemaps are too many for one index")
    return document


def _index_lastmod(lastmod: date | datetime | None, options: WriteOptions) -> str | None:
    if lastmod is None or options.index_lastmod == "none":
        return None
    if not isinstance(lastmod, datetime):
        return lastmod.isoformat()
    at = lastmod if lastmod.tzinfo is not None else lastmod.replace(tzinfo=UTC)
    return at.astimezone(UTC).date().isoformat() if options.index_lastmod == "date" else at.isoformat()


def _begin(
    base_url: str | None, told: Callable[[Refused], None] | None, given: WriteArguments
) -> tuple[_core.StreamWriter, Ledger]:
    options = WriteOptions.of(given)
    ledger = Ledger(options, told)
    base = None if base_url is None else BaseUrl.of(base_url)
    return _core.StreamWriter(options.for_core(base), ledger.note), ledger
