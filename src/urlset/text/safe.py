"""Makes untrusted text safe to display: it cannot control a terminal, or hide or reorder the text around it.

Sitemaps are untrusted input. Escape sequences in a URL could overwrite the report above it, a line break could forge a
line of it, and bidirectional controls could show one URL and mean another (https://trojansource.codes/).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Printable by Python's definition, but invisible or changing adjacent characters: fillers, joiners, selectors.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")

# Characters that some programs treat as line breaks or commands, and those that no encoding can represent.
_BREAKS_LINES = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

# With the full-width characters, which some spreadsheets convert.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

LONGEST_SPAN = 200
"""Maximum length of untrusted text in a code span, in characters."""

QUOTED = 200
"""Maximum characters of the message of a server to quote."""

_NOT_PLAIN_ASCII = re.compile(r"[^\n\x20-\x7e]")


def _is_plain(char: str) -> bool:
    return char.isprintable() and not _INVISIBLE.match(char)


def safe(text: str) -> str:
    r"""Return the text with every character escaped that is not plainly visible.

    Escaped as `\u{…}`, as in the evidence of the reader: controls, format and bidirectional characters, line and
    paragraph separators, spaces other than U+0020, surrogates, private and unassigned characters, invisible letters.
    Line feed, carriage return, and tab become `\n`, `\r`, and `\t`. Existing escapes are unchanged.
    """
    if text.isprintable() and (text.isascii() or not _INVISIBLE.search(text)):
        return text
    return "".join(char if _is_plain(char) else _escape(char) for char in text)


def one_line(text: str) -> str:
    """Return the text for another program, with only those characters escaped that would break or damage its line."""
    return _BREAKS_LINES.sub(lambda match: _escape(match[0]), text)


def _escape(char: str) -> str:
    return _SHORT.get(char) or f"\\u{{{ord(char):x}}}"


def no_formula(text: str) -> str:
    """Return the text for a cell of CSV, with an apostrophe in front if a spreadsheet would evaluate it as a formula.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    return f"'{text}" if text.startswith(_FORMULA_STARTS) or text.lstrip().startswith(_FORMULA_STARTS) else text


def shorten(text: str, longest: int) -> str:
    """Return the text truncated to `longest` characters, the last of which is then `…`."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def quote_message(message: str) -> str:
    """Return the message of a server to quote in another one: in one line, shortened, and safe."""
    return shorten(safe(" ".join(message.split())), QUOTED)


def code_span(text: str) -> str:
    """Return the text as a Markdown code span, fenced by more backticks than it has in a row."""
    span = shorten(safe(text), LONGEST_SPAN)
    if not span.strip():
        return "(empty)"
    longest = max((len(run) for run in re.findall("`+", span)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if span.startswith("`") or span.endswith("`") else ""
    return f"{fence}{pad}{span}{pad}{fence}"


def json_text(value: object, *, ascii_only: bool = False, indent: int | None = 2) -> str:
    """Return the value as JSON that is as safe to display as the output of `safe`, and parses back unchanged.

    Args:
        value: Any value that `json` supports.
        ascii_only: Escape all non-ASCII characters, for a stream that does not support them.
        indent: Spaces per level; None for a single line.
    """
    return _steered_by_nothing(_encoder(ascii_only, indent)(value))


def json_pieces(members: Mapping[str, object], *, ascii_only: bool = False) -> Iterator[str]:
    """Yield an object like `json_text`, in pieces that each need a line feed after them.

    Args:
        members: The object, with at least one member. An iterator is written as an array; at most two of its items
            are held in memory at a time.
    """

    def json_of(value: object, indent: str) -> str:
        return json_text(value, ascii_only=ascii_only).replace("\n", f"\n{indent}")

    *_, last = members
    yield "{"
    for name, value in members.items():
        comma = "" if name == last else ","
        opening = f"  {json_of(name, '')}: "
        if not isinstance(value, Iterator):
            yield f"{opening}{json_of(value, '  ')}{comma}"
            continue
        items = (f"    {json_of(item, '    ')}" for item in value)
        if (item := next(items, None)) is None:
            yield f"{opening}[]{comma}"
            continue
        yield f"{opening}["
        for following in items:
            yield f"{item},"
            item = following
        yield item
        yield f"  ]{comma}"
    yield "}"


def json_line(value: object, *, ascii_only: bool = False) -> str:
    """Return the value like `json_text`, on one line."""
    return _steered_by_nothing(_encoder(ascii_only, None, (",", ":"))(value))


@cache
def _encoder(
    ascii_only: bool,
    indent: int | None,
    separators: tuple[str, str] | None = None,
) -> Callable[[object], str]:
    """Return what writes JSON. It is made once, because a report can have a hundred thousand values to write."""
    import json

    return json.JSONEncoder(ensure_ascii=ascii_only, indent=indent, separators=separators, allow_nan=False).encode


def _steered_by_nothing(text: str) -> str:
    # json itself escapes every control character but this one.
    if text.isascii() and "\x7f" not in text:
        return text
    return _NOT_PLAIN_ASCII.sub(lambda match: match[0] if _is_plain(match[0]) else _json_escape(match[0]), text)


def _json_escape(char: str) -> str:
    import json

    return "\\u007f" if char == "\x7f" else json.dumps(char)[1:-1]
