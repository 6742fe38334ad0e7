"""Determine the lastmod of pages: the first source with a date decides, and dates are never made up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.build.lastmod.evidence import UNCOMMITTED
from urlset.build.lastmod.kept_history import KeptDate
from urlset.build.lastmod.page_dates import WHERE, of_page
from urlset.build.sources.front_matter import FRONT_MATTER
from urlset.model.build import Lastmod, SourceDate
from urlset.options.sources import LastmodSource
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from urlset.build.lastmod.git import Git
    from urlset.build.lastmod.text_history import TextHistory
    from urlset.build.sources.last_publication import LastPublication, NotKept
    from urlset.build.sources.page_store import PageStore
    from urlset.build.sources.source import SiteLog


_PAGES_AT_ONCE = 1000
"""Pages whose dates are in memory at the same time, so that several published pages are fetched at once."""

_INCOMPARABLE = "whether the main text changed is unknown, because another version of urlset extracted it"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDates:
    """Known dates of a page.

    Attributes:
        dates: Place and value of each date in the page.
        content_hash: Hash of its main text.
        is_page: Whether the file is the HTML page that is published, so that the hash is that of its main text.
        words: Number of words in the main text of a page.
        sources: The files that it is generated from; empty for the file itself.
        sources_unknown: Why these files are not known; empty if they are.
        why_unmapped: Why no files of a built page are known, whose own history then counts; empty if some are.
    """

    dates: Sequence[Sequence[str]] = ()
    path: str
    mtime_ns: int
    content_hash: int
    is_page: bool = False
    words: int = 0
    sources: Sequence[str] = ()
    sources_unknown: str = ""
    why_unmapped: str = ""

    @property
    def main_text(self) -> int | None:
        """Hash of the main text of the HTML page; None if it has no words, or if the page is not built yet."""
        return self.content_hash if self.is_page and self.words else None


class LastmodResolver:
    """Determines dates from the sources in the configured order.

    Args:
        now: The current time; later dates are rejected.
        store: Stores since when each page has had its main text.
        log: Collects notes, such as on a shallow clone.
        explain: A URL for which all sources are recorded in `explanation`.
        require: Whether a page without a date is left out, so that a date must not be newer than the last change.
    """

    def __init__(
        self, now: datetime, store: PageStore, log: SiteLog, explain: str | None = None, *, require: bool = False
    ) -> None:
        self._now = now
        self._store = store
        self._log = log
        self.explain = explain
        self._require = require
        self._key = None if explain is None else _core.page_key(explain)
        self.explanation: Lastmod | None = None
        self.publication: Callable[[], LastPublication] | None = None
        """Reads the last publication; None without `--previous`."""
        self._kept_dates = 0
        self._not_kept: Counter[NotKept] = Counter()
        """Number of pages without a date from git-text, by why that of the last publication is not kept."""
        self._uses_texts = False
        self._incomparable: set[str] = set()
        """Paths of pages with the source content of which it is unknown whether their text changed."""
        self._undecided: set[str] = set()
        """URLs of pages whose date depends on the text of the published page, which was not fetched yet."""
        self.counts: Counter[LastmodSource] = Counter()
        """Number of pages whose date is from each source."""

    def read_history(
        self, folder: Path, files: Iterable[str], order: Sequence[LastmodSource], code: Iterable[str] = ()
    ) -> None:
        """Read the history of all files that pages are generated from at once, if a source of dates needs it.

        Args:
            code: Those that pages show as they are.
        """
        if LastmodSource.GIT_TEXT not in order:
            return
        self._texts.read(folder, files, code)
        for note in self._texts.notes:
            self._log.note(note)

    @property
    def explains(self) -> bool:
        return self.explain is not None

    def _explains(self, url: str) -> bool:
        return self._key is not None and _core.page_key(url) == self._key

    def lastmods(
        self, pages: Iterable[tuple[str, PageDates]], order: Sequence[LastmodSource], folder: Path
    ) -> Iterator[object]:
        """Yield the lastmod of each page of a source, given with its URL; None if no source has a date.

        Args:
            order: The sources in order of preference.
            folder: The directory of the source, for git.
        """
        found: Iterable[tuple[str, PageDates, list[SourceDate]]] = self._found(pages, order, folder)
        if self._require:
            found = list(found)
            self._refuse_inflated(found)
        for url, page, dates in found:
            yield self._decide(url, page, dates, order)

    def _found(
        self, pages: Iterable[tuple[str, PageDates]], order: Sequence[LastmodSource], folder: Path
    ) -> Iterator[tuple[str, PageDates, list[SourceDate]]]:
        """Yield pages with their dates. Published pages whose texts decide are fetched several at a time."""
        if self.publication is None:
            yield from ((url, page, self._dates(url, page, order, folder)) for url, page in pages)
            return
        remaining = iter(pages)
        while some := list(islice(remaining, _PAGES_AT_ONCE)):
            found = [(url, page, self._dates(url, page, order, folder)) for url, page in some]
            undecided, self._undecided = self._undecided, set()
            if undecided:
                self._last_publication.fetch_texts(undecided)
            for url, page, dates in found:
                yield url, page, self._dates(url, page, order, folder) if url in undecided else dates

    def _dates(self, url: str, page: PageDates, order: Sequence[LastmodSource], folder: Path) -> list[SourceDate]:
        """Return the date of a page according to each source up to the one that decides."""
        # Always called, because it records the current text.
        since = self._store.content_date(page.path, page.content_hash, self._now, is_extracted=page.is_page)
        needs_all = self._require or self._explains(url)
        self._uses_texts |= LastmodSource.GIT_TEXT in order
        if LastmodSource.CONTENT in order and page.path in self._store.incomparable:
            self._incomparable.add(page.path)
        dates: list[SourceDate] = []
        for source in order:
            date = self._date_from(source, page, since, folder)
            if date.value is None and source is LastmodSource.GIT_TEXT and self.publication is not None:
                date = self._kept(url, page, date)
            dates.append(date)
            if date.value is not None and not needs_all:
                break
        return dates

    def _refuse_inflated(self, found: Sequence[tuple[str, PageDates, list[SourceDate]]]) -> None:
        """Refuse dates that are newer than the last change, until the date that each page would use is not."""
        from urlset.build.sources.date_check import BuiltDate, find_inflated

        refused: Counter[LastmodSource] = Counter()
        while True:
            first: dict[int, int] = {}
            built: dict[int, BuiltDate] = {}
            for place, (_, page, dates) in enumerate(found):
                number = next((number for number, date in enumerate(dates) if date.value is not None), None)
                if number is not None:
                    first[place] = number
                    before = self._store.last_lastmod(page.path, page.content_hash)
                    proof = next((date.proof for date in dates if date.proof is not None), None)
                    built[place] = BuiltDate(str(dates[number].lastmod), before, page.content_hash, proof)
            inflated = find_inflated(built, self._now)
            for place, why in inflated:
                dates = found[place][2]
                date = dates[first[place]]
                dates[first[place]] = SourceDate(date.source, None, f"{date.lastmod} is too late, since {why}")
                refused[date.source] += 1
            if not inflated:
                break
        for source, count in refused.items():
            self._log.note(
                f"{quantity(count, 'date')} from {source.value} not used, because the pages have not changed since; "
                "--explain-lastmod URL shows why"
            )

    def _decide(self, url: str, page: PageDates, dates: Sequence[SourceDate], order: Sequence[LastmodSource]) -> object:
        """Return the first date of a page, and record it."""
        decided = next((source_date for source_date in dates if source_date.value is not None), None)
        value, who = (None, None) if decided is None else (decided.value, decided.source)
        if who is not None:
            self.counts[who] += 1
        if self._require or LastmodSource.GIT_TEXT in order:
            # A date that was refused must not replace the one that it was compared with.
            last = self._store.last_lastmod(page.path, page.content_hash) if value is None else str(value)
            if last is not None:
                self._store.keep_lastmod(page.path, last)
        if LastmodSource.GIT_TEXT in order:
            recorded = decided or next(date for date in dates if date.source is LastmodSource.GIT_TEXT)
            self._store.dates[url] = KeptDate(
                recorded.lastmod, recorded.source, recorded.reason, recorded.proof, page.main_text
            )
        if self._explains(url):
            self.explanation = Lastmod(url, value, who, tuple(dates))
        return value

    def explain_given(self, url: str, value: Any) -> None:
        """Explain the lastmod of an entry in a list, which is the only source of its date."""
        if self._explains(url) and self.explanation is None:
            date = None if value in (None, "") else value
            reason = "the source has no date" if date is None else "given by the source"
            source_date = SourceDate(LastmodSource.GIVEN, date, reason)
            self.explanation = Lastmod(url, date, None if date is None else source_date.source, (source_date,))

    def _date_from(self, source: LastmodSource, page: PageDates, since: datetime | None, folder: Path) -> SourceDate:
        match source:
            case LastmodSource.GIVEN:
                return SourceDate(source, None, "only lists, queries, and sitemaps give dates; page reads front matter")
            case LastmodSource.PAGE:
                return self._of_page(page.dates)
            case LastmodSource.GIT:
                return self._of_git(page, folder)
            case LastmodSource.GIT_TEXT if page.sources_unknown:
                return SourceDate(source, None, page.sources_unknown)
            case LastmodSource.GIT_TEXT:
                return self._of_texts(page, folder)
            case LastmodSource.CONTENT:
                if page.path in self._store.incomparable:
                    return SourceDate(source, since, f"as in the last build; {_INCOMPARABLE}")
                if since is None:
                    return SourceDate(source, None, "the main text has not changed since the first build that read it")
                return SourceDate(source, since, "the first build with the current main text")
            case LastmodSource.MTIME:
                at = datetime.fromtimestamp(page.mtime_ns // 10**9, UTC)
                return SourceDate(source, at, "modification time of the file")

    def _kept(self, url: str, page: PageDates, unknown: SourceDate) -> SourceDate:
        """Return the published date of a page whose text is the same, if no history proves it.

        Args:
            unknown: What the history says.
        """
        from urlset.build.sources.last_publication import NotKept

        if page.sources_unknown or unknown.reason == UNCOMMITTED:
            # Nothing is known of the text of the page, or it has just changed.
            kept: SourceDate | NotKept | None = NotKept.NO_SOURCES
        else:
            recorded = self._store.last_lastmod(page.path, page.content_hash)
            kept = self._last_publication.kept(url, page.main_text, self._now, recorded)
        if kept is None:
            self._undecided.add(url)
            return unknown
        if isinstance(kept, SourceDate):
            self._kept_dates += 1
            return kept
        self._not_kept[kept] += 1
        reason = f"{unknown.reason}; not kept from the last publication, because the page is {kept}"
        return SourceDate(unknown.source, None, reason)

    def note_incomparable(self) -> None:
        """Note of how many pages it is unknown whether their text changed."""
        if self._incomparable:
            pages = quantity(len(self._incomparable), "page")
            self._log.note(f"dates from content are as in the last build for {pages}: {_INCOMPARABLE}")

    def note_kept_dates(self, target: str) -> None:
        """Note how many dates of the last publication were kept, and why others were not."""
        from urlset.build.sources.last_publication import summary

        if not self._uses_texts:
            self._log.note("--previous has no effect, because no source of dates is git-text")
        elif self._kept_dates or self._not_kept:
            self._log.note(summary(target, self._kept_dates, self._not_kept))
        else:
            self._log.note("--previous was not read, because git-text has a date for all pages")

    @cached_property
    def _last_publication(self) -> LastPublication:
        assert self.publication is not None
        return self.publication()

    def _of_page(self, dates: Sequence[Sequence[str]]) -> SourceDate:
        # Dates in front matter have a fixed order.
        front = dict.fromkeys(where for where, _ in dates if where.startswith(FRONT_MATTER))
        evidence = of_page(dates, self._now, (*WHERE, *front))
        return SourceDate(LastmodSource.PAGE, evidence.value, evidence.reason)

    @cached_property
    def _git(self) -> Git:
        # Imported here because most builds do not ask git.
        from urlset.build.lastmod.git import Git

        return Git(self._now)

    @cached_property
    def _texts(self) -> TextHistory:
        from urlset.build.lastmod.text_history import TextHistory

        return TextHistory(self._now, self._store.histories)

    def keep_history(self) -> None:
        """Pass what the history says to the store, so that the next build reads only new commits."""
        if "_texts" in self.__dict__:
            self._store.histories = self._texts.kept

    def _of_texts(self, page: PageDates, folder: Path) -> SourceDate:
        self._check_history(self._texts, page, folder)
        date = self._texts.newest(page.sources or (page.path,), folder)
        # Of a directory that is not committed, the history says nothing of the page.
        is_built = page.why_unmapped and self._texts.is_empty(folder)
        return SourceDate(
            LastmodSource.GIT_TEXT, date.value, page.why_unmapped if is_built else date.reason, date.proof
        )

    def _of_git(self, page: PageDates, folder: Path) -> SourceDate:
        from urlset.build.lastmod.git import SHALLOW

        self._check_history(self._git, page, folder)
        if self._git.refusal(folder) == SHALLOW:
            self._log.note(f"git dates are not used: {SHALLOW}")
        evidence = self._git.last_commit(page.path, folder)
        return SourceDate(LastmodSource.GIT, evidence.value, evidence.reason)

    def _check_history(self, history: Git | TextHistory, page: PageDates, folder: Path) -> None:
        """Note if the pages of a directory have no history, although their sources may have one."""
        if page.is_page and not (page.sources or self._log.mappings) and history.is_empty(folder):
            self._log.note(
                f"git has no files of {folder}, which .gitignore may name, and so no dates; those of its sources come "
                "from --content DIR --lastmod-from git-text"
            )
