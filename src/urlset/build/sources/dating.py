"""When a page was last changed, honestly: whoever is asked first and knows it decides; nobody makes a date up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from urlset.build.lastmod.dates import WHERE, of_page
from urlset.build.lastmod.git import SHALLOW, Git
from urlset.build.sources.front_matter import FRONT_MATTER
from urlset.buildwords import LastmodSource
from urlset.model.build import Lastmod, Said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from urlset.build.sources.page_store import PageStore
    from urlset.build.sources.source import Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What there is to go by for one page.

    Attributes:
        given: What its front matter, or the list, says; None for nothing.
        dates: Where a date stands in the page, and its value.
        path: Its file.
        mtime_ns: When that was last written.
        content_hash: Of its main text.
    """

    given: Said | None = None
    dates: Sequence[Sequence[str]] = ()
    path: str
    mtime_ns: int
    content_hash: int


class Dating:
    """Asks for dates in the order that the user set.

    Args:
        now: The present moment; a date beyond it is none.
        store: Keeps which main text a page had since when.
        tally: Takes note of what a user should know, such as a shallow clone.
        explain: A URL whose dates are all asked for and kept in `explained`.
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
        """Whether there is a URL to be explained."""
        return self.explain is not None

    def lastmod(self, url: str, known: Known, order: Sequence[LastmodSource], folder: Path) -> Any:
        """What is to be written as lastmod; None if nobody knows.

        Args:
            url: The page.
            known: What there is to go by.
            order: Who is asked.
            folder: The folder of the source, whose repository git is asked of.
        """
        # It remembers which text it saw, whoever decides this time.
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
        """Explains the lastmod of an entry that comes with one, or with none: a list has nobody else to ask."""
        if url == self.explain and self.explained is None:
            given = None if value in (None, "") else value
            reason = "nothing is said" if given is None else "as the source has it"
            one = Said(LastmodSource.GIVEN, given, reason)
            self.explained = Lastmod(url, given, None if given is None else one.source, (one,))

    def _ask(self, source: LastmodSource, known: Known, since: datetime | None, folder: Path) -> Said:
        match source:
            case LastmodSource.GIVEN:
                return known.given or Said(source, None, "nothing is given")
            case LastmodSource.PAGE:
                return self._of_page(known.dates)
            case LastmodSource.GIT:
                return self._of_git(known.path, folder)
            case LastmodSource.CONTENT:
                if since is None:
                    return Said(source, None, "its main text has been the same since the first build that saw it")
                return Said(source, since, "the build that first saw its main text as it is now")
            case LastmodSource.MTIME:
                at = datetime.fromtimestamp(known.mtime_ns // 10**9, UTC)
                return Said(source, at, "its file was written then")

    def _of_page(self, dates: Sequence[Sequence[str]]) -> Said:
        # What front matter says has no order but its own.
        front = dict.fromkeys(where for where, _ in dates if where.startswith(FRONT_MATTER))
        spoken = of_page(dates, self._now, (*WHERE, *front))
        return Said(LastmodSource.PAGE, spoken.value, spoken.reason)

    def _of_git(self, path: str, folder: Path) -> Said:
        if self._git.refusal(folder) == SHALLOW:
            self._tally.note(f"git is not asked for dates: {SHALLOW}")
        spoken = self._git.last_commit(path, folder)
        return Said(LastmodSource.GIT, spoken.value, spoken.reason)
