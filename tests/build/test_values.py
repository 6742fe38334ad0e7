"""What becomes of each value: how it is written, or why it is refused."""

from __future__ import annotations

import datetime as dt
import decimal
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table

import urlset
import urlset.errors
import urlset.model
from urlset import _core

from .judging import BASE, complaints


@pytest.fixture
def body(tmp_path: Path) -> Callable[..., str]:
    """Writes one entry and gives what stands between the tags of its url."""

    def write(entry: Any, **options: Any) -> str:
        folder = tmp_path / f"out-{len(list(tmp_path.iterdir()))}"
        summary = urlset.write([entry], BASE, folder, **options)
        assert summary.written == 1, summary.examples
        text = (folder / "sitemap.xml").read_text(encoding="utf-8")
        return text.partition("<url>")[2].partition("</url>")[0]

    return write


NOW = dt.datetime(2025, 11, 20, 12, tzinfo=dt.UTC)
CET = dt.timezone(dt.timedelta(hours=1))

VIDEO = {
    "thumbnail_loc": "https://example.com/t.jpg",
    "title": "A title",
    "description": "What it shows",
    "content_loc": "https://example.com/v.mp4",
}
NEWS = {
    "publication_name": "The Example",
    "publication_language": "en",
    "publication_date": "2025-11-19",
    "title": "News",
}

URLS = [
    # As given, with the five characters escaped once.
    ("https://example.com", "https://example.com"),
    ("https://example.com/", "https://example.com/"),
    ("https://example.com/a?x=1&y=2", "https://example.com/a?x=1&amp;y=2"),
    ("https://example.com/it's", "https://example.com/it&apos;s"),
    ("https://example.com/?a=1&amp;b=2", "https://example.com/?a=1&amp;b=2"),
    ("https://example.com/?a=1&amp;amp;b=2&#38;c=3", "https://example.com/?a=1&amp;b=2&amp;c=3"),
    ("  https://example.com/trimmed\n", "https://example.com/trimmed"),
    ("https://example.com:8080/port", "https://example.com:8080/port"),
    ("https://EXAMPLE.com/Case", "https://EXAMPLE.com/Case"),
    # Encoded once, never twice.
    ("https://example.com/%E4", "https://example.com/%E4"),
    ("https://example.com/%2520", "https://example.com/%2520"),
    ("https://example.com/ä", "https://example.com/%C3%A4"),
    ("https://example.com/%C3%A4/ä", "https://example.com/%C3%A4/%C3%A4"),
    ("https://example.com/日本?q=日#本", "https://example.com/%E6%97%A5%E6%9C%AC?q=%E6%97%A5#%E6%9C%AC"),
    ("https://example.com/😀", "https://example.com/%F0%9F%98%80"),
    ("https://example.com/a b", "https://example.com/a%20b"),
    ('https://example.com/<"x">', "https://example.com/%3C%22x%22%3E"),
    ("https://example.com/?a[]=1", "https://example.com/?a%5B%5D=1"),
]
IDN = [
    ("https://bücher.example/", "https://xn--bcher-kva.example/"),
    ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
    ("https://BÜCHER.example/Ü", "https://xn--bcher-kva.example/%C3%9C"),
    ("https://bücher.example:8443/?ü", "https://xn--bcher-kva.example:8443/?%C3%BC"),
    ("https://日本語.jp/", "https://xn--wgv71a119e.jp/"),
]


@pytest.mark.parametrize(("given", "written"), URLS)
def test_urls(given: str, written: str, body: Callable[..., str]) -> None:
    assert body(given, doubtful="keep") == f"<loc>{written}</loc>"


@pytest.mark.parametrize(("given", "written"), IDN)
def test_hosts_beyond_ascii(given: str, written: str, body: Callable[..., str]) -> None:
    assert body(given, hosts=["*"]) == f"<loc>{written}</loc>"


