"""The Django views say what Django's own say, for the same `Sitemap` classes; streamed, and right by construction."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import django
import pytest
from django.conf import settings

if not settings.configured:
    settings.configure(
        ALLOWED_HOSTS=["example.com", "testserver"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=["django.contrib.sitemaps"],
        LANGUAGES=[("en", "English"), ("de", "German"), ("pt-br", "Brazilian")],
        LANGUAGE_CODE="en",
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
        TIME_ZONE="Pacific/Auckland",
        USE_TZ=True,
    )
    django.setup()

from django.contrib.sitemaps import GenericSitemap, Sitemap
from django.contrib.sitemaps import views as theirs
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, models
from django.test import AsyncClient, Client, override_settings
from django.urls import path

import urlset
from urlset.adapters import django as ours
from urlset.errors import MissingExtraError

PAGES = 25
NAMES = "django.contrib.sitemaps.views.sitemap"
START = datetime(2025, 3, 1, 11, 30, tzinfo=UTC)


class Page(models.Model):  # type: ignore[misc]
    slug = models.CharField(max_length=50)
    updated = models.DateTimeField()

    class Meta:
        app_label = "pages"
        ordering = ("id",)

    def get_absolute_url(self) -> str:
        return f"/pages/{self.slug}/"


class PageMap(Sitemap):  # type: ignore[misc]
    changefreq = "weekly"
    limit = 10

    def items(self) -> Any:
        return Page.objects.all()

    def lastmod(self, page: Page) -> Any:
        return page.updated

    def priority(self, page: Page) -> float:
        return 0.5 if page.id % 2 else 0.25


class StaticMap(Sitemap):  # type: ignore[misc]
    protocol = "https"
    lastmod = date(2025, 11, 14)
    priority = 1.0

    def items(self) -> list[str]:
        return ["", "about", "a&b?c='d'", "é"]

    def location(self, item: str) -> str:
        return f"/{item}"


class LanguageMap(StaticMap):
    i18n = True
    alternates = True
    x_default = True

    def location(self, item: str) -> str:
        from django.utils.translation import get_language

        return f"/{get_language()}/{item}"


class ListMap(StaticMap):
    """One that makes the list otherwise, as the documentation shows."""

    def get_urls(self, page: int | str = 1, site: Any = None, protocol: str | None = None) -> list[dict[str, Any]]:
        urls = super().get_urls(page=page, site=site, protocol=protocol)
        return [{**url, "changefreq": "never"} for url in urls]


class RichMap(StaticMap):
    def items(self) -> list[str]:
        return ["x"]

    def images(self, item: str) -> list[str]:
        return [f"https://example.com/{item}.jpg"]


SITEMAPS: dict[str, Any] = {
    "pages": PageMap,
    "static": StaticMap(),
    "languages": LanguageMap,
    "list": ListMap,
    "generic": GenericSitemap({"queryset": Page.objects.order_by("id"), "date_field": "updated"}, priority=0.5),
}


class LastingUrls:
    """The same paths and names, once with our views and once with Django's."""

    def __init__(self, views: Any) -> None:
        given = {"sitemaps": SITEMAPS}
        self.urlpatterns = [
            path("sitemap.xml", views.index, given),
            path("sitemap-<section>.xml", views.sitemap, given, name=NAMES),
            path("all.xml", views.sitemap, {"sitemaps": {"static": StaticMap, "list": StaticMap}}),
        ]


OURS, THEIRS = LastingUrls(ours), LastingUrls(theirs)


@pytest.fixture(scope="module", autouse=True)
def database() -> Iterator[None]:
    with connection.schema_editor() as editor:
        editor.create_model(Page)
    Page.objects.bulk_create(
        Page(slug=f"page-{number}", updated=START + timedelta(hours=7 * number)) for number in range(PAGES)
    )
    yield
    connection.close()


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def get(place: str, views: LastingUrls = OURS, headers: dict[str, str] | None = None) -> Any:
    with override_settings(ROOT_URLCONF=views):
        return Client(headers=headers or {}).get(place, HTTP_HOST="example.com")


@pytest.mark.parametrize("host", ["example.com:99999", "example.com:0x1"])
@pytest.mark.parametrize("place", ["/sitemap.xml", "/sitemap-pages.xml"])
def test_an_invalid_host_is_a_bad_request(host: str, place: str) -> None:
    with override_settings(ROOT_URLCONF=OURS, ALLOWED_HOSTS=["*"]):
        assert Client(raise_request_exception=False).get(place, HTTP_HOST=host).status_code == 400


def rows(content: bytes) -> list[Any]:
    """What a reader takes from it; Django leaves URLs beyond ASCII as they are, which we encode."""
    document = urlset.read(content)
    assert document.facts["well_formed"]
    return [
        (
            entry.loc.replace("é", "%C3%A9") if entry.loc else None,
            entry.lastmod,
            getattr(entry, "changefreq", None),
            getattr(entry, "priority", None),
            sorted((link.hreflang, link.href.replace("é", "%C3%A9")) for link in getattr(entry, "alternates", ())),
        )
        for entry in document
    ]


