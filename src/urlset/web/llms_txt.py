"""Parse llms.txt, a description of a site for language models. No I/O: bytes in, title, sections, and links out.

<https://llmstxt.org/>, version 2 of 2026-08-10: a first-level heading, optionally a quote and text, then second-level
headings with lists of links. A file covers the URLs under its path, and the most specific one counts; a page names it
with `rel="describedby"`. A section named Optional has no meaning of its own. It is a convention, which no search engine
promises to read. Any bytes are accepted.
"""

from __future__ import annotations

import re
from enum import StrEnum
from html import unescape
from typing import Annotated

from msgspec import Struct, field

from urlset.model.fields import NonNegativeInt, PositiveInt, about

MAX_LLMS_BYTES = 1024 * 1024
"""Maximum bytes to read of an llms.txt. Our choice: models read far less at once."""

MAX_LINKS = 10_000
"""Maximum number of links to keep, which is about as many as fit in 1 MiB. Our choice."""

MAX_PROBLEMS = 100
"""Maximum number of problems to keep. Our choice."""

LONGEST_VALUE = 2_048
"""Longest title, heading, link text, or URL to keep, in characters. Our choice."""


class LlmsProblem(StrEnum):
    """What is wrong with the form of an llms.txt."""

    EMPTY = "empty"
    """It has no text."""
    NOT_UTF8 = "not-utf8"
    """It is not in UTF-8."""
    TOO_LARGE = "too-large"
    """It is larger than 1 MiB; the rest was not read."""
    NO_TITLE = "no-title"
    """It does not begin with a first-level heading."""
    SECOND_TITLE = "second-title"
    """It has another first-level heading."""
    ITEM_WITHOUT_LINK = "item-without-link"
    """An item of a list of links does not begin with a link."""
    EMPTY_SECTION = "empty-section"
    """A section has no links."""
    TOO_MANY_LINKS = "too-many-links"
    """It has more than 10,000 links; the others were not checked."""


ABOUT = {
    LlmsProblem.EMPTY: "it has no text",
    LlmsProblem.NOT_UTF8: "it is not in UTF-8",
    LlmsProblem.TOO_LARGE: "it is larger than 1 MiB; the rest was not read",
    LlmsProblem.NO_TITLE: "it does not begin with a first-level heading (# Title)",
    LlmsProblem.SECOND_TITLE: "it has another first-level heading",
    LlmsProblem.ITEM_WITHOUT_LINK: "an item of a list of links does not begin with a link",
    LlmsProblem.EMPTY_SECTION: "a section has no links",
    LlmsProblem.TOO_MANY_LINKS: "it has more than 10,000 links; the others were not checked",
}
"""The problems in words."""


class LlmsLink(Struct, frozen=True):
    """A link in a list of an llms.txt."""

    line: Annotated[PositiveInt, about("Its line, from 1.")]
    section: Annotated[str, about("The second-level heading above it.")]
    text: Annotated[str, about("Its text, without backslash escapes and character references.")]
    target: Annotated[str, about("Its target, also without them.")]


class LlmsFault(Struct, frozen=True):
    """A problem of the form: its kind, the line, from 1, and the text there; None and empty for the whole file."""

    problem: LlmsProblem
    line: PositiveInt | None
    evidence: str


class LlmsText(Struct):
    """An llms.txt."""

    title: Annotated[str | None, about("Its first-level heading; None without one.")] = None
    sections: Annotated[list[str], about("Its second-level headings.")] = field(default_factory=list)
    links: Annotated[list[LlmsLink], about("The links in the lists of its sections.")] = field(default_factory=list)
    faults: Annotated[list[LlmsFault], about("The problems of its form, in order.")] = field(default_factory=list)
    bytes: Annotated[NonNegativeInt, about("Number of bytes read.")] = 0

    @property
    def is_cut(self) -> bool:
        """Whether it was not read to its end, so that it may have more links."""
        return any(fault.problem in (LlmsProblem.TOO_LARGE, LlmsProblem.TOO_MANY_LINKS) for fault in self.faults)


_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
FENCE = re.compile(r" {0,3}(```|~~~)")
"""The beginning of a line that begins or ends code in Markdown."""

