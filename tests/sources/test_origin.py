"""Origins as users write them."""

from __future__ import annotations

import pytest

from urlset.errors import UsageError
from urlset.sources.user_origin import parse_origin


@pytest.mark.parametrize(
    ("written", "url", "home", "folder"),
    [
        ("example.com", "https://example.com", "https://example.com/", "/"),
        (" https://example.com ", "https://example.com", "https://example.com/", "/"),
        ("HTTPS://Example.COM:443/", "https://example.com", "https://example.com/", "/"),
        ("http://example.com:443", "http://example.com:443", "http://example.com:443/", "/"),
        ("https://example.com/shop/", "https://example.com", "https://example.com/shop/", "/shop/"),
        ("example.com/shop/index.html?a=b#c", "https://example.com", "https://example.com/shop/index.html", "/shop/"),
        ("https://example.com/\u00e9/%20/", "https://example.com", "https://example.com/%C3%A9/%20/", "/%C3%A9/%20/"),
        ("b\u00fccher.example", "https://xn--bcher-kva.example", "https://xn--bcher-kva.example/", "/"),
        ("https://B\u00dcCHER.example:8", "https://xn--bcher-kva.example:8", "https://xn--bcher-kva.example:8/", "/"),
        ("//example.com/a", "https://example.com", "https://example.com/a", "/"),
        ("localhost:8000", "http://localhost:8000", "http://localhost:8000/", "/"),
        ("shop.localhost", "http://shop.localhost", "http://shop.localhost/", "/"),
        ("127.0.0.1:9", "http://127.0.0.1:9", "http://127.0.0.1:9/", "/"),
        ("[::1]:8000", "http://[::1]:8000", "http://[::1]:8000/", "/"),
        ("https://[::1]/", "https://[::1]", "https://[::1]/", "/"),
    ],
)  # fmt: skip
def test_what_is_meant(written: str, url: str, home: str, folder: str) -> None:
    origin = parse_origin(written)
    assert (origin.url, origin.home, origin.folder) == (url, home, folder)


def test_the_scheme_is_known_to_be_guessed() -> None:
    assert parse_origin("example.com").is_scheme_guessed
    assert not parse_origin("http://example.com").is_scheme_guessed


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", "empty"),
        ("ftp://example.com", "http or https"),
        ("https://", "has no host"),
        ("/sitemap.xml", "has no host"),
        ("two words.example", "has no host"),
        ("example.com:99999", "not an origin"),
        ("https://[::1", "not an origin"),
        ("exa%mple.com", "not an origin"),
        ("user:secret@example.com", "--auth"),
    ],
)
def test_what_is_no_origin(written: str, why: str) -> None:
    with pytest.raises(UsageError, match=why) as caught:
        parse_origin(written)
    assert "secret" not in str(caught.value)
