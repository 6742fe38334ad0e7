"""Reads the history of a repository for some of its files, and finds the commits that gave them their words.

The history is read once, from the newest commit to the oldest, along first parents: what a merge brought is dated by
the merge. Each file is followed through renames until a version has other words than the one before it. Reading stops
as soon as all files have a date.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.lastmod import visible_text
from urlset.build.lastmod.blobs import Blobs, local_blobs
from urlset.build.lastmod.evidence import UNCOMMITTED, TextDate
from urlset.build.lastmod.first_parent_log import first_parent_log
from urlset.build.lastmod.git_process import output
from urlset.build.lastmod.page_dates import FIRST_PAGE
from urlset.build.lastmod.word_change import change_of, first_words
from urlset.files.bounded import read_file
from urlset.model.build import DateProof
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from urlset.build.lastmod.first_parent_log import Change, Commit
    from urlset.build.lastmod.kept_history import KeptHistory

FULL_HISTORY = (
    "fetch the full history: in GitHub Actions with fetch-depth: 0 of actions/checkout, in GitLab CI with the variable "
    "GIT_DEPTH: 0, elsewhere with git fetch --unshallow"
)
_MISSING = "this partial clone lacks a version of it"
ALL_VERSIONS = "fetch all versions of files with git fetch --refetch --no-filter"

IGNORED_COMMITS = ".git-blame-ignore-revs"
"""The file in which a repository lists commits that only reformat: https://git-scm.com/docs/git-blame, and GitHub."""

_CHANGES_AT_ONCE = 20_000
"""Changes of files whose commits are in memory at the same time."""

_FILES_AT_ONCE = 500
"""Files whose versions are in memory at the same time."""

_MOST_REMOVED = 2_000
"""Maximum files that a commit removed, among which the text of an added file is looked for."""

_REVISIONS_AT_ONCE = 500
_MAX_IGNORED_BYTES = 1 * MiB
_MAX_SHALLOW_BYTES = 16 * MiB
_HASH = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})$")
_SUBJECT = 200


@dataclass(slots=True)
class _Followed:
    """A file that is followed back through the history.

    Attributes:
        name: Its name in the newest commit.
        current: Its name at this point, before later renames.
        is_code: Whether pages show it as it is.
        blob: Its content at this point.
        next: Position of the next commit to look at, among those that are in memory.
    """

    name: str
    current: str
    blob: str
    is_code: bool = False
    next: int = 0

    @property
    def ending(self) -> str:
        """What says how its words are read."""
        return visible_text.CODE if self.is_code else ending_of(self.current)

    @property
    def key(self) -> str:
        """Its name among the dates that a build keeps: they depend on how its words are read."""
        return kept_name(self.current, is_code=self.is_code)


@dataclass(frozen=True, slots=True)
class _Dated:
    """The commit that gave a file its words.

    Attributes:
        kinds: What identifies the change in other files; empty if the commit added the file, or changed no other.
    """

    commit: Commit
    shown: str
    kinds: tuple[int, ...]


