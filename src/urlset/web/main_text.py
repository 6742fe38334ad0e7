"""Compare the main text of pages, apart from what minifiers and CDNs change. No I/O."""

from __future__ import annotations

from urlset.web.email_protection import with_plain_emails
from urlset.web.html_comments import without_comments
from urlset.web.html_page import read_page


def spaced_hash(html: bytes, charset: str | None) -> int:
    """Return the hash of the main text of a page with a space on both sides of each tag, without comments.

    Minifiers remove these: `<b>a</b> <i>b</i>` becomes `<b>a</b><i>b</i>`.
    """
    # Each byte as one character, whatever the charset.
    without = without_comments(html.decode("latin-1"), "").encode("latin-1")
    return read_page(without.replace(b"<", b" <").replace(b">", b"> "), charset=charset).content_hash


def text_hashes(html: bytes, charset: str | None) -> frozenset[int]:
    """Return the hashes of the main text of a page. Two pages with a common hash have the same text."""
    plain = with_plain_emails(html)
    return frozenset({read_page(plain, charset=charset).content_hash, spaced_hash(plain, charset)})
