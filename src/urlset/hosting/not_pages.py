"""Recognize files of a site that are not pages, by their content and by their place."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from urlset.web.indexability import SOFT_404_TITLE, SOFT_404_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


class NotAPage(StrEnum):
    """What a file with the name of a page is instead."""

    ERROR_PAGE = "error-page"
    """What a host shows in place of pages that do not exist."""
    ERROR_TITLE = "error-title"
    """A short page with the title of an error page."""
    VERIFICATION = "verification"
    """It verifies the owner of the site, or is in .well-known."""
    TOOLING = "tooling"
    """In a directory of a package manager, framework, or other tool."""
    PARTIAL = "partial"
    """A part of pages, such as a layout or an include."""
    DRAFT = "draft"
    """In a directory of drafts."""
    TEMPLATE = "template"
    """The source of a template."""
    CMS_ADMIN = "cms-admin"
    """The login page of a content management system."""
    EMPTY = "empty"
    """A file without content."""
    NO_TEXT = "no-text"
    """A page without words in its main text, and without a script that may add them."""
    JSON = "json"
    FEED = "feed"
    SITEMAP = "sitemap"
    XML = "xml"
    CALENDAR = "calendar"
    BINARY = "binary"


HAS_LINKS = frozenset({NotAPage.ERROR_TITLE, NotAPage.NO_TEXT})
"""The kinds whose links visitors follow; files of other kinds count as without links."""


OTHER_CONTENT = {
    NotAPage.JSON: "its content is JSON",
    NotAPage.FEED: "its content is a feed",
    NotAPage.SITEMAP: "its content is a sitemap",
    NotAPage.XML: "its content is XML",
    NotAPage.CALENDAR: "its content is a calendar or a contact",
    NotAPage.BINARY: "its content is not text",
}
"""What files hold instead of a page, in words."""


class PageContent(Protocol):
    """What the content of a page shows; see `PageFacts`."""

    @property
    def kind(self) -> str: ...
    @property
    def title(self) -> str | None: ...
    @property
    def canonicals(self) -> Sequence[str]: ...
    @property
    def words(self) -> int: ...
    @property
    def has_script(self) -> bool: ...


VERIFICATION = re.compile(
    r"google[0-9a-f]{16}|(?=[a-z-]*[0-9])pinterest-[0-9a-f]{5,}|yandex_[0-9a-f]{8,}|naver[0-9a-f]{32}"
    r"|baidu_verify_[\w-]+|bingsiteauth|livesearchsiteauth|y_key_[0-9a-f]+|alexaverifyid[\w-]*|(?:nortonsw|norton)_[\w-]+"
    r"|wmail_[0-9a-f]+|mailru-(?:domain|verification)\w*|zohoverify|verifyforzoho|godaddy|fileauth|loaderio-[0-9a-f]+"
    r"|mywot[0-9a-f]+|seznam-wmt-\w+|sogousiteverification|shenma-site-verification[\w-]*|360[0-9a-f]{6,}"
    r"|majestic_[\w-]+|mj12_[\w-]+|ahrefs[-_][0-9a-f]+|detectify-verification[\w-]*|facebook[-_]?domain[-_]verification[\w-]*"
    r"|(?:[a-z]+[-_])?(?:domain|site)[-_]verif(?:ication|y)[-_][\w-]+",
    re.IGNORECASE,
)
"""Names, without extension, of the files with which webmaster tools and other services verify the owner of a site."""

TOOLING = frozenset({
    "node_modules", "bower_components", "jspm_packages", "_next", "_nuxt", "_astro", "_app", "__pycache__",
    "__macosx", "__tests__", "cgi-bin", "cdn-cgi", "_vti_cnf", "_vti_bin", "_notes", "site_libs",
})  # fmt: skip
"""Directories of package managers, frameworks, editors, and servers, in lowercase; `site_libs` is that of Quarto."""

_SPEAKER_VIEW = re.compile(r"(?:^|.*/)plugin/notes/(?:speaker-view|notes)\.html", re.IGNORECASE)
"""A window for the speaker in each copy of reveal.js: https://revealjs.com/speaker-view/"""

PARTIALS = frozenset({
    "_includes", "_include", "_layouts", "_layout", "_partials", "_partial", "_components", "_templates", "_data",
    "_sass", "_snippets", "_shared", "_inc", "_macros",
})  # fmt: skip
"""Directories of parts of pages in Jekyll, Eleventy, and others, in lowercase."""