class TextWalk:
    """Finds the dates of files of one repository.

    Args:
        folder: A directory in the repository.
        kept: What an earlier build knows of it.
        is_shallow: Whether the clone lacks the older part of its history.
        latest: The latest date that is not in the future.

    Attributes:
        head: The newest commit.
        version: See `KeptHistory`.
        is_partial: Whether the clone lacks versions of files.
        commits_read: Number of commits that were read.
    """

    def __init__(self, folder: str, kept: KeptHistory | None, *, is_shallow: bool, latest: datetime) -> None:
        self._folder = folder
        self._latest = latest
        self.head = output(folder, "rev-parse", "--verify", "HEAD").strip()
        ignored = _ignored_commits(folder)
        words = f"{visible_text.VERSION}.{_core.TEXT_VERSION}"
        self.version = f"{words} {blake2b(' '.join(ignored).encode(), digest_size=8).hexdigest()}"
        self._kept = kept if kept is not None and kept.version == self.version else None
        self._ignored_changes = _changes_of(folder, ignored)
        self._boundary = _boundary(folder) if is_shallow else frozenset()
        self.is_partial = _is_partial(folder)
        self.commits_read = 0
        self._open: dict[str, _Followed] = {}
        self._dated: dict[str, _Dated] = {}
        self._known: dict[str, DateProof] = {}
        self._unknown: dict[str, str] = {}

    def dates(
        self, files: Mapping[str, str], edited: Mapping[str, bytes], code: Collection[str] = ()
    ) -> dict[str, TextDate]:
        """Return the dates of files.

        Args:
            files: Their names, and their blobs in the newest commit.
            edited: Digests of the words of those that differ from the newest commit, also if only in line ends.
            code: Those that pages show as they are.

        Raises:
            GitError: git cannot read the history.
        """
        self._open = {name: _Followed(name, name, blob, name in code) for name, blob in files.items()}
        present = local_blobs(self._folder) if self.is_partial else None
        with Blobs(self._folder, present) as blobs, first_parent_log(self._folder) as log:
            self._compare(edited, blobs)
            for commits in _pieces(log, None if self._kept is None else self._kept.head):
                if self._kept is not None and commits[0].name == self._kept.head:
                    self._take_over(self._kept)
                if not self._open:
                    break
                self.commits_read += len(commits)
                self._follow(commits, blobs)
        self._unknown.update(dict.fromkeys(self._open, "its history is incomplete"))
        return self._results()

    def _compare(self, edited: Mapping[str, bytes], blobs: Blobs) -> None:
        """Stop at files whose words were changed after the newest commit."""
        files = [self._open[name] for name in edited]
        blobs.load(file.blob for file in files)
        for file in files:
            if blobs.digest(file.blob, file.ending) != edited[file.name]:
                self._stop(file, UNCOMMITTED)

    def _take_over(self, kept: KeptHistory) -> None:
        """Take the dates of an earlier build for files whose words are still the same as in its newest commit."""
        for file in list(self._open.values()):
            if (proof := kept.proofs.get(file.key)) is not None:
                self._known[file.name] = proof
                del self._open[file.name]

    def _follow(self, commits: Sequence[Commit], blobs: Blobs) -> None:
        """Follow the open files through some commits, from the newest to the oldest."""
        window = _Window(commits)
        changed = [file for file in self._open.values() if file.current in window.changes]
        for at in range(0, len(changed), _FILES_AT_ONCE):
            active = changed[at : at + _FILES_AT_ONCE]
            for file in active:
                file.next = 0
            while active:
                steps = [(file, step) for file in active if (step := window.step(file)) is not None]
                blobs.load(blob for file, (place, change) in steps for blob in window.needs(place, change, file))
                active = [file for file, (place, change) in steps if self._goes_on(file, place, change, window, blobs)]

    def _goes_on(self, file: _Followed, place: int, change: Change, window: _Window, blobs: Blobs) -> bool:
        """Look at the commit that changed a file, and return whether an older one gave the file its words."""
        commit, ending = window.commits[place], file.ending
        file.next = place + 1
        if not change.old:
            source = window.source_of(place, file, blobs)
            if source is not None:
                file.current, file.blob = source.name, source.old
                return True
            if commit.name in self._boundary:
                return self._stop(file, "its text is at least as old as the history of this shallow clone")
            if window.may_rename(place, ending, blobs):
                return self._stop(file, _MISSING)
            return self._end(file, _Dated(commit, first_words(blobs.beginning(file.blob, ending)), ()))
        if (change.old, change.new) not in self._ignored_changes:
            if not (blobs.has(change.old) and blobs.has(file.blob)):
                return self._stop(file, _MISSING)
            words = blobs.difference(change.old, file.blob, ending)
            if words is not None:
                difference = change_of(*words, is_alone=len(commit.changes) == 1)
                return self._end(file, _Dated(commit, difference.shown, difference.kinds))
        file.blob = change.old
        return True

    def _end(self, file: _Followed, dated: _Dated) -> bool:
        self._dated[file.name] = dated
        del self._open[file.name]
        return False

    def _stop(self, file: _Followed, reason: str) -> bool:
        self._unknown[file.name] = reason
        del self._open[file.name]
        return False

    def _results(self) -> dict[str, TextDate]:
        in_commit = Counter(
            (dated.commit.name, number, kind)
            for dated in self._dated.values()
            for number, kind in enumerate(dated.kinds)
        )
        results = {name: TextDate(None, reason) for name, reason in self._unknown.items()}
        results |= {name: TextDate(proof.committed, str(proof), proof) for name, proof in self._known.items()}
        for name, dated in self._dated.items():
            counts = [in_commit[dated.commit.name, number, kind] for number, kind in enumerate(dated.kinds)]
            results[name] = self._result(name, dated, max(counts, default=1))
        return results

    def _result(self, name: str, dated: _Dated, files: int) -> TextDate:
        commit = dated.commit
        try:
            moment = datetime.fromtimestamp(commit.seconds, UTC)
        except (OverflowError, ValueError, OSError):
            return TextDate(None, f"commit {commit.name[:12]} has an invalid date")
        if moment > self._latest:
            return TextDate(None, f"commit {commit.name[:12]} is dated {moment:%Y-%m-%d}, which is in the future")
        if moment < FIRST_PAGE:
            return TextDate(None, f"commit {commit.name[:12]} is dated {moment:%Y-%m-%d}, which is older than the web")
        proof = DateProof(name, commit.name, moment, commit.subject[:_SUBJECT], dated.shown, files)
        return TextDate(moment, str(proof), proof)


