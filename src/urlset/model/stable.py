"""Results of a build with the stable layout: which URLs stayed in their part, and which parts changed."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class MergedPart:
    """A part whose URLs moved to other parts.

    Attributes:
        part: The part, without the name of the set.
        into: The parts that its URLs moved to, if they had room.
    """

    part: str
    into: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StableChanges:
    """What a build with the stable layout changed.

    Attributes:
        kept: Number of URLs that stayed in their part.
        added: Number of URLs that were not published before.
        removed: Number of published URLs that are no longer listed.
        regrouped: Number of URLs that moved because the value that determines their part changed.
        outgrown: Number of URLs that moved because their part had no more room for them.
        merged: Number of URLs that moved because their part was merged into others.
        merges: The merged parts, without the name of the set.
        published: The parts that were published before, without the name of the set.
    """

    kept: int
    added: int
    removed: int
    regrouped: int
    outgrown: int
    merged: int
    merges: tuple[MergedPart, ...] = ()
    published: frozenset[str] = frozenset()

    @property
    def moved(self) -> int:
        """URLs that were published in another part before."""
        return self.regrouped + self.outgrown + self.merged

    @property
    def moves_urls(self) -> bool:
        """Whether any URL is in another part than before, is new, or was removed."""
        return bool(self.added or self.removed or self.moved)

    def to_dict(self) -> dict[str, object]:
        """Return the changes as JSON values."""
        merges = [{"part": merge.part, "into": list(merge.into)} for merge in self.merges]
        return {**asdict(self), "merges": merges, "published": sorted(self.published)}


@dataclass(frozen=True, slots=True)
class PartCounts:
    """What happened to the parts of a set.

    Attributes:
        unchanged: Number of parts whose files have the same bytes as before.
        changed: Number of parts whose files changed.
        new: Number of new parts.
        removed: Number of parts that have no more URLs, or were merged into others.
    """

    unchanged: int
    changed: int
    new: int
    removed: int
