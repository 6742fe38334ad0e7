"""The JSON of `rules`, `config`, `cache`, `history`, and the list of crawlers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from urlset.files.structured import decode_json
from urlset.model.reference import CacheState, EffectiveConfiguration, ListedRule, Setting
from urlset.model.run import RunRow
from urlset.report.json_objects import Members, Output
from urlset.report.words import setting_value
from urlset.web.agents import KnownAgent


def _action(cache: CacheState) -> Literal["info", "clear"]:
    """What the command did."""
    return "clear" if cache.is_cleared else "info"


def _started_at(run: RunRow) -> datetime:
    """Time at which it started."""
    return run.started_at.astimezone(UTC).replace(microsecond=0)


def _finished_at(run: RunRow) -> datetime | None:
    """Time at which it finished; null for an unfinished run."""
    return None if run.finished_at is None else run.finished_at.astimezone(UTC).replace(microsecond=0)


def _settings(run: RunRow) -> dict[str, object]:
    """Its settings, without secrets."""
    settings: dict[str, object] = decode_json(run.settings, dict[str, object])
    return settings


def _scope(entry: ListedRule) -> Literal["entry", "anomaly", "set"]:
    """What it is applied to: entries one by one, anomalies of documents, or sets of rows."""
    kind: Literal["entry", "anomaly", "set"] = entry.rule.kind  # type: ignore[assignment]
    return kind


def _value(setting: Setting) -> object:
    """Its value; secrets are masked."""
    return setting_value(setting.value)


MEMBERS: Members = {
    "CacheState": ("folder", _action, "entries", "bytes"),
    "ChangedRule": ("rule.code", "severity", "default=usual"),
    "ListedRule": (
        "rule.code", "rule.name", "rule.severity", "default_severity=usual", _scope, "rule.lifecycle", "rule.since",
        "rule.fixable", "rule.check_effect", "rule.message", "rule.fix", "rule.sources",
    ),
    "Setting": ("key", _value, "origin"),
    "RunRow": (
        "run=run_id", _started_at, _finished_at, "targets", _settings, "version", "documents", "urls", "pages",
        "errors", "warnings", "infos",
    ),
}  # fmt: skip

RULES: Output[Sequence[ListedRule]] = Output("rules", "The rules.", "reference.ListedRule", "rules")
CONFIG: Output[EffectiveConfiguration] = Output(
    "config", "The effective configuration.", "reference.EffectiveConfiguration"
)
CACHE: Output[CacheState] = Output("cache", "The size of the HTTP cache.", "reference.CacheState")
HISTORY: Output[Sequence[RunRow]] = Output("history", "The runs of a store, oldest first.", "run.RunRow", "runs")
AGENTS: Output[Sequence[KnownAgent]] = Output(
    "robots --agents", "The known crawlers.", "urlset.web.agents.KnownAgent", "agents"
)
