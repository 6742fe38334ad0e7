"""Common URLs and dates take a fast path, which must give the same results as the general one."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlset.fetch import request_url
from urlset.net import origin
from urlset.probe.directives import moment_of
from urlset.sources import sitemap_links

if TYPE_CHECKING:
    from collections.abc import Callable

STARTS = st.sampled_from([
    "http://example.com", "https://example.com", "https://example.com:443", "http://example.com:8080", "HTTP://EXAMPLE.com",
    "https://Example.COM", "http://example.com:", "http://example.com:0", "http://example.com:99999", "http://a:b",
    "http://127.0.0.1:80", "http://2130706433", "http://.", "http://-", "https://user:word@example.com", "http://[::1]:1",
    "http://", "ftp://example.com", "//example.com", "https://exa mple.com", "https://b\u00fccher.example",
])  # fmt: skip
RESTS = st.text(st.sampled_from("/a.B0-%~;:@!$&'()*+,=[]|^ \t\n#?\\\u00e9"), max_size=12)
URLS = st.builds(str.__add__, STARTS, st.one_of(RESTS, RESTS.map("/".__add__), RESTS.map("?".__add__)))


def outcome(work: Callable[[], object]) -> object:
    try:
        return work()
    except ValueError as error:
        return str(error)


@given(URLS)
@example("http://example.com")
@example("http://example.com?a")
@example("http://example.com/?")
@example("http://example.com//a")
def test_address(url: str) -> None:
    assert outcome(lambda: request_url.address_of(url)) == outcome(lambda: request_url._address_of(url))


@given(URLS)
@example("http://example.com")
@example("http://example.com//a/../b;c")
def test_link(url: str) -> None:
    base = "https://example.org/here/there?now"
    assert sitemap_links.absolute_url(base, url) == sitemap_links._join(base, url)


@given(URLS)
def test_origin(url: str) -> None:
    assert outcome(lambda: origin.origin_url(url)) == outcome(lambda: origin._origin_url(url))


@given(st.datetimes(min_value=datetime(1900, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - as it is taken
def test_http_date(moment: datetime) -> None:
    written = format_datetime(moment, usegmt=True)
    assert moment_of(written) == parsedate_to_datetime(written)


@pytest.mark.parametrize("written", ["Sat, 31 Feb 2026 10:00:00 GMT", "Sat, 21 Nov 2026 24:61:00 GMT", ""])
def test_not_an_http_date(written: str) -> None:
    assert moment_of(written) is None
