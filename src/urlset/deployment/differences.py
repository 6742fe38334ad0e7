"""What differs between the answers of a directory and of its site to one URL, and what changed it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from urlset import _core
from urlset.deployment.answers import have_same_text, is_same_page
from urlset.deployment.built_urls import path_of
from urlset.deployment.listings import changes_of, have_same_entries, listing_of
from urlset.deployment.managed_robots import directives, managed_block
from urlset.model.deploy_check import DeployCause, Difference, ServedKind
from urlset.net.origin import origin_url
from urlset.net.previews import is_preview_of
from urlset.net.urlparts import host_of
from urlset.text.sizes import quantity
from urlset.web.html_page import is_html
from urlset.web.logins import is_login

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.deployment.answers import Answer, Body
    from urlset.deployment.built_urls import BuiltUrl
    from urlset.web.html_page import PageFacts

_EMPTY = hashlib.sha256(b"").hexdigest()

GONE = (404, 410)

CONTEXT = 30
"""Bytes of a line to show before the first one that differs; twice as many are shown after it."""

FILE_LISTS = ("Index of /", "Directory listing for /")
"""How the titles of the lists of files begin that Apache, nginx, lighttpd, http-server, and Python create."""

MAX_VALUE = 200
"""Characters of a value to keep."""


class Found(Struct, frozen=True):
    """One difference.

    Attributes:
        file: The file that differs; for pages, the home page.
        about: What differs, as a clause that begins with the path.
        line: The first line that differs.
        content: The content hash and title of the served page, to find the build that had it.
        sha256: The SHA-256 of the served file.
        has_built_title: Whether the served page has the built title.
        has_built_text: Whether the served page has the built main text.
        title_change: What the served title lacks and has in addition, which pages of one template share.
        of_text: What differs in the main text of a page whose title differs, too; empty if nothing does.
        run: The earlier run whose content is served; None if it is unknown.
        urls: Number of URLs that it is about.
    """

    url: str
    file: str
    kind: ServedKind
    difference: Difference
    about: str
    cause: DeployCause | None = None
    built: str | None = None
    served: str | None = None
    line: int | None = None
    status: int | None = None
    age: int | None = None
    cache_status: str | None = None
    content: tuple[int, str] | None = None
    sha256: str | None = None
    has_built_title: bool = False
    has_built_text: bool = False
    title_change: tuple[str, str] | None = None
    of_text: str = ""
    run: int | None = None
    urls: int = 1


class Surroundings(Struct, frozen=True):
    """What else the site serves, to recognize it in the place of other pages.

    Attributes:
        base: The URL of the site.
        home: The served home page; None if it is unknown.
        missing: The answer to a URL that does not exist; None if it is unknown.
        built_home: The home page of the directory; None if it is unknown.
    """

    base: str
    home: Answer | None = None
    missing: Answer | None = None
    built_home: Answer | None = None

    def stand_in(self, url: str, served: Answer, built: Answer | None = None) -> DeployCause | None:
        """Return whether an answer is the home page, or the page for what does not exist, in the place of another.

        Args:
            built: The answer of the directory; None if it does not have the URL.
        """
        if url == self.base or (
            built is not None and self.built_home is not None and _are_same(built, self.built_home)
        ):
            return None
        if self.missing is not None and self.missing.is_success and _are_same(served, self.missing):
            # A fallback answers every URL with the home page.
            is_home = self.home is not None and _are_same(self.missing, self.home)
            return DeployCause.FALLBACK if is_home else DeployCause.ERROR_PAGE
        if self.home is not None and _are_same(served, self.home):
            return DeployCause.FALLBACK
        return None


def _are_same(answer: Answer, other: Answer) -> bool:
    """Return whether two answers have the same content, also if one was requested as a file."""
    if answer.sha256 is not None and answer.sha256 == other.sha256:
        return answer.sha256 != _EMPTY
    one, two = answer.page, other.page
    if one is None or two is None or not (one.words or one.title):
        return False
    return (one.content_hash, one.title, one.words) == (two.content_hash, two.title, two.words)


def differences(built_url: BuiltUrl, built: Answer, served: Answer, around: Surroundings) -> list[Found]:
    """Return the differences, most consequential first; empty if there are none.

    Args:
        built: The answer of the directory, which is known.
        served: The answer of the site, which is known.
    """
    is_page = built_url.kind is ServedKind.PAGE
    common = Found(
        url=built_url.url,
        file=around.base if is_page else built_url.url,
        kind=built_url.kind,
        difference=Difference.STATUS,
        about="",
        status=served.status,
        age=served.age,
        cache_status=served.cache_status,
        content=None if served.page is None else (served.page.content_hash, served.page.title or ""),
        sha256=served.sha256,
        has_built_title=_has_built_title(built, served),
    )
    found = _of_response(built_url, built, served, around)
    if found is None:
        found = list(_of_page(built, served) if is_page else _of_file(built_url, built, served))
    path, has_built_text = path_of(built_url.url), bool(found) and _has_built_text(built, served)
    return [
        replace(
            common,
            difference=each.difference,
            about=f"{path}: {each.about}",
            cause=each.cause,
            built=_short(each.built),
            served=_short(each.served),
            line=each.line,
            has_built_text=has_built_text,
            title_change=each.title_change,
            of_text=each.of_text,
        )
        for each in found
    ]


class _Differs(Struct, frozen=True):
    difference: Difference
    about: str
    built: str | None = None
    served: str | None = None
    cause: DeployCause | None = None
    line: int | None = None
    title_change: tuple[str, str] | None = None
    of_text: str = ""


# The response as a whole.


def _of_response(built_url: BuiltUrl, built: Answer, served: Answer, around: Surroundings) -> Sequence[_Differs] | None:
    """Return the difference that says all about a URL; None if the contents have to be compared."""
    if served.status in GONE and built.status not in GONE:
        return [_Differs(Difference.MISSING, f"HTTP {served.status}", _status(built), _status(served))]
    is_failing = served.status is not None and served.status >= 400
    if not is_failing and (moved := _redirect(built, served, around)) is not None:
        return [moved]
    if served.status != built.status and (is_failing or not _leaves(built, around)):
        about = f"HTTP {served.status} instead of {built.status}"
        return [_Differs(Difference.STATUS, about, _status(built), _status(served))]
    if _leaves(built, around) or not built.is_success:
        return []
    if _has_same_content(built, served):
        return None
    if (cause := around.stand_in(built_url.url, served, built)) is not None:
        what = (
            "the home page (SPA fallback)" if cause is DeployCause.FALLBACK else "the page for URLs that do not exist"
        )
        about = f"HTTP {served.status} with {what} instead"
        return [_Differs(Difference.MISSING, about, _status(built), _status(served), cause)]
    if _lists_files(served) and not _lists_files(built):
        about = f"HTTP {served.status} with a list of files instead"
        return [_Differs(Difference.MISSING, about, _status(built), _status(served))]
    if built_url.kind not in (ServedKind.PAGE, ServedKind.ASSET) and served.body is not None and served.body.is_html:
        about = f"HTTP {served.status} with an HTML page instead"
        return [_Differs(Difference.MISSING, about, _status(built), _status(served))]
    return None


def _redirect(built: Answer, served: Answer, around: Surroundings) -> _Differs | None:
    """Return that a redirect leads elsewhere; None if it does not, or only to another spelling."""
    if served.error is not None and served.error.value in ("redirect-loop", "bad-redirect", "too-many-redirects"):
        return _Differs(Difference.REDIRECT, f"redirects in a loop or nowhere, to {served.final_url}", built.final_url)
    if (
        built.final_url == served.final_url
        or built.final_url in served.hops
        or (
            is_same_page(built.final_url, served.final_url)
            and origin_url(built.final_url) == origin_url(served.final_url)
        )
    ):
        return None
    if not served.is_redirected:
        about = f"does not redirect to {built.final_url}"
        return _Differs(Difference.REDIRECT, about, built.final_url, served.final_url)
    target, cause, why = served.final_url, None, ""
    has_password = served.page is not None and served.page.has_password_field
    if has_password or is_login(target):
        cause, why = DeployCause.LOGIN, ", a login"
    elif host_of(target) != host_of(around.base):
        cause, why = DeployCause.OTHER_HOST, ", another host"
    elif target == around.base:
        cause, why = DeployCause.HOME, ", the home page"
    expected = "" if not built.is_redirected else f" instead of {built.final_url}"
    return _Differs(Difference.REDIRECT, f"redirects to {target}{why}{expected}", built.final_url, target, cause)


def _leaves(built: Answer, around: Surroundings) -> bool:
    """Return whether the directory redirects to another site, whose answer it does not have."""
    return built.is_redirected and origin_url(built.final_url) != origin_url(around.base)


def _has_same_content(built: Answer, served: Answer) -> bool:
    if built.page is not None and served.page is not None:
        return built.page.title == served.page.title and have_same_text(built, served)
    return built.body is not None and served.body is not None and built.body.digest == served.body.digest


def _lists_files(answer: Answer) -> bool:
    """Return whether an answer is the list of a directory without an index file, as web servers create it."""
    return answer.page is not None and (answer.page.title or "").startswith(FILE_LISTS)


def _status(answer: Answer) -> str:
    return f"HTTP {answer.status}"


def _has_built_title(built: Answer, served: Answer) -> bool:
    title = None if built.page is None else built.page.title
    return bool(title) and served.page is not None and served.page.title == title


def _has_built_text(built: Answer, served: Answer) -> bool:
    return built.page is not None and built.page.words > 0 and have_same_text(built, served)


def _short(value: str | None) -> str | None:
    return value if value is None or len(value) <= MAX_VALUE else f"{value[: MAX_VALUE - 1]}…"


# Pages.


def _of_page(built: Answer, served: Answer) -> Iterator[_Differs]:
    served_type = served.headers.get("content-type")
    if is_html(built.headers.get("content-type")) and not is_html(served_type):
        about = f"Content-Type: {served_type} instead of HTML"
        yield _Differs(Difference.CONTENT_TYPE, about, built.headers.get("content-type"), served_type)
        return
    yield from _robots(built, served)
    if built.page is None or served.page is None:
        return
    was, now = built.row.get("canonical"), served.row.get("canonical")
    is_cut = (now is None and served.is_partial) or (was is None and built.is_partial)
    if was != now and not is_cut and (was is None or now is None or _core.url_hash(was) != _core.url_hash(now)):
        host = host_of(now or "") or ""
        is_preview = now is not None and is_preview_of(host, host_of(was or built.final_url) or "")
        where = "in the header Link" if now in (served.row.get("canonical_headers") or ()) else "in the page"
        text = "no canonical link" if now is None else f"canonical link to {now} {where}"
        about = f"{text} instead of {was or 'none'}" + (", on a preview host" if is_preview else "")
        yield _Differs(Difference.CANONICAL, about, was, now, DeployCause.PREVIEW_HOST if is_preview else None)
    if built.is_partial or served.is_partial:
        return
    of_text = "" if have_same_text(built, served) else _text_change(built.page, served.page)
    title_before, title = built.page.title or "", served.page.title or ""
    if title != title_before:
        about = f"title is {title!r} instead of {title_before!r}" + (f", and the {of_text}" if of_text else "")
        change = _middle(title_before, title)
        yield _Differs(Difference.CONTENT, about, title_before, title, title_change=change, of_text=of_text)
    elif of_text:
        yield _Differs(Difference.CONTENT, of_text, f"{built.page.words:,} words", f"{served.page.words:,} words")


def _text_change(built: PageFacts, served: PageFacts) -> str:
    words = quantity(served.words, "word")
    numbers = f"{words} in both" if served.words == built.words else f"{words} instead of {built.words:,}"
    return f"main text differs ({numbers})"


def _middle(before: str, after: str) -> tuple[str, str]:
    """Return what two texts have between their common start and their common end.

    Example:
        >>> _middle("Chairs | Shop", "Chairs")
        (' | Shop', '')
    """
    start = _common_start(before, after)
    before, after = before[start:], after[start:]
    end = _common_start(before[::-1], after[::-1])
    return before[: len(before) - end], after[: len(after) - end]


def _common_start(one: str, other: str) -> int:
    """Return the number of characters with which both texts begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _robots(built: Answer, served: Answer) -> Iterator[_Differs]:
    was, now = _noindex(built), _noindex(served)
    header = ", ".join(served.row.get("x_robots") or ())
    if was != now:
        by_header = bool(now) and "noindex" in header.lower()
        where = f"header X-Robots-Tag: {header}" if by_header else "robots meta element"
        gained = sorted(now - was)
        if gained:
            agents = "" if "*" in gained else f" for {', '.join(gained)}"
            about = f"noindex{agents} in the {where}, but none in the directory"
        else:
            about = "no noindex, but the directory has one"
        cause = DeployCause.HEADER if by_header and gained else None
        yield _Differs(Difference.NOINDEX, about, _robots_text(built), _robots_text(served), cause)
    elif _directives(built) != _directives(served):
        more = _directives(served) - _directives(built)
        less = _directives(built) - _directives(served)
        texts = [f"{', '.join(sorted(more))} in addition"] if more else []
        texts += [f"{', '.join(sorted(less))} missing"] if less else []
        is_header = bool(more) and all(each.partition(": ")[2] in header.lower() for each in more)
        yield _Differs(
            Difference.DIRECTIVES,
            f"robots directives: {'; '.join(texts)}",
            _robots_text(built),
            _robots_text(served),
            DeployCause.HEADER if is_header else None,
        )


