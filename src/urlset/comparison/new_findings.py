"""The findings that only the later side of a comparison has, as a report that can be annotated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from urlset.model.comparison import State
from urlset.store.results import read_report, read_results

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.comparison.sides import ComparedSide
    from urlset.model.comparison import FindingChange
    from urlset.model.finding import Example, Finding
    from urlset.model.report import Report


def new_findings(before: ComparedSide, after: ComparedSide, changes: Sequence[FindingChange]) -> Report:
    """Return the report of the later side with its new findings only, and of those in more places the new places."""
    report = _report(after)
    new = {(one.code, one.document): one for one in changes if one.state in (State.NEW, State.GROWN)}
    is_any_grown = any(change.before for change in new.values())
    earlier = _report(before).findings if is_any_grown else ()
    known = {_identity(finding, example) for finding in earlier for example in finding.examples}
    # Of rules whose places the earlier side did not all keep, any place may be an old one.
    cut = {finding.rule.code for finding in earlier if len(finding.examples) < finding.count}

    def findings() -> Iterator[Finding]:
        for finding in report.findings:
            change = new.get((finding.rule.code, report.document_url(finding.document_id)))
            if change is None:
                continue
            if not change.before:
                yield finding
                continue
            new_places = (one for one in finding.examples if _identity(finding, one) not in known)
            examples = () if finding.rule.code in cut else tuple(new_places)
            yield structs.replace(finding, count=change.after - change.before, examples=examples)

    return structs.replace(report, findings=tuple(findings()), unreadable=after.summary.unreadable, known=0)


def _report(side: ComparedSide) -> Report:
    return read_report(side.store, side.row, read_results(side.store, side.row.run_id))


def _identity(finding: Finding, example: Example) -> tuple[str | None, ...]:
    """Return what a place has on both sides, whatever its line."""
    return finding.rule.code, example.url, example.field, example.value
