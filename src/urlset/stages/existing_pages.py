"""Removes findings that assume that a URL has no page, if an audit found the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.rules.rule import EntryRule
from urlset.stages.judge import engine_of
from urlset.store.run_documents import listed_without_page

if TYPE_CHECKING:
    from urlset.stages.document_judge import Judge
    from urlset.stages.judge import JudgePlan
    from urlset.store.run import Run


def end_with_pages(judge: Judge, plan: JudgePlan, run: Run) -> None:
    """Check the URLs of such findings again, except those at which the audit found a page."""
    for rule in judge.rules:
        if not isinstance(rule, EntryRule) or not rule.ends_with_page:
            continue
        found = [finding for finding in judge.findings if finding.rule.code == rule.code]
        if not found:
            continue
        numbers = {finding.document_id for finding in found}
        documents = [facts for facts in judge.documents if facts["document_id"] in numbers]
        with engine_of(plan, [rule]) as engine:
            for rows in listed_without_page(run.store, run.run_id, sorted(numbers), rule.needs):
                engine.load({"urls": rows})
            still = engine.check_loaded(documents)
        judge.findings = [finding for finding in judge.findings if finding.rule.code != rule.code] + still