def _noindex(answer: Answer) -> frozenset[str]:
    """Return the crawlers that must not index a page; `*` for all."""
    agents = frozenset(answer.row.get("noindex_agents") or ())
    return agents | {"*"} if answer.row.get("noindex") else agents


ALLOWING = frozenset({"all", "index", "follow", "noindex", "none"})
"""Directives that are no difference: what is allowed anyway, and those of noindex, which is compared on its own."""


def _directives(answer: Answer) -> frozenset[str]:
    """Return the other directives, wherever they are, each with its crawler."""
    elements = [str(text).partition(": ")[::2] for text in answer.row.get("meta_robots") or ()]
    parts = [(name, part) for name, content in elements for part in content.split(",")]
    parts += [("robots", part) for header in answer.row.get("x_robots") or () for part in str(header).split(",")]
    return frozenset(
        f"{name.lower()}: {word}" for name, part in parts if (word := part.strip().lower()) and word not in ALLOWING
    )


def _robots_text(answer: Answer) -> str | None:
    texts = [
        *(answer.row.get("meta_robots") or ()),
        *(f"X-Robots-Tag: {tag}" for tag in answer.row.get("x_robots") or ()),
    ]
    return "; ".join(map(str, texts)) or None


# Files.


def _of_file(built_url: BuiltUrl, built: Answer, served: Answer) -> Iterator[_Differs]:
    served_type = served.headers.get("content-type")
    if built_url.kind is not ServedKind.ASSET and served_type is not None and is_html(served_type):
        about = f"Content-Type: {served_type}, which is for pages"
        yield _Differs(Difference.CONTENT_TYPE, about, built.headers.get("content-type"), served_type)
    was, now = built.body, served.body
    if was is None or now is None:
        return
    if built.is_partial or served.is_partial:
        # The rest is unknown, unless what came is the beginning of what was built.
        start = None if built.is_partial or built_url.kind is ServedKind.ASSET else now.text
        if start is None or was.text is None or not was.text.startswith(start):
            return
    if built_url.kind is ServedKind.ASSET:
        if was.sha256 != now.sha256:
            about = f"{now.size:,} bytes instead of {was.size:,}" if was.size != now.size else "other bytes"
            yield _Differs(Difference.ASSET, about, f"{was.size:,} bytes", f"{now.size:,} bytes")
    elif was.digest != now.digest:
        found = _robots_file(was, now) if built_url.kind is ServedKind.ROBOTS else _text_file(built_url, was, now)
        if found is not None:
            yield found


