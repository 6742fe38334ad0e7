"""`diff`: two sides, each as a run of a store ─> compare."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.comparison.removed_urls import removed_url_results
from urlset.comparison.sides import gaps_of, stored_sides, trust_in_sides
from urlset.files.scratch import Scratch
from urlset.model.comparison import URL_COLUMNS, Comparison, Side, UrlChange
from urlset.model.query import QueryResult
from urlset.options.comparing import UrlSelection

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from urlset.comparison.compare import Comparer
    from urlset.comparison.sides import StoredSide
    from urlset.model.comparison import FindingChange, Gaps
    from urlset.net.trust import Trust
    from urlset.options.comparing import DiffOptions
    from urlset.store.rules_run import AppliedRules
    from urlset.text.progress import Progress


def diff(
    before: str, after: str, options: DiffOptions, progress: Progress | None = None, trust: Trust | None = None
) -> Comparison:
    """Compare two sides.

    Args:
        before: The earlier side: a store (`FILE.duckdb` for its latest finished run, `FILE.duckdb@3` for run 3), or a
            target as for `validate`.
        progress: Called after each document.
        trust: Trusted hosts; by default those of the sides.

    Raises:
        InputError: A side cannot be read.
        UsageError: A side is invalid.
    """
    from urlset.comparison.compare import Comparer

    trust = trust or trust_in_sides((before, after), options)
    with ExitStack() as stack:
        folder = stack.enter_context(Scratch()).path
        # Whether a removed page redirects to a listed one depends on the text of all URLs.
        needs_text = options.ask_removed is not None
        old, new = stored_sides(before, after, folder, options, progress, trust, can_read_again=not needs_text)
        comparer = stack.enter_context(
            Comparer(old.run, new.run, options.max_examples, unstored=new.unstored, read_again=old.read_again)
        )
        old_side, old_rules = _describe_side("before", old, comparer, options.max_examples)
        new_side, new_rules = _describe_side("after", new, comparer, options.max_examples)
        lastmod, moved = comparer.lastmods()
        urls = comparer.one_sided()
        removed_urls = counts = None
        if options.ask_removed is not None:
            removed_urls, counts = removed_url_results(comparer, options.ask_removed, options, trust)
        findings: tuple[FindingChange, ...] | None = None
        only_after: tuple[str, ...] = ()
        if old.is_judged and new.is_judged:
            findings, only_after = comparer.findings(old_rules, new_rules)
        return Comparison(
            before=old_side,
            after=new_side,
            added=urls.added,
            removed=urls.removed,
            respelled=urls.respelled,
            respelled_added=urls.respelled_added,
            lastmod=lastmod,
            moved=moved,
            children_added=comparer.children("after", "before"),
            children_removed=comparer.children("before", "after"),
            findings=findings,
            only_after=only_after,
            removed_urls=removed_urls,
            removed_url_counts=counts,
            max_drop=options.max_drop,
            unindexed=comparer.unindexed_pages() if old.is_named and new.is_named else None,
        )


@contextmanager
def changed_urls(
    before: str,
    after: str,
    selection: UrlSelection,
    options: DiffOptions,
    progress: Progress | None = None,
    parquet: Path | None = None,
) -> Iterator[tuple[QueryResult, tuple[Gaps, Gaps]]]:
    """Compare the URLs of two sides, and yield every URL that differs.

    Args:
        before: The earlier side, as for `diff`.
        parquet: A file to write all rows to; the rows are then not yielded.

    Yields:
        The rows, to be read inside the context, and what each side lacks.

    Raises:
        InputError: A side cannot be read.
        UsageError: A side is invalid.
    """
    from urlset.comparison.url_differences import UrlDifferences

    reading = replace(options, rules=False)
    trust = trust_in_sides((before, after), reading)
    changes = list(UrlChange) if selection is UrlSelection.ALL else [UrlChange(selection.value)]
    with Scratch() as scratch:
        old, new = stored_sides(before, after, scratch.path, reading, progress, trust, can_read_again=True)
        with UrlDifferences(
            old.run, new.run, 0, parquet, unstored=new.unstored, read_again=old.read_again
        ) as differences:
            differences.find(changes)
            rows: Iterator[tuple[object, ...]] = iter(())
            if parquet:
                differences.write_urls()
            else:
                rows = differences.urls()
            gaps = gaps_of("before", old, differences), gaps_of("after", new, differences)
            yield QueryResult(URL_COLUMNS, ("VARCHAR",) * len(URL_COLUMNS), rows), gaps


def _describe_side(name: str, side: StoredSide, comparer: Comparer, limit: int) -> tuple[Side, AppliedRules]:
    """Return a side for the report, and the rules it was judged by."""
    from urlset.store.rules_run import AppliedRules

    side_summary = Side(
        side.name,
        side.row.run_id if side.is_named else None,
        side.row.started_at,
        side.row.documents or 0,
        comparer.url_count(name),
        gaps_of(name, side, comparer, limit),
    )
    return side_summary, AppliedRules.of(side.row)
