"""Dates of the last publication, for pages whose text is still the same although no history proves their dates."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from io import BytesIO
from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.sources import sitemaps
from urlset.build.sources.source import SiteLog
from urlset.errors import InputError
from urlset.files.bounded import MAX_PAGE_BYTES
from urlset.model.build import SourceDate
from urlset.net.origin import origin_url
from urlset.options.sources import LastmodSource, Sitemaps
from urlset.processes.threads import in_order
from urlset.sources import Source, SourceKind, is_url
from urlset.text.masking import mask_target, mask_url
from urlset.web.html_page import read_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from urlset.build.sources.source import SourceContext
    from urlset.fetch.fetched_source import FetchedSource


class NotKept(StrEnum):
    """Why the published date of a page is not kept, as the predicate of a sentence on the page."""

    NOT_PUBLISHED = "not listed there"
    NO_DATE = "listed there without a valid date"
    OTHER_TEXT = "published with another text"
    OTHER_DATE = "recorded by the last build with the same text and another date"
    NO_TEXT = "of unknown text there: no date was recorded for the present text, and no published HTML was fetched"
    NO_SOURCES = "made of files that are not committed or not known"


def summary(target: str, kept: int, not_kept: Mapping[NotKept, int]) -> str:
    """Return a sentence on the dates that were kept, and why others were not.

    Example:
        >>> summary("sitemap.xml", 0, {NotKept.NO_DATE: 2})
        'dates kept from sitemap.xml: 0 of 2; of the other pages, 2 are listed there without a valid date'
    """
    sentence = f"dates kept from {mask_target(target)}: {kept:,} of {kept + sum(not_kept.values()):,}"
    reasons = [f"{count:,} {'is' if count == 1 else 'are'} {why}" for why, count in not_kept.items() if count]
    return f"{sentence}; of the other pages, {', '.join(reasons)}" if reasons else sentence


class LastPublication:
    """The dates of a published sitemap.

    Args:
        target: Its URL or file; an index is followed.
        fetching: Opens the sitemap, and pages at its origin.

    Raises:
        InputError: The sitemap cannot be read.
    """

    def __init__(self, target: str, context: SourceContext, fetching: Callable[[Source], FetchedSource]) -> None:
        self._fetching = fetching
        self._threads = context.read.concurrency
        self._texts: dict[str, int | None] = {}
        self._origin = origin_url(target) if is_url(target) else None
        # What is left out of it says nothing about this build.
        own = replace(context, log=SiteLog(), order=(LastmodSource.GIVEN,))
        listed = sitemaps.entries(Sitemaps(targets=(target,)), own, fetching)
        self._dates = {
            _core.page_key(str(entry["loc"])): entry.get("lastmod") or None for entry in listed if "loc" in entry
        }

    def kept(self, url: str, main_text: int | None, now: datetime, recorded: str | None) -> SourceDate | NotKept | None:
        """Return the published date of a page whose text is the same, or why it is not kept.

        None if that depends on the text of the published page, which `fetch_texts` has not fetched.

        Args:
            main_text: Hash of the main text that is about to be published; None if the page is not generated yet.
            recorded: The date of the last build, if the text was the same.
        """
        from urlset.build.lastmod.page_dates import read_date

        key = _core.page_key(url)
        if key not in self._dates:
            return NotKept.NOT_PUBLISHED
        date = read_date(str(self._dates[key]), now)
        if date.value is None:
            return NotKept.NO_DATE
        last = None if recorded is None else read_date(recorded, now).value
        if last is not None and f"{last:%Y-%m-%d}" == f"{date.value:%Y-%m-%d}":
            why = "the last build recorded the same text with this date"
        elif main_text is None or origin_url(url) != self._origin:
            return NotKept.NO_TEXT if last is None else NotKept.OTHER_DATE
        elif url not in self._texts:
            return None
        elif (published := self._texts[url]) is None:
            return NotKept.NO_TEXT if last is None else NotKept.OTHER_DATE
        elif published != main_text:
            return NotKept.OTHER_TEXT
        else:
            why = "the published page has the same text"
        return SourceDate(LastmodSource.GIT_TEXT, date.value, f"kept from the last publication, because {why}")

    def fetch_texts(self, urls: Iterable[str]) -> None:
        """Fetch published pages at the origin of the sitemap, as many at a time as the client allows."""
        urls = sorted(urls)
        texts = in_order(self._fetched_text, urls, self._threads, "urlset-published")
        self._texts = dict(zip(urls, texts, strict=True))

    def _fetched_text(self, url: str) -> int | None:
        """Return the hash of the main text of a published page; None if it cannot be fetched, or has no text."""
        try:
            fetched = self._fetching(Source(SourceKind.URL, mask_url(url), url))
        except InputError:
            return None
        try:
            content = fetched.content
            if isinstance(content, str):
                return None
            stream = BytesIO(content) if isinstance(content, bytes) else content
            page = read_page(stream.read(MAX_PAGE_BYTES))
        finally:
            fetched.close()
        return page.content_hash if page.words else None
