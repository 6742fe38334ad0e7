"""The stable layout: match the entries with the published set, so that each URL stays in its part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.folder import cannot_be_read
from urlset.build.plan import part_label, part_of
from urlset.build.stable_ledger import open_ledger, write_ledger
from urlset.build.target import KEEP_LEDGER, NextLedger
from urlset.model.stable import MergedPart, StableChanges
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from urlset.build.target import PublishedLedger, Target

LEDGER = "ledger.parquet"
"""Name of the next ledger among the staged files."""


@dataclass(slots=True)
class StableSet:
    """A set with the stable layout, while it is built. `core` has all entries."""

    core: _core.SetWriter
    name: str
    note: str = ""
    _labels: list[str] = field(default_factory=list)
    _has_ledger: bool = False

    def match(self, target: Target) -> None:
        """Match the entries with the published set: with its ledger, or without one, with its files.

        Raises:
            OutputError: The published set cannot be read.
        """
        ledger = target.ledger()
        if ledger.path is not None:
            parts = self._parts(target.published())
            self.core.know_parts(list(parts.values()))
            with open_ledger(ledger.path) as rows:
                self.core.match_published(list(parts), rows)
            self._labels, self._has_ledger = list(parts), True
            return
        urls = self._read_published(target)
        self.core.match_published(self._labels, None)
        self.note = _note(ledger, urls, len(self._labels))

    def _parts(self, names: Collection[str]) -> dict[str, tuple[str, int]]:
        """Return the group and number of each part among published files, by its name in the ledger."""
        labels = (self._label(name) for name in names)
        parts = {label: part_of(label) for label in labels if label is not None}
        return {label: part for label, part in parts.items() if part is not None}

    def _label(self, name: str) -> str | None:
        stem = name.removesuffix(".gz").removesuffix(".xml")
        return stem.removeprefix(f"{self.name}-") if stem.startswith(f"{self.name}-") else None

    def _read_published(self, target: Target) -> int:
        """Pass the URLs of the published parts to the core, and return how many there are."""
        names = [name for name, _ in target.published_files()]
        parts = self._parts(names)
        self._labels = list(parts)
        self.core.know_parts(list(parts.values()))
        count = 0
        for name, path in target.published_files():
            label = self._label(name)
            if label in parts:
                count += self._read_part(path, self._labels.index(label))
        return count

    def _read_part(self, path: Path, part: int) -> int:
        count = 0
        with cannot_be_read(path), path.open("rb") as file:
            for batch in _core.Reader(file, hash=False):
                if "urls" in batch:
                    count += self.core.add_published(part, batch["urls"].select(["loc"]))
        return count

    def changes(self) -> StableChanges:
        """Return what the build changes, once the parts are written."""
        parts, counts = self.core.stable_changes()
        labels = [part_label(group, number) for group, number in parts]
        merges = [
            MergedPart(labels[part], tuple(labels[target] for target in into)) for part, into in counts.pop("merges")
        ]
        return StableChanges(**counts, merges=tuple(merges), published=frozenset(self._labels))

    def next_ledger(self, changes: StableChanges, folder: Path) -> NextLedger:
        """Write the next ledger to the directory of new files, unless the published one is still correct.

        Raises:
            OutputError: It cannot be written.
        """
        if self._has_ledger and not changes.moves_urls:
            return KEEP_LEDGER
        parts, _ = self.core.stable_changes()
        path = folder / LEDGER
        write_ledger(self.core.ledger([part_label(group, number) for group, number in parts]), path)
        return NextLedger(path)


def _note(ledger: PublishedLedger, urls: int, parts: int) -> str:
    """Return the note on a set without a usable ledger; empty for the first build."""
    published = f"{quantity(urls, 'URL')} in {quantity(parts, 'published part')}"
    if ledger.problem:
        return f"{ledger.problem}; the ledger was rebuilt from {published}"
    return f"the ledger was created from {published}; each URL stays in its part" if parts else ""
