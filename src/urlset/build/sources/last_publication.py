"""Dates of the last publication, for pages whose text is still the same although no history proves their dates."""

from __future__ import annotations

from dataclasses import replace
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
from urlset.sources import Source, SourceKind, is_url
from urlset.text.masking import mask_url
from urlset.web.html_page import read_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from urlset.build.sources.source import SourceContext
    from urlset.fetch.fetched_source import FetchedSource


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
        self._origin = origin_url(target) if is_url(target) else None
        # What is left out of it says nothing about this build.
        own = replace(context, log=SiteLog(), order=(LastmodSource.GIVEN,))
        listed = sitemaps.entries(Sitemaps(targets=(target,)), own, fetching)
        self._dates = {
            _core.page_key(str(entry["loc"])): entry["lastmod"]
            for entry in listed
            if entry.get("lastmod") and "loc" in entry
        }

    def kept(self, url: str, main_text: int | None, now: datetime, recorded: str | None) -> SourceDate | None:
        """Return the published date of a page whose text is the same; None if it is not, or not known to be.

        Args:
            main_text: Hash of the main text that is about to be published; None if the page is not generated yet.
            recorded: The date of the last build, if the text was the same.
        """
        from urlset.build.lastmod.page_dates import read_date

        written = self._dates.get(_core.page_key(url))
        if written is None:
            return None
        date = read_date(str(written), now)
        if date.value is None:
            return None
        last = None if recorded is None else read_date(recorded, now).value
        if last is not None and f"{last:%Y-%m-%d}" == f"{date.value:%Y-%m-%d}":
            why = "the last build recorded the same text with this date"
        elif main_text is not None and self._fetched_text(url) == main_text:
            why = "the published page has the same text"
        else:
            return None
        return SourceDate(LastmodSource.GIT_TEXT, date.value, f"kept from the last publication, because {why}")

    def _fetched_text(self, url: str) -> int | None:
        """Return the hash of the main text of a published page; None if it cannot be fetched, or has no text."""
        if self._origin is None or origin_url(url) != self._origin:
            return None
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