LASTMODS: list[tuple[Any, str, str]] = [
    # given, as a day, as a time
    ("2025-11-14", "2025-11-14", "2025-11-14"),
    ("2025-11", "2025-11", "2025-11"),
    ("2025", "2025", "2025"),
    (" 2025-11-14 ", "2025-11-14", "2025-11-14"),
    ("2025-11-14T19:30:00-08:00", "2025-11-15", "2025-11-14T19:30:00-08:00"),
    ("2025-11-14T19:30Z", "2025-11-14", "2025-11-14T19:30Z"),
    ("2025-11-14T19:30:00.5Z", "2025-11-14", "2025-11-14T19:30:00.5Z"),
    (f"2025-11-14T19:30:00.5{'0' * 80}Z", "2025-11-14", "2025-11-14T19:30:00.5+00:00"),
    # Faults that leave the instant clear are mended; a time without a zone is in UTC.
    ("2025-11-14 19:30:00", "2025-11-14", "2025-11-14T19:30:00+00:00"),
    ("2025-11-14T19:30:00", "2025-11-14", "2025-11-14T19:30:00+00:00"),
    ("2025-11-14T00:30:00+0100", "2025-11-13", "2025-11-13T23:30:00+00:00"),
    ("Fri, 14 Nov 2025 19:30:00 GMT", "2025-11-14", "2025-11-14T19:30:00+00:00"),
    ("2025-11-14Z", "2025-11-14", "2025-11-14"),
    (dt.date(2025, 11, 14), "2025-11-14", "2025-11-14"),
    (dt.datetime(2025, 11, 14, 19, 30, tzinfo=dt.UTC), "2025-11-14", "2025-11-14T19:30:00+00:00"),
    (dt.datetime(2025, 11, 14, 0, 30, tzinfo=CET), "2025-11-13", "2025-11-14T00:30:00+01:00"),
    (dt.datetime(2025, 11, 14, 19, 30), "2025-11-14", "2025-11-14T19:30:00+00:00"),  # noqa: DTZ001 - naive is meant
    # Within a day from now it may be a zone ahead.
    ("2025-11-21", "2025-11-21", "2025-11-21"),
]


@pytest.mark.parametrize(("given", "day", "time"), LASTMODS)
def test_lastmod(given: Any, day: str, time: str, body: Callable[..., str]) -> None:
    entry = {"loc": BASE, "lastmod": given}
    assert body(entry, now=NOW) == f"<loc>{BASE}</loc><lastmod>{day}</lastmod>"
    assert body(entry, now=NOW, lastmod="datetime") == f"<loc>{BASE}</loc><lastmod>{time}</lastmod>"


@pytest.mark.parametrize("absent", [None, "", "  "])
def test_what_is_unknown_is_left_out(absent: str | None, body: Callable[..., str]) -> None:
    assert body({"loc": BASE, "lastmod": absent, "priority": absent, "images": None}) == f"<loc>{BASE}</loc>"


FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"changefreq": "daily"}, "<changefreq>daily</changefreq>"),
    ({"priority": 0}, "<priority>0</priority>"),
    ({"priority": 0.0}, "<priority>0.0</priority>"),
    ({"priority": 1.0}, "<priority>1.0</priority>"),
    ({"priority": 1e-7}, "<priority>0.0000001</priority>"),
    ({"priority": "0.80"}, "<priority>0.80</priority>"),
    ({"priority": decimal.Decimal("0.5")}, "<priority>0.5</priority>"),
    (
        {"images": ["https://example.com/1.png", {"loc": "https://cdn.example.org/ü.png", "caption": "<&'\">"}]},
        "<image:image><image:loc>https://example.com/1.png</image:loc></image:image>"
        "<image:image><image:loc>https://cdn.example.org/%C3%BC.png</image:loc>"
        "<image:caption>&lt;&amp;&apos;&quot;&gt;</image:caption></image:image>",
    ),
    (
        {"images": [urlset.Image("https://example.com/1.png", None, "Bern", None, None)]},
        "<image:image><image:loc>https://example.com/1.png</image:loc>"
        "<image:geo_location>Bern</image:geo_location></image:image>",
    ),
    (
        {"hreflang": "en", "alternates": {"x-default": "https://example.com/x", "de": "https://example.de/ü"}},
        '<xhtml:link rel="alternate" hreflang="de" href="https://example.de/%C3%BC"/>'
        '<xhtml:link rel="alternate" hreflang="en" href="https://example.com/"/>'
        '<xhtml:link rel="alternate" hreflang="x-default" href="https://example.com/x"/>',
    ),
    (
        {"alternates": [urlset.Alternate("alternate", "en", BASE), {"hreflang": "fr-CH", "href": "https://e.ch/?a&b"}]},
        '<xhtml:link rel="alternate" hreflang="en" href="https://example.com/"/>'
        '<xhtml:link rel="alternate" hreflang="fr-CH" href="https://e.ch/?a&amp;b"/>',
    ),
    (
        {"news": NEWS},
        "<news:news><news:publication><news:name>The Example</news:name><news:language>en</news:language>"
        "</news:publication><news:publication_date>2025-11-19</news:publication_date>"
        "<news:title>News</news:title></news:news>",
    ),
    (
        {"own:rating": 5, "own:note": "a\rb"},
        "<own:rating>5</own:rating><own:note>a&#13;b</own:note>",
    ),
    (
        {
            "videos": {
                **VIDEO,
                "player_loc": "https://example.com/player",
                "duration": 600.0,
                "expiration_date": "2030-01-01T10:00:00+01:00",
                "rating": 4.2,
                "view_count": 12345,
                "publication_date": dt.date(2025, 1, 2),
                "family_friendly": True,
                "restriction": "CH DE",
                "restriction_relationship": "allow",
                "platform": "web tv",
                "platform_relationship": "deny",
                "requires_subscription": "no",
                "uploader": "Ada",
                "uploader_info": "https://example.com/ada",
                "live": False,
                "tags": ["one", "two"],
                "prices": ["1.99", 3],
                "price_currencies": ["EUR", "CHF"],
                "price_types": ["rent", None],
                "content_segment_locs": ["https://example.com/s1.mp4"],
                "content_segment_durations": [30],
                "id": "42",
                "id_type": "url",
                "tvshow_show_title": "Show",
                "tvshow_video_type": "clip",
                "tvshow_season_number": 2,
            }
        },
        "<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>"
        "<video:title>A title</video:title><video:description>What it shows</video:description>"
        "<video:content_loc>https://example.com/v.mp4</video:content_loc>"
        "<video:player_loc>https://example.com/player</video:player_loc><video:duration>600</video:duration>"
        "<video:expiration_date>2030-01-01T10:00:00+01:00</video:expiration_date><video:rating>4.2</video:rating>"
        '<video:content_segment_loc duration="30">https://example.com/s1.mp4</video:content_segment_loc>'
        "<video:view_count>12345</video:view_count><video:publication_date>2025-01-02</video:publication_date>"
        "<video:tag>one</video:tag><video:tag>two</video:tag><video:family_friendly>yes</video:family_friendly>"
        '<video:restriction relationship="allow">CH DE</video:restriction>'
        '<video:price currency="EUR" type="rent">1.99</video:price><video:price currency="CHF">3</video:price>'
        "<video:requires_subscription>no</video:requires_subscription>"
        '<video:uploader info="https://example.com/ada">Ada</video:uploader>'
        "<video:tvshow><video:show_title>Show</video:show_title><video:video_type>clip</video:video_type>"
        "<video:season_number>2</video:season_number></video:tvshow>"
        '<video:platform relationship="deny">web tv</video:platform><video:live>no</video:live>'
        '<video:id type="url">42</video:id></video:video>',
    ),
]


@pytest.mark.parametrize(("fields", "written"), FIELDS)
def test_fields(fields: dict[str, Any], written: str, body: Callable[..., str]) -> None:
    assert body({"loc": BASE, **fields}, namespaces={"own": "https://example.com/ns"}) == f"<loc>{BASE}</loc>{written}"


