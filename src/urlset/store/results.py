"""Stores the results of an audit other than findings, and reads its report from the store."""

from __future__ import annotations

import json
import operator
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, structs

from urlset.errors import Unreadable  # noqa: TC001 - read as this type
from urlset.files.structured import decode_json
from urlset.model.audit import AgentAccess, Inventory, LinkCounts, MediaCounts, PageCounts
from urlset.model.document import SkippedFile  # noqa: TC001 - read as this type
from urlset.model.finding import Example, Finding
from urlset.model.report import Report
from urlset.rules.registry import all_rules
from urlset.rules.rule import EntryRule, Rule, Severity
from urlset.store.file import RUN_ID
from urlset.store.run_documents import read_documents
from urlset.store.stored_values import stored_values
from urlset.tables import CUTS, FINDINGS
from urlset.web.agents import KNOWN_AGENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.model.run import RunRow
    from urlset.store.file import Store
    from urlset.store.run import Run
    from urlset.tables import Table

RESULTS = "urlset_results"
"""The table of results, as JSON."""


@dataclass(frozen=True, slots=True)
class Results:
    """The results of an audit.

    Attributes:
        pages: Counts of the listed pages; None if they were not requested.
        inventory: The comparison with a list of existing URLs; None without a list.
        checks: The scored checks of sites, each as in `urlset check --format json`.
        earlier_run: The run that dates and texts were compared with; None for the first run.
        media: Counts of the images, thumbnails, and videos; None if they were not requested.
        links: Counts of the links between pages; None if they were not read.
        unreadable: Targets and documents that could not be read.
        skipped: Skipped files of directories.
        notes: Notes of the report.
    """

    pages: PageCounts | None = None
    agents: Sequence[AgentAccess] = ()
    inventory: Inventory | None = None
    checks: Sequence[Mapping[str, object]] = ()
    earlier_run: int | None = None
    media: MediaCounts | None = None
    links: LinkCounts | None = None
    unreadable: Sequence[Unreadable] = ()
    skipped: Sequence[SkippedFile] = ()
    notes: Sequence[str] = ()


def keep_results(run: Run, results: Results) -> None:
    """Add the results of a run; committed with the next commit."""
    facts = {
        "pages": None if results.pages is None else asdict(results.pages),
        "agents": [
            {"agent": access.agent.name, "urls": access.urls, "blocked": access.blocked, "sections": access.sections}
            for access in results.agents
        ],
        "inventory": None if results.inventory is None else asdict(results.inventory),
        "checks": list(results.checks),
        "earlier_run": results.earlier_run,
        "media": None if results.media is None else asdict(results.media),
        "links": None if results.links is None else asdict(results.links),
        "unreadable": [asdict(gap) for gap in results.unreadable],
        "skipped": [asdict(skip) for skip in results.skipped],
        "notes": list(results.notes),
    }
    with run.writing() as connection:
        connection.execute(f"DELETE FROM {RESULTS} WHERE {RUN_ID} = {run.run_id:d}")
        connection.execute(f"INSERT INTO {RESULTS} VALUES ($1, $2)", [run.run_id, json.dumps(facts)])


class _Access(Struct):
    agent: str
    urls: int
    blocked: int
    sections: tuple[tuple[str, int, int], ...]


class _Evidence(Struct):
    effect: str
    message: str
    rule: str | None
    count: int | None
    url: str | None
    line: int | None


class _Step(Struct):
    id: str
    title: str
    description: str
    weight: float
    status: str
    score: float | None
    evidence: list[_Evidence]


class _Check(Struct):
    origin: str
    status: str
    score: float | None
    steps: list[_Step]
    candidates: list[dict[str, object]]


class _Facts(Struct):
    """The results that `keep_results` stores, as JSON."""

    pages: PageCounts | None
    agents: list[_Access]
    inventory: Inventory | None
    checks: list[dict[str, object]]
    earlier_run: int | None
    unreadable: tuple[Unreadable, ...]
    skipped: tuple[SkippedFile, ...]
    notes: tuple[str, ...]
    media: MediaCounts | None = None
    links: LinkCounts | None = None


def read_results(store: Store, run_id: int) -> Results:
    """Return what `keep_results` stored; empty results if it stored nothing.

    Raises:
        InputError: It is damaged.
    """
    facts = _facts(store, run_id)
    if facts is None:
        return Results()
    agents = {agent.name: agent for agent in KNOWN_AGENTS}
    return Results(
        facts.pages,
        [
            AgentAccess(agents[access.agent], access.urls, access.blocked, access.sections)
            for access in facts.agents
            if access.agent in agents
        ],
        facts.inventory,
        facts.checks,
        facts.earlier_run,
        facts.media,
        facts.links,
        facts.unreadable,
        facts.skipped,
        facts.notes,
    )


def _facts(store: Store, run_id: int) -> _Facts | None:
    if not store.has_table(RESULTS):
        return None
    rows = store.rows(f"SELECT facts FROM {RESULTS} WHERE {RUN_ID} = {run_id:d}")
    if not rows:
        return None
    with stored_values(store.path, f"the results of run {run_id}"):
        facts = decode_json(rows[0][0], _Facts)
        # They are shown as they are.
        msgspec.convert(facts.checks, list[_Check])
    return facts


def read_report(store: Store, run: RunRow, results: Results) -> Report:
    """Return the report of a run with these results at its end: its documents and findings."""
    return Report(
        run.version,
        tuple(read_documents(store, run.run_id)),
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
                    str(row["message"]), row["cause"],
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
