"""Read documents of a side again whose rows were not stored, because the other side probably has the same ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.errors import InputError
from urlset.pipeline.outcomes import DocumentRead, ReadSummary
from urlset.pipeline.reader import read
from urlset.pipeline.seeds import Seeds
from urlset.sources import SourceKind
from urlset.store.same import SIGNED
from urlset.tables import URLS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.options.verbs import InspectOptions
    from urlset.sources import Source
    from urlset.store.same import Signature


def can_be_read_again(source: Source) -> bool:
    """Return whether the same bytes can be expected of a source again."""
    return source.kind is SourceKind.PATH and Path(str(source.place)).is_file()


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
