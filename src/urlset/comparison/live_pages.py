"""Wait until changed pages are online with their new main text, before search engines are sent there."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.fetch import read_bytes
from urlset.fetch.reply import Reuse
from urlset.net.origin import document_origin
from urlset.stages.named import trust_in_folder
from urlset.stages.session import Session
from urlset.web.html_page import charset_of, is_html
from urlset.web.main_text import text_hashes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.options.notifying import NotifyOptions

MAX_PAGES = 1_000
"""Maximum number of pages to wait for."""

PAGES_AT_ONCE = 32
"""Number of pages in memory at the same time."""

MAX_PAGE_BYTES = 2 * 1024 * 1024
"""Maximum bytes to read from a page: as many as an audit reads."""

ACCEPT = "text/html, application/xhtml+xml, */*;q=0.5"

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 15.0
"""Seconds between two requests for a page that is not online yet; each pause is twice as long as the last."""


def texts_of_directory(side: str, urls: Sequence[str], options: NotifyOptions) -> dict[str, frozenset[int]]:
    """Return the hashes of the main text of pages in a directory, as its host will serve them."""
    from urlset.hosting.opening import open_site
    from urlset.hosting.published_files import PublishedFolder

    folder = PublishedFolder.of(Path(side))
    if not folder.has_pages:
        return {}
    site = open_site(folder, None, None)
    with Session(options, trust_in_folder(site)) as session:
        return dict(_texts([url for url in urls if site.serves(url)], session.site))


def wait_for_texts(
    expected: Mapping[str, frozenset[int]], fetcher: Fetcher, until: float, pause: Callable[[float], None] = time.sleep
) -> list[str]:
    """Request pages until each has the main text that is expected, or the time is up.

    Args:
        expected: The hashes of the main text of each page, of which one is enough.
        until: The time to stop, as of `time.monotonic`. Each page is requested at least once.

    Returns:
        The pages that still lack it.
    """
    waiting, step = list(expected), FIRST_PAUSE
    while True:
        online = dict(_texts(waiting, fetcher))
        waiting = [url for url in waiting if expected[url].isdisjoint(online.get(url, ()))]
        remaining = until - time.monotonic()
        if not waiting or remaining <= 0:
            return waiting
        pause(min(step, remaining))
        step = min(step * 2, LONGEST_PAUSE)


def _texts(urls: Sequence[str], fetcher: Fetcher) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield the hashes of the main text of each page that returns 200, past all caches."""
    for first in range(0, len(urls), PAGES_AT_ONCE):
        some = urls[first : first + PAGES_AT_ONCE]
        answers = [
            fetcher.submit(
                url, via=document_origin(url), max_bytes=MAX_PAGE_BYTES, accept=ACCEPT, retries=0, reuse=Reuse.NONE
            )
            for url in some
        ]
        for url, coming in zip(some, answers, strict=True):
            answer = coming.result()
            content_type = answer.headers.get("content-type")
            if answer.ok and answer.status == 200 and is_html(content_type):
                yield url, text_hashes(read_bytes(answer.content, MAX_PAGE_BYTES), charset_of(content_type))
            answer.close()
