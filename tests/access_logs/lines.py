"""Lines of access logs, in every format."""

from __future__ import annotations

GOOGLE = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
BING = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"
PERSON = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"

GOOGLE_ADDRESS = "66.249.66.7"
OTHER_ADDRESS = "203.0.113.77"
PERSON_ADDRESS = "198.51.100.213"

SITE = "https://example.com"


def combined(
    path: str = "/",
    agent: str = GOOGLE,
    *,
    client: str = GOOGLE_ADDRESS,
    day: int = 10,
    time: str = "13:55:36",
    status: object = 200,
    size: object = 100,
    host: str = "",
) -> str:
    """A line in the combined format, with a virtual host if one is given."""
    return (
        f'{host}{" " if host else ""}{client} - - [{day:02}/Nov/2026:{time} +0000] "GET {path} HTTP/1.1" '
        f'{status} {size} "-" "{agent}"\n'
    )
