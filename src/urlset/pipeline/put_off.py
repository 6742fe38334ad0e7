"""Read documents of a side again whose rows were not stored, because the other side probably has the same ones."""

from __future__ import annotations

import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.errors import InputError
from urlset.pipeline.outcomes import DocumentRead, ReadSummary
from urlset.pipeline.read import list_sources
from urlset.pipeline.reader import read
from urlset.pipeline.seeds import Seeds
from urlset.sources import Source, SourceKind, is_url
from urlset.store.same import SIGNED
from urlset.tables import URLS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.options.verbs import InspectOptions
    from urlset.store.same import Signature


@dataclass(frozen=True, slots=True)
class FilesInCommon:
    """Decides which documents of a side the other side may have, too: local files, which can be read again.

    Attributes:
        sizes: The sizes of the other side's files, in bytes; None if they are unknown.
    """

    sizes: frozenset[int] | None

    @classmethod
    def with_side(cls, given: str) -> FilesInCommon:
        """Return it for the other side as given."""
        if is_url(given) or given == "-" or not Path(given).is_dir():
            return cls(None)
        sizes = (_size(one) for one in list_sources([given]) if isinstance(one, Source))
        return cls(frozenset(size for size in sizes if size is not None))

    def may_have(self, source: Source) -> bool:
        """Return whether the document may be one of them."""
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
class PutOff:
    """Documents whose rows were not stored.

    Attributes:
        sources: The documents, by number.
        signatures: What the first reading found, by number.
        options: How they were read.
    """

    sources: Mapping[int, Source]
    signatures: Mapping[int, Signature]
    options: InspectOptions

    def rows(self, numbers: Sequence[int]) -> Iterator[Table]:
        """Read documents again, and yield their rows of `urls`, as `ReadAgain` says.

        Args:
            numbers: The documents.

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
                    signature = tuple(outcome.facts[name] for name in SIGNED)
                if signature != self.signatures[number]:
                    raise InputError(self.sources[number].name, "changed while it was being compared")
