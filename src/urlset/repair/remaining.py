"""The errors and warnings that remain after `fix`: the results are judged together, like documents of `validate`."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.documents import DocumentReader
from urlset.errors import InputError
from urlset.model.fix import RemainingFinding
from urlset.options.verbs import ValidateOptions
from urlset.repair.reread import Pieces
from urlset.rules.rule import Severity
from urlset.stages.buffered import BufferedDocument
from urlset.stages.judge import JudgePlan, judging
from urlset.stages.outcomes import DocumentRead
from urlset.stages.ruleset import rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType
    from typing import Self

    from urlset.fetch.fetched_source import FetchedSource
    from urlset.options.fixing import FixOptions
    from urlset.sources import Source
    from urlset.stages.document_judge import Judge


SHOWN = (Severity.ERROR, Severity.WARNING)
"""Severities of what is reported."""


class Remaining:
    """Judges results one after the other. A context manager, which opens the engine with the first result.

    Raises:
        UsageError: A rule code prefix is unknown.
    """

    def __init__(self, options: FixOptions) -> None:
        self._options = ValidateOptions(
            max_document_bytes=options.max_document_bytes,
            select=options.select,
            ignore=options.ignore,
            severity=options.severity,
            profile=options.profile,
        )
        # An unknown rule raises an error before anything is written.
        self._plan = self._plan_of_shown()
        self._stack = ExitStack()
        self._judge: Judge | None = None
        self._numbers: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def take(self, index: int, source: Source, fetched: FetchedSource, pieces: Iterator[bytes]) -> None:
        """Judge a result, or one part of it, of the document at an index of the run."""
        content = replace(fetched, content=Pieces(pieces), is_ours=False)
        reader = DocumentReader(source, content, len(self._numbers), self._options, hashed=False)
        try:
            document = BufferedDocument(reader)
        except InputError:
            # It was read to the end before, so only what cannot be decompressed fails here, which `fix` reports.
            return
        if self._judge is None:
            self._judge = self._stack.enter_context(judging(self._plan))
        self._numbers.append(index)
        self._judge.take(DocumentRead(document, source, document.batches()))

    def finish(self) -> Mapping[int, Mapping[Severity, tuple[RemainingFinding, ...]]]:
        """Return the findings of each document that has any, by its index."""
        if self._judge is None:
            return {}
        self._judge.finish()
        counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
        rules = {finding.rule.code: finding.rule for finding in self._judge.findings}
        for finding in self._judge.findings:
            counts[self._numbers[finding.document_id]][finding.rule.code] += finding.count
        return {
            index: {
                severity: tuple(
                    RemainingFinding(code, rules[code].message, of_rules[code], rules[code].fix)
                    for code in sorted(of_rules)
                    if rules[code].severity is severity
                )
                for severity in SHOWN
            }
            for index, of_rules in counts.items()
        }

    def _plan_of_shown(self) -> JudgePlan:
        plan = JudgePlan.of(self._options)
        rules = rules_of(self._options, plan.now, pages=False)
        return structs.replace(plan, chosen_rules=tuple(rule for rule in rules if rule.severity in SHOWN))
