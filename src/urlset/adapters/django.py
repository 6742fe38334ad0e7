"""Django: the views of `django.contrib.sitemaps`, implemented with the writer, which streams valid sitemaps.

They take the same `Sitemap` classes, `sitemaps` dictionary, and URL names. In `urls.py`, change

    from django.contrib.sitemaps.views import index, sitemap

to

    from urlset.adapters.django import index, sitemap

`docs/how-to/web-applications.md` lists the differences.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from urlset.build.stream import index_document, stream
from urlset.errors import MissingExtraError
from urlset.net.origin import origin_of
from urlset.options.writing import MAX_ENTRIES

try:
    from asgiref.sync import sync_to_async
    from django.conf import settings
    from django.contrib.sitemaps import Sitemap
    from django.contrib.sites.shortcuts import get_current_site
    from django.core.exceptions import ImproperlyConfigured, SuspiciousOperation
    from django.core.handlers.asgi import ASGIRequest
    from django.core.paginator import EmptyPage, PageNotAnInteger
    from django.db.models import QuerySet
    from django.http import Http404, HttpResponse, StreamingHttpResponse
    from django.urls import reverse
    from django.utils import timezone
    from django.utils.cache import get_conditional_response
    from django.utils.http import http_date, parse_http_date
except ImportError as error:
    raise MissingExtraError(f"urlset.adapters.django requires Django: pip install Django ({error})") from None

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from urlset.options.fields import WriteFields

Sitemaps: TypeAlias = "Mapping[str, Sitemap | Callable[[], Sitemap]]"

ROBOTS = "noindex, noodp, noarchive"
"""X-Robots-Tag of Django's sitemaps: search engines should not index the sitemap itself."""

CHUNK = 1_000
"""Rows to fetch from the database per batch."""

EXTENSIONS = ("images", "videos", "news")
"""Attributes or methods of a `Sitemap` that the writer supports in addition to Django's."""


def index(
    request: HttpRequest,
    sitemaps: Sitemaps,
    template_name: str | None = None,
    content_type: str = "application/xml",
    sitemap_url_name: str = "django.contrib.sitemaps.views.sitemap",
    options: WriteFields | None = None,
) -> HttpResponseBase:
    """Return the index of the pages of all sitemaps; see `django.contrib.sitemaps.views.index`.

    Args:
        sitemaps: Mapping from section to `Sitemap` class or instance.
        template_name: Not supported, because the writer creates the document.
        sitemap_url_name: URL name of the view `sitemap`, which takes a section.
        options: Options of the writer, such as `{"index_lastmod": "date"}`.

    Raises:
        ImproperlyConfigured: A template is given.
    """
    _no_template(template_name)
    domain = _current_site(request).domain
    children: list[tuple[str, date | datetime | None]] = []
    newest: list[datetime | None] = []
    for section, site in _instances(sitemaps).items():
        address = reverse(sitemap_url_name, kwargs={"section": section})
        absolute = f"{site.protocol or request.scheme}://{domain}{address}"
        lastmod = site.get_latest_lastmod()
        newest.append(_instant(lastmod))
        children.append((absolute, _local(lastmod)))
        children += ((f"{absolute}?p={page}", _local(lastmod)) for page in range(2, site.paginator.num_pages + 1))
    headers = _headers(newest)
    if (unchanged := _not_modified_response(request, headers)) is not None:
        return unchanged
    return HttpResponse(index_document(children, **(options or {})), content_type=content_type, headers=headers)


def sitemap(
    request: HttpRequest,
    sitemaps: Sitemaps,
    section: str | None = None,
    template_name: str | None = None,
    content_type: str = "application/xml",
    options: WriteFields | None = None,
) -> HttpResponseBase:
    """Stream a sitemap: a page of one section, or of all sections; see `django.contrib.sitemaps.views.sitemap`.

    Args:
        request: The request; its parameter `p` is the page number.
        sitemaps: Mapping from section to `Sitemap` class or instance.
        section: The section; by default all sections.
        template_name: Not supported, because the writer creates the document.
        options: Options of the writer, such as `{"lastmod": "datetime"}`.

    Raises:
        Http404: The section or page does not exist.
        ImproperlyConfigured: A template is given, or the sections have too many entries for one sitemap.
    """
    _no_template(template_name)
    if section is not None and section not in sitemaps:
        raise Http404(f"No sitemap available for section: {section!r}")
    sections = sitemaps if section is None else {section: sitemaps[section]}
    fields: WriteFields = {**(options or {})}
    page = request.GET.get("p", 1)
    pages = [_Page(site, page, request, fields) for site in _instances(sections).values()]
    if sum(part.count for part in pages) > MAX_ENTRIES:
        raise ImproperlyConfigured(
            f"the sections have more than {MAX_ENTRIES:,} entries in total, too many for one sitemap; "
            "serve urlset.adapters.django.index, and each section separately"
        )
    headers = _headers([part.lastmod for part in pages])
    if (unchanged := _not_modified_response(request, headers)) is not None:
        return unchanged
    if request.method == "HEAD":
        return HttpResponse(content_type=content_type, headers=headers)
    pieces = stream(chain.from_iterable(part.entries() for part in pages), **fields)
    # An error at the start results in an error response instead of a truncated one.
    pieces = chain([next(pieces)], pieces)
    content = _asynchronous(pieces) if isinstance(request, ASGIRequest) else pieces
    return StreamingHttpResponse(content, content_type=content_type, headers=headers)