_ITEM = re.compile(r" {0,3}[-*+][ \t]+(.*)")
# Each repeated part begins with a different character than the next, so that the time is linear.
_LINK_TEXT = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]\([ \t]*")
_IN_ANGLE_BRACKETS = re.compile(r"<((?:[^<>\\]|\\.)*)>")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|&(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[Xx][0-9A-Fa-f]{1,6});")
"""A backslash escape or a character reference: https://spec.commonmark.org/0.31.2/#backslash-escapes."""


def covers(llms: str, url: str) -> bool:
    """Return whether an llms.txt covers a URL: those under its path, on its host.

    Example:
        >>> covers("https://example.com/docs/llms.txt", "https://example.com/docs/intro")
        True
        >>> covers("https://example.com/docs/llms.txt", "https://example.com/docs-old/")
        False
    """
    folder = llms.partition("?")[0].rpartition("/")[0] + "/"
    return url.startswith(folder) or f"{url}/" == folder


def is_html(content: bytes) -> bool:
    """Return whether a response is an HTML page, which servers send for files that do not exist."""
    start = content.lstrip(b"\xef\xbb\xbf \t\r\n")[:14].lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body"))


def parse_llms(content: bytes) -> LlmsText:
    """Parse an llms.txt. Bytes after the first MiB are not read."""
    data = content[:MAX_LLMS_BYTES]
    facts = LlmsText(bytes=len(data))
    is_cut = len(content) > MAX_LLMS_BYTES
    if is_cut:
        _note(facts, LlmsProblem.TOO_LARGE)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # A character may be cut off at the limit.
        if not (is_cut and error.start >= len(data) - 3):
            _note(facts, LlmsProblem.NOT_UTF8)
        text = data.decode("utf-8-sig", "replace")
    _Parser(facts).read(text)
    return facts


class _Parser:
    """Reads the lines of an llms.txt into an `LlmsText`."""

    def __init__(self, facts: LlmsText) -> None:
        self._facts = facts
        self._section: tuple[int, str] | None = None
        self._has_links = False
        self._without_link: list[tuple[int, str]] = []
        self._has_too_many = False

    def read(self, text: str) -> None:
        is_first, fence = True, None
        for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
            if not line.strip():
                continue
            if (fenced := FENCE.match(line)) is not None and fence in (None, fenced[1]):
                fence = fenced[1] if fence is None else None
            elif fence is None:
                self._line(number, line, is_first=is_first)
            is_first = False
        self._end_section()
        if is_first:
            _note(self._facts, LlmsProblem.EMPTY)

    def _line(self, number: int, line: str, *, is_first: bool) -> None:
        heading = _HEADING.fullmatch(line)
        level = 0 if heading is None else len(heading[1])
        title = "" if heading is None else heading[2].rstrip("# \t").strip()[:LONGEST_VALUE]
        if is_first and level != 1:
            _note(self._facts, LlmsProblem.NO_TITLE, number, line)
        if level == 1 and self._facts.title is None:
            self._facts.title = title
        elif level == 1:
            _note(self._facts, LlmsProblem.SECOND_TITLE, number, line)
        elif level == 2:
            self._end_section()
            self._section, self._has_links, self._without_link = (number, title), False, []
            self._facts.sections.append(title)
        elif self._section is not None and (item := _ITEM.fullmatch(line)) is not None:
            self._item(number, item[1], self._section[1])

    def _item(self, number: int, text: str, section: str) -> None:
        link = _link(text[: 4 * LONGEST_VALUE])
        if link is None:
            if len(self._without_link) < MAX_PROBLEMS:
                self._without_link.append((number, text))
            return
        self._has_links = True
        if len(self._facts.links) < MAX_LINKS:
            self._facts.links.append(LlmsLink(number, section, link[0][:LONGEST_VALUE], link[1][:LONGEST_VALUE]))
        elif not self._has_too_many:
            self._has_too_many = True
            _note(self._facts, LlmsProblem.TOO_MANY_LINKS, number)

    def _end_section(self) -> None:
        if self._section is not None and not self._has_links:
            # Its items have no links for the same reason.
            _note(self._facts, LlmsProblem.EMPTY_SECTION, *self._section)
            return
        for number, text in self._without_link:
            _note(self._facts, LlmsProblem.ITEM_WITHOUT_LINK, number, text)


def _link(text: str) -> tuple[str, str] | None:
    """Return the text and the destination of the link that an item begins with; None if it begins with none."""
    start = _LINK_TEXT.match(text)
    if start is None:
        return None
    end = start.end()
    if (bracketed := _IN_ANGLE_BRACKETS.match(text, end)) is not None:
        written, end = bracketed[1], bracketed.end()
    else:
        written = _bare_destination(text, end)
        end += len(written)
    # A title may follow.
    rest = text[end:]
    is_closed = rest.startswith(")") or (rest[:1] in (" ", "\t") and ")" in rest)
    return (_unescape(start[1]), _unescape(written)) if is_closed else None


def _bare_destination(text: str, begin: int) -> str:
    """Return a destination without angle brackets: parentheses in it are in pairs or escaped."""
    depth = 0
    at = begin
    while at < len(text) and text[at] > " " and text[at] not in "<>":
        if text[at] == "\\" and _ESCAPED.match(text, at) is not None:
            at += 1
        elif text[at] == "(":
            depth += 1
        elif text[at] == ")":
            if depth == 0:
                break
            depth -= 1
        at += 1
    return text[begin:at]


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda escape: escape[1] or unescape(escape[0]), text)


def _note(facts: LlmsText, problem: LlmsProblem, line: int | None = None, evidence: str = "") -> None:
    if len(facts.faults) < MAX_PROBLEMS:
        facts.faults.append(LlmsFault(problem, line, evidence.strip()[:120]))
