"""`validate`: from targets to findings. Documents are read several at once and judged in chunks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from urlset import _core
from urlset.pipeline.read import ReadMany, tables_of
from urlset.report.model import LeftOut, Report, Unreadable
from urlset.rules.registry import all_rules, select
from urlset.rules.rule import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset._core import Table
    from urlset.config import Progress, ValidateOptions
    from urlset.findings import Finding
    from urlset.sources import Target

CHUNK_ROWS = 150_000
"""Rows after which a chunk is judged: enough to make the cost of a query small, few enough to be held in memory."""

CHUNK_DOCUMENTS = 1_000
"""Documents after which a chunk is judged, however few rows they have."""


@dataclass
class _Chunk:
    """Whole documents, read and not yet judged."""

    documents: list[dict[str, Any]] = field(default_factory=list)
    tables: dict[str, list[Table]] = field(default_factory=dict)
    rows: int = 0

    def add(self, facts: dict[str, Any], tables: dict[str, Table]) -> None:
        self.documents.append(facts)
        for name, table in tables.items():
            self.tables.setdefault(name, []).append(table)
            self.rows += table.num_rows

    @property
    def is_full(self) -> bool:
        return self.rows >= CHUNK_ROWS or len(self.documents) >= CHUNK_DOCUMENTS

    def merged(self) -> dict[str, Table]:
        return {name: _core.Table.concat(tables) for name, tables in self.tables.items()}


def validate(
    targets: Sequence[Target],
    options: ValidateOptions,
    progress: Progress | None = None,
    url: str | None = None,
) -> Report:
    """Reads documents and runs rules over them.

    Args:
        targets: What to check.
        options: Which rules, how many examples, how to read.
        progress: Told after each document.
        url: The URL under which a single target is or will be published.

    Returns:
        The findings, the facts of each document, and what could not be read.

    Raises:
        MisuseError: A prefix of rule codes is unknown.
    """
    rules = select(all_rules(), options.select, options.ignore)
    documents: list[dict[str, Any]] = []
    unreadable: list[Unreadable] = []
    left_out: list[LeftOut] = []
    findings: list[Finding] = []
    chunk = _Chunk()
    with ReadMany(targets, options.read, tables_of, progress) as outcomes:
        # Reading goes on while the engine is imported and set up, which takes as long as reading a large sitemap.
        from urlset.engine.duckdb import Engine

        with Engine(rules, parameters(options), options.max_examples, options.threads) as engine:
            for outcome in outcomes:
                if isinstance(outcome, Unreadable):
                    unreadable.append(outcome)
                    continue
                if isinstance(outcome, LeftOut):
                    left_out.append(outcome)
                    continue
                reader, tables = outcome
                facts = reader.facts | _published_at(url)
                documents.append(facts)
                chunk.add(facts, tables)
                if chunk.is_full:
                    findings += engine.check(chunk.merged(), chunk.documents)
                    chunk = _Chunk()
            if chunk.documents:
                findings += engine.check(chunk.merged(), chunk.documents)
            findings += engine.finish(documents)
    return Report(_core.__version__, tuple(documents), tuple(findings), tuple(unreadable), tuple(left_out))


def parameters(options: ValidateOptions) -> dict[str, int | float | datetime]:
    """The values of the `$name`s that rules use."""
    limits = {name: value for name, value in _core.protocol_limits().items() if name in PARAMETERS}
    return {**limits, "now": options.now or datetime.now(UTC)}


def _published_at(url: str | None) -> dict[str, str | None]:
    if url is None:
        return {}
    parts = urlsplit(url)
    return {"final_url": url, "host": parts.hostname, "site_path": parts.path}
