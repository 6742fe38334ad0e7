"""Decode the e-mail addresses that Cloudflare obfuscates in pages, so that their text is the one of the origin.

https://developers.cloudflare.com/waf/tools/scrape-shield/email-address-obfuscation/
"""

from __future__ import annotations

import html
import re

_MARK = b"data-cfemail"
_ELEMENT = re.compile(
    rb"""<(span|a)\b[^<>]{0,400}\bdata-cfemail=["']?((?:[0-9a-f]{2}){2,400})\b[^<>]{0,400}>[^<]{0,200}</\1\s*>""",
    re.IGNORECASE,
)


def with_plain_emails(page: bytes) -> bytes:
    """Return a page with its obfuscated addresses as text.

    Example:
        >>> with_plain_emails(b'<p><span data-cfemail="422302206c23">[email&#160;protected]</span>')
        b'<p>a@b.a'
    """
    return _ELEMENT.sub(lambda match: _decoded(match[2]), page) if _MARK in page else page


def _decoded(digits: bytes) -> bytes:
    """Return an address: every byte is combined with the first one."""
    key, *characters = bytes.fromhex(digits.decode("ascii"))
    text = bytes(character ^ key for character in characters).decode("utf-8", "replace")
    return html.escape(text).encode()
