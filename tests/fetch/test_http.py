"""One GET: the response, and a message for each kind of failure."""

from __future__ import annotations

import asyncio

import pytest
from tests.loopback import closed_port

import urlset


def test_facts_of_the_response(server: str) -> None:
    document = urlset.read(f"{server}/sitemap.xml?from=2025")
    assert [entry.loc for entry in document] == ["https://example.com/"]
    facts = document.facts
    assert facts["http_status"] == 200
    assert facts["content_type"] == "text/html"
    assert facts["etag"] == '"1"'
    assert facts["last_modified"] == "Thu, 02 Jan 2025 00:00:00 GMT"
    assert facts["redirects"] == []
    assert (facts["host"], facts["site_path"]) == ("127.0.0.1", "/sitemap.xml")
    assert facts["kind"] == "urlset"


@pytest.mark.parametrize(
    ("path", "compression"),
    [("sitemap.xml.gz", "gzip"), ("encoded", "none"), ("encoded.gz", "gzip")],
)
def test_content_encoding_is_decoded_once_and_gzip_by_its_magic_bytes(server: str, path: str, compression: str) -> None:
    document = urlset.read(f"{server}/{path}")
    assert [entry.loc for entry in document] == ["https://example.com/"]
    assert document.facts["compression"] == compression
    assert len(document.anomalies) == 0


def test_redirects_are_recorded(server: str) -> None:
    facts = urlset.read(f"{server}/moved").facts
    assert facts["url"] == f"{server}/moved"
    assert facts["final_url"] == f"{server}/sitemap.xml"
    assert facts["redirects"] == [f"{server}/moved-again", f"{server}/sitemap.xml"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("missing", "returned HTTP 404 Not Found"),
        ("moved-to-nothing", "returned HTTP 404 Not Found at http://.*/missing"),
        ("error", "returned HTTP 503 Service Unavailable"),
        ("loop", "redirects to itself"),
        ("slow", "no complete response within 0.5 s"),
        ("silent", "no complete response within 0.5 s"),
        ("hang-up", "closed the connection without a response"),
        ("nonsense", "invalid HTTP response"),
    ],
)
def test_each_failure_has_a_message(server: str, path: str, reason: str) -> None:
    with pytest.raises(urlset.errors.InputError, match=reason) as caught:
        urlset.read(f"{server}/{path}", timeout=0.5, retries=0)
    assert caught.value.target == f"{server}/{path}"
    assert "\n" not in str(caught.value)


def test_truncated_body_is_read_up_to_its_end(server: str) -> None:
    document = urlset.read(f"{server}/cut", retries=0)
    assert [entry.loc for entry in document] == ["https://example.com/"]
    assert (document.facts["complete"], document.facts["error_kind"]) == (False, "cut-off")


def test_connection_refused() -> None:
    refused = pytest.raises(urlset.errors.InputError, match=r"cannot connect to 127\.0\.0\.1: connection refused")
    with closed_port() as port, refused:
        urlset.read(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize("url", ["http://", "http:///x", "http://[::1", "http://127.0.0.1:99999/"])
def test_invalid_url(url: str) -> None:
    with pytest.raises(urlset.errors.InputError, match="not a valid URL"):
        urlset.read(url)


def test_endless_body_is_cut_at_the_limit(server: str) -> None:
    document = urlset.read(f"{server}/endless", max_document_bytes=28_000, timeout=20)
    assert len(document) == 1_000
    assert document.facts["complete"] is False
    assert document.anomalies.column("kind") == ["size-limit"]


def test_it_works_inside_a_running_event_loop(server: str) -> None:
    async def work() -> int:
        return len(urlset.read(f"{server}/sitemap.xml"))

    assert asyncio.run(work()) == 1


def test_validate_accepts_the_options(server: str) -> None:
    report = urlset.validate(f"{server}/slow", retries=0, timeout=0.2)
    assert [one.reason for one in report.unreadable] == ["no complete response within 0.2 s"]


def test_validate_continues_after_a_failure(server: str) -> None:
    report = urlset.validate([f"{server}/missing", f"{server}/sitemap.xml"])
    assert [(one.target, one.reason) for one in report.unreadable] == [
        (f"{server}/missing", "returned HTTP 404 Not Found")
    ]
    assert len(report.documents) == 1
    # The loopback server is not the host that its sitemap lists.
    assert "LOC007" in {finding.rule.code for finding in report.findings}
