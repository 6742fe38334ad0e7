"""The properties of a response that are compared between a directory and its site. Bodies are not kept."""

from __future__ import annotations

import hashlib
import re
import zlib
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset import _core
from urlset.fetch.reply import Reuse
from urlset.fetch.response import FetchError
from urlset.files.gunzip import MAGIC, Gunzip
from urlset.model.deploy_check import ServedKind
from urlset.net.status import TO_US
from urlset.net.urlparts import split_url
from urlset.probe.facts import ProbeTarget, Row, row_of
from urlset.probe.page_probe import ACCEPT
from urlset.web.challenges import challenge_in_body, declared_challenge
from urlset.web.email_protection import with_plain_emails
from urlset.web.html_page import charset_of, is_html, read_page
from urlset.web.main_text import spaced_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from urlset.deployment.built_urls import BuiltUrl
    from urlset.fetch.client import Client
    from urlset.fetch.response import Response
    from urlset.sources import BinaryFile
    from urlset.web.html_page import PageFacts

MAX_TEXT = 16 * 1024 * 1024
"""Bytes of a file up to which the place of a difference is searched. Larger files are compared all the same."""

CHALLENGE_WORDS = 150
"""Words up to which a page with a sign of a challenge is one: usual pages contain captchas, too."""

_OF_CHALLENGES = (401, 403, 405, 429, 503)
"""Codes besides those of success with which firewalls send challenges."""

_SEARCHED = 65_536
_PIECE = 1024 * 1024
_START = 2048

