"""What a response means if it was requested as robots.txt: RFC 9309, section 2.3.1."""

from __future__ import annotations

import pytest

from urlset.fetch.response import FetchError, Hop, Response
from urlset.web.robots_txt import Availability

URL = "https://example.com/robots.txt"
HOP = Hop(URL, 301, "/robots.txt")


@pytest.mark.parametrize(
    ("status", "error_kind", "hops", "availability"),
    [
        (200, None, 0, Availability.READ),
        (200, FetchError.TOO_LARGE, 0, Availability.READ),
        (200, FetchError.CUT_OFF, 0, Availability.UNREACHABLE),
        (404, None, 0, Availability.UNAVAILABLE),
        (503, None, 0, Availability.UNREACHABLE),
        (None, FetchError.DNS, 0, Availability.UNREACHABLE),
        (301, FetchError.REDIRECT_LOOP, 1, Availability.UNAVAILABLE),
        (301, FetchError.BAD_REDIRECT, 0, Availability.UNAVAILABLE),
        (301, FetchError.TOO_MANY_REDIRECTS, 11, Availability.UNAVAILABLE),
        # With a lower limit, crawlers may follow redirects that urlset does not.
        (301, FetchError.TOO_MANY_REDIRECTS, 3, Availability.UNREACHABLE),
    ],
)
def test_availability(status: int | None, error_kind: FetchError | None, hops: int, availability: Availability) -> None:
    answer = Response(url=URL, final_url=URL, status=status, error_kind=error_kind, hops=(HOP,) * hops, content=b"")
    assert answer.robots(URL).availability is availability
