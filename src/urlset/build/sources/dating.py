"""When a page was last changed, honestly: whoever is asked first and knows it decides; nobody makes a date up."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from urlset.build.options import FUTURE_TOLERANCE
from urlset.build.sources.front_matter import FRONT_MATTER
from urlset.buildwords import LastmodSource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from urlset.build.sources.page_store import PageStore
    from urlset.build.sources.source import Tally

WHERE = (
    "article:modified_time", "json-ld:dateModified", "itemprop:dateModified", "og:updated_time", "dcterms.modified",
    "meta:last-modified", "meta:dateModified", "meta:revised", "time.updated", "time",
)  # fmt: skip
"""Where a page says when it was changed, the plainest first. When it was published is another matter."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one of those who were asked said.

    Attributes:
        source: Who.
        value: The date; None if it is not known.
        reason: Where it stands, or why it is not known.
    """

    source: LastmodSource
    value: date | datetime | str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Lastmod:
    """What is written as lastmod of a page, and why.

    Attributes:
        url: The page.
        value: The date; None if nobody knows one.
        source: Who decided.
        said: What each of those asked said, in their order.
    """

    url: str
    value: date | datetime | str | None
    source: LastmodSource | None
    said: tuple[Said, ...]


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
        self._commits: dict[str, Mapping[str, datetime] | str] = {}
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
        reasons = []
        # What front matter says has no order but its own.
        for place in (*WHERE, *dict.fromkeys(where for where, _ in dates if where.startswith(FRONT_MATTER))):
            found = [value for where, value in dates if where == place]
            if place == "time" and len(found) > 1:
                reasons.append(f"there are {len(found)} <time>, and no telling which is meant")
                continue
            read = [(at, value) for value in found if (at := instant(value)) is not None]
            if found and not read:
                reasons.append(f"{place} {found[0]!r} is no date")
            past = [one for one in read if one[0] <= self._now + FUTURE_TOLERANCE]
            if read and not past:
                reasons.append(f"{place} {read[0][1]!r} is still to come")
            if past:
                at, value = max(past)
                return Said(LastmodSource.PAGE, at if "T" in value or ":" in value else at.date(), place)
        return Said(LastmodSource.PAGE, None, "; ".join(reasons) or "it does not say")

    def _of_git(self, path: str, folder: Path) -> Said:
        place = str(folder)
        if place not in self._commits:
            self._commits[place] = _commits(folder)
            if isinstance(self._commits[place], str) and "shallow" in str(self._commits[place]):
                self._tally.note(f"git is not asked for dates: {self._commits[place]}")
        commits = self._commits[place]
        if isinstance(commits, str):
            return Said(LastmodSource.GIT, None, commits)
        at = commits.get(os.path.realpath(path))
        if at is None:
            return Said(LastmodSource.GIT, None, "git does not know the file, or it was changed since the last commit")
        return Said(LastmodSource.GIT, at, "the last commit of the file")


def instant(value: str) -> datetime | None:
    """A date of a page as an instant; a day is its beginning, what has no zone is taken for UTC."""
    try:
        found = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    try:
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except OverflowError:
        return None


def _commits(folder: Path) -> Mapping[str, datetime] | str:
    """The time of the last commit of each file of a folder, by its real path; or why git cannot be asked.

    One `git log` for all files: one for each would take hours. A shallow clone answers with its oldest commit for
    every file, without a word of it.
    """
    try:
        top = _git(folder, "rev-parse", "--show-toplevel").rstrip("\n")
        if _git(folder, "rev-parse", "--is-shallow-repository").strip() == "true":
            return "the clone is shallow and has no history; fetch all of it (in CI: fetch-depth: 0)"
        log = _git(folder, "log", "-z", "--format=%x01%ct", "--name-only", "--no-renames", "--", ".")
        changed = _git(folder, "status", "-z", "--porcelain", "--no-renames", "--untracked-files=no", "--", ".")
    except FileNotFoundError:
        return "git is not installed"
    except subprocess.CalledProcessError as error:
        reason = (error.stderr or "").strip().splitlines()[-1:] or ["it failed"]
        return f"no repository: {reason[0].removeprefix('fatal: ')}"
    dirty = {entry[3:] for entry in changed.split("\0") if entry}
    found: dict[str, datetime] = {}
    at = datetime(1970, 1, 1, tzinfo=UTC)
    for piece in log.split("\0"):
        if piece.startswith("\x01"):
            at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(piece[1:]))
            continue
        name = piece.removeprefix("\n")
        if name and name not in dirty:
            found.setdefault(os.path.realpath(f"{top}/{name}"), at)
    return found


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        check=True,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        stdin=subprocess.DEVNULL,
    )
    return done.stdout