FRAGMENTS = frozenset({
    "partials", "includes", "include", "inc", "layouts", "fragments", "snippets", "components",
    "templates", "tpl", "shortcodes", "macros",
})  # fmt: skip
"""Directories that often have parts of pages, but can have pages, too."""

DRAFTS = frozenset({"_drafts", "_draft"})

_TOKEN = re.compile(r"[a-z]*[-_]?(?=[a-z0-9]*[0-9])[a-z0-9]{16,}", re.IGNORECASE)
"""A name, without extension, that is random characters, with the name of a service before them."""

MAX_WORDS_OF_TOKEN = 10
"""Words of a page up to which a name of random characters means that it verifies the owner."""

_ERROR = re.compile(r"(?:4(?:00|01|03|04|05|10|29)|5(?:00|02|03|04|0x)|[45]xx)", re.IGNORECASE)
_NAMED_ERROR = re.compile(r"_?(?:error|not[-_]found)|(?:http)?[-_]?error[-_]?[45][0-9x]{2}", re.IGNORECASE)
_STATUS = re.compile(r"[1-5][0-9]{2}")
_FALLBACKS = frozenset({"404.html", "404.htm", "200.html"})
"""Names in the root directory that hosts show for other URLs; `200.html` is that of single-page apps."""

_ERROR_TITLE = re.compile(SOFT_404_TITLE)
_BARE_ERROR_TITLE = re.compile(r"(?:error|oops)(?:$|\s*[|:!.–—•·-])")


def not_a_page(name: str, page: PageContent, *, is_error_page: bool | None = None) -> tuple[NotAPage, str] | None:
    """Return why a file with the name of a page is not a page of the site, with details; None if it is a page.

    Args:
        name: The path of the file relative to the site, with slashes; see `name_of_url`.
        is_error_page: Whether the host shows it in place of pages that do not exist; None if its name and its content
            decide.
    """
    if is_error_page or name in _FALLBACKS:
        return NotAPage.ERROR_PAGE, ""
    if page.kind != "page":
        what = NotAPage(page.kind)
        return what, OTHER_CONTENT.get(what, "")
    if (why := by_place(name)) is not None:
        return why
    if page.words < SOFT_404_WORDS and (how := verification(name)):
        return NotAPage.VERIFICATION, how
    title = (page.title or "").lower()
    if not title:
        if page.words <= MAX_WORDS_OF_TOKEN and _TOKEN.fullmatch(stem_of(name)) is not None:
            return NotAPage.VERIFICATION, "verifies the owner of the site"
        if page.title is None and not page.canonicals and FRAGMENTS.intersection(name.lower().split("/")[:-1]):
            return NotAPage.PARTIAL, "has no title, and is in a directory of partials"
    if page.words == 0 and not page.has_script:
        return NotAPage.NO_TEXT, "no words in its main text"
    if page.words < SOFT_404_WORDS:
        has_error_title = _ERROR_TITLE.search(title) is not None
        if is_error_page is None and _is_named_as_error(name, title, has_error_title=has_error_title):
            return NotAPage.ERROR_PAGE, ""
        if has_error_title:
            return NotAPage.ERROR_TITLE, f"its title is {page.title!r}"
    return None


def _is_named_as_error(name: str, title: str, *, has_error_title: bool) -> bool:
    """Return whether the name of a short page is that of an error page. A word such as `error` needs a title, too."""
    stem, folder = _last_part(name)
    if _ERROR.fullmatch(stem):
        return not folder or stem == "404" or not title or has_error_title
    is_error = has_error_title or _BARE_ERROR_TITLE.match(title) is not None
    return is_error and _NAMED_ERROR.fullmatch(stem) is not None


def may_be_error_page(name: str, title: str | None) -> bool | None:
    """Return None if the name and the content decide whether a page of a server is an error page, else False.

    Below a directory, only a title decides: a server does not tell whether there are pages on other status codes.
    """
    _, folder = _last_part(name)
    has_error_title = title is not None and _ERROR_TITLE.search(title.lower()) is not None
    return None if not folder or (has_error_title and "/" not in folder) else False


_UNFINISHED_NAME = re.compile(
    r"(?:(?:.*[-_ .])?(?:draft|wip)|untitled)(?:[-_ ]?[0-9]+)?|template|sample-page|markdown-page", re.IGNORECASE
)
"""The last two are the examples of WordPress and Docusaurus."""

_UNFINISHED_TITLE = re.compile(
    r"\W*(?:draft|wip|work in progress|untitled(?: document| page)?)(?:\s*[:\])|\N{EN DASH}\N{EM DASH}]|\s+-\s|\s*$)"
    r"|.*[\[(](?:draft|wip|(?:page|site|post|article|your)[ _-]?(?:name|title))[\])]|lorem ipsum\b"
    r"|(?:page|post|article|tool|your) (?:name|title|template)(?=\s*(?:$|[|:\N{EN DASH}\N{EM DASH}-]))",
    re.IGNORECASE,
)