@pytest.mark.parametrize(
    "place",
    [
        "/sitemap.xml",
        "/sitemap-pages.xml",
        "/sitemap-pages.xml?p=3",
        "/sitemap-static.xml",
        "/sitemap-languages.xml",
        "/sitemap-list.xml",
        "/sitemap-generic.xml",
    ],
)
def test_it_says_what_django_says(place: str) -> None:
    mine, yours = get(place), get(place, THEIRS)
    assert mine.status_code == yours.status_code == 200
    assert mine["X-Robots-Tag"] == yours["X-Robots-Tag"]
    assert mine["Content-Type"] == yours["Content-Type"]
    found = rows(body(mine))
    assert found
    if place == "/sitemap.xml":
        # Where Django's template writes the day of a time, an index of ours has the time.
        assert [row[0] for row in found] == [row[0] for row in rows(body(yours))]
        assert mine["Last-Modified"] == yours["Last-Modified"]
    else:
        assert found == rows(body(yours))


def test_what_it_writes_validates() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    for place in ("/sitemap-pages.xml", "/sitemap-static.xml", "/sitemap-languages.xml"):
        report = urlset.validate(body(get(place)), now=now)
        assert [finding.rule.code for finding in report.findings if finding.rule.severity in ("error", "warning")] == []


@pytest.mark.parametrize("place", ["/sitemap-nothing.xml", "/sitemap-pages.xml?p=4", "/sitemap-pages.xml?p=x"])
def test_what_there_is_not(place: str) -> None:
    assert get(place).status_code == get(place, THEIRS).status_code == 404


def test_it_is_a_stream_and_asks_for_items_as_it_goes() -> None:
    asked = []

    class Many(StaticMap):
        def items(self) -> list[str]:
            return [str(number) for number in range(5_000)]

        def location(self, item: str) -> str:
            asked.append(item)
            return f"/{item}"

    from django.test import RequestFactory

    response = ours.sitemap(RequestFactory().get("/sitemap.xml"), {"many": Many})
    assert response.streaming
    assert len(asked) == 1_000
    assert len(rows(body(response))) == len(asked) == 5_000


def test_last_modified_where_no_item_need_be_asked() -> None:
    static = get("/sitemap-static.xml")
    assert static["Last-Modified"] == "Fri, 14 Nov 2025 00:00:00 GMT"
    unchanged = get("/sitemap-static.xml", headers={"If-Modified-Since": static["Last-Modified"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert get("/sitemap-static.xml", headers={"If-Modified-Since": "Fri, 14 Nov 2025 00:00:00 GMT"}).status_code == 304
    assert get("/sitemap-static.xml", headers={"If-Modified-Since": "Thu, 13 Nov 2025 00:00:00 GMT"}).status_code == 200
    # Its newest date is one query.
    assert "Last-Modified" in get("/sitemap-generic.xml")
    # It would have to ask every item before the first is written.
    assert "Last-Modified" not in get("/sitemap-pages.xml")


def test_head_has_no_body() -> None:
    with override_settings(ROOT_URLCONF=OURS):
        response = Client().head("/sitemap-static.xml")
    assert (response.status_code, body(response)) == (200, b"")
    assert response["Last-Modified"]


def test_sections_together() -> None:
    assert len(rows(body(get("/all.xml")))) == 4  # The second time each is a duplicate, and left out.


def test_more_than_one_sitemap_can_have_is_said_at_once() -> None:
    from django.test import RequestFactory

    class Many(StaticMap):
        def items(self) -> range:  # type: ignore[override]
            return range(30_000)

    with pytest.raises(ImproperlyConfigured, match=r"60,000|more than 50,000 entries in total"):
        ours.sitemap(RequestFactory().get("/"), {"a": Many, "b": Many})


def test_times_on_request() -> None:
    from django.test import RequestFactory

    response = ours.sitemap(RequestFactory().get("/"), {"pages": PageMap}, options={"lastmod": "datetime"})
    first = next(iter(urlset.read(body(response))))
    assert isinstance(first, urlset.Url)
    assert (first.lastmod, first.lastmod_at) == ("2025-03-02T00:30:00+13:00", START)


def test_images_which_django_does_not_know() -> None:
    from django.test import RequestFactory

    content = body(ours.sitemap(RequestFactory().get("/"), {"rich": RichMap}))
    assert b"<image:loc>https://example.com/x.jpg</image:loc>" in content


@pytest.mark.parametrize("view", [ours.index, ours.sitemap])
def test_a_template_is_refused(view: Any) -> None:
    from django.test import RequestFactory

    with pytest.raises(ImproperlyConfigured, match="remove template_name"):
        view(RequestFactory().get("/"), SITEMAPS, template_name="mine.xml")


def test_an_asynchronous_server_gets_an_asynchronous_stream() -> None:
    async def fetched() -> bytes:
        response: Any = await AsyncClient().get("/sitemap-static.xml")
        assert response.is_async
        return b"".join([piece async for piece in response.streaming_content])

    with override_settings(ROOT_URLCONF=OURS):
        assert asyncio.run(fetched()) == body(get("/sitemap-static.xml")).replace(b"example.com", b"testserver")


def test_without_django_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "django.conf", None)
    monkeypatch.delitem(sys.modules, "urlset.adapters.django")
    with pytest.raises(MissingExtraError, match="pip install Django"):
        importlib.import_module("urlset.adapters.django")
