"""Dates of texts: the newest commit on the branch that changed what a reader sees of a file, with its proof."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.build.lastmod.evidence import UNCOMMITTED, TextDate
from urlset.build.lastmod.git_process import GitError
from urlset.build.lastmod.kept_history import KeptHistory
from urlset.build.lastmod.text_walk import ALL_VERSIONS, FULL_HISTORY, TextWalk, ending_of, kept_name
from urlset.build.lastmod.visible_text import CODE, MAX_TEXT_BYTES, text_of
from urlset.build.lastmod.work_tree import WorkTree
from urlset.build.options import FUTURE_TOLERANCE
from urlset.errors import reason_of
from urlset.files.bounded import read_file
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime


class TextHistory:
    """Returns dates of texts.

    Args:
        now: The current time; commits in the future are rejected, because a clock was wrong.
        kept: What an earlier build knows, by the top directory of each repository.

    Attributes:
        kept: What this one knows of all repositories that it read.
        notes: Sentences on clones whose history is incomplete.
    """

    def __init__(self, now: datetime, kept: Mapping[str, KeptHistory] | None = None) -> None:
        self._latest = now + FUTURE_TOLERANCE
        self._earlier = dict(kept or {})
        self.kept = dict(self._earlier)
        self.notes: list[str] = []
        self.commits_read = 0
        """Number of commits that were read."""
        self._trees: dict[str, WorkTree | str] = {}
        self._dates: dict[str, TextDate] = {}
        self._folders: dict[str, str] = {}
        self._code: set[str] = set()

    def read(
        self,
        folder: str | os.PathLike[str],
        files: Iterable[str | os.PathLike[str]],
        code: Iterable[str | os.PathLike[str]] = (),
    ) -> None:
        """Read the history of all files at once, so that `date` knows them.

        Args:
            folder: The directory that contains the files.
            files: Their paths.
            code: The paths of files that pages show as they are, such as scripts, of which all words count.
        """
        self._code |= {self._place(path) for path in code}
        root = os.path.realpath(folder)
        places = {self._place(path) for path in files} - self._dates.keys()
        tree = self._tree(root)
        if isinstance(tree, str):
            self._dates.update(dict.fromkeys(places, TextDate(None, tree)))
            return
        top = os.path.realpath(tree.top)
        if root != top and any(_is_below(place, top) and not _is_below(place, root) for place in places):
            # Pages include files of other directories of the repository.
            self.read(top, places)
            return
        tracked: dict[str, str] = {}
        # Digests of the words of files that differ from their last commit, in any way.
        edited: dict[str, bytes] = {}
        inside: defaultdict[str, list[str]] = defaultdict(list)
        for place in sorted(places):
            inner = tree.submodule_of(place)
            # A submodule that has no repository of its own, or one for another directory, would lead back here.
            if inner is not None and Path(root) in Path(os.path.realpath(inner)).parents:
                inside[inner].append(place)
            elif (file := tree.files.get(place)) is None:
                self._dates[place] = TextDate(None, _untracked(tree, place))
            elif tree.is_changed(place):
                ending = CODE if place in self._code else ending_of(file.name)
                try:
                    edited[file.name] = text_of(read_file(place, MAX_TEXT_BYTES), ending).digest
                except FileNotFoundError:
                    self._dates[place] = TextDate(None, "the file is not in the working tree, as in a sparse checkout")
                    continue
                except OSError as error:
                    self._dates[place] = TextDate(None, f"the file cannot be read: {reason_of(error)}")
                    continue
                tracked[place] = file.name
            else:
                tracked[place] = file.name
        for inner, members in inside.items():
            self.read(inner, members)
        if tracked:
            self._read_tracked(root, tree, tracked, edited)

    def date(self, path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> TextDate:
        """Return the date of the text of a file."""
        place = self._place(path)
        if place not in self._dates:
            self.read(folder, [path])
        return self._dates[place]

    def newest(self, paths: Iterable[str | os.PathLike[str]], folder: str | os.PathLike[str]) -> TextDate:
        """Return the newest date of the files of a page; unknown if that of any file is, since it could be newer."""
        dates = [self.date(path, folder) for path in paths]
        known = [date for date in dates if date.value is not None]
        if len(known) < len(dates) or not known:
            unknown = (date for date in dates if date.value is None)
            # Text that is newer than the history decides, whatever is unknown of other files.
            return min(
                unknown,
                key=lambda date: date.reason != UNCOMMITTED,
                default=TextDate(None, "the page has no source file"),
            )
        return max(known, key=lambda date: (date.value is not None, date.value))

    def is_empty(self, folder: str | os.PathLike[str]) -> bool:
        """Return whether the newest commit has no file of a directory, as of one that .gitignore names."""
        tree = self._tree(os.path.realpath(folder))
        return isinstance(tree, WorkTree) and not tree.files

    def _place(self, path: str | os.PathLike[str]) -> str:
        """Return the absolute path of a file; of a link, that of the file whose text it shows."""
        head, name = os.path.split(path)
        resolved = self._folders.get(head)
        if resolved is None:
            resolved = self._folders[head] = os.path.realpath(head)
        place = Path(resolved, name)
        return os.path.realpath(place) if place.is_symlink() else str(place)

    def _tree(self, root: str) -> WorkTree | str:
        tree = self._trees.get(root)
        if tree is None:
            try:
                tree = WorkTree(root)
            except GitError as error:
                tree = str(error)
                self._note(f"no dates from git-text: {tree}")
            self._trees[root] = tree
        return tree

    def _read_tracked(self, root: str, tree: WorkTree, tracked: dict[str, str], edited: dict[str, bytes]) -> None:
        files = {name: tree.files[place].blob for place, name in tracked.items()}
        code = {name for place, name in tracked.items() if place in self._code}
        try:
            walk = TextWalk(root, self._earlier.get(tree.top), is_shallow=tree.is_shallow, latest=self._latest)
            found = walk.dates(files, edited, code)
        except GitError as error:
            self._dates.update(dict.fromkeys(tracked, TextDate(None, str(error))))
            return
        self.commits_read += walk.commits_read
        self._dates.update({place: found[name] for place, name in tracked.items()})
        proofs = {
            kept_name(name, is_code=name in code): date.proof for name, date in found.items() if date.proof is not None
        }
        before = self.kept.get(tree.top)
        if before is not None and (before.head, before.version) == (walk.head, walk.version):
            proofs = {**before.proofs, **proofs}
        self.kept[tree.top] = KeptHistory(walk.head, walk.version, proofs)
        unknown = sum(date.proof is None for date in found.values())
        if unknown and (tree.is_shallow or walk.is_partial):
            kind, remedy = ("shallow", FULL_HISTORY) if tree.is_shallow else ("partial", ALL_VERSIONS)
            self._note(f"the clone is {kind}: {quantity(unknown, 'source file')} without a date; {remedy}")

    def _note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)


def _is_below(place: str, folder: str) -> bool:
    return place.startswith(f"{folder}{os.sep}")


def _untracked(tree: WorkTree, place: str) -> str:
    if not os.path.lexists(place):
        return "the file does not exist"
    if not tree.files:
        folder = Path(tree.folder).name
        return f"git tracks no file in {folder}; if it is generated, name the directory of the sources of its pages"
    return "the file is not tracked by git"
