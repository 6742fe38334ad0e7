"""Determine the lastmod of pages: the first source with a date decides, and dates are never made up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from urlset.build.lastmod.dates import WHERE, of_page
from urlset.build.lastmod.git import SHALLOW, Git
from urlset.build.sources.front_matter import FRONT_MATTER
from urlset.model.build import Lastmod, Said
from urlset.options.sources import LastmodSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from urlset.build.sources.page_store import PageStore
    from urlset.build.sources.source import Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Known dates of a page.

    Attributes:
        given: The date in its front matter or in the list; None if there is none.
        dates: Place and value of each date in the page.
        path: Its file.
        mtime_ns: Modification time of the file.
        content_hash: Hash of its main text.
    """

    given: Said | None = None
    dates: Sequence[Sequence[str]] = ()
    path: str
    mtime_ns: int
    content_hash: int


class Dating:
    """Determines dates from the sources in the configured order.

    Args:
        now: The current time; later dates are rejected.
        store: Stores since when each page has had its main text.
        tally: Collects notes, such as on a shallow clone.
        explain: A URL for which all sources are recorded in `explained`.
    """

    def __init__(self, now: datetime, store: PageStore, tally: Tally, explain: str | None = None) -> None:
        self._now = now
        self._store = store
        self._tally = tally
        self.explain = explain
        self._git = Git(now)
        self.explained: Lastmod | None = None

    @property
    def explains(self) -> bool:
        """Whether there is a URL to explain."""
        return self.explain is not None

    def lastmod(self, url: str, known: Known, order: Sequence[LastmodSource], folder: Path) -> Any:
        """Return the lastmod of a page; None if no source has a date.

        Args:
            url: The page.
            known: The known dates.
            order: The sources in order of preference.
            folder: The directory of the source, for git.
        """
        # Always called, because it records the current text.
        since = self._store.content_since(known.path, known.content_hash, self._now)
        said: list[Said] = []
        for source in order:
            one = self._ask(source, known, since, folder)
            said.append(one)
            if one.value is not None and url != self.explain:
                return one.value
        decided = next((one for one in said if one.value is not None), None)
        value, who = (None, None) if decided is None else (decided.value, decided.source)
        if url == self.explain:
            self.explained = Lastmod(url, value, who, tuple(said))
        return value

    def given(self, url: str, value: Any) -> None:
        """Explain the lastmod of an entry in a list, which is the only source of its date."""
        if url == self.explain and self.explained is None:
            given = None if value in (None, "") else value
            reason = "the source has no date" if given is None else "given by the source"
            one = Said(LastmodSource.GIVEN, given, reason)
            self.explained = Lastmod(url, given, None if given is None else one.source, (one,))

    def _ask(self, source: LastmodSource, known: Known, since: datetime | None, folder: Path) -> Said:
        match source:
            case LastmodSource.GIVEN:
                return known.given or Said(source, None, "no date is given")
            case LastmodSource.PAGE:
                return self._of_page(known.dates)
            case LastmodSource.GIT:
                return self._of_git(known.path, folder)
            case LastmodSource.CONTENT:
                if since is None:
                    return Said(source, None, "the main text has not changed since the first build that read it")
                return Said(source, since, "the first build with the current main text")
            case LastmodSource.MTIME:
                at = datetime.fromtimestamp(known.mtime_ns // 10**9, UTC)
                return Said(source, at, "modification time of the file")

    def _of_page(self, dates: Sequence[Sequence[str]]) -> Said:
        # Dates in front matter have a fixed order.
        front = dict.fromkeys(where for where, _ in dates if where.startswith(FRONT_MATTER))
        spoken = of_page(dates, self._now, (*WHERE, *front))
        return Said(LastmodSource.PAGE, spoken.value, spoken.reason)

    def _of_git(self, path: str, folder: Path) -> Said:
        if self._git.refusal(folder) == SHALLOW:
            self._tally.note(f"git dates are not used: {SHALLOW}")
        spoken = self._git.last_commit(path, folder)
        return Said(LastmodSource.GIT, spoken.value, spoken.reason)
