"""Rules compare hosts: of entries, which the core reads, of documents, which Python writes, and of URLs, by SQL."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from urlset import _core
from urlset.net.urlparts import host_of
from urlset.robots import Robots
from urlset.rules.queries import host_in

from .runs import run_documents

HOSTS = {
    "example.com": "example.com",
    "EXAMPLE.com": "example.com",
    "example.com.": "example.com.",
    "example.com:443": "example.com",
    "Example.com:8443": "example.com",
    "example.com:": "example.com",
    "me:secret@example.com": "example.com",
    "me@work@Example.com:80": "example.com",
    "xn--bcher-kva.example": "xn--bcher-kva.example",
    "XN--BCHER-KVA.example": "xn--bcher-kva.example",
    "bücher.example": "bücher.example",
    "BÜCHER.Example": "bÜcher.example",
    "İstanbul.example": "İstanbul.example",
    "shop.BÜCHER.xn--bcher-kva.example": "shop.bÜcher.xn--bcher-kva.example",
    "例え。テスト": "例え。テスト",
    "127.0.0.1": "127.0.0.1",
    "127.0.0.1:8000": "127.0.0.1",
    "[::1]": "[::1]",
    "[::1]:8000": "[::1]",
    "[2001:DB8::1]": "[2001:db8::1]",
    "me@[2001:db8::A]:81": "[2001:db8::a]",
    "localhost:8000": "localhost",
    "a_b.example": "a_b.example",
}


def host_of_entry(url: str) -> Any:
    (batch,) = _core.Reader(f"{url}\n".encode(), document_id=0)
    return batch["urls"].column("host")[0]


@pytest.mark.parametrize(("written", "host"), HOSTS.items())
@pytest.mark.parametrize("path", ["", "/", "/a@b:c?d=http://other.example/#e", "?a@b", "#a:b"])
def test_everybody_spells_hosts_as_the_core_does(written: str, host: str, path: str) -> None:
    url = f"HTTP://{written}{path}"
    assert host_of_entry(url) == host
    assert host_of(url) == host
    with duckdb.connect() as connection:
        row = connection.execute(f"SELECT {host_in('url')} FROM (SELECT $1 AS url)", [url]).fetchone()
    assert row == (host,)
    robots = Robots.parse(b"", url.partition("#")[0]).tables(0)["robots_files"]
    assert robots.column("host") == [host]


ON_OTHER_HOST = ("LOC007", "IDX009", "LOC014", "LOC015", "FET018", "IMG005", "VID015")


@pytest.mark.parametrize("code", ON_OTHER_HOST)
@pytest.mark.parametrize("written", HOSTS)
def test_no_rule_takes_one_spelling_of_a_host_for_another_host(code: str, written: str) -> None:
    url = f"http://{written}/a"
    entry = (
        f"<url><loc>{url}</loc><image:image><image:loc>{url}.png</image:loc></image:image>"
        f"<video:video><video:uploader info='{url}/me'>me</video:uploader></video:video></url>"
    )
    document = {"url": f"http://{written}/sitemap.xml", "final_url": f"http://{written}/maps/", "document": entry}
    if code == "IDX009":
        document["document"] = f"<sitemap><loc>{url}</loc></sitemap>"
    assert run_documents(code, {"run": [document]}, document_of) == []


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