DOUBTFUL: dict[str, str] = {
    "https://example.com/a#b": "fragment",
    "https://example.com/#": "fragment",
    "https://me:secret@example.com/": "user-info",
    "https://example.com/?a=b&utm_source=mail": "tracking",
    "https://example.com/a;jsessionid=0123456789abcdef": "tracking",
    "https://example.com/ä?fbclid=x": "tracking",
    "https://example.com/a%2520b": "double-escape",
    "https://example.com//a": "dot-segment",
    "https://example.com/a/../b": "dot-segment",
    "https://example.com/a/./ü": "dot-segment",
    "https://example.com//a?gclid=x#b": "fragment, tracking, dot-segment",
}
CERTAIN = [
    "https://example.com/%23",
    "https://example.com/?a=me@example.com&b=utm_source",
    "https://example.com/a%20b?q=a%2520b",
    "https://example.com/a..b/.well-known/...?x=//../",
    "https://example.com/web/https://example.org/",
]
LONG_AGO: list[Any] = ["1989-12-31", "1970-01-01", "0001-01-01T00:00:00Z", "1985", dt.date(1989, 12, 31),
                       dt.datetime(1970, 1, 1, tzinfo=dt.UTC)]  # fmt: skip

REFUSED: list[tuple[Any, str, str]] = [
    *((url, "url-doubtful", "loc") for url in DOUBTFUL),
    *(({"loc": BASE, "lastmod": lastmod}, "date-doubtful", "lastmod") for lastmod in LONG_AGO),
    # entry, reason, field
    ("", "loc-missing", "loc"),
    ({"lastmod": "2025-01-01"}, "loc-missing", "loc"),
    (7, "not-an-entry", ""),
    (None, "not-an-entry", ""),
    ({"loc": 7}, "not-an-entry", "loc"),
    ("about", "url-bare", "loc"),
    ("not-a-url", "url-bare", "loc"),
    ("?page=2", "url-bare", "loc"),
    ("example.com/a", "url-schemeless", "loc"),
    ("www.example.com", "url-schemeless", "loc"),
    ("example.com:8080/a", "url-schemeless", "loc"),
    ("bücher.example/a", "url-schemeless", "loc"),
    ("localhost", "url-schemeless", "loc"),
    ("192.0.2.1/a", "url-schemeless", "loc"),
    ("ftp://example.com/", "url-invalid", "loc"),
    ("javascript:alert(1)", "url-invalid", "loc"),
    ("https://", "url-invalid", "loc"),
    ("https://exa mple.com/", "url-invalid", "loc"),
    ("https://example.com/100%", "url-invalid", "loc"),
    ("https://example.com/a\nb", "url-invalid", "loc"),
    ("https://example.com:99999/", "url-invalid", "loc"),
    ("https://example.com/\x00", "forbidden-character", "loc"),
    ("https://example.com/\ud800", "forbidden-character", "loc"),
    ("https://other.example.com/", "other-host", "loc"),
    (BASE + "a" * 2_028, "url-too-long", "loc"),
    (BASE + "ä" * 400, "url-too-long", "loc"),
    ({"loc": BASE, "lastmod": "yesterday"}, "date-invalid", "lastmod"),
    ({"loc": BASE, "lastmod": "2025-02-30"}, "date-invalid", "lastmod"),
    ({"loc": BASE, "lastmod": "-001-11-30"}, "date-invalid", "lastmod"),
    ({"loc": BASE, "lastmod": "null"}, "date-invalid", "lastmod"),
    ({"loc": BASE, "lastmod": "2025-11-22"}, "date-future", "lastmod"),
    ({"loc": BASE, "lastmod": 1_700_000_000}, "not-an-entry", "lastmod"),
    ({"loc": BASE, "changefreq": "Daily"}, "field-invalid", "changefreq"),
    ({"loc": BASE, "priority": 1.1}, "field-invalid", "priority"),
    ({"loc": BASE, "priority": float("nan")}, "field-invalid", "priority"),
    ({"loc": BASE, "priority": "0.5" + "0" * 98}, "field-invalid", "priority"),
    ({"loc": BASE, "priority": "0,5"}, "field-invalid", "priority"),
    ({"loc": BASE, "images": ["/relative.png"]}, "url-invalid", "image.loc"),
    ({"loc": BASE, "images": [{"caption": "no loc"}]}, "field-missing", "image.loc"),
    ({"loc": BASE, "images": [{"loc": BASE, "caption": "\x01"}]}, "forbidden-character", "image.caption"),
    ({"loc": BASE, "images": [f"{BASE}{n}.png" for n in range(1_001)]}, "too-many", "images"),
    ({"loc": BASE, "images": 5}, "not-an-entry", "images"),
    ({"loc": BASE, "news": [NEWS, NEWS]}, "too-many", "news"),
    ({"loc": BASE, "news": {**NEWS, "publication_date": "2025-11"}}, "date-invalid", "news.publication_date"),
    ({"loc": BASE, "news": {**NEWS, "publication_language": "en-US"}}, "field-invalid", "news.publication_language"),
    ({"loc": BASE, "news": {**NEWS, "publication_language": "xx"}}, "field-invalid", "news.publication_language"),
    ({"loc": BASE, "news": {**NEWS, "title": " "}}, "field-missing", "news.title"),
    ({"loc": BASE, "videos": {**VIDEO, "content_loc": None}}, "field-missing", "video.content_loc"),
    ({"loc": BASE, "videos": {**VIDEO, "content_loc": BASE}}, "field-invalid", "video.content_loc"),
    ({"loc": BASE, "videos": {**VIDEO, "tvshow_season_number": 1}}, "field-missing", "video.tvshow_show_title"),
    ({"loc": BASE, "videos": {**VIDEO, "duration": 0}}, "field-invalid", "video.duration"),
    ({"loc": BASE, "videos": {**VIDEO, "duration": 60.5}}, "field-invalid", "video.duration"),
    ({"loc": BASE, "videos": {**VIDEO, "rating": 5.1}}, "field-invalid", "video.rating"),
    ({"loc": BASE, "videos": {**VIDEO, "description": "x" * 2_049}}, "field-invalid", "video.description"),
    ({"loc": BASE, "videos": {**VIDEO, "tags": ["t"] * 33}}, "too-many", "video.tags"),
    ({"loc": BASE, "videos": {**VIDEO, "family_friendly": "YESTERDAY"}}, "field-invalid", "video.family_friendly"),
    ({"loc": BASE, "videos": {**VIDEO, "restriction": "CH"}}, "field-missing", "video.restriction_relationship"),
    (
        {"loc": BASE, "videos": {**VIDEO, "restriction": "UK", "restriction_relationship": "deny"}},
        "field-invalid",
        "video.restriction",
    ),
    ({"loc": BASE, "videos": {**VIDEO, "uploader": "x" * 256}}, "field-invalid", "video.uploader"),
    ({"loc": BASE, "alternates": {"de": "https://example.com/de"}}, "hreflang-self-missing", "alternates"),
    ({"loc": BASE, "hreflang": "en_US", "alternates": {"de": BASE}}, "hreflang-invalid", "hreflang"),
    ({"loc": BASE, "alternates": {"en": BASE, "xx": BASE}}, "hreflang-invalid", "alternates.hreflang"),
    ({"loc": BASE, "hreflang": "en", "alternates": {"EN": BASE + "x"}}, "hreflang-repeated", "alternates.hreflang"),
]


