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
from urlset.web.llms_txt import FENCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_WORDS = 200_000
"""Maximum number of words of a text to compare. Our choice."""

MAX_HEADINGS = 1_000
"""Maximum number of headings of a page, and of its twin, to compare. Our choice."""

MAX_HEADING_WORDS = 50
"""Maximum number of words of a heading to compare. Our choice."""

MAX_MISSING_WORDS = 2_000
"""Maximum number of missing words to keep of a twin, to find those of the page template. Our choice."""

_HEADING_LENGTH = 200
"""Maximum number of characters of a heading to keep. Our choice."""

_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)(?:\r?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:(.*)$", re.MULTILINE)
_TARGET = re.compile(r"\]\([^()\n]{0,400}(?:\([^()\n]{0,100}\)[^()\n]{0,100})?\)")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,400}>")
_ATX = re.compile(r" {0,3}#{1,6}(?![^ \t])(.*)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
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
        lacking: Number of those that the twin lacks.
        missing_words: The first of them, up to `MAX_MISSING_WORDS`.
        headings: Number of headings of the page that were compared.
        missing_headings: Those that the text of the twin lacks, as written.
        title: The words of the first heading of the page; empty without headings.
        has_title: Whether the twin has this heading; True without headings.
        twin_title: The words of the title of the twin; empty without one.
        uncompared_headings: Number of headings of the page and of the twin beyond `MAX_HEADINGS`.
    """

    words: int
    lacking: int
    missing_words: frozenset[str]
    headings: int
    missing_headings: tuple[str, ...]
    title: tuple[str, ...]
    has_title: bool
    twin_title: tuple[str, ...]
    uncompared_headings: int


def read_markdown(data: bytes) -> MarkdownText:
    """Read a Markdown file. Any bytes are accepted."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    title = None
    if (front := _FRONT_MATTER.match(text)) is not None:
        if (line := _TITLE.search(front[1])) is not None:
            title = line[1].strip().strip("\"'")
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
        if (opened := FENCE.match(line)) is not None and fence in (None, opened[1]):
            fence = opened[1] if fence is None else None
        elif fence is None and (heading := _ATX.fullmatch(line)) is not None:
            yield _without_closing(heading[1].strip(" \t"))
        elif fence is None and before and _UNDERLINE.fullmatch(line) is not None:
            yield before
        before = line.strip() if fence is None else ""
    begin = None
    for tag in _HTML_HEADING.finditer(text):
        if tag[1] and begin is not None:
            yield text[begin : tag.start()]
        begin = None if tag[1] else tag.end()


def _without_closing(heading: str) -> str:
    """Return a heading without the number signs at its end, if a space is before them."""
    text = heading.rstrip("#")
    return text.rstrip(" \t") if not text or text[-1] in " \t" else heading


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
    of_page = dict.fromkeys(words_of(page))
    lacking = [word for word in of_page if word not in there]
    of_headings = list(headings)
    wanted = {
        words: heading.strip(_INVISIBLE)[:_HEADING_LENGTH]
        for heading in of_headings[:MAX_HEADINGS]
        if (words := tuple(words_of(heading)[:MAX_HEADING_WORDS]))
    }
    shorter = {
        frozenset(some) for heading in twin.headings[:MAX_HEADINGS] if (some := words_of(heading)[:MAX_HEADING_WORDS])
    }

    def is_missing(words: tuple[str, ...]) -> bool:
        own = frozenset(words)
        is_there = own <= there and f" {' '.join(words)} " in joined
        return not is_there and not any(other <= own for other in shorter)

    missing = tuple(heading for words, heading in wanted.items() if is_missing(words))
    title, first = next(iter(wanted.items()), ((), None))
    return Difference(
        words=len(of_page),
        lacking=len(lacking),
        missing_words=frozenset(lacking[:MAX_MISSING_WORDS]),
        headings=len(wanted),
        missing_headings=missing,
        title=title,
        has_title=first is None or first not in missing,
        twin_title=tuple(words_of(twin.title or "")[:MAX_HEADING_WORDS]),
        uncompared_headings=max(0, len(of_headings) - MAX_HEADINGS) + max(0, len(twin.headings) - MAX_HEADINGS),
    )


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
