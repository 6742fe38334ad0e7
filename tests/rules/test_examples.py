"""Examples name what was found: the field, the prefix, the part of a URL, not the list of what it might be."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import urlset

from .test_cases import NAMESPACES

NOW = datetime(2026, 1, 1, tzinfo=UTC)
VIDEO = (
    "<video:thumbnail_loc>https://e.com/t.png</video:thumbnail_loc><video:title>T</video:title>"
    "<video:description>D</video:description><video:content_loc>https://e.com/v.mp4</video:content_loc>"
)
NEWS = (
    "<news:publication><news:name>The Times</news:name><news:language>en</news:language></news:publication>"
    "<news:publication_date>2026-01-01</news:publication_date><news:title>T</news:title>"
)


def entry(loc: str = "https://e.com/a", fields: str = "") -> str:
    return f"<url><loc>{loc}</loc>{fields}</url>"


def image(fields: str) -> str:
    return entry(fields=f"<image:image><image:loc>https://e.com/i.png</image:loc>{fields}</image:image>")


def video(fields: str) -> str:
    return entry(fields=f"<video:video>{VIDEO}{fields}</video:video>")


def news(fields: str) -> str:
    return entry(fields=f"<news:news>{NEWS}{fields}</news:news>")


@pytest.mark.sampled(11)
@pytest.mark.parametrize(
    ("code", "content", "message"),
    [
        ("IMG003", image("<image:caption>C</image:caption>"), "deprecated: image:caption"),
        (
            "IMG003",
            image("<image:title>C</image:title><image:license>https://e.com/l</image:license>"),
            "deprecated: image:title, image:license",
        ),
        ("IMG001", entry(fields="<image:image><image:loc>/i.png</image:loc></image:image>"),
         "image:loc /i.png is invalid: it has no scheme and host"),
        ("NWS008", news("<news:keywords>K</news:keywords>"), "deprecated: news:keywords"),
        ("NWS011", news("").replace("<news:title>T<", "<news:title>T - The Times<"),
         "news:title T - The Times includes the publication name The Times"),
        ("NWS013", news("").replace("<news:title>T<", "<news:title>T | 12.05.2024<"),
         "news:title T | 12.05.2024 has the date 12.05.2024"),
        ("NWS013", news("").replace("<news:title>T<", "<news:title>(12.05.2024) T<"),
         "news:title (12.05.2024) T has the date 12.05.2024"),
        ("NWS013", news("").replace("<news:title>T<", "<news:title>12.05.2024: T<"),
         "news:title 12.05.2024: T has the date 12.05.2024"),
        ("VID002", video("").replace("content_loc", "x_loc"),
         "video T has neither video:content_loc nor video:player_loc"),
        ("VID004", video("<video:player_loc>ftp://e.com/p</video:player_loc>").replace("https://e.com/t.png", "/t.png"),
         "video:thumbnail_loc /t.png: it has no scheme and host, "
         "video:player_loc ftp://e.com/p: its scheme is ftp, not http or https"),
        ("VID008", video("").replace("<video:title>T<", f"<video:title>{'T' * 101}<"),
         "video:title has 101 characters; at most 100 are allowed"),
        ("VID008", video("<video:tag>a</video:tag>" * 33), "33 video:tag elements; at most 32 are allowed"),
        ("VID009", video("<video:live>maybe</video:live>"), "video:live is maybe"),
        ("VID009", video("<video:family_friendly>1</video:family_friendly><video:live>0</video:live>"),
         "video:family_friendly is 1, video:live is 0"),
        ("VID010", video('<video:restriction relationship="allow">DE UK FR</video:restriction>'),
         "video:restriction is DE UK FR; invalid: UK"),
        ("VID012", video('<video:platform relationship="allow">web phone</video:platform>'),
         "video:platform is web phone; unknown: phone"),
        ("VID013", video('<video:platform relationship="yes">web</video:platform>'),
         "video:platform has relationship=yes"),
        ("VID013", video("<video:restriction>DE</video:restriction>"), "video:restriction has no relationship"),
        ("VID016", video('<video:category>C</video:category><video:price currency="EUR">1</video:price>'),
         "deprecated: video:category, video:price"),
        ("VID017", video("<video:expiration_date>soon</video:expiration_date>"),
         "video:expiration_date soon: it is not in the form YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm"),
        ("VID018", video("").replace("v.mp4", "v.swf"), "video:content_loc https://e.com/v.swf is a Flash file"),
        ("LOC004", entry("https://e.com/a|b"), "loc is malformed: it contains |, which must be percent-encoded"),
        ("LOC004", entry("https://e.com/a?b={c"), "loc is malformed: it contains {, which must be percent-encoded"),
        ("LOC004", entry("https://e.com/100%"),
         "loc is malformed: the % in % is not followed by two hexadecimal digits"),
        ("LOC004", entry("https://e.com/a%zzb"),
         "loc is malformed: the % in %zz is not followed by two hexadecimal digits"),
        ("LOC004", entry("https://e.com:port/"), "loc is malformed: its port port is not a number from 0 to 65535"),
        ("LOC004", entry("https://e..com/"), "loc is malformed: its host e..com is not a valid name or IP address"),
        ("LOC008", entry("https://e.com/a#b"), "loc https://e.com/a#b has the fragment #b"),
        ("LOC009", entry("https://me:pw@e.com/a"),
         "loc https://***@e.com/a contains a user name and password"),
        ("LOC009", entry("https://me@e.com/a"), "loc https://***@e.com/a contains a user name"),
        ("LOC010", entry("https://e.com/?a=b&amp;gclid=1"), "loc https://e.com/?a=b&gclid=1 has the parameter gclid"),
        ("LOC010", entry("https://e.com/?SID=0123456789abcdef"),
         "loc https://e.com/?SID=0123456789abcdef has the parameter SID"),
        ("LOC010", entry("https://e.com/?ASPSESSIONIDAB=1"),
         "loc https://e.com/?ASPSESSIONIDAB=1 has the parameter ASPSESSIONIDAB"),
        ("LOC011", entry("https://e.com/a%2520b"), "loc https://e.com/a%2520b is percent-encoded twice at %2520"),
        ("LOC012", entry("https://E.com/A"), "loc starts with https://E.com"),
        ("LOC013", entry("https://e.com:443/"), "loc https://e.com:443/ has port 443, the default of https"),
        ("LOC016", entry("https://e.com/a/../b"), "path of loc https://e.com/a/../b contains .."),
        ("LOC016", entry("https://e.com/a//b"), "path of loc https://e.com/a//b contains //"),
        ("LOC017", entry("https://e.com/a.CSS"), "loc https://e.com/a.CSS is a .css file"),
        ("HRL002", entry(fields='<xhtml:link rel="alternate" hreflang="de" href="/de"/>'),
         "href /de of hreflang de is invalid: it has no scheme and host"),
        ("STR018", "<url><lastmod>2025-01-01</lastmod><loc>https://e.com/a</loc></url>",
         "<loc> comes after a field that must follow it"),
        ("STR019", '<url><loc lang="de">https://e.com/a</loc></url>', '<loc> has the attribute lang="de"'),
        ("HRL011", entry(fields='<xhtml:link rel="alternate" hreflang="de-AT" href="https://e.com/at"/>'),
         "country-specific versions only: de"),
        ("IMG005", image("").replace("//e.com/i", "//cdn.example/i"),
         "images on a different host than their page: 1; most common host: cdn.example"),
        ("HNT003", entry(fields="<priority>0.5</priority>"), "priority in 1 of 1 entry"),
    ],
)  # fmt: skip
def test_an_example_names_what_was_found(code: str, content: str, message: str) -> None:
    document = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NAMESPACES}>\n{content}\n</urlset>\n'
    [finding] = urlset.validate(document.encode(), select=[code], now=NOW).findings
    assert finding.examples[0].message == message


@pytest.mark.parametrize(("field", "line"), [("lastmod", 3), ("changefreq", 4), ("priority", 5)])
def test_the_field_that_is_too_long_is_named_at_its_place(field: str, line: int) -> None:
    fields = {"lastmod": "2025-01-01", "changefreq": "daily", "priority": "0.5"} | {field: "x" * 101}
    lines = "\n".join(f"<{name}>{value}</{name}>" for name, value in fields.items())
    document = f"<urlset {NAMESPACES}>\n<url><loc>https://e.com/</loc>\n{lines}</url></urlset>"
    [finding] = urlset.validate(document.encode(), select=["STR024"], now=NOW).findings
    [example] = finding.examples
    assert (example.line, example.column) == (line, len(field) + 3)
    assert example.message == f"{field} is 101 characters long: {'x' * 101}"


RECORDS = f"""<url><loc>https://e.com/</loc>
<image:image>
  <image:loc>https://e.com/i.png</image:loc>
  <image:title>T</image:title>
