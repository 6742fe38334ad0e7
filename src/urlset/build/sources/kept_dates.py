"""Finds the date that the last build gave a page, with its proof, in the state of builds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.sources.page_store import ENDING, kept_dates
from urlset.errors import InputError
from urlset.files.built_parts import builds_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from urlset.build.lastmod.kept_history import KeptDate

MAX_BUILDS = 100
"""Maximum number of builds on this machine to search, the newest first. Our choice."""


def find_kept_date(url: str, states: Sequence[Path]) -> tuple[KeptDate, Path] | None:
    """Return the date of a page in the newest state of a build that has one, and its file; None if none has.

    Args:
        states: State files that builds were told to write; without any, those of all builds on this machine.

    Raises:
        InputError: One of these files cannot be read.
    """
    key = _core.page_key(url)
    for state in states:
        if (date := _date_in(kept_dates(state), url, key)) is not None:
            return date, state
    for state in () if states else _own_states():
        try:
            dates = kept_dates(state, follow=False)
        except InputError:
            # The next build says so, and discards it.
            continue
        if (date := _date_in(dates, url, key)) is not None:
            return date, state
    return None


def _date_in(dates: dict[str, KeptDate], url: str, key: object) -> KeptDate | None:
    if (date := dates.get(url)) is not None:
        return date
    return next((date for each, date in dates.items() if _core.page_key(each) == key), None)


def _own_states() -> list[Path]:
    """Return the states of builds on this machine, the newest first."""
    files = []
    for path in builds_folder().glob(f"*/*{ENDING}"):
        try:
            files.append((path.lstat().st_mtime_ns, path))
        except OSError:
            # A build has just replaced it.
            continue
    return [path for _, path in sorted(files, reverse=True)[:MAX_BUILDS]]
