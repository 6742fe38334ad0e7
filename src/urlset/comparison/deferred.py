"""Read documents of a comparison again whose rows were not stored, because the other side may have the same files."""

from __future__ import annotations

import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.comparison.shared_documents import signed_values
from urlset.errors import InputError
from urlset.sources import Source, SourceKind, is_url
from urlset.stages.open_target import list_sources
from urlset.stages.outcomes import DocumentRead, ReadSummary
from urlset.stages.read import read
from urlset.stages.seeds import Seeds
from urlset.tables import URLS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.comparison.shared_documents import Signature
    from urlset.options.verbs import InspectOptions


@dataclass(frozen=True, slots=True)
class OtherFiles:
    """The files of the other side, as far as they are known before it is read.

    Attributes:
        sizes: Their sizes, in bytes; None if they are unknown.
    """

    sizes: frozenset[int] | None

    @classmethod
    def of(cls, target: str) -> OtherFiles:
        """Return the files of a side as given."""
        if is_url(target) or target == "-" or not Path(target).is_dir():
            return cls(None)
        sizes = (_size(source) for source in list_sources([target]) if isinstance(source, Source))
        return cls(frozenset(size for size in sizes if size is not None))

    def may_include(self, source: Source) -> bool:
        """Return whether a document may be one of them, and can be read again: a local file of such a size."""
        size = _size(source)
        return size is not None and (self.sizes is None or size in self.sizes)


def _size(source: Source) -> int | None:
    """Return the size of a file, in bytes; None if the source is not a regular file."""
    if source.kind is not SourceKind.PATH:
        return None
    try:
        about = Path(str(source.place)).stat()
    except OSError:
        # Reading it will tell why.
        return None
    return about.st_size if stat.S_ISREG(about.st_mode) else None


@dataclass(frozen=True, slots=True)
class DeferredDocuments:
    """Documents whose rows were not stored, and are read again if they are needed.

    Attributes:
        sources: The documents, by number.
        signatures: The `signed_values` of the first reading, by number.
        options: How they were read.
    """

    sources: Mapping[int, Source]
    signatures: Mapping[int, Signature]
    options: InspectOptions

    def rows(self, numbers: Sequence[int]) -> Iterator[Table]:
        """Read documents again, and yield their rows of `urls`, as `ReadAgain` says.

        Raises:
            InputError: A document has changed in the meantime.
        """
        seeds = Seeds([self.sources[number] for number in numbers])
        options = replace(self.options, discover=False, expand=False)
        with read(seeds, options) as outcomes:
            for outcome in outcomes:
                if isinstance(outcome, ReadSummary) or outcome.number is None:
                    continue
                number, signature = numbers[outcome.number], None
                if isinstance(outcome, DocumentRead):
                    for batch in outcome.batches:
                        if URLS.name in batch:
                            yield batch[URLS.name]
                    signature = signed_values(outcome.facts)
                if signature != self.signatures[number]:
                    raise InputError(self.sources[number].name, "changed while it was being compared")