_HTML_START = re.compile(
    rb"\s*(?:\xef\xbb\xbf)?\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)

_LOOPS = (FetchError.REDIRECT_LOOP, FetchError.BAD_REDIRECT, FetchError.TOO_MANY_REDIRECTS)
_PARTIAL = (FetchError.TOO_LARGE, FetchError.CUT_OFF)


class Body(Struct, frozen=True):
    """The body of a file.

    Attributes:
        size: Its size in bytes, after decompression.
        sha256: The SHA-256 of the bytes as received, in hexadecimal.
        digest: A hash of its text with line feeds as line breaks, without those at the end.
        text: That text; None if it is larger than `MAX_TEXT`.
        is_html: Whether it begins like an HTML page.
    """

    size: int
    sha256: str
    digest: bytes
    text: bytes | None
    is_html: bool


class Answer(Struct, frozen=True):
    """A response of the site, or of the directory as its host would serve it.

    Attributes:
        unknown: Why nothing can be concluded from it, such as a refusal; None if something can.
        challenge: The challenge that a response with a status of success has a sign of. Usual pages can have it, too.
        row: The row of `pages` of a page.
        page: The facts of its HTML; None if it is not HTML.
        body: The body of a file; None for pages that are HTML, and without one.
        html: The HTML of a page, with plain e-mail addresses, and its charset; None for others.
        sha256: The SHA-256 of the body as received, in hexadecimal; None without one.
        partial: Why the body is incomplete, such as a limit; None if it is complete.
    """

    url: str
    status: int | None
    final_url: str
    is_redirected: bool
    hops: tuple[str, ...]
    headers: Mapping[str, str]
    error: FetchError | None
    unknown: str | None
    challenge: str | None
    row: Row
    page: PageFacts | None
    body: Body | None
    html: tuple[bytes, str | None] | None
    sha256: str | None
    partial: str | None

    @property
    def is_partial(self) -> bool:
        return self.partial is not None

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def age(self) -> int | None:
        """The Age header, in seconds."""
        age = self.headers.get("age", "").strip()
        return int(age) if age.isascii() and age.isdecimal() and len(age) < 12 else None

    @property
    def cache_status(self) -> str | None:
        """What the cache in between says."""
        names = ("cf-cache-status", "x-cache", "cache-status", "x-vercel-cache", "x-nf-cache")
        return next((f"{name}: {self.headers[name][:80]}" for name in names if self.headers.get(name)), None)


async def ask(client: Client, built: BuiltUrl, url: str, max_page_bytes: int, max_file_bytes: int) -> Answer:
    """Request a URL past the cache of urlset, and return what the response says.

    Args:
        url: The URL to request, which may have another query than that of the directory.
    """
    is_page = built.kind is ServedKind.PAGE
    answer = await client.get(
        url,
        via=None,
        accept=ACCEPT if is_page else "*/*",
        max_bytes=max_page_bytes if is_page else max_file_bytes,
        reuse=Reuse.NONE,
    )
    try:
        return _answer_of(answer, built, max_page_bytes)
    finally:
        answer.close()


def _answer_of(answer: Response, built: BuiltUrl, max_bytes: int) -> Answer:
    """Return what a response says; its body is read."""
    page, body, html, sha256 = None, None, None, None
    content = answer.content
    if built.kind is ServedKind.PAGE and content is not None and is_html(answer.headers.get("content-type")):
        data = content if isinstance(content, bytes) else content.read(max_bytes)
        sha256 = hashlib.sha256(data).hexdigest()
        html = with_plain_emails(data), charset_of(answer.headers.get("content-type"))
        page = read_page(html[0], charset=html[1])
        challenge = _challenge(answer, data) if page.words <= CHALLENGE_WORDS else None
    else:
        body = None if content is None else body_of(content)
        data = b"" if body is None or not body.is_html else body.text or b""
        sha256 = None if body is None else body.sha256
        # What stands in for a file is compared with pages.
        page = read_page(data) if data else None
        challenge = _challenge(answer, data)
    return Answer(
        url=answer.url,
        status=answer.status,
        final_url=answer.final_url,
        is_redirected=bool(answer.hops),
        hops=(*(hop.url for hop in answer.hops[1:]), answer.final_url) if answer.hops else (),
        headers=answer.headers,
        error=answer.error_kind,
        unknown=_unknown(answer, challenge),
        challenge=challenge,
        row=row_of(ProbeTarget(built.url, {}, None), "GET", answer, page),
        page=page,
        body=body,
        html=html,
        sha256=sha256,
        partial=_partial(answer, page if html is not None else None),
    )


def have_same_text(answer: Answer, other: Answer) -> bool:
    """Return whether two pages have the same main text, apart from comments and spaces next to tags."""
    one, two = answer.page, other.page
    if one is None or two is None or answer.html is None or other.html is None:
        return False
    return one.content_hash == two.content_hash or spaced_hash(*answer.html) == spaced_hash(*other.html)


def body_of(content: bytes | BinaryFile) -> Body:
    """Return what is compared of the body of a file. Large ones are read in pieces."""
    pieces = [content] if isinstance(content, bytes) else iter(lambda: content.read(_PIECE), b"")
    received, text_hash = hashlib.sha256(), hashlib.sha256()
    kept: list[bytes] | None = []
    size, kept_size, start = 0, 0, b""
    for piece in normalized(_decompressed(pieces, received)):
        size += len(piece)
        text_hash.update(piece)
        if len(start) < _START:
            start += piece[:_START]
        if kept is not None:
            kept.append(piece)
            kept_size += len(piece)
            kept = kept if kept_size <= MAX_TEXT else None
    text = None if kept is None else b"".join(kept)
    return Body(size, received.hexdigest(), text_hash.digest(), text, _HTML_START.match(start) is not None)


def normalized(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield pieces of text with line feeds as line breaks, without those at the end."""
    waiting = b""
    for piece in pieces:
        text = (waiting + piece).rstrip(b"\r\n")
        waiting = (waiting + piece)[len(text) :]
        if text:
            yield text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _decompressed(pieces: Iterable[bytes], received: hashlib._Hash) -> Iterator[bytes]:
    """Yield pieces after one layer of gzip, which some servers remove as a Content-Encoding; or damaged ones."""
    gunzip, is_first = None, True
    for piece in pieces:
        received.update(piece)
        if is_first and piece.startswith(MAGIC):
            gunzip = Gunzip(_PIECE)
        is_first = False
        if gunzip is None:
            yield piece
            continue
        try:
            yield from gunzip.feed(piece)
        except zlib.error:
            gunzip = None
            yield piece


def _partial(answer: Response, page: PageFacts | None) -> str | None:
    """Return why the body of a response is incomplete; None if it is complete."""
    if answer.error_kind in _PARTIAL:
        return answer.reason or str(answer.error_kind)
    return None if page is None or page.complete else "the page was only read up to a limit"


def _challenge(answer: Response, data: bytes) -> str | None:
    """Return the name of the challenge that a response may be; None without a sign of one."""
    if not answer.is_success and answer.status not in _OF_CHALLENGES:
        # Error pages of sites contain captchas and the scripts of firewalls, too.
        return None
    name = challenge_in_body(data[:_SEARCHED])
    if name is None and answer.status == 202:
        return "HTTP 202, which firewalls return while they check a client"
    return name


def _unknown(answer: Response, challenge: str | None) -> str | None:
    """Return why nothing can be concluded from a response; None if something can."""
    if answer.error_kind in _LOOPS or answer.error_kind in _PARTIAL:
        return None
    if answer.error_kind is not None:
        return answer.reason or str(answer.error_kind)
    challenge = declared_challenge(answer.headers) or challenge
    if challenge is not None and (not answer.is_success or answer.status == 202):
        return f"{challenge} (HTTP {answer.status})"
    if answer.status in TO_US:
        return f"HTTP {answer.status}, which may apply to this client only"
    return declared_challenge(answer.headers)


def is_same_page(url: str, other: str) -> bool:
    """Return whether two URLs of one origin are spellings that hosts have for one file.

    Example:
        >>> is_same_page("https://example.com/about.html", "https://example.com/about/")
        True
    """
    return _core.page_key(url) == _core.page_key(other) or _stem(url) == _stem(other)


def _stem(url: str) -> tuple[str, str, str]:
    parts = split_url(url)
    path = parts.path.removesuffix("/")
    path = path.removesuffix(".html").removesuffix(".htm").removesuffix("/index").removesuffix("/")
    return parts.netloc, path, parts.query