@pytest.mark.long("slow cases")
@case_table("entry, reason, field", REFUSED)
def test_what_is_refused(entry: Any, reason: str, field: str, tmp_path: Path) -> None:
    good = [BASE + "first", BASE + "last"]
    summary = urlset.write([good[0], entry, good[1]], BASE, tmp_path, now=NOW, bad_fields="refuse")
    assert dict(summary.refused) == {reason: 1}
    assert (summary.examples[0].field, summary.examples[0].number, summary.received) == (field, 2, 3)
    assert [entry.loc for entry in urlset.read(tmp_path / "sitemap.xml")] == good


def test_a_bad_value_of_an_optional_field_leaves_the_page(tmp_path: Path, body: Callable[..., str]) -> None:
    entry = {"loc": BASE, "priority": "1.5", "changefreq": "fortnightly", "lastmod": "2025-13-01"}
    summary = urlset.write([entry], BASE, tmp_path, now=NOW)
    assert (summary.written, summary.refused) == (1, {})
    assert summary.fields_left_out == {"date-invalid": 1, "field-invalid": 2}
    assert body(entry) == f"<loc>{BASE}</loc>"


@pytest.mark.parametrize("url", DOUBTFUL)
def test_what_is_doubtful_about_a_url_is_said_and_may_be_kept(url: str, tmp_path: Path) -> None:
    summary = urlset.write([url, *CERTAIN], BASE, tmp_path)
    assert (summary.written, summary.examples[0].detail) == (len(CERTAIN), DOUBTFUL[url])
    assert urlset.write([url, *CERTAIN], BASE, tmp_path, doubtful="keep").refused == {}
    assert complaints(tmp_path) != []


