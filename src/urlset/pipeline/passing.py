"""Documents kept as they pass: their rows go into tables that can be asked later, on their way to the rules or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from urlset.errors import InputError
from urlset.pipeline.many import ReadMany
from urlset.pipeline.outcomes import Came
from urlset.pipeline.read import Held, hold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.config import Progress, ReadOptions
    from urlset.documents import DocumentReader
    from urlset.errors import Unreadable
    from urlset.model.document import LeftOut
    from urlset.net.trust import Trust
    from urlset.sources import Target


class Keeper(Protocol):
    """What rows are kept in: a `Query`, or the `Run` of a store."""

    def add(self, batch: Mapping[str, object], /) -> None:
        """Adds rows: an Arrow table by name."""
        ...

    def remove(self, document_id: int, /) -> None:
        """Takes back the rows of one document."""
        ...


@dataclass(frozen=True)
class Passing:
    """Keeps documents as they pass, in their order and in bounded memory.

    Attributes:
        keeper: What their rows are kept in.
        done: Called after each document.
    """

    keeper: Keeper
    done: Callable[[], object] = lambda: None

    def watch(self, reader: DocumentReader, held: Held) -> Held:
        """The same document, whose rows are added: those held at once, the rest while it is read."""
        self.keeper.add(held.tables)
        if held.rest is None:
            self.done()
            return held
        return replace(held, rest=self._passing(reader, held.rest))

    def _passing(self, reader: DocumentReader, rest: Iterator[dict[str, Table]]) -> Iterator[dict[str, Table]]:
        try:
            for batch in rest:
                self.keeper.add(batch)
                yield batch
        except InputError:
            self.keeper.remove(reader.facts["document_id"])
            raise
        self.done()

    def read(
        self,
        targets: Sequence[Target],
        options: ReadOptions,
        progress: Progress | None,
        add_facts: Callable[[Mapping[str, Any]], object],
        trust: Trust | None = None,
    ) -> tuple[Sequence[Unreadable], Sequence[LeftOut]]:
        """Reads documents for the sake of their rows alone.

        Args:
            targets: What to read.
            options: How to read.
            progress: Told after each document.
            add_facts: Given the row of `documents` of each that came, or is listed and did not come.
            trust: Whom the user trusts; the targets unless given.

        Returns:
            What could not be read, and which files of folders were left out.
        """
        with ReadMany(targets, options, hold, progress, trust=trust) as documents:
            for document in documents:
                if isinstance(document, Came):
                    try:
                        for _ in self.watch(document.reader, document.kept).rest or ():
                            pass
                    except InputError as error:
                        documents.failed(error)
                        continue
                add_facts(document.facts)
        return documents.unreadable, documents.left_out
