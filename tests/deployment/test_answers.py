"""What is compared of bodies: text without differences of line breaks, spaces next to tags, and obfuscation."""

from __future__ import annotations

import gzip
from io import BytesIO

import pytest
from tests.cases import case_table

from urlset.deployment.answers import MAX_TEXT, body_of, is_same_page, normalized
from urlset.deployment.managed_robots import directives, managed_block
from urlset.web.email_protection import with_plain_emails
from urlset.web.html_comments import without_comments


@pytest.mark.parametrize("pieces", [[b"a\r\nb\r\n\r\n"], [b"a\r", b"\nb", b"\r\n", b"\n"], [b"a\nb"], [b"a\rb\r"]])
def test_line_breaks_are_no_difference(pieces: list[bytes]) -> None:
    assert b"".join(normalized(pieces)) == b"a\nb"


def test_a_body_is_compared_after_decompression_whether_it_is_held_or_read_in_pieces() -> None:
    text = b"<urlset>\n" + b"<url/>\n" * 300_000
    plain, packed = body_of(text), body_of(BytesIO(gzip.compress(text)))
    assert (plain.digest, plain.size, plain.text) == (packed.digest, packed.size, packed.text)
    assert plain.sha256 != packed.sha256
    damaged = gzip.compress(text)[:50] + b"x" * 50
    assert body_of(damaged).digest != plain.digest
    assert body_of(text[:-8]).digest != plain.digest


def test_a_large_body_is_compared_and_not_held() -> None:
    body = body_of(BytesIO(b"a" * (MAX_TEXT + 1)))
    assert (body.size, body.text) == (MAX_TEXT + 1, None)
    assert body.digest != body_of(BytesIO(b"a" * MAX_TEXT)).digest


@case_table(
    "url, other, same",
    [
        ("https://e.com/about.html", "https://e.com/about", True),
        ("https://e.com/about/index.html", "https://e.com/about/", True),
        ("https://e.com/", "https://e.com/index.html", True),
        ("https://e.com/about", "https://e.com/about/us", False),
        ("https://e.com/about", "https://e.com/about?lang=de", False),
        ("https://e.com/about", "https://www.e.com/about", False),
    ],
)
def test_spellings_of_a_page(url: str, other: str, *, same: bool) -> None:
    assert is_same_page(url, other) is same


def test_the_managed_block_is_found_by_its_lines() -> None:
    own = b"User-agent: *\nDisallow: /cart/"
    block = b"# BEGIN Cloudflare Managed content\nUser-agent: GPTBot\nDisallow: /\n# END Cloudflare Managed Content\n\n"
    before = managed_block(block + own)
    assert before is not None
    assert (before.operator, before.first, before.last, before.is_before) == ("Cloudflare", 1, 4, True)
    assert directives(before.rest) == own.split(b"\n")
    after = managed_block(own + b"\n" + block)
    assert after is not None
    assert not after.is_before
    assert managed_block(own) is managed_block(block[:40]) is None


@pytest.mark.parametrize(
    "page",
    [b'<span data-cfemail="zz">x</span>', b'<span data-cfemail="4">x</span>', b"data-cfemail", b'<a data-cfemail="42'],
)
def test_what_is_no_obfuscated_address_stays(page: bytes) -> None:
    assert with_plain_emails(page) == page


def test_an_address_is_text_and_no_markup() -> None:
    digits = bytes([0, *b"<b>&@x"]).hex()
    hidden = f'<span class="__cf_email__" data-cfemail="{digits}">[email&#160;protected]</span>'
    assert with_plain_emails(hidden.encode()) == b"&lt;b&gt;&amp;@x"


def test_comments_and_blocks_without_an_end_take_linear_time() -> None:
    assert without_comments("a<!-- b -->c<!--->d-->e", "") == "ace"
    endless = "<!--" * 200_000
    assert without_comments(endless, "") == endless
    assert managed_block(b"# BEGIN" + b" " * 200_000 + b"x\n") is None


def test_the_managed_block_may_begin_without_a_space() -> None:
    block = managed_block(b"#BEGIN Cloudflare Managed content\nAllow: /\n#END Cloudflare Managed content\n")
    assert block is not None
    assert (block.operator, block.first, block.last) == ("Cloudflare", 1, 3)
