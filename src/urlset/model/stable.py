"""Results of a build with the stable layout: which URLs stayed in their part, and which parts changed."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct, to_builtins

from urlset.model.fields import Flat, NonNegativeInt, about


class MergedPart(Struct, frozen=True):
    """A part whose URLs moved to other parts."""

    part: Annotated[str, about("The part, without the name of the set.")]
    into: Annotated[tuple[str, ...], about("The parts that its URLs moved to, if they had room.")]


class StableChanges(Struct, frozen=True):
    """What a build with the stable layout changed."""

    kept: Annotated[NonNegativeInt, about("Number of URLs that stayed in their part.")]
    added: Annotated[NonNegativeInt, about("Number of URLs that were not published before.")]
    removed: Annotated[NonNegativeInt, about("Number of published URLs that are no longer listed.")]
    regrouped: Annotated[
        NonNegativeInt, about("Number of URLs that moved because the value that determines their part changed.")
    ]
    outgrown: Annotated[
        NonNegativeInt, about("Number of URLs that moved because their part had no more room for them.")
    ]
    merged: Annotated[NonNegativeInt, about("Number of URLs that moved because their part was merged into others.")]
    merges: Annotated[tuple[MergedPart, ...], about("The merged parts, without the name of the set.")] = ()
    published: Annotated[
        frozenset[str], about("The parts that were published before, without the name of the set.")
    ] = frozenset()

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
        return {**to_builtins(self), "published": sorted(self.published)}


class PartCounts(Struct, frozen=True):
    """What happened to the parts of a set."""

    unchanged: Annotated[NonNegativeInt, about("Number of parts whose files have the same bytes as before.")]
    changed: Annotated[NonNegativeInt, about("Number of parts whose files changed.")]
    new: Annotated[NonNegativeInt, about("Number of new parts.")]
    removed: Annotated[NonNegativeInt, about("Number of parts that have no more URLs, or were merged into others.")]


class StableLayout(Struct, frozen=True):
    """What a build with the stable layout changed."""

    parts: Annotated[PartCounts, about("What happened to the parts.")]
    changes: Annotated[
        StableChanges,
        Flat("kept", "added", "removed", "regrouped", "outgrown", "merged", "merges"),
        about("What happened to the URLs."),
    ]
    ledger_note: Annotated[str | None, about("Why the ledger was created or rebuilt; None if it was not.")]