</image:image>
<news:news>
  <news:publication><news:name>N</news:name>
    <news:language>English</news:language></news:publication>
  <news:genres>Blog</news:genres>
  <news:publication_date>2026-01-01</news:publication_date><news:title>T</news:title>
</news:news>
<video:video>{VIDEO}
  <video:duration>0</video:duration>
  <video:restriction>DE</video:restriction>
  <video:live>maybe</video:live>
  <video:price currency="EUR">1</video:price>
  <video:expiration_date>soon</video:expiration_date>
  <video:player_loc allow_embed="no">/p</video:player_loc>
</video:video>
</url>"""


@pytest.mark.parametrize(
    ("code", "field", "line", "column"),
    [
        ("IMG003", "title", 6, 16),
        ("NWS006", "publication_language", 10, 20),
        ("NWS008", "genres", 11, 16),
        ("VID004", "player_loc", 20, 38),
        ("VID005", "duration", 15, 19),
        ("VID009", "live", 17, 15),
        ("VID013", "restriction", 16, 22),
        ("VID016", "prices", 18, 31),
        ("VID017", "expiration_date", 19, 26),
    ],
)
def test_the_field_of_a_record_is_named_at_its_place(code: str, field: str, line: int, column: int) -> None:
    document = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NAMESPACES}>\n{RECORDS}\n</urlset>\n'
    [finding] = urlset.validate(document.encode(), select=[code], now=NOW).findings
    [example] = finding.examples
    assert (example.field, example.line, example.column) == (field, line, column)


@pytest.mark.parametrize(
    ("code", "date", "message"),
    [
        ("MOD001", "<pubDate>soon</pubDate>",
         "pubDate soon is not a date such as Fri, 21 Nov 2025 14:30:00 +0100 (RFC 822)"),
        ("MOD003", "<pubDate>Thu, 41 Jan 2020 00:00:00 GMT</pubDate>",
         "pubDate Thu, 41 Jan 2020 00:00:00 GMT is invalid: the day does not exist"),
        ("MOD005", "<pubDate>Thu, 01 Jan 2060 00:00:00 GMT</pubDate>",
         "pubDate Thu, 01 Jan 2060 00:00:00 GMT is in the future"),
        ("MOD007", "<pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate>",
         "pubDate Thu, 01 Jan 1970 00:00:00 GMT is before 1990"),
        ("MOD002", "<dc:date>2025-01-01T00:00:00</dc:date>",
         "dc:date 2025-01-01T00:00:00 has a time but no time zone"),
    ],
)  # fmt: skip
def test_a_date_of_a_feed_is_named_by_its_element(code: str, date: str, message: str) -> None:
    document = (
        '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'
        f"<item><link>https://e.com/</link>{date}</item></channel></rss>"
    )
    [finding] = urlset.validate(document.encode(), select=[code], now=NOW).findings
    assert finding.examples[0].message == message


@pytest.mark.parametrize(("later", "apart"), [("2025-01-02T11:00:00Z", "1 day"), ("2025-01-05", "4 days")])
def test_dates_apart_are_counted_in_days(tmp_path: Path, later: str, apart: str) -> None:
    for name, date in (("a.xml", "2025-01-01T10:00:00Z"), ("b.xml", later)):
        fields = f"<lastmod>{date}</lastmod>"
        (tmp_path / name).write_text(f"<urlset {NAMESPACES}>{entry(fields=fields)}</urlset>")
    [finding] = urlset.validate(tmp_path, select=["DUP004"], now=NOW).findings
    assert finding.examples[0].message.startswith(f"lastmod differs by {apart} from line 1 of ")
