"""Makes text from outside safe to show: nothing in it may steer a terminal, hide, or reorder what stands beside it.

A sitemap is written by a stranger. Escape sequences in a URL could rewrite the report above it, a line break could
forge a line of it, and bidirectional controls could show one URL and mean another (https://trojansource.codes/).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Printable by Python's definition, yet they show nothing or alter their neighbour: fillers, joiners, selectors.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")

# What some program or other takes for the end of a line or for a command, and what no encoding can carry.
_BREAKS_LINES = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# What makes a command of a line in the log of a CI system.
_COMMAND_START = re.compile(r"^(\s*)::")
_COMMAND_INSIDE = re.compile(r"##(?=\[|vso\[)", re.IGNORECASE)

LONGEST_SPAN = 200
"""Characters shown of one thing from outside in a code span."""

_NOT_PLAIN_ASCII = re.compile(r"[^\n\x20-\x7e]")


def _is_plain(char: str) -> bool:
    return char.isprintable() and not _INVISIBLE.match(char)


def safe(text: str) -> str:
    r"""The text with every character escaped that would not simply be seen.

    Escaped as `\u{…}`, as the reader does in its evidence: controls, format and bidirectional characters, line and
    paragraph separators, spaces other than U+0020, surrogates, private and unassigned characters, invisible letters.
    Line feed, carriage return and tab become `\n`, `\r` and `\t`. What is escaped already stays as it is.
    """
    if text.isprintable() and (text.isascii() or not _INVISIBLE.search(text)):
        return text
    return "".join(char if _is_plain(char) else _escape(char) for char in text)


def one_line(text: str) -> str:
    """The text for another program: escaped is only what would end or damage the line it stands in."""
    return _BREAKS_LINES.sub(lambda match: _escape(match[0]), text)


def _escape(char: str) -> str:
    return _SHORT.get(char) or f"\\u{{{ord(char):x}}}"


def no_command(line: str) -> str:
    r"""A line of a log without what the runners of CI systems would take for a command to them.

    GitHub obeys a line that begins with `::` after white space, and `##[` anywhere; Azure obeys `##vso[`.
    https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
    """
    line = _COMMAND_START.sub(r"\g<1>\\u{3a}:", line, count=1) if "::" in line else line
    return _COMMAND_INSIDE.sub(r"\\u{23}#", line) if "##" in line else line


def shortened(text: str, longest: int) -> str:
    """The text cut to `longest` characters, the last of which is then `…`."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def code_span(text: str) -> str:
    """The text as a code span of Markdown, fenced by more backticks than it holds in a row."""
    shown = shortened(safe(text), LONGEST_SPAN)
    if not shown.strip():
        return "(empty)"
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def json_text(value: object, *, ascii_only: bool = False, indent: int | None = 2) -> str:
    """The value as JSON whose text is as safe to show as `safe` makes it, and reads back unchanged.

    Args:
        value: Anything that `json` can write.
        ascii_only: Escape everything that is not ASCII, for a stream that could not carry it.
        indent: Spaces for each level; None for all in one line.
    """
    import json

    return _steered_by_nothing(json.dumps(value, ensure_ascii=ascii_only, indent=indent, allow_nan=False))


def json_pieces(members: Mapping[str, object], *, ascii_only: bool = False) -> Iterator[str]:
    """As `json_text` of an object, in pieces after each of which a line feed belongs.

    Args:
        members: The object, with at least one member. Of one that is an iterator an array is written, of whose items
            no more than two are held at a time.
        ascii_only: As for `json_text`.
    """

    def written(value: object, indent: str) -> str:
        return json_text(value, ascii_only=ascii_only).replace("\n", f"\n{indent}")

    *_, last = members
    yield "{"
    for name, value in members.items():
        comma = "" if name == last else ","
        opening = f"  {written(name, '')}: "
        if not isinstance(value, Iterator):
            yield f"{opening}{written(value, '  ')}{comma}"
            continue
        items = (f"    {written(item, '    ')}" for item in value)
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
    """As `json_text`, in one line."""
    import json

    return _steered_by_nothing(json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":"), allow_nan=False))


def _steered_by_nothing(text: str) -> str:
    return _NOT_PLAIN_ASCII.sub(lambda match: match[0] if _is_plain(match[0]) else _json_escape(match[0]), text)


def _json_escape(char: str) -> str:
    # json itself leaves U+007F alone.
    import json

    return "\\u007f" if char == "\x7f" else json.dumps(char)[1:-1]
