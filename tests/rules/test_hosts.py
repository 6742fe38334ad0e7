"""Hosts have one spelling in every table, so that rules can compare them.

Rules compare the hosts of entries and records, which the core reads, and of documents and robots.txt, which Python
writes.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.cases import case_table

from urlset import _core
from urlset.fetch.response import Response
from urlset.net.origin import in_url, origin_of
from urlset.net.urlparts import host_of
from urlset.web.robots_txt import Robots

from .runs import run_documents

HOSTS = {
    "example.com": "example.com",
    "EXAMPLE.com": "example.com",
    "example.com.": "example.com",
    "Example.Com.": "example.com",
    "example.com:443": "example.com",
    "Example.com:8443": "example.com",
    "example.com.:8443": "example.com",
    "example.com:": "example.com",
    "me:secret@example.com": "example.com",
    "me@work@Example.com:80": "example.com",
    "ｅｘａｍｐｌｅ.com": "example.com",
    "example。com": "example.com",
    "example．com。": "example.com",
    "exam\u00adple.com": "example.com",
    "xn--bcher-kva.example": "xn--bcher-kva.example",
    "XN--BCHER-KVA.example": "xn--bcher-kva.example",
    "bücher.example": "xn--bcher-kva.example",
    "bu\u0308cher.example": "xn--bcher-kva.example",
    "BÜCHER.Example": "xn--bcher-kva.example",
    "b%C3%BCcher.example": "xn--bcher-kva.example",
    "ex%61mple.com": "example.com",
    "BÜCHER.Example.": "xn--bcher-kva.example",
    "me@bücher.example:8443": "xn--bcher-kva.example",
    "İstanbul.example": "xn--istanbul-o0e.example",
    "shop.BÜCHER.xn--bcher-kva.example": "shop.xn--bcher-kva.xn--bcher-kva.example",
    "faß.example": "xn--fa-hia.example",
    "例え。テスト": "xn--r8jz45g.xn--zckzah",
    "💩.example": "xn--ls8h.example",
    "127.0.0.1": "127.0.0.1",
    "127.0.0.1.": "127.0.0.1",
    "127.0.0.1:8000": "127.0.0.1",
    "[::1]": "[::1]",
    "[::1]:8000": "[::1]",
    "[0:0:0:0:0:0:0:1]": "[::1]",
    "[2001:DB8::1]": "[2001:db8::1]",
    "[2001:db8:0:0::0:1]": "[2001:db8::1]",
    "me@[2001:db8::A]:81": "[2001:db8::a]",
    "[::FFFF:102:304]": "[::ffff:1.2.3.4]",
    "localhost:8000": "localhost",
    "LOCALHOST.": "localhost",
    "a_b.example": "a_b.example",
}

UNUSABLE = {
    "Bücher.xn--a.Example": "bücher.xn--a.example",
    "Two Words.example": "two words.example",
    "[v1.A]": "[v1.a]",
    "1.2.3.400": "1.2.3.400",
}
"""Hosts that no connection can go to: they stay as written, in lower case."""


def host_of_entry(url: str) -> Any:
    (batch,) = _core.Reader(f"{url}\n".encode(), document_id=0)
    return batch["urls"].column("host")[0]


@case_table("written, host", (HOSTS | UNUSABLE).items())
@pytest.mark.parametrize("path", ["", "/", "/a@b:c?d=http://other.example/#e", "?a@b", "#a:b"])
def test_every_table_spells_a_host_alike(written: str, host: str, path: str) -> None:
    url = f"HTTP://{written}{path}"
    assert host_of_entry(url) == host
    assert host_of(url) == host
    facts = Response(url=url, final_url=url).as_fetched().facts
    assert (facts["host"], facts["requested_host"]) == (host, host)
    robots = Robots.parse(f"Sitemap: {url}".encode(), url.partition("#")[0]).tables(0)
    assert robots["robots_files"].column("host") == [host]
    assert robots["sitemap_lines"].column("host") == [host]
    origin = origin_of(url)
    assert (None if origin is None else in_url(origin.host)) == (None if written in UNUSABLE else host)


@case_table("written, host", HOSTS.items())
def test_the_host_of_every_listed_url_is_spelled_alike(written: str, host: str) -> None:
    url = f"https://{written}/a"
    document = document_of({"document": listed(url)})
    reader = _core.Reader(f'<?xml-stylesheet href="{url}"?>'.encode() + document, document_id=0)
    (batch,) = reader
    assert batch["images"].column("loc_host") == [host]
    assert batch["videos"].column("uploader_info_host") == [host]
    facts = reader.facts()
    assert facts["stylesheet_host"] == host
    # Those of valid URLs only.
    assert facts["sites"] == ([] if url.count("@") > 1 else [f"https://{host}"])


@case_table("written", list(HOSTS))
def test_robots_txt_applies_to_every_spelling(written: str) -> None:
    port = written.rpartition(":")[2] if written.rpartition(":")[2].isdecimal() and written[-1] != "]" else "80"
    url = f"http://{written}/private/a"
    robots = Robots.parse(b"User-agent: *\nDisallow: /private/", f"http://{HOSTS[written]}:{port}/robots.txt")
    assert robots.covers(url)
    (batch,) = _core.Reader(f"{url}\n".encode(), document_id=0)
    assert robots.blocked_urls(batch["urls"], ["Googlebot"], 1).num_rows == 1
    assert not robots.covers(f"http://other.example:{port}/")


def listed(url: str) -> str:
    return (
        f"<url><loc>{url}</loc><image:image><image:loc>{url}.png</image:loc></image:image>"
        f"<video:video><video:uploader info='{url}/me'>me</video:uploader></video:video></url>"
    )


ON_OTHER_HOST = ("LOC007", "IDX009", "LOC014", "LOC015", "FET018", "IMG005", "VID015")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("code", ON_OTHER_HOST)
@case_table("written", list(HOSTS))
def test_no_rule_takes_one_spelling_of_a_host_for_another_host(code: str, written: str) -> None:
    url = f"http://{written}/a"
    document = {"final_url": f"http://{written}/maps/", "document": listed(url)}
    if code == "IDX009":
        document["document"] = f"<sitemap><loc>{url}</loc></sitemap>"
    for host in (written, HOSTS[written]):
        asked = {
            "url": f"http://{host}/sitemap.xml",
            "redirects": [document["final_url"]],
            "redirect_statuses": [301],
            "http_status": 200,
        }
        assert run_documents(code, {"run": [document | asked]}, document_of) == []


def document_of(given: dict[str, Any]) -> bytes:
    root = "sitemapindex" if "<sitemap>" in given["document"] else "urlset"
    spaces = " ".join(
        f'xmlns{prefix}="http://www.{place}"'
        for prefix, place in {
            "": "sitemaps.org/schemas/sitemap/0.9",
            ":image": "google.com/schemas/sitemap-image/1.1",
            ":video": "google.com/schemas/sitemap-video/1.1",
        }.items()
    )
    return f"<{root} {spaces}>{given['document']}</{root}>".encode()


@pytest.mark.parametrize(
    ("code", "host"), [("IMG005", "[2001:db8::2]"), ("IMG005", "wwwXexample.com"), ("VID015", "axexample.com")]
)
def test_another_host_is_one(code: str, host: str) -> None:
    url = "http://[2001:db8::1]/a" if ":" in host else "http://example.com/a"
    entry = (
        f"<url><loc>{url}</loc><image:image><image:loc>http://{host}/a.png</image:loc></image:image>"
        f"<video:video><video:uploader info='http://{host}/me'>me</video:uploader></video:video></url>"
    )
    case = {"run": [{"url": "http://example.com/sitemap.xml", "document": entry}]}
    assert [finding.rule.code for finding in run_documents(code, case, document_of)] == [code]