@pytest.mark.parametrize("lastmod", LONG_AGO)
def test_a_date_of_long_ago_may_be_left_out_alone_or_kept(lastmod: Any, body: Callable[..., str]) -> None:
    entry = {"loc": BASE, "lastmod": lastmod}
    assert body(entry, bad_fields="drop") == f"<loc>{BASE}</loc>"
    assert body(entry, doubtful="keep").startswith(f"<loc>{BASE}</loc><lastmod>")
    assert body({"loc": BASE, "lastmod": "1990-01-01"}) == f"<loc>{BASE}</loc><lastmod>1990-01-01</lastmod>"
    assert "1990-01-01" in body({"loc": BASE, "lastmod": dt.date(1990, 1, 1)})


@pytest.mark.parametrize("lastmod", ["date", "datetime"])
def test_no_rule_has_anything_against_what_is_written(lastmod: Any, tmp_path: Path) -> None:
    entries: list[Any] = [url for url, _ in URLS]
    entries += [{"loc": f"{BASE}d{n}", "lastmod": given} for n, (given, _, _) in enumerate(LASTMODS)]
    entries += [{"loc": f"{BASE}f{n}", **fields} for n, (fields, _) in enumerate(FIELDS) if "alternates" not in fields]
    entries += [{"loc": BASE, **fields} for fields, _ in FIELDS if "alternates" in fields]
    entries += [entry for entry, _, _ in REFUSED]
    own = {"own": "https://example.com/ns"}
    summary = urlset.write(
        entries, BASE, tmp_path, now=NOW, lastmod=lastmod, namespaces=own, hosts=["xn--wgv71a119e.jp"]
    )
    assert summary.written > 40
    assert complaints(tmp_path) == []


def test_every_reason_is_documented_and_tested() -> None:
    tested = {reason for _, reason, _ in REFUSED}
    # These depend on other entries or on options, and are tested with those.
    elsewhere = {"duplicate", "lastmod-missing", "entry-too-large"}
    assert tested | elsewhere == set(_core.refusal_reasons())


@pytest.mark.parametrize(
    "entry",
    [
        {"loc": BASE, "last_mod": "2025-01-01"},
        {"loc": BASE, "images": [{"url": BASE}]},
        {"loc": BASE, "alternates": [{"lang": "de", "href": BASE}]},
        {7: BASE},
    ],
)
def test_a_field_that_there_is_not_is_misuse(entry: Any, tmp_path: Path) -> None:
    with pytest.raises(urlset.errors.UsageError, match="field"):
        urlset.write([entry], BASE, tmp_path)


def test_a_bad_field_alone_can_be_left_out(tmp_path: Path) -> None:
    entry = {
        "loc": BASE,
        "lastmod": "null",
        "priority": 2,
        "images": ["nonsense", BASE + "1.png"],
        "videos": [{**VIDEO, "rating": 9}, {"title": "half of one"}],
    }
    summary = urlset.write([entry], BASE, tmp_path, bad_fields="drop")
    assert summary.written == 1
    assert summary.fields_left_out == {"date-invalid": 1, "field-invalid": 2, "url-invalid": 1, "field-missing": 1}
    assert [one.whole for one in summary.examples] == [False] * 5
    (read,) = urlset.read(tmp_path / "sitemap.xml")
    assert isinstance(read, urlset.Url)
    assert (read.lastmod, read.priority, len(read.images), len(read.videos)) == (None, None, 1, 1)
    assert complaints(tmp_path) == []


