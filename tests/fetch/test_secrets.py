"""Credentials go only to the hosts that the user named, and are never shown."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest

import urlset
from urlset.fetch.client import Client
from urlset.fetch.request_url import address_of
from urlset.fetch.response import Response
from urlset.fetch.secrets import Headers
from urlset.net.trust import Trust
from urlset.options import ReadOptions

SECRET = ReadOptions(auth="user:hunter2", header=("X-Key: hunter2", "accept-language: de"), cache=False, retries=0)


def fetched(url: str, trusted: list[str], options: ReadOptions = SECRET) -> Response:
    async def work() -> Response:
        async with Client(options, Trust.of(trusted, allow_private=options.allow_private)) as client:
            return await client.get(url, via=None)

    return asyncio.run(work())


def sent(server: Any) -> list[tuple[bool, bool, str]]:
    """Return for each request whether it had the password, the key, and the language."""
    return [
        ("authorization" in each.headers, "x-key" in each.headers, each.headers.get("accept-language", ""))
        for each in server.requests
    ]


def test_named_host_gets_credentials(hostile: Any) -> None:
    fetched(f"{hostile.url}/moved", [hostile.url])
    assert sent(hostile) == [(True, True, "de")] * 3
    assert hostile.requests[0].headers["authorization"] == f"Basic {b64encode(b'user:hunter2').decode()}"


def test_other_hosts_get_no_credentials(hostile: Any) -> None:
    fetched(f"{hostile.url}/good", ["http://127.0.0.9:1/"], replace(SECRET, allow_private=True))
    assert sent(hostile) == [(False, False, "de")]


def test_without_named_host_no_credentials_are_sent(hostile: Any) -> None:
    options = ReadOptions(auth="user:hunter2", cache=False, allow_private=True)
    fetched(f"{hostile.url}/good", [], options)
    fetched(f"{hostile.url}/good", ["web/sitemap.xml", "127.0.0.1", hostile.url.removeprefix("http://")], options)
    assert sent(hostile) == [(False, False, "")] * 2


def test_redirect_to_another_host_drops_credentials(hostile: Any, behaviours: Any) -> None:
    async def away(request: Any, reader: Any, writer: Any) -> None:
        behaviours.send(writer, "302 Found", b"", f"Location: {hostile.url}/good")

    async def back(request: Any, reader: Any, writer: Any) -> None:
        behaviours.send(writer, "302 Found", b"", f"Location: {hostile.url}/to-other")

    with behaviours.serving(more={"/away": away, "/back": back}) as other:
        options = ReadOptions(auth="a:hunter2", cache=False, allow_private=True)
        fetched(f"{other.url}/away", [other.url], options)
        assert sent(hostile) == [(False, False, "")]
        assert all("authorization" in request.headers for request in other.requests)
        assert len(other.requests) == 1


@pytest.mark.parametrize(
    ("named", "url", "is_told"),
    [
        ("https://example.com/", "https://example.com/a", True),
        ("https://example.com/", "http://example.com/a", False),
        ("http://example.com/", "https://example.com/a", True),
        ("http://example.com:8080/", "https://example.com:8080/a", True),
        ("http://example.com/", "http://example.com:8080/a", False),
        ("https://example.com/", "https://example.com:8443/a", False),
        ("https://example.com/", "https://www.example.com/a", False),
        ("http://example.com", "https://EXAMPLE.com./a", True),
        ("http://example.com", "http://example.com/a", True),
        # A path is not a host, whatever its name.
        ("example.com", "http://example.com/a", False),
        ("example.com/a", "https://example.com/a", False),
        ("https://bücher.example/", "https://xn--bcher-kva.example/", True),
    ],
)
def test_which_origin_gets_credentials(named: str, url: str, is_told: bool) -> None:
    _, has_secrets = Headers(SECRET, Trust.of([named])).of(address_of(url), "*/*")
    assert has_secrets is is_told


def test_password_in_the_url_is_sent_and_masked(hostile: Any) -> None:
    url = hostile.url.replace("http://", "http://me:hunter%40@") + "/moved"
    answer = fetched(url, [url], ReadOptions(cache=False))
    assert answer.ok
    assert {each.headers["authorization"] for each in hostile.requests} == {
        f"Basic {b64encode(b'me:hunter@').decode()}"
    }
    assert "hunter" not in repr(answer)
    assert answer.url.startswith("http://***@127.0.0.1:")


def test_reports_mask_passwords(hostile: Any) -> None:
    url = hostile.url.replace("http://", "http://me:hunter2@")
    document = urlset.read(f"{url}/good")
    assert "hunter2" not in repr(document.facts)
    with pytest.raises(urlset.errors.InputError) as caught:
        urlset.read(f"{url}/not-found")
    assert "hunter2" not in str(caught.value) + caught.value.target + caught.value.reason
    report = urlset.validate([f"{url}/good", f"{url}/not-found", f"{url}/moved-with-password"])
    assert "hunter2" not in repr(report)


def test_credentials_in_a_redirect_are_ignored(hostile: Any) -> None:
    answer = fetched(f"{hostile.url}/moved-with-password", [hostile.url])
    assert "secret" not in repr(answer)


def test_options_mask_credentials() -> None:
    options = ReadOptions(auth="user:hunter2", header=("X: hunter2",), proxy="http://u:hunter2@proxy")
    assert "hunter2" not in repr(options)
