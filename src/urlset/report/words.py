"""Numbers and plurals in words, for the reports that people read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from urlset.options.storing import DEFAULT_STORE
from urlset.safe import safe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from urlset.model.audit import Audited
    from urlset.model.document import LeftOut

LEFT_OUT_SHOWN = 5
"""Names of files left out that are shown."""


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """A number with its noun: `1 error`, `1,204 URLs`. The plural adds an s unless given."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def times(number: int) -> str:
    """How often: `once`, `twice`, `1,204 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def left_out_line(left_out: Sequence[LeftOut]) -> str:
    """Which files of folders were left out, the first few by name."""
    shown = [f"{safe(Path(one.target).name)} ({one.kind})" for one in left_out[:LEFT_OUT_SHOWN]]
    if len(left_out) > len(shown):
        shown.append(f"and {len(left_out) - len(shown):,} more")
    noun = "file that is no sitemap" if len(left_out) == 1 else "files that are no sitemaps"
    return f"Left out {len(left_out):,} {noun}: {', '.join(shown)}."


def kept_line(audited: Audited) -> str | None:
    """Where the run is kept and how to see it, in sentences; None if it is not."""
    if audited.store is None:
        return None
    store = "" if audited.store == DEFAULT_STORE else f" {audited.store}"
    return (
        f"Kept as run {audited.run_id} of {audited.store}: `urlset report{store}` shows it in a browser, "
        f"`urlset history{store}` lists its runs."
    )


def instant(at: datetime) -> str:
    """An instant in UTC, without the parts that are zero: `2026-01-02`, `2026-01-02 03:04:05 UTC`."""
    if (at.hour, at.minute, at.second, at.microsecond) == (0, 0, 0, 0):
        return at.date().isoformat()
    return at.replace(tzinfo=None).isoformat(sep=" ", timespec="microseconds" if at.microsecond else "seconds") + " UTC"


def points(score: float) -> str:
    """A score out of a hundred: `95`, `87.5`."""
    return f"{score * 100:.1f}".removesuffix(".0")