class _Window:
    """Commits that are in memory at the same time.

    Attributes:
        changes: The changes of each file, with the positions of their commits.
    """

    def __init__(self, commits: Sequence[Commit]) -> None:
        self.commits = commits
        self.changes: defaultdict[str, list[tuple[int, Change]]] = defaultdict(list)
        for place, commit in enumerate(commits):
            for change in commit.changes:
                self.changes[change.name].append((place, change))
        self._by_blob: dict[int, dict[str, list[Change]]] = {}
        self._removed: dict[tuple[int, str], list[Change]] = {}
        self._by_digest: dict[tuple[int, str], dict[bytes | None, list[Change]]] = {}

    def step(self, file: _Followed) -> tuple[int, Change] | None:
        """Return the next commit that changed a file, and how; None if there is none among these."""
        for place, change in self.changes.get(file.current, ()):
            # A file that a commit removed is another one than the file of this name that came later.
            if place >= file.next and change.new:
                return place, change
        return None

    def needs(self, place: int, change: Change, file: _Followed) -> Iterator[str]:
        """Yield the blobs that decide about a change, but for those of renamed files."""
        if change.old:
            yield change.old
        if change.old or not self._same_blob(place, file.blob):
            yield file.blob

    def source_of(self, place: int, file: _Followed, blobs: Blobs) -> Change | None:
        """Return the file from which a commit renamed a file that it seems to add; None if it did add it.

        Other words would date the file to this commit anyway, so that only a file with the same words matters.
        """
        same, ending = self._same_blob(place, file.blob), file.ending
        if not same and self._removed_like(place, ending):
            digest = blobs.digest(file.blob, ending)
            if digest is not None and blobs.words(file.blob, ending):
                same = self._digests(place, ending, blobs).get(digest, [])
        return min(same, key=lambda change: _likeness(change, file.current), default=None)

    def may_rename(self, place: int, ending: str, blobs: Blobs) -> bool:
        """Return whether a commit removed a file whose words are not known, which may be one that it seems to add."""
        return bool(self._removed_like(place, ending) and self._digests(place, ending, blobs).get(None))

    def _same_blob(self, place: int, blob: str) -> list[Change]:
        found = self._by_blob.get(place)
        if found is None:
            found = self._by_blob[place] = defaultdict(list)
            for change in self.commits[place].changes:
                if change.old and change.old != change.new:
                    found[change.old].append(change)
        return found.get(blob, [])

    def _removed_like(self, place: int, ending: str) -> list[Change]:
        """Return the files of the same language that a commit removed."""
        key = place, _family(ending)
        removed = self._removed.get(key)
        if removed is None:
            changes = (change for change in self.commits[place].changes if not change.new)
            alike = (change for change in changes if _family(ending_of(change.name)) == key[1])
            removed = self._removed[key] = list(islice(alike, _MOST_REMOVED))
        return removed

    def _digests(self, place: int, ending: str, blobs: Blobs) -> dict[bytes | None, list[Change]]:
        """Return the files of the same language that a commit removed, by their words; None if the clone lacks them."""
        key = place, _family(ending)
        found = self._by_digest.get(key)
        if found is None:
            found = self._by_digest[key] = defaultdict(list)
            removed = self._removed_like(place, ending)
            blobs.load(change.old for change in removed)
            for change in removed:
                found[blobs.digest(change.old, ending_of(change.name))].append(change)
        return found