def _robots_file(built: Body, served: Body) -> _Differs | None:
    was, now = (built.text or b"").split(b"\n"), (served.text or b"").split(b"\n")
    if (block := managed_block(served.text or b"")) is not None and managed_block(built.text or b"") is None:
        same = directives(block.rest) == directives(was)
        place = "before" if block.is_before else "among or after"
        about = f"{block.operator} adds its managed block, lines {block.first} to {block.last}, {place} the built rules"
        about += "" if same else "; the other lines differ, too"
        cause = DeployCause.MANAGED_ROBOTS
        return _Differs(Difference.ROBOTS_FILE, about, _lines(built), _lines(served), cause, block.first)
    if directives(was) == directives(now):
        return None
    line = _first_line(was, now)
    return _Differs(Difference.ROBOTS_FILE, _line_text(was, now, line), _lines(built), _lines(served), None, line)


def _text_file(built_url: BuiltUrl, built: Body, served: Body) -> _Differs | None:
    if built.text is None or served.text is None:
        about = f"{served.size:,} bytes instead of {built.size:,}, with different content"
        return _Differs(Difference.FILE, about, _lines(built), _lines(served))
    was, now = built.text.split(b"\n"), served.text.split(b"\n")
    is_cut_off = built.text.startswith(served.text)
    lists, served_lists = (listing_of(built_url.kind, text) for text in (built.text, served.text))
    changes = changes_of(lists, served_lists, built_url.url, is_cut_off=is_cut_off)
    if is_cut_off:
        about = f"cut off after {served.size:,} of {built.size:,} bytes" + (f"; {changes}" if changes else "")
        return _Differs(Difference.FILE, about, _lines(built), _lines(served), DeployCause.CUT_OFF, len(now))
    if have_same_entries(lists, served_lists):
        return None
    line = _first_line(was, now)
    about = changes or _line_text(was, now, line)
    return _Differs(Difference.FILE, about, _lines(built), _lines(served), None, line)


def _first_line(was: Sequence[bytes], now: Sequence[bytes]) -> int:
    same = (number for number, (one, two) in enumerate(zip(was, now, strict=False), 1) if one != two)
    return next(same, min(len(was), len(now)) + 1)


def _line_text(was: Sequence[bytes], now: Sequence[bytes], line: int) -> str:
    if line > min(len(was), len(now)):
        return f"{len(now):,} lines instead of {len(was):,}; the first {line - 1:,} are the same"
    one, two = was[line - 1], now[line - 1]
    # Some files are a single long line.
    same = next((at for at, (left, right) in enumerate(zip(one, two, strict=False)) if left != right), 0)
    start = max(0, same - CONTEXT) if same > CONTEXT else 0

    def text(content: bytes) -> str:
        part = content[start : start + 3 * CONTEXT].decode("utf-8", "replace")
        return repr(("…" if start else "") + part + ("…" if len(content) > start + 3 * CONTEXT else ""))

    return f"line {line:,} has {text(two)} instead of {text(one)}"


def _lines(body: Body) -> str:
    return f"{body.size:,} bytes"
