"""Display options of a report, which every renderer takes, and the colors of severities."""

from __future__ import annotations

from dataclasses import dataclass

from urlset.report.paint import Paint, Role, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Display options, from the command line and the output stream. A renderer uses those that apply to its format.

    The defaults suit a file: no color, full Unicode, all rows.

    Attributes:
        unicode: Whether the stream can encode characters outside ASCII.
        is_terminal: Whether the output goes to a terminal, so that control characters in values must be escaped.
        verbose: Whether text shows all details.
        hints: Whether text shows hints like other findings, or only lists the codes of their rules.
        fail_on: The lowest severity that counts as a failure, or `never`; for formats that mark failures.
        several: Whether JSON is an array even if there is only one result.
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
    def shows_quiet(self) -> bool:
        """Whether to show hints of quiet rules: with all details, or if a hint can fail the run."""
        return self.verbose or self.fail_on == "hint"

    @property
    def ascii_only(self) -> bool:
        """Whether to write ASCII only, in formats that can escape other characters."""
        return not self.unicode


# By the value of `Severity`, whose module help does not import.
SEVERITY_ROLES: dict[str, Role] = {
    "error": Role.ERROR,
    "warning": Role.WARNING,
    "info": Role.INFO,
    "hint": Role.HINT,
}