def looks_unfinished(name: str, title: str | None) -> bool:
    """Return whether a page has the name or title of a draft, template, or example. It may be a page all the same.

    Example:
        >>> [looks_unfinished("a.html", title) for title in ("Draft: Chairs", "Chairs (WIP)", "Draft beer")]
        [True, True, False]
        >>> looks_unfinished("blog/template.html", "Blog")
        True
    """
    return _UNFINISHED_NAME.fullmatch(_last_part(name)[0]) is not None or (
        title is not None and _UNFINISHED_TITLE.match(title) is not None
    )


def _last_part(name: str) -> tuple[str, str]:
    """Return the last part of a name, without extension and `index.html`, and the directory that it is in."""
    folder, _, file = name.rpartition("/")
    if folder and file.partition(".")[0].lower() == "index":
        folder, _, file = folder.rpartition("/")
    return stem_of(file), folder


def error_pages(names: Iterable[str]) -> frozenset[str]:
    """Return the files that are named after the status code of an error, such as `404.html` and `de/404/index.html`.

    A directory with pages on other status codes, too, is documentation.

    Example:
        >>> sorted(error_pages(["404.html", "404.html/index.html", "de/404/index.html", "a/200.html", "a/404.html"]))
        ['404.html', '404.html/index.html', 'de/404/index.html']
    """
    codes: dict[str, set[str]] = {}
    found: dict[str, str] = {}
    for name in names:
        stem, folder = _last_part(name)
        if _STATUS.fullmatch(stem):
            codes.setdefault(folder, set()).add(stem)
        if _ERROR.fullmatch(stem):
            found[name] = folder
    return frozenset(
        name
        for name, folder in found.items()
        if not folder or all(_ERROR.fullmatch(code) for code in codes.get(folder, ()))
    )


def status_documentation(names: Collection[str]) -> frozenset[str]:
    """Return the files that are named after the status code of an error, and are pages on status codes.

    Example:
        >>> sorted(status_documentation(["404.html", "http/200.html", "http/404.html"]))
        ['http/404.html']
    """
    named = [name for name in names if _ERROR.fullmatch(_last_part(name)[0])]
    if not named:
        return frozenset()
    return frozenset(named) - error_pages(names)


def verification(name: str) -> str:
    """Return how the name of a file shows that it is for a service instead of visitors; empty if it does not.

    Example:
        >>> verification("google1234567890abcdef.html"), verification("google-cloud.html")
        ('verifies the owner of the site', '')
    """
    if name.startswith(".well-known/"):
        return "in .well-known/"
    return "verifies the owner of the site" if VERIFICATION.fullmatch(stem_of(name)) else ""


def by_place(name: str) -> tuple[NotAPage, str] | None:
    """Return why a file is not a page because of its directories, or because of a name that starts with `_`.

    Example:
        >>> by_place("node_modules/a/index.html")
        (<NotAPage.TOOLING: 'tooling'>, 'in node_modules/')
        >>> by_place("blog/_header.html")
        (<NotAPage.PARTIAL: 'partial'>, 'its name starts with _')
        >>> by_place("blog/_index.md")
    """
    if _SPEAKER_VIEW.fullmatch(name):
        return NotAPage.TOOLING, "the speaker view of reveal.js"
    *folders, file = name.split("/")
    for folder in folders:
        lower = folder.lower()
        if lower in TOOLING:
            return NotAPage.TOOLING, f"in {folder}/"
        if lower in DRAFTS:
            return NotAPage.DRAFT, f"in {folder}/"
        if lower in PARTIALS:
            return NotAPage.PARTIAL, f"in {folder}/"
    if file.startswith("_") and file.partition(".")[0].lower() != "_index":
        return NotAPage.PARTIAL, "its name starts with _"
    return None


def name_of_url(path: str) -> str:
    """Return the name of the file that the path of a URL usually has.

    Example:
        >>> [name_of_url(path) for path in ("/", "/a/", "/a", "/a.html")]
        ['index.html', 'a/index.html', 'a', 'a.html']
    """
    name = path.lstrip("/")
    return f"{name}index.html" if not name or name.endswith("/") else name


def stem_of(name: str) -> str:
    """Return the file name without directories and extension."""
    file = name.rpartition("/")[2]
    return file.rpartition(".")[0] or file
