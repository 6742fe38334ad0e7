"""Markdown twins of pages: where one may be, what its text is, and what it lacks of its page. No I/O.

A twin is the version of a page in Markdown, which some agents ask for. The llms.txt proposal says where it is:
`page.html.md` or `page.md`, and `index.html.md` or `index.md` for a URL that ends with a slash; a page declares it with
`<link rel="alternate" type="text/markdown">` or a `Link` header (<https://llmstxt.org/>, version 2 of 2026-08-10).
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlunsplit

from msgspec import Struct

from urlset.net.urlparts import split_url
from urlset.web.html_comments import without_comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_WORDS = 200_000
"""Maximum number of words of a text to compare. Our choice."""

MARKDOWN_TYPES = frozenset({"text/markdown", "text/x-markdown"})

_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)(?:\r?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_TARGET = re.compile(r"\]\([^()\n]{0,400}(?:\([^()\n]{0,100}\)[^()\n]{0,100})?\)")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,400}>")
_ATX = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_HTML_HEADING = re.compile(r"<(/?)h[1-6]\b[^<>]{0,400}>", re.IGNORECASE)
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_INVISIBLE = " \u200b\u00b6"
"""What generators put into links to headings: a zero-width space, or a paragraph sign."""

_WORD = re.compile(rf"[{_IDEOGRAPH}]|[^\W_{_IDEOGRAPH}]+")


class MarkdownText(Struct, frozen=True):
    """What a Markdown file says.

    Attributes:
        title: The title in its front matter, else its first heading; None without one.
        headings: Its headings, as text.
        text: Its text, without front matter, comments, tags, and the targets of links.
    """

    title: str | None
    headings: tuple[str, ...]
    text: str


class Difference(Struct, frozen=True):
    """What a twin lacks of its page.

    Attributes:
        words: Number of different words of the page.
        missing_words: Those that the twin lacks.
        headings: Number of headings of the page.
        missing_headings: Those that the text of the twin lacks, as written.
        has_title: Whether the twin has the first heading of the page; True without headings.
    """

    words: int
    missing_words: frozenset[str]
    headings: int
    missing_headings: tuple[str, ...]
    has_title: bool


def read_markdown(data: bytes) -> MarkdownText:
    """Read a Markdown file. Any bytes are accepted."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    title = None
    if (front := _FRONT_MATTER.match(text)) is not None:
        if (line := _TITLE.search(front[1])) is not None:
            title = line[1].strip("\"'")
        text = text[front.end() :]
    text = without_comments(text, " ")
    headings = tuple(map(_plain, _headings(text)))
    return MarkdownText(title or (headings[0] if headings else None), headings, f"{title or ''}\n{_plain(text)}")


def _plain(text: str) -> str:
    """Return Markdown without tags, the targets of links, and character references."""
    return unescape(_TAG.sub(" ", _TARGET.sub("] ", text)))


def _headings(text: str) -> Iterator[str]:
    fence, before = None, ""
    for line in text.splitlines():
        if (opened := _FENCE.match(line)) is not None and fence in (None, opened[1]):
            fence = opened[1] if fence is None else None
        elif fence is None and (heading := _ATX.fullmatch(line)) is not None:
            yield heading[1] or ""
        elif fence is None and before and _UNDERLINE.fullmatch(line) is not None:
            yield before
        before = line.strip() if fence is None else ""
    begin = None
    for tag in _HTML_HEADING.finditer(text):
        if tag[1] and begin is not None:
            yield text[begin : tag.start()]
        begin = None if tag[1] else tag.end()


def words_of(text: str) -> list[str]:
    """Return the words of a text, in lowercase: runs of letters and digits, and each Han, Hiragana, and Katakana sign.

    Example:
        >>> words_of("Don't *panic*: v2.0")
        ['don', 't', 'panic', 'v2', '0']
    """
    return [match[0] for match, _ in zip(_WORD.finditer(text.casefold()), range(MAX_WORDS), strict=False)]


def difference(page: str, headings: Iterable[str], twin: MarkdownText) -> Difference:
    """Return what a twin lacks of the main text of its page, and of the headings in it.

    A heading is missing if its words are not in the text of the twin, one after the other, in any form: what is a
    heading on the page may be a bold line or a title in the front matter of the twin. It is also there if a heading of
    the twin has no other words: components such as badges add some on the page.
    """
    of_twin = words_of(twin.text)
    joined = f" {' '.join(of_twin)} "
    there = frozenset(of_twin)
    of_page = frozenset(words_of(page))
    wanted = {" ".join(words_of(heading)): heading.strip(_INVISIBLE) for heading in headings}
    wanted.pop("", None)
    shorter = [frozenset(words) for heading in twin.headings if (words := words_of(heading))]
    missing = tuple(
        heading
        for words, heading in wanted.items()
        if f" {words} " not in joined and not any(some <= {*words.split()} for some in shorter)
    )
    first = next(iter(wanted.values()), None)
    return Difference(len(of_page), of_page - there, len(wanted), missing, first is None or first not in missing)


def conventional(url: str) -> tuple[str, ...]:
    """Return the URLs at which a twin of a page may be, if the page declares none, the most common first.

    `/docs/intro.md` for `/docs/intro/` is not in the proposal, but docusaurus-plugin-llms 0.6 and
    vitepress-plugin-llms 1.14 write it (as built on 2026-11-29).

    Example:
        >>> conventional("https://example.com/docs/")
        ('https://example.com/docs/index.md', 'https://example.com/docs/index.html.md', 'https://example.com/docs.md')
        >>> conventional("https://example.com/docs/intro.html")
        ('https://example.com/docs/intro.md', 'https://example.com/docs/intro.html.md')
    """
    parts = split_url(url)
    path = parts.path or "/"
    folder, _, name = path.rpartition("/")
    stem, dot, extension = name.rpartition(".")
    if not name:
        found = [f"{path}index.md", f"{path}index.html.md"] + ([f"{folder}.md"] if folder else [])
    elif dot and extension.lower() in ("html", "htm", "xhtml", "php", "asp", "aspx"):
        found = [f"{folder}/{stem}.md", f"{path}.md"]
    elif dot and extension.lower() in ("md", "txt", "pdf", "xml", "json"):
        found = []
    else:
        found = [f"{path}.md"]
    return tuple(urlunsplit((parts.scheme, parts.netloc, each, "", "")) for each in found)


def form_of(page: str, twin: str) -> str:
    """Return how the URL of a twin follows from that of its page, such as `page.md`; empty if it does not."""
    names = {0: ("index.md", "index.html.md", "folder.md"), 1: ("page.md", "page.html.md")}
    is_page = split_url(page).path.rpartition("/")[2] != ""
    return dict(zip(conventional(page), names[is_page], strict=False)).get(twin, "")


def pages_of(twin: str) -> tuple[str, ...]:
    """Return the URLs of the pages that a Markdown file may be the twin of; empty for other files.

    Example:
        >>> pages_of("https://example.com/docs/index.md")
        ('https://example.com/docs/', 'https://example.com/docs/index.html', 'https://example.com/docs/index', \
'https://example.com/docs')
    """
    parts = split_url(twin)
    path = parts.path
    if not path.endswith(".md"):
        return ()
    stem = path.removesuffix(".md")
    page = stem.removesuffix(".html")
    found = [stem] if page != stem else [f"{page}.html", page, f"{page}/"]
    if page.endswith("/index"):
        folder = page.removesuffix("index")
        found = [folder, *found[:2], *([folder.rstrip("/")] if folder != "/" else [])]
    return tuple(urlunsplit((parts.scheme, parts.netloc, each, "", "")) for each in dict.fromkeys(found))
