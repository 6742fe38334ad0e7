"""Unified diff of a document and its repaired version, in linear time, escaped for display."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from urlset.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CONTEXT = 3
"""Context lines around a change."""

WINDOW = 300
"""Number of lines to search for the next common line after a difference."""

Opcode = tuple[int, int, int, int]
"""A range of lines in one text that became a range of lines in the other."""


def diff_lines(name: str, before: str, after: str) -> Iterator[str]:
    """Yield the lines of a unified diff, escaped for display; none if all lines are equal."""
    old, new = before.splitlines(), after.splitlines()
    hunks = list(_hunks(list(_changes(old, new))))
    if not hunks and before != after:
        # The texts differ in line endings or a byte order mark, which a line cannot show.
        return
    if hunks:
        yield f"--- {safe(name)}"
        yield f"+++ {safe(name)} (repaired)"
    for hunk in hunks:
        yield from _hunk(old, new, hunk)


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[Opcode]:
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


def _next_common(old: Sequence[str], new: Sequence[str]) -> tuple[int, int] | None:
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


def _hunk(old: Sequence[str], new: Sequence[str], hunk: Sequence[Opcode]) -> Iterator[str]:
    lead = min(CONTEXT, hunk[0][0], hunk[0][2])
    trail = min(CONTEXT, len(old) - hunk[-1][1])
    first, last = hunk[0][0] - lead, hunk[-1][1] + trail
    new_first, new_last = hunk[0][2] - lead, hunk[-1][3] + trail
    yield f"@@ -{_span(first, last)} +{_span(new_first, new_last)} @@"
    at = first
    for left, left_end, right, right_end in hunk:
        for line in old[at:left]:
            yield f" {safe(line)}"
        for line in old[left:left_end]:
            yield f"-{safe(line)}"
        for line in new[right:right_end]:
            yield f"+{safe(line)}"
        at = left_end
    for line in old[at:last]:
        yield f" {safe(line)}"


def _span(begin: int, end: int) -> str:
    length = end - begin
    return f"{begin + 1 if length else begin},{length}"