def test_forbidden_characters_can_be_left_out(body: Callable[..., str]) -> None:
    entry = {"loc": BASE + "a\x00\ud800b", "images": [{"loc": BASE, "title": "x\x0b\ufffe\uffffy"}]}
    written = body(entry, forbidden="strip")
    assert "<loc>https://example.com/ab</loc>" in written
    assert "<image:title>xy</image:title>" in written


def test_lastmod_can_be_required(tmp_path: Path) -> None:
    entries = [{"loc": BASE + "1"}, {"loc": BASE + "2", "lastmod": "x"}, {"loc": BASE + "3", "lastmod": "2025-01-01"}]
    summary = urlset.write(entries, BASE, tmp_path, require_lastmod=True, bad_fields="drop")
    assert (summary.written, dict(summary.refused)) == (1, {"lastmod-missing": 1, "date-invalid": 1})


def test_duplicates_are_left_out_or_kept(tmp_path: Path) -> None:
    entries = [BASE, BASE + "ä", BASE + "%C3%A4", BASE, BASE + "%c3%a4", BASE.rstrip("/")]
    entries.append("https://EXAMPLE.com:443/")
    assert dict(urlset.write(entries, BASE, tmp_path).refused) == {"duplicate": 5}
    assert urlset.write(entries, BASE, tmp_path, duplicates="keep").written == 7


def test_strictness_stops_and_publishes_nothing(tmp_path: Path) -> None:
    with pytest.raises(urlset.errors.EntryRefusedError, match="url-bare") as error:
        urlset.write([BASE, "nonsense"], BASE, tmp_path, strict=True)
    assert isinstance(error.value.refused, urlset.model.Refusal)
    assert error.value.refused.url == "nonsense"
    assert not (tmp_path / "sitemap.xml").exists()


def test_what_is_left_out_is_logged_told_and_listed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    told: list[urlset.model.Refusal] = []
    path = tmp_path / "refused.jsonl"
    urlset.write([BASE, "nonsense", "ftp://x"], BASE, tmp_path / "out", refused_to=path, on_refused=told.append)
    assert [record.getMessage() for record in caplog.records if record.name == "urlset.build"] == [
        "left out: nonsense: url-bare",
        "left out: ftp://x: url-invalid (not-http)",
    ]
    assert [one.url for one in told] == ["nonsense", "ftp://x"]
    assert [json.loads(line)["reason"] for line in path.read_text().splitlines()] == ["url-bare", "url-invalid"]


GROUPS: list[list[Any]] = [
    [{"loc": {"en": BASE + "en", "de": BASE + "de", "x-default": BASE + "en"}, "lastmod": "2025-01-01"}],
    [
        {"loc": BASE + "en", "hreflang": "en", "group": 7, "alternates": {"x-default": BASE + "en"}},
        {"loc": BASE + "de", "hreflang": "de", "group": 7},
    ],
]


@pytest.mark.parametrize("entries", GROUPS)
def test_language_versions_link_to_each_other_and_themselves(entries: list[Any], tmp_path: Path) -> None:
    summary = urlset.write([BASE, *entries, BASE + "last"], BASE, tmp_path)
    assert summary.written == 4
    links = {
        entry.loc: [(link.hreflang, link.href) for link in entry.alternates]
        for entry in urlset.read(tmp_path / "sitemap.xml")
        if isinstance(entry, urlset.Url)
    }
    whole = [("de", BASE + "de"), ("en", BASE + "en"), ("x-default", BASE + "en")]
    assert links == {BASE: [], BASE + "en": whole, BASE + "de": whole, BASE + "last": []}
    report = urlset.validate(tmp_path / "sitemap.xml", preview=True, select=["HRL006", "HRL007", "HRL008"])
    assert report.findings == ()


def test_a_bad_language_version_is_left_out_of_its_group(tmp_path: Path) -> None:
    group = [{"loc": f"{BASE}{code}", "hreflang": code, "group": 1} for code in ("en", "de")]
    summary = urlset.write([*group, {"loc": "fr", "hreflang": "fr", "group": 1}], BASE, tmp_path)
    assert (summary.written, dict(summary.refused)) == (2, {"url-bare": 1})
    assert b"fr" not in (tmp_path / "sitemap.xml").read_bytes()
