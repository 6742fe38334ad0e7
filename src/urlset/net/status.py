"""Status codes that are treated alike, as sets and as SQL to follow a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def _is_in(codes: Iterable[int]) -> str:
    return f"IN ({', '.join(map(str, sorted(codes)))})"


REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""Codes that a client follows; other codes from 300 to 399 have no page."""

TO_US = frozenset({401, 402, 403, 407, 429})
"""Codes of refusals that may apply to this client only. 402 asks crawlers to pay.
https://developers.cloudflare.com/ai-crawl-control/features/pay-per-crawl/"""

IS_REDIRECT, IS_TO_US = _is_in(REDIRECTS), _is_in(TO_US)
