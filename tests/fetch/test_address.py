"""URLs as they are sent, and redirect targets."""

from __future__ import annotations

import pytest

from urlset.fetch.request_url import address_of, redirect_address
from urlset.text.masking import mask_url


@pytest.mark.parametrize(
    ("url", "wire"),
    [
        ("http://example.com", "http://example.com/"),
        ("HTTP://EXAMPLE.com:81/A%2fb?x=1#part", "http://example.com:81/A%2fb?x=1"),
        ("  https://example.com/a b\u00e4?q=\u00fc ", "https://example.com/a%20b%C3%A4?q=%C3%BC"),
        ("http://example.com/%zz%", "http://example.com/%zz%"),
        ("http://b\u00fccher.example/", "http://xn--bcher-kva.example/"),
        ("http://example.com./", "http://example.com/"),
        ("http://[2001:DB8::1]:8080/x", "http://[2001:db8::1]:8080/x"),
        ("http://me:pass@example.com/", "http://example.com/"),
        ("http://example.com?x", "http://example.com/?x"),
        ("http://example.com/{a}|b^", "http://example.com/%7Ba%7D%7Cb%5E"),
        ("http://1.2.3.4/", "http://1.2.3.4/"),
        ("http://under_score.example/", "http://under_score.example/"),
    ],
)
def test_url_as_sent(url: str, wire: str) -> None:
    address = address_of(url)
    assert address.url == wire
    assert str(address.wire) == wire


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.com/", "its scheme is neither http nor https"),
        ("example.com", "its scheme is neither http nor https"),
        ("http://", "it has no host"),
        ("http:///path", "it has no host"),
        ("http://example.com:99999/", "its port is not a number below 65,536"),
        ("http://example.com:port/", "its port is not a number below 65,536"),
        ("http://example.com:0/", "its port is 0"),
        ("http://exa mple.com/", "its host is not a valid name"),
        ("http://127.1/", "its host is an IPv4 address in an unusual notation"),
        ("http://256.1.1.1/", "its host is an IPv4 address in an unusual notation"),
        ("http://0x7f.0.0.1/", "its host is an IPv4 address in an unusual notation"),
        ("http://example.com/" + "a" * 20_000, "longer than 16,384 characters"),
    ],
)
def test_url_that_cannot_be_requested(url: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{reason}$"):
        address_of(url)


@pytest.mark.parametrize(
    ("location", "there"),
    [
        ("/b", "http://example.com/b"),
        ("b", "http://example.com/x/b"),
        ("?q", "http://example.com/x/a?q"),
        ("//other.example/b", "http://other.example/b"),
        ("https://other.example", "https://other.example/"),
        (" /b ", "http://example.com/b"),
        ("/\udcc3\udca4", "http://example.com/%C3%A4"),
        ("/\u00e4", "http://example.com/%C3%A4"),
        ("/b#part", "http://example.com/b"),
        ("", "http://example.com/x/a"),
    ],
)
def test_redirect_target(location: str, there: str) -> None:
    assert redirect_address(address_of("http://example.com/x/a"), location).url == there


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://me:pass@example.com/a@b", "http://***@example.com/a@b"),
        ("http://me@example.com/", "http://***@example.com/"),
        ("http://me:p@ss@example.com/", "http://***@example.com/"),
        ("//me:pass@example.com", "//***@example.com"),
        ("me:pass@proxy:3128", "me:***@proxy:3128"),
        ("http://example.com/?mail=a@b.c", "http://example.com/?mail=a@b.c"),
        ("/path/a@b", "/path/a@b"),
    ],
)
def test_passwords_are_masked(url: str, shown: str) -> None:
    assert mask_url(url) == shown
