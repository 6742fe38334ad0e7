"""Hosts and origins have one spelling, whoever writes them: users, sitemaps, configuration files."""

from __future__ import annotations

import pytest
from tests.cases import case_table

from urlset import _core
from urlset.build.options import BaseUrl, for_core
from urlset.errors import UsageError
from urlset.net.origin import ascii_host, in_url, origin_of, origin_url
from urlset.options import WriteOptions
from urlset.sources.user_origin import parse_origin

HOSTS = {
    "example.com": "example.com",
    "EXAMPLE.com": "example.com",
    "example.com.": "example.com",
    "xn--bcher-kva.example": "xn--bcher-kva.example",
    "XN--BCHER-KVA.example": "xn--bcher-kva.example",
    "bücher.example": "xn--bcher-kva.example",
    "BÜCHER.Example.": "xn--bcher-kva.example",
    "shop.bücher.xn--bcher-kva.example": "shop.xn--bcher-kva.xn--bcher-kva.example",
    "faß.example": "xn--fa-hia.example",
    "例え。テスト": "xn--r8jz45g.xn--zckzah",
    "💩.example": "xn--ls8h.example",
    "a_b.example": "a_b.example",
    "127.0.0.1": "127.0.0.1",
    "2001:DB8:0:0::1": "2001:db8::1",
    "::1": "::1",
}


@case_table("written, host", HOSTS.items())
@pytest.mark.parametrize("port", ["", ":443", ":8443"])
def test_every_spelling_is_one(written: str, host: str, port: str) -> None:
    url = f"https://{in_url(written)}{port}/a?b#c"
    wanted = f"https://{in_url(host)}" + (port if port == ":8443" else "")
    assert ascii_host(written) == host
    assert origin_url(url) == parse_origin(url).url == wanted
    assert _core.page_key(url) == f"{wanted}/a?b"
    origin = origin_of(url)
    assert origin is not None
    assert origin.host == parse_origin(url).host == host
    base = BaseUrl.of(f"https://{in_url(written)}{port}/a")
    assert (base.text, base.host) == (f"https://{in_url(host)}{port}/a/", in_url(host))
    assert for_core(WriteOptions(hosts=(written,)), base)["hosts"] == [in_url(host)] * 2


@pytest.mark.parametrize("written", ["1.2.3.400", "127.1", "0x7f.1", "b%C3%BCcher%.example", "two words", "a:b", ""])
def test_what_is_no_host_is_none_anywhere(written: str) -> None:
    with pytest.raises(ValueError, match="host"):
        ascii_host(written)
    with pytest.raises(UsageError):
        parse_origin(f"https://{written}/")
    with pytest.raises(UsageError):
        BaseUrl.of(f"https://{written}/")
    assert origin_url(f"https://{written}/") == ""


def test_a_set_for_a_host_beyond_ascii_is_published_at_its_name_in_dns() -> None:
    base = BaseUrl.of("https://me:secret@BÜCHER.example:8443/shop")
    assert base.text == "https://me:secret@xn--bcher-kva.example:8443/shop/"