def ending_of(name: str) -> str:
    """Return the extension of a file, in lowercase; `PurePosixPath.suffix` takes twenty times as long.

    Example:
        >>> ending_of("docs/Guide.MD"), ending_of("docs/.hidden"), ending_of("v1.0/LICENSE")
        ('.md', '', '')
    """
    stem, dot, ending = name.rpartition("/")[2].rpartition(".")
    return f".{ending.lower()}" if stem and dot else ""


def kept_name(name: str, *, is_code: bool) -> str:
    """Return the name of a file among the dates that a build keeps."""
    return f"{visible_text.CODE}:{name}" if is_code else name


def _family(ending: str) -> str:
    return ".md" if ending in visible_text.MARKDOWN else ending


def _likeness(change: Change, name: str) -> tuple[bool, bool]:
    """Return how far a file is from being the former one: a removed file of the same name is the nearest."""
    return bool(change.new), _stem(change.name) != _stem(name)


def _stem(name: str) -> str:
    base = name.rpartition("/")[2]
    return base[: len(base) - len(ending_of(base))]


def _pieces(log: Iterator[Commit], head: str | None) -> Iterator[list[Commit]]:
    """Yield the commits in lists of limited size; the commit with a given name begins one."""
    commits: list[Commit] = []
    size = 0
    for commit in log:
        if commits and (size >= _CHANGES_AT_ONCE or commit.name == head):
            yield commits
            commits, size = [], 0
        commits.append(commit)
        size += 1 + len(commit.changes)
    if commits:
        yield commits


def _ignored_commits(folder: str) -> list[str]:
    """Return the commits that the repository lists as those to ignore, sorted."""
    listed = output(folder, "ls-tree", "-l", "--full-tree", "HEAD", IGNORED_COMMITS).split()
    if len(listed) < 4 or listed[1] != "blob" or not listed[3].isdigit() or int(listed[3]) > _MAX_IGNORED_BYTES:
        return []
    lines = output(folder, "cat-file", "blob", listed[2]).splitlines()
    return sorted({name for line in lines if _HASH.match(name := line.partition("#")[0].strip().lower())})


def _changes_of(folder: str, revisions: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Return the old and the new blob of each file that some commits changed.

    A merge that brings such a commit changes the file in the same way.
    """
    changes: set[tuple[str, str]] = set()
    for at in range(0, len(revisions), _REVISIONS_AT_ONCE):
        with first_parent_log(
            folder, "--no-walk=unsorted", "--ignore-missing", *revisions[at : at + _REVISIONS_AT_ONCE]
        ) as log:
            changes.update((change.old, change.new) for commit in log for change in commit.changes if change.old)
    return frozenset(changes)


def _boundary(folder: str) -> frozenset[str]:
    """Return the commits of a shallow clone whose parents it lacks."""
    path = Path(folder, output(folder, "rev-parse", "--git-path", "shallow").removesuffix("\n"))
    return frozenset(read_file(path, _MAX_SHALLOW_BYTES).decode("ascii", "replace").split())


def _is_partial(folder: str) -> bool:
    """Return whether a repository was fetched with a filter: git marks such packs."""
    packs = Path(folder, output(folder, "rev-parse", "--git-path", "objects/pack").removesuffix("\n"))
    return any(packs.glob("*.promisor"))
