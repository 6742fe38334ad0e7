"""Pages that were fetched elsewhere, for a run on Spark: which rules they suffice for, and the pages in numbers."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from urlset.engine.examples import integer_of
from urlset.engine.page_verdicts import verdicts_of_table
from urlset.model.audit import Share
from urlset.store.page_selection import first_entries, invalid_entries
from urlset.store.probed import PAGE_COUNTS, counts_of, reason_counts, status_counts
from urlset.tables import PAGES, URLS
from urlset.text.sizes import inflect, quantity
from urlset.web.indexability import NEEDED, PageReason

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame

    from urlset.cluster.page_table import FetchedPages
    from urlset.engine.rule_sql import Parameter
    from urlset.engine.spark.engine import SparkEngine
    from urlset.model.audit import PageCounts
    from urlset.rules.rule import Rule


_BAD = 5
"""The place of the number of pages that are not indexable in `PAGE_COUNTS`."""


def runnable(
    rules: Sequence[Rule], fetched: FetchedPages | None, parameters: Mapping[str, Parameter]
) -> tuple[tuple[Rule, ...], list[str]]:
    """Return the rules that do not depend on columns that pages lack, and a note about the others.

    In most columns, null says that something is absent, so these rules would find what is not there.
    """
    if fetched is None or not fetched.missing:
        return tuple(rules), []
    from urlset.engine.spark.columns import unknown_columns

    lacking = {
        rule.code: columns
        for rule in rules
        if (columns := unknown_columns(rule, PAGES.name, fetched.missing, parameters))
    }
    if not lacking:
        return tuple(rules), []
    absent = sorted({column for names in lacking.values() for column in names})
    left_out = quantity(len(lacking), "rule")
    note = (
        f"{left_out} did not run, because the pages have no {inflect(len(absent), 'column')} {', '.join(absent)}: "
        f"{', '.join(lacking)}"
    )
    return tuple(rule for rule in rules if rule.code not in lacking), [note]


class RunPages:
    """The pages of a run.

    Attributes:
        notes: What was left out of them, and whether their health is unknown.
    """

    def __init__(
        self, engine: SparkEngine, listed: int, notes: Sequence[str], unknown: Collection[str], invalid: int = 0
    ) -> None:
        """Take the numbers of distinct listed pages, and of listed URLs that are invalid, which count as listed."""
        self.notes = tuple(notes)
        self._invalid = invalid
        self._engine = engine
        self._listed = listed + invalid
        self._unknown_columns = sorted(NEEDED.intersection(unknown))
        if self._unknown_columns:
            columns = f"{inflect(len(self._unknown_columns), 'column')} {', '.join(self._unknown_columns)}"
            self.notes = (*notes, f"page health is unknown, because the pages have no {columns}")

    def counts(self) -> PageCounts:
        """Return them in numbers; call after `SparkEngine.check`."""
        name = PAGES.name
        [row] = self._engine.rows(name, f"SELECT {PAGE_COUNTS} FROM {name}")
        statuses = {str(status): integer_of(size) for status, size in self._engine.rows(name, status_counts(name))}
        reasons = {str(reason): integer_of(size) for reason, size in self._engine.rows(name, reason_counts(name))}
        numbers = [integer_of(value) for value in row]
        if self._invalid:
            numbers[_BAD] += self._invalid
            reasons = {str(PageReason.INVALID_URL): self._invalid, **reasons}
        counts = counts_of(numbers, statuses, reasons, self._listed, self._listed)
        return replace(counts, good=Share.of(0, 0, self._listed), reasons={}) if self._unknown_columns else counts


@contextmanager
def run_pages(engine: SparkEngine, tables: dict[str, DataFrame], fetched: FetchedPages | None) -> Iterator[RunPages]:
    """Yield the pages of a run, and free their memory at the end.

    Args:
        engine: The engine, before `check`.
        tables: The tables of the run; pages that were fetched elsewhere are added.
        fetched: These pages; None if the run has pages.

    Raises:
        InputError: The pages cannot be read.
    """
    entries = tables.get(URLS.name)
    if entries is None:
        unused = [] if fetched is None else ["no document lists a page, so the table of pages is not used"]
        yield RunPages(engine, 0, unused, ())
        return
    entries.createOrReplaceTempView(URLS.name)
    firsts = engine.frame(PAGES.name, first_entries())
    invalid = engine.frame(PAGES.name, invalid_entries()).count()
    if fetched is None:
        yield RunPages(engine, firsts.count(), (), (), invalid)
        return
    placed = fetched.pages_with_entries(engine.session, firsts)
    if placed.matched:
        placed.rows.createOrReplaceTempView(PAGES.name)
        tables[PAGES.name] = engine.frame(PAGES.name, verdicts_of_table())
    try:
        yield RunPages(engine, placed.listed, placed.notes, fetched.missing, invalid)
    finally:
        placed.rows.unpersist()
