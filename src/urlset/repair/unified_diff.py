"""Unified diff of a document and its repaired version, in linear time, which `patch -p1` and `git apply` take."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.net.urlparts import split_url
from urlset.text.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NO_LINE_END = b"\n\\ No newline at end of file\n"

CONTEXT = 3
"""Context lines around a change."""

WINDOW = 300
"""Number of lines to search for the next common line after a difference."""

Opcode = tuple[int, int, int, int]
"""A range of lines in one text that became a range of lines in the other."""


def patch_of(target: str, before: bytes, after: bytes, *, is_packed: bool) -> bytes:
    """Return a patch of the bytes of a document; empty if they are equal.

    Args:
        target: The file or URL.
        is_packed: Whether the file is compressed: the patch then applies to the uncompressed one, and says so.
    """
    old, new = _lines(before), _lines(after)
    hunks = list(_hunks(list(_changes(old, new))))
    if not hunks:
        return b""
    name = _file_name(target)
    lines: list[bytes] = []
    if is_packed:
        name = name.removesuffix(".gz")
        lines.append(b"This patch applies to the uncompressed document.\n")
    lines += [b"--- %b\n" % _quote_name(f"a/{name}"), b"+++ %b\n" % _quote_name(f"b/{name}")]
    for hunk in hunks:
        lines += _hunk(old, new, hunk)
    return b"".join(lines)


def shown_lines(patch: bytes) -> tuple[str, ...]:
    """Return the lines of a patch, escaped for display."""
    lines = patch.removesuffix(b"\n").split(b"\n") if patch else []
    return tuple(safe(line.decode("utf-8", "backslashreplace")) for line in lines)


def _lines(content: bytes) -> list[bytes]:
    """Return the lines with their ends: for a patch, only a line feed ends a line."""
    return re.findall(rb"[^\n]*\n|[^\n]+", content)


def _file_name(target: str) -> str:
    """Return the name of the file in the patch: relative to the current directory if it is inside."""
    if "://" in target:
        return split_url(target).path.rpartition("/")[2] or "sitemap.xml"
    path = Path(target)
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix().lstrip("/")


def _quote_name(name: str) -> bytes:
    """Return the name as git writes it: https://git-scm.com/docs/git-config#Documentation/git-config.txt-corequotePath."""
    raw = name.encode("utf-8", "surrogateescape")
    if re.search(rb'[\x00-\x1f\x7f"\\]', raw):
        return b'"%b"' % re.sub(rb'[\x00-\x1f\x7f"\\]', lambda match: b"\\%03o" % match[0][0], raw)
    return raw + b"\t" if b" " in raw else raw


def _changes(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Opcode]:
    """Yield the differences in order. A repair keeps the order of lines, so a short lookahead is enough."""
    left = right = 0
    while left < len(old) or right < len(new):
        if left < len(old) and right < len(new) and old[left] == new[right]:
            left, right = left + 1, right + 1
            continue
        window = WINDOW
        while True:
            block = _next_common(old[left : left + window], new[right : right + window])
            is_all = left + window >= len(old) and right + window >= len(new)
            if block is not None or is_all or window > 64 * WINDOW:
                break
            window *= 4
        skipped, added = block or (min(window, len(old) - left), min(window, len(new) - right))
        yield left, left + skipped, right, right + added
        left, right = left + skipped, right + added


def _next_common(old: Sequence[bytes], new: Sequence[bytes]) -> tuple[int, int] | None:
    """Return how many lines to skip in each text until they agree again, ignoring lines that occur everywhere."""
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    for block in blocks:
        if block.size >= 2 or (block.size == 1 and len(old[block.a].strip()) > 12):
            return block.a, block.b
    return next(((block.a, block.b) for block in blocks if block.size), None)


def _hunks(changes: Sequence[Opcode]) -> Iterator[list[Opcode]]:
    """Yield groups of changes that are close enough to share a hunk."""
    hunk: list[Opcode] = []
    for change in changes:
        if hunk and change[0] - hunk[-1][1] > 2 * CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _hunk(old: Sequence[bytes], new: Sequence[bytes], hunk: Sequence[Opcode]) -> Iterator[bytes]:
    lead = min(CONTEXT, hunk[0][0], hunk[0][2])
    trail = min(CONTEXT, len(old) - hunk[-1][1])
    first, last = hunk[0][0] - lead, hunk[-1][1] + trail
    new_first, new_last = hunk[0][2] - lead, hunk[-1][3] + trail
    yield f"@@ -{_span(first, last)} +{_span(new_first, new_last)} @@\n".encode()
    at = first
    for left, left_end, right, right_end in hunk:
        yield from (_mark_line(b" ", line) for line in old[at:left])
        yield from (_mark_line(b"-", line) for line in old[left:left_end])
        yield from (_mark_line(b"+", line) for line in new[right:right_end])
        at = left_end
    yield from (_mark_line(b" ", line) for line in old[at:last])


def _mark_line(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + NO_LINE_END


def _span(begin: int, end: int) -> str:
    length = end - begin
    return f"{begin + 1 if length else begin},{length}"
