"""Stores the results of an audit other than findings, and reads its report from the store."""

from __future__ import annotations

import json
import operator
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, structs

from urlset.engine.store_tables import RESULTS
from urlset.errors import Unreadable  # noqa: TC001 - read as this type
from urlset.files.structured import decode_json
from urlset.model.audit import AgentAccess, Inventory, LinkCounts, LlmsCounts, MediaCounts, PageCounts, TwinCounts
from urlset.model.document import SkippedFile  # noqa: TC001 - read as this type
from urlset.model.finding import Example, Finding
from urlset.model.report import Report
from urlset.net.urlparts import without_surrogates
from urlset.rules.registry import all_rules
from urlset.rules.rule import EntryRule, Rule, Severity
from urlset.store.file import RUN_ID
from urlset.store.run_documents import all_documents
from urlset.store.stored_values import stored_values
from urlset.tables import CUTS, FINDINGS
from urlset.web.agents import KNOWN_AGENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.model.check import CheckResult
    from urlset.model.run import RunRow
    from urlset.store.file import Store
    from urlset.store.run import Run
    from urlset.tables import Table


class StoredAccess(Struct, frozen=True):
    """`AgentAccess` with the name of the crawler."""

    agent: str
    urls: int
    blocked: int
    sections: tuple[tuple[str, int, int], ...]

    @classmethod
    def of(cls, access: AgentAccess) -> StoredAccess:
        return cls(access.agent.name, access.urls, access.blocked, access.sections)


class StoredEvidence(Struct, frozen=True):
    """Evidence of a step, as in `urlset check --format json`."""

    effect: str
    message: str
    rule: str | None
    count: int | None
    url: str | None
    line: int | None


class StoredStep(Struct, frozen=True):
    """A step of a check, as in `urlset check --format json`."""

    id: str
    title: str
    description: str
    weight: float
    status: str
    score: float | None
    evidence: tuple[StoredEvidence, ...]


class StoredCheck(Struct, frozen=True, kw_only=True):
    """The scored check of a site, as in `urlset check --format json`."""

    check: dict[str, object] = {}
    origin: str
    status: str
    score: float | None
    steps: tuple[StoredStep, ...]
    candidates: tuple[dict[str, object], ...]

    @classmethod
    def of(cls, result: CheckResult) -> StoredCheck:
        return msgspec.convert(result.to_dict(), cls)


class Results(Struct, frozen=True, kw_only=True):
    """The results of an audit. A store has them as JSON; only fields that older versions did not store have a default.

    Attributes:
        pages: Counts of the listed pages; None if they were not requested.
        agents: What robots.txt allows the known crawlers.
        inventory: The comparison with a list of existing URLs; None without a list.
        checks: The scored checks of sites.
        earlier_run: The run that dates and texts were compared with; None for the first run.
        media: Counts of the images, thumbnails, and videos; None if they were not requested.
        links: Counts of the links between pages; None if they were not read.
        llms: Counts of the llms.txt files; None if none was found.
        twins: Counts of the Markdown twins of pages; None if no page was fetched.
        unreadable: Targets and documents that could not be read.
        skipped: Skipped files of directories.
        notes: Notes of the report.
    """

    pages: PageCounts | None
    agents: tuple[StoredAccess, ...]
    inventory: Inventory | None
    checks: tuple[StoredCheck, ...]
    earlier_run: int | None
    media: MediaCounts | None = None
    links: LinkCounts | None = None
    llms: LlmsCounts | None = None
    twins: TwinCounts | None = None
    unreadable: tuple[Unreadable, ...]
    skipped: tuple[SkippedFile, ...]
    notes: tuple[str, ...]

    @property
    def access(self) -> tuple[AgentAccess, ...]:
        """What robots.txt allows each crawler, without crawlers that only another version of urlset knows."""
        known = {agent.name: agent for agent in KNOWN_AGENTS}
        return tuple(
            AgentAccess(known[stored.agent], stored.urls, stored.blocked, stored.sections)
            for stored in self.agents
            if stored.agent in known
        )

    def to_json(self) -> str:
        """Return them as JSON for a store. Names of files may have bytes that are not text."""
        return without_surrogates(json.dumps(msgspec.to_builtins(self), ensure_ascii=False))


NO_RESULTS = Results(
    pages=None, agents=(), inventory=None, checks=(), earlier_run=None, unreadable=(), skipped=(), notes=()
)
"""The results of a run that stored none. Others replace its values."""


def keep_results(run: Run, results: Results) -> None:
    """Add the results of a run; committed with the next commit."""
    with run.writing() as connection:
        connection.execute(f"INSERT INTO {RESULTS} VALUES ($1, $2)", [run.run_id, results.to_json()])


def read_results(store: Store, run_id: int) -> Results:
    """Return what `keep_results` stored; `NO_RESULTS` if it stored nothing.

    Raises:
        InputError: It is damaged.
    """
    if not store.has_table(RESULTS):
        return NO_RESULTS
    rows = store.rows(f"SELECT facts FROM {RESULTS} WHERE {RUN_ID} = {run_id:d}")
    if not rows:
        return NO_RESULTS
    with stored_values(store.path, f"the results of run {run_id}"):
        return decode_json(rows[0][0], Results)


def read_report(store: Store, run: RunRow, results: Results) -> Report:
    """Return the report of a run with these results at its end: its documents and findings."""
    return Report(
        run.version,
        all_documents(store, run.run_id),
        _findings(store, run.run_id),
        results.unreadable,
        results.skipped,
        cuts=tuple(_rows(store, run.run_id, CUTS, "document_id, ordinal")),
        notes=results.notes,
    )


def _findings(store: Store, run_id: int) -> tuple[Finding, ...]:
    rows = _rows(store, run_id, FINDINGS, "document_id, code, example")
    with stored_values(store.path, f"the findings of run {run_id}"):
        return tuple(_group_examples(rows))


def _group_examples(rows: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    rules = {rule.code: rule for rule in all_rules()}
    for (document_id, code), group in groupby(rows, lambda row: (row["document_id"], row["code"])):
        examples = list(group)
        first = examples[0]
        severity = Severity(first["severity"])
        rule = (
            structs.replace(rules[code], severity=severity)
            if code in rules
            else _placeholder_rule(code, severity, first["message"])
        )
        yield Finding(
            rule,
            document_id,
            operator.index(first["count"]),
            tuple(
                Example(
                    row["ordinal"], row["line"], row["col"], row["url"], row["field"], row["value"],
                    str(row["message"]), row["cause"], row["linked_from"],
                )
                for row in examples
                if row["example"]
            ),
            dict(zip(first["causes"] or (), first["cause_counts"] or (), strict=False)),
        )  # fmt: skip


def _rows(store: Store, run_id: int, table: Table, order: str) -> list[dict[str, object]]:
    rows = store.rows(f"SELECT {store.selection(table)} FROM {table.name} WHERE {RUN_ID} = {run_id:d} ORDER BY {order}")
    return [dict(zip(table.column_names, row, strict=True)) for row in rows]


def _placeholder_rule(code: str, severity: Severity, message: str) -> Rule:
    """Return a placeholder for a rule that this urlset lacks: a user-defined rule, or a rule of a newer version."""
    return EntryRule(
        code=code,
        name=code.lower(),
        severity=severity,
        sources=("urlset",),
        message=message.rstrip("."),
        example="{value}",
        fix="This rule is not part of urlset; see the configuration of that run.",
        table="urls",
        where="false",
    )
