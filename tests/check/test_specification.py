"""The specification of the check `sitemap` 1.0.0, sentence by sentence, against a site on the loopback network.

`docs/check-sentences.toml` names the tests of every sentence; `test_table.py` holds it to this file.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import pytest
from tests.loopback import closed_port

from urlset.model.check import CheckResult
from urlset.model.specification import SPECIFICATION, STEPS, Status, StepId
from urlset.rules.rule import CheckEffect

Checked = Callable[[], CheckResult]

XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
EXTENSIONS = (
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" '
    'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" '
    'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
)
OTHER = "https://elsewhere.example/"

IMAGE = "<image:image><image:loc>{site}/a.jpg</image:loc></image:image>"
VIDEO = (
    "<video:video><video:thumbnail_loc>{site}/a.jpg</video:thumbnail_loc><video:title>t</video:title>"
    "<video:description>d</video:description><video:content_loc>{site}/a.mp4</video:content_loc></video:video>"
)
NEWS = (
    "<news:news><news:publication><news:name>n</news:name><news:language>en</news:language></news:publication>"
    "<news:publication_date>2026-02-04</news:publication_date><news:title>t</news:title></news:news>"
)
HREFLANG = '<xhtml:link rel="alternate" hreflang="en" href="{site}/en"/>'


def entry(loc: str = "{site}/", fields: str = "") -> str:
    return f"<url><loc>{loc}</loc>{fields}</url>"


def urlset(*entries: str, namespaces: str = XMLNS) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {namespaces}>{"".join(entries or (entry(),))}</urlset>'


def index(*locs: str, fields: str = "") -> str:
    children = "".join(f"<sitemap><loc>{loc}</loc>{fields}</sitemap>" for loc in locs or ("{site}/child.xml",))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex {XMLNS}>{children}</sitemapindex>'


def with_extensions(fields: str) -> str:
    return urlset(entry(fields=fields), namespaces=f"{XMLNS} {EXTENSIONS}")


RSS = (
    '<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><link>{site}/</link><description>d</description>'
    "<item><title>t</title><link>{site}/news</link></item></channel></rss>"
)
ATOM = (
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>{site}/</id>'
    '<updated>2026-02-04T00:00:00Z</updated><entry><title>t</title><link href="{site}/news"/><id>{site}/news</id>'
    "<updated>2026-02-04T00:00:00Z</updated></entry></feed>"
)
TEXT = "{site}/\n{site}/about\n"


def step(result: CheckResult, which: StepId) -> Status:
    return next(each.status for each in result.steps if each.step.id is which)


def evidence(result: CheckResult, which: StepId) -> str:
    return "\n".join(one.message for each in result.steps if each.step.id is which for one in each.evidence)


def statuses(result: CheckResult) -> list[str]:
    return [each.status.value for each in result.steps]


ALL_PASS = ["pass"] * 5


# Classification, input and output.


def test_classification() -> None:
    assert (SPECIFICATION.id, SPECIFICATION.version) == ("sitemap", "1.0.0")
    assert SPECIFICATION.package_path == "lib/checks/sitemap/versions/1.0.0"
    assert (SPECIFICATION.category, SPECIFICATION.subcategory) == ("AI Discoverability", "Discoverability")
    assert (SPECIFICATION.group, SPECIFICATION.group_id) == ("Crawl Discovery", "crawl-discovery")
    assert (SPECIFICATION.maturity, SPECIFICATION.scope, SPECIFICATION.weight) == ("Established", "site", 1)
    assert SPECIFICATION.suite == "2026.06.10"


def test_steps_titles_and_weights() -> None:
    assert [(each.id.value, each.title, each.weight) for each in STEPS] == [
        ("discover", "Discover sitemap candidates", 0.2),
        ("fetch", "Fetch a sitemap candidate", 0.25),
        ("parse", "Parse sitemap", 0.25),
        ("field-quality", "Validate sitemap field quality", 0.1),
        ("scope", "Validate URL scope", 0.2),
    ]
    assert sum(each.weight for each in STEPS) == 1


def test_resources_inspected(site: Any, checked: Checked) -> None:
    checked()
    assert sorted(site.asked) == sorted(SPECIFICATION.resources)
    assert set(SPECIFICATION.resources) == {
        "/sitemap.xml",
        "/sitemap.txt",
        "/sitemap_index.xml",
        "/sitemap-index.xml",
        "/robots.txt",
    }


def test_it_validates_that_a_site_exposes_a_fetchable_sitemap(site: Any, checked: Checked) -> None:
    assert checked().status is Status.FAIL
    site.put("/sitemap.xml", urlset())
    result = checked()
    assert statuses(result) == ALL_PASS
    assert (result.status, result.score) == (Status.PASS, 1.0)


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 404),
        (b"broken", 500),
        (b"<html>not found</html>", 200),
        (b"User-agent: *\nDisallow: /\n", 200),
        (b"\xff\xfe\x00\xd8\x00", 200),
        (b"Sitemap: nonsense\nSitemap:\nSitemap: ftp://x/\nSitemap: http://[/", 200),
    ],
    ids=["missing", "error", "html", "forbids-all", "bytes", "bad-lines"],
)
def test_the_check_is_isolated_from_robots_txt(site: Any, checked: Checked, content: bytes, status: int) -> None:
    site.put("/robots.txt", content, status)
    site.put("/sitemap.xml", urlset())
    assert statuses(checked()) == ALL_PASS


def test_robots_txt_is_fetched_only_to_discover_additional_sitemap_urls(site: Any, checked: Checked) -> None:
    site.put("/robots.txt", "User-agent: *\nDisallow: /map.xml\nSitemap: {site}/map.xml\n")
    site.put("/map.xml", urlset())
    result = checked()
    assert statuses(result) == ALL_PASS
    assert result.judged == f"{site.url}/map.xml"


@pytest.mark.long("slow cases")
def test_every_step_has_evidence(site: Any, checked: Checked) -> None:
    for content in (None, b"", urlset(), urlset(entry("/relative")), urlset(entry(OTHER, "<priority>9</priority>"))):
        if content is not None:
            site.put("/sitemap.xml", content)
        result = checked()
        assert [each.step.id for each in result.steps] == list(StepId)
        assert all(one.message for each in result.steps for one in each.evidence)
        assert all(each.evidence for each in result.steps)


# Pass criteria.


@pytest.mark.parametrize("path", ["/sitemap.xml", "/sitemap.txt", "/sitemap_index.xml", "/sitemap-index.xml"])
def test_at_least_one_sitemap_candidate_is_discoverable(site: Any, checked: Checked, path: str) -> None:
    site.put(path, urlset())
    result = checked()
    assert step(result, StepId.DISCOVER) is Status.PASS
    assert result.judged == site.url + path


def test_at_least_one_candidate_responds_with_a_successful_http_status(site: Any, checked: Checked) -> None:
    site.put("/robots.txt", "Sitemap: {site}/gone.xml\nSitemap: {site}/here.xml\n")
    site.put("/here.xml", urlset())
    result = checked()
    assert step(result, StepId.FETCH) is Status.PASS
    assert "returned HTTP 404" in evidence(result, StepId.FETCH)
    assert result.judged == f"{site.url}/here.xml"


@pytest.mark.parametrize(
    ("content", "kind"),
    [(urlset(), "urlset"), (index(), "sitemapindex"), (TEXT, "text"), (RSS, "rss"), (ATOM, "atom")],
    ids=["urlset", "sitemapindex", "text", "rss", "atom"],
)
def test_the_response_parses_as_a_supported_sitemap_format(
    site: Any, checked: Checked, content: str, kind: str
) -> None:
    site.put("/sitemap.xml", content)
    result = checked()
    assert statuses(result) == ALL_PASS
    assert f"assessed: {kind} with" in evidence(result, StepId.PARSE)


def test_the_document_contains_at_least_one_absolute_url(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", urlset(entry("{site}/only")))
    assert step(checked(), StepId.PARSE) is Status.PASS
    site.put("/sitemap.xml", f"<urlset {XMLNS}></urlset>")
    result = checked()
    assert statuses(result)[2:] == ["fail", "not-run", "not-run"]
    assert "no absolute http or https URL" in evidence(result, StepId.PARSE)


def test_for_url_sitemaps_page_urls_belong_to_the_scanned_origin_host(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", urlset(entry("{site}/a"), entry("{site}/b")))
    result = checked()
    assert step(result, StepId.SCOPE) is Status.PASS
    assert "all page URLs are on 127.0.0.1" in evidence(result, StepId.SCOPE)


@pytest.mark.parametrize(
    "value",
    ["2026", "2026-02", "2026-02-04", "2026-02-04T10:00Z", "2026-02-04T10:00:00+01:00", "2026-02-04T10:00:00.5Z",
     "2026-02-04T10:00:00", "2031-01-01"],
)  # fmt: skip
def test_lastmod_is_a_parseable_w3c_or_iso_style_date(site: Any, checked: Checked, value: str) -> None:
    site.put("/sitemap.xml", urlset(entry(fields=f"<lastmod>{value}</lastmod>")))
    assert step(checked(), StepId.FIELD_QUALITY) is Status.PASS


@pytest.mark.parametrize("value", ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"])
def test_changefreq_is_one_of_the_protocol_values(site: Any, checked: Checked, value: str) -> None:
    site.put("/sitemap.xml", urlset(entry(fields=f"<changefreq>{value}</changefreq>")))
    assert step(checked(), StepId.FIELD_QUALITY) is Status.PASS


@pytest.mark.parametrize("value", ["0.0", "0", "0.5", "1", "1.0"])
def test_priority_is_between_0_0_and_1_0(site: Any, checked: Checked, value: str) -> None:
    site.put("/sitemap.xml", urlset(entry(fields=f"<priority>{value}</priority>")))
    assert step(checked(), StepId.FIELD_QUALITY) is Status.PASS


def many(count: int) -> str:
    return "".join(f"{{site}}/{number}\n" for number in range(count))


def test_entry_counts_do_not_exceed_50_000(site: Any, checked: Checked) -> None:
    site.put("/sitemap.txt", many(50_000))
    assert statuses(checked()) == ALL_PASS


def padded(size: int, url: str) -> bytes:
    """A urlset of exactly so many bytes."""
    body = urlset(entry(f"{url}/")).encode()
    head, tail = body[: body.index(b"<url>")], body[body.index(b"<url>") :]
    lines, rest = divmod(size - len(body), 1_000)
    return head + (b" " * 999 + b"\n") * lines + b" " * rest + tail


@pytest.mark.long("slow cases")
def test_content_stays_within_50_mb_uncompressed(site: Any, checked: Checked) -> None:
    content = padded(50 * 1024 * 1024, site.url)
    assert len(content) == 52_428_800
    site.put("/robots.txt", "Sitemap: {site}/map.xml.gz\n")
    site.put("/map.xml.gz", gzip.compress(content, 1))
    assert statuses(checked()) == ALL_PASS


@pytest.mark.parametrize(
    "fields",
    [IMAGE, VIDEO, NEWS, HREFLANG, HREFLANG.replace("hreflang", "media")],
    ids=["image", "video", "news", "hreflang", "media"],
)
def test_supported_extension_records_contain_required_fields(site: Any, checked: Checked, fields: str) -> None:
    site.put("/sitemap.xml", with_extensions(fields))
    assert statuses(checked()) == ALL_PASS


# Warning criteria.


def test_page_urls_point_to_a_different_host_than_the_scanned_origin(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", urlset(entry("{site}/a"), entry(OTHER)))
    result = checked()
    assert statuses(result) == ["pass", "pass", "pass", "pass", "warn"]
    assert result.status is Status.WARN
    assert result.score == 0.9
    assert "1 of 2 page URLs is not on 127.0.0.1: elsewhere.example (line 2)" in evidence(result, StepId.SCOPE)


@pytest.mark.parametrize(
    "fields",
    [
        "<lastmod>yesterday</lastmod>",
        "<lastmod>2026-02-30</lastmod>",
        "<lastmod>Wed, 04 Feb 2026 10:00:00 GMT</lastmod>",
        "<lastmod>2026-02-04T10:00:00+0100</lastmod>",
        "<changefreq>often</changefreq>",
        "<changefreq>Daily</changefreq>",
        "<priority>1.1</priority>",
        "<priority>-0.1</priority>",
        "<priority>high</priority>",
        "<priority></priority>",
    ],
)
def test_optional_fields_contain_invalid_values(site: Any, checked: Checked, fields: str) -> None:
    site.put("/sitemap.xml", urlset(entry(fields=fields)))
    result = checked()
    assert statuses(result) == ["pass", "pass", "pass", "warn", "pass"]
    assert result.score == 0.95


@pytest.mark.parametrize(
    "fields",
    [
        "<image:image></image:image>",
        "<image:image><image:loc>/a.jpg</image:loc></image:image>",
        "<image:image><image:loc>ftp://a.example/a.jpg</image:loc></image:image>",
        VIDEO.replace("<video:title>t</video:title>", ""),
        VIDEO.replace("<video:content_loc>{site}/a.mp4</video:content_loc>", ""),
        VIDEO.replace("{site}/a.jpg", "a.jpg"),
        VIDEO.replace("{site}/a.mp4", "rtsp://a.example/a.mp4"),
        NEWS.replace("<news:title>t</news:title>", ""),
        NEWS.replace("<news:language>en</news:language>", ""),
        HREFLANG.replace('href="{site}/en"', ""),
        HREFLANG.replace("{site}/en", "/en"),
        HREFLANG.replace("{site}/en", "mailto:a@b.example"),
        HREFLANG.replace('rel="alternate"', ""),
        HREFLANG.replace('hreflang="en"', ""),
    ],
)
def test_extension_records_are_incomplete_or_contain_relative_or_non_http_url_values(
    site: Any, checked: Checked, fields: str
) -> None:
    site.put("/sitemap.xml", with_extensions(fields))
    result = checked()
    assert statuses(result) == ["pass", "pass", "pass", "warn", "pass"]


# Failure criteria.


def test_no_sitemap_candidates_can_be_discovered(site: Any, checked: Checked) -> None:
    site.put("/robots.txt", "User-agent: *\nAllow: /\n")
    result = checked()
    assert statuses(result) == ["fail", "not-run", "not-run", "not-run", "not-run"]
    assert (result.status, result.score, result.judged) == (Status.FAIL, 0.0, None)


def test_a_site_that_cannot_be_reached_has_no_candidates() -> None:
    from urlset.pipeline.check import check

    with closed_port() as port:
        [result] = check([f"http://127.0.0.1:{port}"])
    assert statuses(result) == ["fail", "not-run", "not-run", "not-run", "not-run"]
    assert result.discovery.unreachable is not None
    assert "unreachable" in evidence(result, StepId.DISCOVER)


@pytest.mark.parametrize("status", [404, 403, 500])
def test_no_candidate_returns_a_successful_http_response(site: Any, checked: Checked, status: int) -> None:
    site.put("/robots.txt", "Sitemap: {site}/map.xml\n")
    site.put("/map.xml", urlset(), status)
    result = checked()
    assert statuses(result) == ["pass", "fail", "not-run", "not-run", "not-run"]
    assert result.score == 0.2
    assert f"returned HTTP {status}" in evidence(result, StepId.FETCH)


@pytest.mark.parametrize(
    "content",
    [
        "<!DOCTYPE html><html><body>Not found</body></html>",
        '{"urls": []}',
        "",
        "Just some words about the site.",
        '<?xml version="1.0"?><catalog><item>{site}/</item></catalog>',
    ],
    ids=["html", "json", "empty", "prose", "other-xml"],
)
def test_fetched_content_is_not_a_supported_sitemap_format(site: Any, checked: Checked, content: str) -> None:
    site.put("/sitemap.xml", content)
    result = checked()
    assert statuses(result) == ["pass", "pass", "fail", "not-run", "not-run"]
    assert result.score == 0.45


@pytest.mark.parametrize(
    "content",
    [
        urlset(entry("/relative")),
        urlset(entry("www.example.com/a")),
        urlset(entry("ftp://example.com/a")),
        urlset(entry("{site}/good"), entry("/bad")),
        urlset(entry("{site}/good"), "<url><lastmod>2026-02-04</lastmod></url>"),
        urlset(entry("{site}/good"), "<url><loc></loc></url>"),
        index("/child.xml"),
        index("{site}/good.xml", "ftp://example.com/child.xml"),
        "{site}/good\n/bad\n",
    ],
)
def test_url_values_are_missing_or_are_not_absolute(site: Any, checked: Checked, content: str) -> None:
    site.put("/sitemap.xml", content)
    result = checked()
    assert step(result, StepId.PARSE) is Status.FAIL
    assert result.status is Status.FAIL


def test_the_sitemap_exceeds_50_000_urls(site: Any, checked: Checked) -> None:
    site.put("/sitemap.txt", many(50_001))
    result = checked()
    assert statuses(result) == ["pass", "pass", "pass", "fail", "pass"]
    assert "50,001" in evidence(result, StepId.FIELD_QUALITY)


def test_the_sitemap_exceeds_50_000_child_sitemaps(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", index(*(f"{{site}}/{number}.xml" for number in range(50_001))))
    result = checked()
    assert statuses(result) == ["pass", "pass", "pass", "fail", "pass"]


@pytest.mark.long("slow cases")
def test_the_sitemap_exceeds_50_mb_uncompressed(site: Any, checked: Checked) -> None:
    site.put("/robots.txt", "Sitemap: {site}/map.xml.gz\n")
    site.put("/map.xml.gz", gzip.compress(padded(50 * 1024 * 1024 + 1, site.url), 1))
    result = checked()
    assert statuses(result) == ["pass", "pass", "pass", "fail", "pass"]
    assert "52,428,801" in evidence(result, StepId.FIELD_QUALITY)


def test_size_is_that_of_the_decompressed_response_body(site: Any, checked: Checked) -> None:
    content = gzip.compress(padded(50 * 1024 * 1024 + 1, site.url), 1)
    site.put("/sitemap.xml", content, Content_Encoding="gzip")
    result = checked()
    assert step(result, StepId.FIELD_QUALITY) is Status.FAIL


# Documents, fields and XML.


def test_a_urlset_needs_one_or_more_loc(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", f"<urlset {XMLNS}><url><lastmod>2026-02-04</lastmod></url></urlset>")
    assert step(checked(), StepId.PARSE) is Status.FAIL


def test_a_sitemapindex_needs_one_or_more_loc(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", f"<sitemapindex {XMLNS}><sitemap></sitemap></sitemapindex>")
    assert step(checked(), StepId.PARSE) is Status.FAIL
    site.put("/sitemap.xml", index())
    assert statuses(checked()) == ALL_PASS


def test_loc_must_be_entity_escaped_in_xml(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", urlset(entry("{site}/?a=1&amp;b=&lt;&gt;&quot;&apos;")))
    assert step(checked(), StepId.PARSE) is Status.PASS
    site.put("/sitemap.xml", urlset(entry("{site}/?a=1&b=2")))
    result = checked()
    assert step(result, StepId.PARSE) is Status.FAIL
    assert "not escaped" in evidence(result, StepId.PARSE)


def test_optional_fields_may_be_absent(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", urlset(entry(), entry("{site}/b", "<changefreq>daily</changefreq>")))
    assert statuses(checked()) == ALL_PASS


def test_the_lastmod_of_a_child_sitemap_is_checked(site: Any, checked: Checked) -> None:
    for value, expected in (("2026-02-04", Status.PASS), ("2026-02-04T10:00:00", Status.PASS), ("soon", Status.WARN)):
        site.put("/sitemap.xml", index("{site}/a.xml", fields=f"<lastmod>{value}</lastmod>"))
        assert step(checked(), StepId.FIELD_QUALITY) is expected


@pytest.mark.parametrize("compress", [False, True], ids=["plain", "gzip"])
def test_gzip_is_allowed(site: Any, checked: Checked, compress: bool) -> None:
    content = urlset(entry(f"{site.url}/")).encode()
    site.put("/sitemap.xml", gzip.compress(content) if compress else content)
    assert statuses(checked()) == ALL_PASS


@pytest.mark.parametrize(
    "content",
    [
        urlset() + "<urlset>",
        urlset().replace("</urlset>", ""),
        urlset().replace("</url>", "</page>"),
        urlset(entry("{site}/&nbsp;")),
        urlset(entry("{site}/\x01")),
        "\n" + urlset(),
        urlset(entry(fields="<x:y>1</x:y>")),
    ],
    ids=["second-root", "cut-off", "wrong-tag", "html-entity", "control", "before-declaration", "prefix"],
)
def test_sitemap_files_must_be_valid_xml(site: Any, checked: Checked, content: str) -> None:
    site.put("/sitemap.xml", content)
    assert step(checked(), StepId.PARSE) is Status.FAIL


def test_xml_with_bytes_of_another_encoding_is_not_valid(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", urlset(entry(f"{site.url}/caf\u00e9")).encode("iso-8859-1"))
    result = checked()
    assert step(result, StepId.PARSE) is Status.FAIL
    assert "not well-formed" in evidence(result, StepId.PARSE)


def test_namespaces_should_be_declared_and_their_lack_does_not_fail(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", urlset(namespaces=""))
    assert checked().status is Status.PASS


def test_sitemaps_of_utf_8_are_read_as_such(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", urlset(entry("{site}/caf%C3%A9"), "<!-- caf\u00e9 -->"))
    assert statuses(checked()) == ALL_PASS


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16"])
def test_another_encoding_is_evidence_without_an_effect(site: Any, checked: Checked, encoding: str) -> None:
    content = urlset(entry(f"{site.url}/caf\u00e9")).replace("UTF-8", encoding)
    site.put("/sitemap.xml", content.encode(encoding))
    result = checked()
    assert statuses(result) == ALL_PASS
    assert "File is not encoded in UTF-8: encoding is " in evidence(result, StepId.PARSE)


# Discovery model.


def test_sitemap_directives_are_read_when_robots_txt_is_available(site: Any, checked: Checked) -> None:
    site.put("/robots.txt", "Sitemap: {site}/deep/map.xml\n")
    site.put("/deep/map.xml", urlset())
    result = checked()
    assert statuses(result) == ALL_PASS
    assert "robots.txt lists it in line 1" in evidence(result, StepId.DISCOVER)


def test_robots_discovery_is_additive(site: Any, checked: Checked) -> None:
    site.put("/robots.txt", "Sitemap: {site}/gone.xml\n")
    site.put("/sitemap.xml", urlset())
    result = checked()
    assert statuses(result) == ALL_PASS
    assert {candidate.url for candidate in result.candidates} >= {f"{site.url}/gone.xml", f"{site.url}/sitemap.xml"}


def test_sitemap_directives_use_a_full_url(site: Any, checked: Checked) -> None:
    site.put("/robots.txt", "Sitemap: /map.xml\n")
    site.put("/map.xml", urlset())
    result = checked()
    assert step(result, StepId.DISCOVER) is Status.FAIL
    assert "line 1: not an absolute URL" in evidence(result, StepId.DISCOVER)
    assert "/map.xml" not in site.asked


def test_sitemap_directives_are_not_scoped_to_a_user_agent_group(site: Any, checked: Checked) -> None:
    site.put("/robots.txt", "User-agent: somebot\nDisallow: /\nSitemap: {site}/map.xml\n")
    site.put("/map.xml", urlset())
    assert statuses(checked()) == ALL_PASS


def test_sitemap_directives_may_appear_multiple_times(site: Any, checked: Checked) -> None:
    site.put("/robots.txt", "Sitemap: {site}/a.xml\nUser-agent: *\nDisallow:\nSitemap: {site}/b.xml\n")
    site.put("/a.xml", urlset())
    site.put("/b.xml", urlset())
    found = [candidate.url for candidate in checked().discovery.candidates]
    assert found == [f"{site.url}/a.xml", f"{site.url}/b.xml"]


@pytest.mark.parametrize("content", [index(), urlset()], ids=["index", "sitemap"])
def test_sitemap_directives_can_point_to_indexes_or_individual_files(site: Any, checked: Checked, content: str) -> None:
    site.put("/robots.txt", "Sitemap: {site}/map.xml\n")
    site.put("/map.xml", content)
    assert statuses(checked()) == ALL_PASS


@pytest.mark.parametrize("path", ["/sitemap.txt", "/advertised"], ids=["conventional", "advertised"])
@pytest.mark.parametrize("content", [TEXT, RSS, ATOM], ids=["text", "rss", "atom"])
def test_text_rss_and_atom_are_validated_at_a_conventional_path_or_when_advertised(
    site: Any, checked: Checked, path: str, content: str
) -> None:
    if path == "/advertised":
        site.put("/robots.txt", "Sitemap: {site}/advertised\n")
    site.put(path, content)
    assert statuses(checked()) == ALL_PASS
    site.put(path, content.replace("{site}/", "/", 1) if content is TEXT else content.replace("{site}", ""))
    # Links of Atom may be relative, to the URL of the feed: RFC 4287, 2.
    assert step(checked(), StepId.PARSE) is (Status.PASS if content is ATOM else Status.FAIL)
    site.put(path, content.replace("{site}", "ftp://example.com"))
    assert step(checked(), StepId.PARSE) is Status.FAIL


# Scope.


def test_child_sitemaps_of_an_index_belong_to_the_origin_host(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", index("{site}/a.xml", OTHER + "b.xml"))
    result = checked()
    assert step(result, StepId.SCOPE) is Status.WARN
    assert "1 of 2 child sitemaps is not on 127.0.0.1: elsewhere.example" in evidence(result, StepId.SCOPE)


def test_scope_is_the_host_of_the_origin_and_not_that_of_the_sitemap(site: Any, checked_anywhere: Checked) -> None:
    """The same server under another name: the sitemap lies there, and its URLs are on the origin."""
    other = site.url.replace("127.0.0.1", "localhost")
    site.put("/robots.txt", f"Sitemap: {other}/map.xml\n")
    site.put("/map.xml", urlset())
    assert statuses(checked_anywhere()) == ALL_PASS
    site.put("/map.xml", urlset(entry(f"{other}/")))
    assert step(checked_anywhere(), StepId.SCOPE) is Status.WARN


def test_scope_does_not_depend_on_the_spelling_of_the_host(site: Any) -> None:
    def scope(*hosts: str) -> Any:
        entries = (entry(f"http://{host}:{port}/") for host in hosts)
        site.put("/sitemap.xml", urlset(*entries))
        (result,) = check([f"http://LocalHost.:{port}"])
        return step(result, StepId.SCOPE), evidence(result, StepId.SCOPE)

    from urlset.pipeline.check import check

    port = site.url.rpartition(":")[2]
    assert scope("localhost", "LOCALHOST.", "\uff4c\uff4f\uff43\uff41\uff4chost") == (
        Status.PASS,
        "all page URLs are on localhost",
    )
    status, told = scope("localhost", "b\u00fccher.example", "xn--bcher-kva.example")
    assert status is Status.WARN
    assert told == (
        "2 of 3 page URLs are not on localhost: xn--bcher-kva.example (line 2), xn--bcher-kva.example (line 2)"
    )


def test_a_redirect_to_another_host_is_named_where_the_pages_are_there(site: Any, checked_anywhere: Checked) -> None:
    other = site.url.replace("127.0.0.1", "localhost")
    site.put("/sitemap.xml", "", 301, Location=f"{other}/map.xml")
    site.put("/map.xml", urlset(entry(f"{other}/")))
    result = checked_anywhere()
    assert step(result, StepId.SCOPE) is Status.WARN
    assert "127.0.0.1 redirects to localhost; if that is the site you want, check localhost instead" in evidence(
        result, StepId.SCOPE
    )


# Extensions, and what is none of this check's business.


def test_unsupported_extension_fields_do_not_invalidate_a_core_sitemap(site: Any, checked: Checked) -> None:
    fields = "<v:vehicle><v:year>2026</v:year></v:vehicle>"
    site.put("/sitemap.xml", urlset(entry(fields=fields), namespaces=f'{XMLNS} xmlns:v="https://vehicles.example/"'))
    assert statuses(checked()) == ALL_PASS


def test_several_extensions_in_one_sitemap(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", with_extensions(HREFLANG + IMAGE + VIDEO + NEWS))
    assert statuses(checked()) == ALL_PASS


@pytest.mark.parametrize(
    "fields",
    [
        IMAGE.replace("</image:image>", "<image:caption>c</image:caption><image:title>t</image:title></image:image>"),
        NEWS.replace("2026-02-04", "2001-01-01"),
        NEWS.replace(">en<", ">en-US<"),
        VIDEO.replace("</video:video>", "<video:duration>99999999</video:duration></video:video>"),
    ],
    ids=["deprecated-image-tags", "old-news", "news-language", "video-duration"],
)
def test_no_crawler_specific_eligibility_decisions(site: Any, checked: Checked, fields: str) -> None:
    site.put("/sitemap.xml", with_extensions(fields))
    assert statuses(checked()) == ALL_PASS


def test_an_html_sitemap_is_no_sitemap(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", '<!DOCTYPE html><html><body><a href="{site}/">Home</a></body></html>')
    assert step(checked(), StepId.PARSE) is Status.FAIL


def test_other_discovery_files_are_not_looked_at(site: Any, checked: Checked) -> None:
    for path in ("/llms.txt", "/agents.json", "/openapi.json", "/.well-known/api-catalog", "/indexnow.txt"):
        site.put(path, TEXT)
    assert checked().status is Status.FAIL
    assert sorted(site.asked) == sorted(SPECIFICATION.resources)


# What the specification leaves open: the decisions of `urlset.stages.score`.


def test_a_step_that_warns_earns_half_of_its_weight(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", urlset(entry(OTHER, "<priority>9</priority>")))
    result = checked()
    assert [each.score for each in result.steps] == [0.2, 0.25, 0.25, 0.05, 0.1]
    assert result.score == 0.85


def test_a_step_that_could_not_run_earns_nothing_and_says_why(site: Any, checked: Checked) -> None:
    site.put("/sitemap.xml", "<html></html>")
    result = checked()
    assert [each.score for each in result.steps][3:] == [0, 0]
    assert evidence(result, StepId.SCOPE) == "the response is not a sitemap"


def test_the_first_candidate_that_parses_is_judged_those_of_robots_txt_first(site: Any, checked: Checked) -> None:
    site.put("/robots.txt", "Sitemap: {site}/bad.xml\nSitemap: {site}/good.xml\n")
    site.put("/bad.xml", urlset(entry("/relative")))
    site.put("/good.xml", urlset(entry(fields="<priority>7</priority>")))
    site.put("/sitemap.xml", urlset())
    result = checked()
    assert result.judged == f"{site.url}/good.xml"
    assert result.status is Status.WARN


@pytest.mark.parametrize("status", [401, 403, 500, 302, 304, 600])
def test_a_conventional_location_counts_as_discovered_when_it_answers(site: Any, checked: Checked, status: int) -> None:
    # 302 leads back to itself.
    site.put("/sitemap.xml", urlset() if status != 304 else "", status, Location="/sitemap.xml")
    result = checked()
    assert (statuses(result), result.score) == (["pass", "fail", "not-run", "not-run", "not-run"], 0.2)
    assert "no candidate returned" in evidence(result, StepId.FETCH)


@pytest.mark.parametrize("status", [404, 410, 302])
def test_a_conventional_location_that_has_nothing_is_not_discovered(site: Any, checked: Checked, status: int) -> None:
    site.put("/sitemap.xml", "", status, Location="/missing")
    result = checked()
    assert (statuses(result)[:2], result.score) == (["fail", "not-run"], 0)


def test_a_sitemap_line_that_is_not_a_full_url_is_the_first_evidence(site: Any, checked: Checked) -> None:
    site.put("/robots.txt", "Sitemap: /map.xml\n")
    discover = checked().steps[0]
    assert "has no usable Sitemap line" in discover.evidence[0].message
    assert "line 1: not an absolute URL" in discover.evidence[1].message
    for path in ("/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml", "/sitemap.txt"):
        site.put(path, TEXT)
    assert "line 1: not an absolute URL" in checked().steps[0].evidence[0].message


BROKEN = [
    ("", 500, "returned HTTP 500"),
    ("<!DOCTYPE html><p>no", 200, "an HTML page"),
    ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{site}/</loc>", 200, "not well-formed"),
    ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>", 200, "has no entries"),
]


@pytest.mark.parametrize(("content", "status", "message"), BROKEN)
def test_a_broken_candidate_is_named_next_to_a_good_one(
    site: Any, checked: Checked, content: str, status: int, message: str
) -> None:
    site.put("/robots.txt", "".join(f"Sitemap: {{site}}/{number}.xml\n" for number in range(7)))
    for number in range(6):
        site.put(f"/{number}.xml", urlset())
    site.put("/6.xml", content, status)
    result = checked()
    assert statuses(result) == ALL_PASS
    first = result.steps[1].evidence[0]
    assert first.url == f"{site.url}/6.xml"
    assert message in first.message


def test_the_worst_evidence_comes_first(site: Any, checked: Checked) -> None:
    site.put("/sitemap.txt", many(50_001).replace("/5\n", "/5 \n"))
    site.put(
        "/sitemap.xml", index(*(f"{{site}}/{number}.xml" for number in range(50_001)), fields="<lastmod>x</lastmod>")
    )
    [quality] = [each for each in checked().steps if each.step.id is StepId.FIELD_QUALITY]
    assert [one.effect for one in quality.evidence] == [CheckEffect.FAIL, CheckEffect.WARN]
