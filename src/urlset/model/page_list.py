"""The listed pages that are not indexable, each with the reason. Plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import Meta, Struct, field

from urlset.model.fields import NonNegativeInt, PositiveInt, about, computed
from urlset.model.query import QueryResult
from urlset.web.indexability import PageReason
from urlset.web.systems import SeenSystem

if TYPE_CHECKING:
    from collections.abc import Iterable


NotTrue: TypeAlias = Annotated[bool | None, Meta(extra_json_schema={"enum": [False, None]})]


class PageVerdict(Struct, frozen=True):
    """One listed page."""

    url: Annotated[str, about("Its URL as listed.")]
    is_indexable: Annotated[bool | None, about("Whether it is indexable at this URL; None if that is unknown.")]
    reason: Annotated[
        str | None, about("Why it is not, or why that is unknown (a `PageReason`); None if it is indexable.")
    ]
    value: Annotated[
        str | None,
        about("What the page has for that reason, such as the URL that it redirects to; None if it has nothing."),
    ]
    document: Annotated[str, about("URL or path of the first sitemap that lists it.")]
    line: Annotated[PositiveInt | None, about("Line of its entry there, from 1; None if unknown.")]
    col: Annotated[PositiveInt | None, about("Column of its entry, from 1; None if unknown.")] = field(name="column")
    status: Annotated[NonNegativeInt | None, about("The status code of its last response; None if there was none.")]

    @property
    @computed("is_indexable")
    def verdict(self) -> NotTrue:
        """False; None if it is unknown."""
        return self.is_indexable

    @property
    @computed("reason")
    def page_reason(self) -> PageReason:
        """Why it is not indexable, or why that is unknown."""
        assert self.reason is not None
        return PageReason(self.reason)


class NotIndexable(Struct, frozen=True):
    """The listed pages of a run that are not indexable, or for which this is unknown."""

    counts: Annotated[
        Mapping[str, int],
        about("Their number by reason (a `PageReason`): those that are not indexable first, most frequent first."),
    ]
    pages: Annotated[
        Sequence[PageVerdict], about("The first of them, in the same order of reasons as `PageReason`.")
    ] = ()
    systems: Annotated[
        Sequence[SeenSystem], about("The detected systems that made pages of the run, most frequent first.")
    ] = ()

    @property
    def total(self) -> int:
        """Number of all of them."""
        return sum(self.counts.values())


class PageList(QueryResult, frozen=True):
    """Listed pages of a run, as rows with the columns of `PageVerdict`."""

    run_id: Annotated[int, about("The run.")]
    listed: Annotated[NonNegativeInt, about("Number of its pages that were requested, or skipped for a reason.")]
    counts: Annotated[
        Mapping[str, NonNegativeInt],
        about("Number of its pages that are not indexable, or for which this is unknown, by reason (a `PageReason`)."),
    ]
    asked: Annotated[Sequence[str], about("The reasons that the rows are limited to; empty for all.")] = ()
    systems: Annotated[
        Mapping[str, Sequence[str]],
        about("The systems that the sites of these pages show to be made with, by reason, most frequent first."),
    ] = {}

    def verdicts(self) -> Iterable[PageVerdict]:
        return (PageVerdict(*row) for row in self.rows)  # type: ignore[arg-type]
