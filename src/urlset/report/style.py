"""How a report is to look: the one value that every renderer takes besides what it renders."""

from __future__ import annotations

from dataclasses import dataclass

from urlset.report.paint import Paint, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What the reader's choices and the stream ask of a renderer; each uses what concerns its format.

    The defaults are those of a file: no color, every character, every row.

    Attributes:
        paint: How to color text.
        unicode: Whether the stream can carry characters that are not ASCII.
        is_terminal: Whether the output is shown on a terminal, where nothing in a value may act.
        verbose: Whether text shows everything that is known.
        hints: Whether text shows hints like other findings, or only names their rules.
        fail_on: The least severity that counts as a failure, or `never`; for formats that know failures.
        several: Whether data is an array even of one result.
        max_rows: Maximum rows of a table to show; 0 for all.
    """

    paint: Paint = plain
    unicode: bool = True
    is_terminal: bool = False
    verbose: bool = False
    hints: bool = True
    fail_on: str = "error"
    several: bool = False
    max_rows: int = 0

    @property
    def ascii_only(self) -> bool:
        """Whether to write nothing but ASCII, in formats that can say everything so."""
        return not self.unicode
