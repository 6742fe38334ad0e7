"""URLs as they can be shown: without user names and passwords."""

from __future__ import annotations

import re

_USER_INFO = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*:)?(//)?[^/?#\\]*@")


def masked(url: str) -> str:
    """Return a URL with `***` in place of a user name and password.

    Example:
        >>> masked("https://bob:hunter2@example.com/")
        'https://***@example.com/'
    """
    return _USER_INFO.sub(r"\1\2***@", url, count=1) if "@" in url else url
