"""A sitemap as a stream of bytes, for responses of a web framework."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.options import BaseUrl, for_core
from urlset.build.refusal_log import RefusalLog
from urlset.errors import UsageError
from urlset.options.merge import merge
from urlset.options.writing import WriteOptions
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
    from typing import Unpack

    from urlset.build.writer import Entries, OneEntry
    from urlset.model.build import Refusal
    from urlset.options.fields import WriteFields

PIECE = 1_000
"""Entries per chunk, about 100 KiB."""


def stream(
    entries: Entries,
    options: WriteOptions | None = None,
    *,
    base_url: str | None = None,
    on_refused: Callable[[Refusal], None] | None = None,
    **fields: Unpack[WriteFields],
) -> Iterator[bytes]:
    """Write a sitemap and yield it in chunks of about 100 KiB, in constant memory.

    Namespaces that the first 1,000 entries use are declared in the root element; others are declared where they are
    used. Options that concern files are ignored.

    Args:
        entries: The entries, as for `Writer.extend`.
        base_url: The URL at which the sitemap is served; entries on other hosts are then left out. By default, any host
            is allowed.
        on_refused: Called with each entry or field that is left out, in addition to logging it.
        options: How to validate and write entries.
        fields: Single options, which override `options`; see `urlset.options.WriteOptions`.

    Yields:
        The bytes of the document, in order.

    Raises:
        EntryRefusedError: An entry is invalid, and `strict` is set.
        UsageError: An argument is invalid, or there are too many entries for one sitemap.

    Example:
        >>> print(b"".join(stream(["https://example.com/?a=1&b=2"])).decode(), end="")
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/?a=1&amp;b=2</loc></url>
        </urlset>
    """
    core, refusals = _begin(base_url, on_refused, merge(WriteOptions, options, fields))
    return _pieces(entries, core, refusals)


def _pieces(entries: Entries, core: _core.StreamWriter, refusals: RefusalLog) -> Iterator[bytes]:
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
        raise UsageError(str(error)) from None
    finally:
        refusals.close()


async def astream(
    entries: AsyncIterable[OneEntry],
    options: WriteOptions | None = None,
    *,
    base_url: str | None = None,
    on_refused: Callable[[Refusal], None] | None = None,
    **fields: Unpack[WriteFields],
) -> AsyncIterator[bytes]:
    """Do the same as `stream` for an asynchronous iterable, such as rows from an asynchronous database client.

    Yields:
        The bytes of the document, in order.

    Raises:
        EntryRefusedError: An entry is invalid, and `strict` is set.
        UsageError: An argument is invalid, or there are too many entries for one sitemap.

    Example:
        >>> import asyncio
        >>> async def pages():
        ...     yield "https://example.com/"
        >>> async def size():
        ...     return sum([len(piece) async for piece in astream(pages())])
        >>> asyncio.run(size())
        153
    """
    core, refusals = _begin(base_url, on_refused, merge(WriteOptions, options, fields))
    number = 0
    try:
        async for entry in entries:
            core.add(entry)
            number += 1
            if number % PIECE == 0:
                yield core.take()
        yield core.finish()
    except _core.EntryError as error:
        raise UsageError(str(error)) from None
    finally:
        refusals.close()


def index_document(
    children: Iterable[tuple[str, date | datetime | None]],
    options: WriteOptions | None = None,
    **fields: Unpack[WriteFields],
) -> bytes:
    """Write a sitemap index, as bytes.

    Args:
        children: The URL of each sitemap, and its lastmod if known.
        options: See `urlset.options.WriteOptions`; an index uses `index_lastmod`, `pretty`,
            `stylesheet`, and the limits.

    Raises:
        UsageError: An argument is invalid, or there are too many sitemaps for one index.

    Example:
        >>> print(index_document([("https://example.com/sitemap-1.xml", date(2025, 11, 14))]).decode(), end="")
        <?xml version="1.0" encoding="UTF-8"?>
        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://example.com/sitemap-1.xml</loc><lastmod>2025-11-14</lastmod></sitemap>
        </sitemapindex>
    """
    settings = merge(WriteOptions, options, fields)
    listed = []
    for url, lastmod in children:
        good = _core.good_url(url)
        if good is None:
            raise UsageError(f"{url!r} is not a valid URL of a sitemap")
        listed.append((good, _index_lastmod(lastmod, settings)))
    document = _core.index_document(listed, for_core(settings, None, index=True))
    if document is None:
        raise UsageError(f"{quantity(len(listed), 'sitemap')} exceed the limits of one index")
    return document


def _index_lastmod(lastmod: date | datetime | None, options: WriteOptions) -> str | None:
    if lastmod is None or options.index_lastmod == "none":
        return None
    if not isinstance(lastmod, datetime):
        return lastmod.isoformat()
    at = lastmod if lastmod.tzinfo is not None else lastmod.replace(tzinfo=UTC)
    return at.astimezone(UTC).date().isoformat() if options.index_lastmod == "date" else at.isoformat()


def _begin(
    base_url: str | None, on_refused: Callable[[Refusal], None] | None, options: WriteOptions
) -> tuple[_core.StreamWriter, RefusalLog]:
    refusals = RefusalLog(options, on_refused)
    base = None if base_url is None else BaseUrl.of(base_url)
    return _core.StreamWriter(for_core(options, base), refusals.note), refusals