class _Page:
    """A page of a section, as entries for the writer."""

    def __init__(self, site: Sitemap, page: str | int, request: HttpRequest, options: WriteFields) -> None:
        self._site = site
        self._page = page
        self._options = options
        self._current = _current_site(request)
        self._scheme = request.scheme
        try:
            self._items = site.paginator.page(page).object_list
        except EmptyPage:
            raise Http404(f"Page {page} empty") from None
        except PageNotAnInteger:
            raise Http404(f"No page '{page}'") from None
        self.count = self._items.count() if isinstance(self._items, QuerySet) else len(self._items)

    @property
    def lastmod(self) -> datetime | None:
        """Return when the section was last modified, if that is known without reading every item."""
        kind = type(self._site)
        if kind.get_latest_lastmod is Sitemap.get_latest_lastmod and callable(getattr(kind, "lastmod", None)):
            return None
        return _instant(self._site.get_latest_lastmod())

    def entries(self) -> Iterator[dict[str, object]]:
        kind = type(self._site)
        if kind.get_urls is not Sitemap.get_urls or kind._urls is not Sitemap._urls:
            # A subclass that overrides the list is respected.
            urls = self._site.get_urls(page=self._page, site=self._current, protocol=self._scheme)
            yield from map(self._entry_of_list, urls)
            return
        items = self._items
        rows: Iterable[object] = items.iterator(chunk_size=CHUNK) if isinstance(items, QuerySet) else items
        yield from map(self._entry, rows)

    def _entry(self, item: object) -> dict[str, object]:
        # Equivalent to `Sitemap._urls`, one item at a time. https://docs.djangoproject.com/en/stable/ref/contrib/sitemaps/
        site = self._site
        protocol, domain = site.get_protocol(self._scheme), site.get_domain(self._current)
        origin = f"{protocol}://{domain}"
        entry: dict[str, object] = {"loc": f"{origin}{site._location(item)}"}
        for name in ("lastmod", "changefreq", "priority", *EXTENSIONS):
            value = site._get(name, item)
            if value not in (None, ""):
                entry[name] = value
        if site.i18n and site.alternates:
            entry["alternates"] = [*self._alternates(item, origin)]
        return self._with_local_lastmod(entry)

    def _alternates(self, item: Any, origin: str) -> Iterator[dict[str, str]]:
        site = self._site
        languages = site.get_languages_for_item(item[0])
        for code in languages:
            yield {"hreflang": code, "href": f"{origin}{site._location(item, code)}"}
        if site.x_default and settings.LANGUAGE_CODE in languages:
            code = settings.LANGUAGE_CODE
            href = f"{origin}{site._location(item, code)}".replace(f"/{code}/", "/", 1)
            yield {"hreflang": "x-default", "href": href}

    def _entry_of_list(self, url: Mapping[str, Any]) -> dict[str, Any]:
        entry = {name: url[name] for name in ("lastmod", "changefreq", "priority") if url.get(name) not in (None, "")}
        links = [
            {"hreflang": version["lang_code"], "href": version["location"]} for version in url.get("alternates", ())
        ]
        return self._with_local_lastmod({"loc": url["location"], **entry, **({"alternates": links} if links else {})})

    def _with_local_lastmod(self, entry: dict[str, object]) -> dict[str, object]:
        lastmod = _local(entry.get("lastmod"))
        if isinstance(lastmod, datetime) and self._options.get("lastmod", "date") == "date":
            # The day in the time zone of the site, as in Django, rather than in UTC.
            lastmod = lastmod.date()
        if lastmod is not None:
            entry["lastmod"] = lastmod
        return entry


def _instances(sitemaps: Sitemaps) -> dict[str, Sitemap]:
    return {section: site() if callable(site) else site for section, site in sitemaps.items()}


def _current_site(request: HttpRequest) -> Any:
    """Return the site of a request, whose domain is the `Host` header if the sites framework is not installed.

    Raises:
        SuspiciousOperation: The domain is not a host, such as one with an invalid port; Django then responds with 400.
    """
    site = get_current_site(request)
    if origin_of(f"http://{site.domain}/") is None:
        raise SuspiciousOperation(f"{site.domain!r} is not a host")
    return site


def _no_template(template_name: str | None) -> None:
    if template_name is not None:
        raise ImproperlyConfigured(
            f"the writer does not support the template {template_name!r}; remove template_name, "
            "or use django.contrib.sitemaps.views"
        )


def _local(lastmod: Any) -> Any:
    """Return a time in the time zone of the site; a naive one is already in it."""
    if not isinstance(lastmod, datetime):
        return lastmod
    return timezone.make_aware(lastmod) if timezone.is_naive(lastmod) else timezone.localtime(lastmod)


def _instant(lastmod: date | datetime | None) -> datetime | None:
    if lastmod is None or isinstance(lastmod, datetime):
        return _local(lastmod)  # type: ignore[no-any-return]
    return datetime.combine(lastmod, time.min, UTC)


def _headers(newest: list[datetime | None]) -> dict[str, str]:
    headers = {"X-Robots-Tag": ROBOTS}
    moments = [moment for moment in newest if moment is not None]
    if moments and len(moments) == len(newest):
        headers["Last-Modified"] = http_date(max(moments).timestamp())
    return headers


def _not_modified_response(request: HttpRequest, headers: Mapping[str, str]) -> HttpResponseBase | None:
    """Return a 304 response if nothing changed."""
    if "Last-Modified" not in headers:
        return None
    response = HttpResponse(headers=dict(headers))
    timestamp = parse_http_date(headers["Last-Modified"])
    conditional = get_conditional_response(request, None, timestamp, response)
    return None if conditional is response else conditional


async def _asynchronous(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the chunks for an asynchronous server, created in the thread that may use the database."""
    following = sync_to_async(lambda: next(pieces, None), thread_sensitive=True)
    while (piece := await following()) is not None:
        yield piece
