"""The listed pages that are not indexable, each with the reason. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.model.query import QueryResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class PageVerdict:
    """One listed page.

    Attributes:
        url: Its URL as listed.
        is_indexable: Whether it is indexable at this URL; None if that is unknown.
        reason: Why it is not, or why that is unknown (a `PageReason`); None if it is indexable.
        value: What the page has for that reason, such as the URL that it redirects to; None if it has nothing.
        document: URL or path of the first sitemap that lists it.
        line: Line of its entry there, from 1; None if unknown.
        col: Column of its entry, from 1; None if unknown.
        status: The status code of its last response; None if there was none.
    """

    url: str
    is_indexable: bool | None
    reason: str | None
    value: str | None
    document: str
    line: int | None
    col: int | None
    status: int | None


@dataclass(frozen=True, slots=True)
class NotIndexable:
    """The listed pages of a run that are not indexable, or of which that is unknown.

    Attributes:
        counts: Their number by reason (a `PageReason`): those that are not indexable first, most frequent first.
        pages: The first of them, in the same order of reasons as `PageReason`.
    """

    counts: Mapping[str, int]
    pages: Sequence[PageVerdict] = ()

    @property
    def total(self) -> int:
        """Number of all of them."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class PageList(QueryResult):
    """Listed pages of a run, as rows with the columns of `PageVerdict`.

    Attributes:
        run_id: The run.
        listed: Number of its pages that were requested, or skipped for a reason.
        counts: Number of its pages that are not indexable, or of which that is unknown, by reason (a `PageReason`).
        asked: The reasons that the rows are limited to; empty for all.
    """

    run_id: int
    listed: int
    counts: Mapping[str, int]
    asked: Sequence[str] = ()

    def verdicts(self) -> Iterable[PageVerdict]:
        return (PageVerdict(*row) for row in self.rows)  # type: ignore[arg-type]
