"""Recognize the URLs to which hosts redirect users who have to log in. No I/O."""

from __future__ import annotations

import re

_LOGIN = re.compile(
    r"(?:^|[/._-])(?:log-?in|sign-?in|sso|oauth2?|authorize|auth|wp-login|accounts?)(?:[/._-]|$)"
    r"|[/.]cloudflareaccess[.]com(?:[:/]|$)|/cdn-cgi/access(?:/|$)",
    re.IGNORECASE,
)
"""https://team.cloudflareaccess.com/cdn-cgi/access, https://vercel.com/sso-api, /.auth/login/aad of Azure."""


def is_login(url: str) -> bool:
    """Return whether a URL names a login.

    Example:
        >>> [is_login(f"https://example.com/{path}") for path in (".auth/login/aad", "lessons/", "access/")]
        [True, False, False]
    """
    return _LOGIN.search(url.partition("?")[0]) is not None
