"""A sample of any result, from the types of its fields, in which all text of others is the same."""

from __future__ import annotations

import ast
import collections.abc
import dataclasses
import inspect
import sys
import types
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, structs

from urlset.model.check import CheckResult
from urlset.model.finding import Finding
from urlset.model.page_list import PageVerdict
from urlset.rules import registry
from urlset.rules.rule import RuleInfo
from urlset.tables import TABLES
from urlset.web.agents import KNOWN_AGENTS, KnownAgent
from urlset.web.robots_txt import Robots

ROWS = {
    "Report.documents": "documents", "Report.cuts": "cuts", "PageExplanation.page": "pages",
    "InspectedDocument.facts": "documents", "InspectedDocument.children": "children",
    "InspectedDocument.anomalies": "anomalies", "InspectReport.cuts": "cuts", "UrlFacts.page": "pages",
}  # fmt: skip
"""Fields that are rows of tables."""

COLUMNS: dict[str, Any] = {
    "kind": "urlset", "found_by": "given", "compression": "none", "availability": "read", "reason": "noindex",
    "severity": "error", "lastmod_precision": "day", "skipped": None, "error_kind": "refused", "status": 200,
    "content_encoding": "gzip",
}  # fmt: skip
"""Columns with words of urlset, or with values that decide which others are shown."""

WORDS: dict[str, Any] = {
    "NotIndexable.counts": {"noindex": 1}, "PageCounts.reasons": {"noindex": 1}, "PageList.counts": {"noindex": 1},
    "PageVerdict.reason": "noindex", "PageExplanation.reason": "noindex", "OtherPage.reason": "noindex",
    "StoredPage.reason": "noindex", "PageList.asked": ("noindex",), "SiteReport.left_out": {"noindex": 1},
    "NamingFinding.severity": "error", "ReportedSitemaps.asked": {"google": "x"}, "RunRow.settings": "{}",
    "QueryResult.columns": ("change", "url", "before", "after"), "InspectReport.cuts": (), "QueryReport.arrow": None,
    "FindingChange.after": 2,
}  # fmt: skip
"""Fields with words of urlset, which renderers look up, and fields that are no text of others."""

OWN = frozenset({
    "Answer.request", "Candidate.kind", "ChangedRule.severity", "ChangedRule.usual", "ClientCheck.unknown",
    "ClientFinding.cause", "ClientFinding.fix", "ClientFinding.source", "ClientFinding.title", "Evidence.rule",
    "FixedDocument.diff", "ListedRule.usual", "LogRead.format", "NewSigningKey.keyid", "NotTried.request",
    "Omission.reason", "OtherPage.declared_by", "PolicyFinding.fix", "PolicyFinding.source", "PolicyFinding.title",
    "PolicyReport.unknown", "RemainingFinding.code", "RemainingFinding.fix", "RemainingFinding.message",
    "Repair.about", "Repair.kind", "Setting.default_text", "Setting.key", "SiteReport.dates_from",
    "Statement.problem", "Step.title",
    "Summary.fields_left_out", "Summary.refused", "Summary.removed",
})  # fmt: skip
"""Fields whose text is always urlset's own, or is escaped where it is made."""

NEVER_MISSING = frozenset({"Verdict.line", "Alarm.closed_by"})
"""Fields that other fields of these samples require."""


AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

PLAIN: dict[Any, Any] = {
    int: 1, float: 0.5, bool: True, bytes: b"", type(None): None, datetime: AT, date: AT.date(),
    timedelta: timedelta(1),
}  # fmt: skip

OF_COLUMNS: dict[str, Any] = {
    "text": str, "text[]": list[str], "int32": int, "int64": int, "int64[]": list[int], "double": float, "bool": bool,
    "timestamp": datetime,
}  # fmt: skip


class Samples:
    """Makes values of types.

    Args:
        text: What each text of others is.
        is_sparse: Whether what may be missing is missing, and numbers are zero.
    """

    def __init__(self, text: str, *, is_sparse: bool = False) -> None:
        self.text = text
        self._is_sparse = is_sparse

    def of(self, kind: Any, place: str = "") -> Any:
        """Return a value of a type.

        Args:
            place: The field that it is for, such as `Example.url`.
        """
        if place in WORDS:
            return WORDS[place]
        if place in MADE:
            return MADE[place](self)
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self.of(arguments[0], place)
        if origin in (Union, types.UnionType):
            if self._is_sparse and type(None) in arguments and place not in NEVER_MISSING:
                return None
            return self.of(next(part for part in arguments if part is not type(None)), place)
        if origin is Literal:
            return arguments[0]
        if origin is tuple and arguments[-1] is not ...:
            return tuple(self.of(part, place) for part in arguments)
        if origin in (dict, collections.abc.Mapping):
            if place in ROWS:
                return self._row(ROWS[place])
            return {self.of(arguments[0], place): self.of(arguments[1], place)}
        if origin is not None and issubclass(origin, collections.abc.Iterable):
            items = [self.of(arguments[0], place)]
            if origin is collections.abc.Iterator:
                return iter(items)
            return items if inspect.isabstract(origin) else origin(items)
        if origin is not None:
            return self._object(origin, dict(zip(origin.__parameters__, arguments, strict=True)))
        return self._plain(kind, place)

    def _plain(self, kind: Any, place: str) -> Any:
        if kind in (str, object, Any):
            return "own" if place in OWN else self.text
        if kind is Path:
            return Path(self.text)
        if self._is_sparse and kind in (int, float, bool):
            return kind(0)
        if kind in PLAIN:
            return PLAIN[kind]
        if issubclass(kind, RuleInfo):
            return registry.rule("LOC001")
        if issubclass(kind, Robots):
            lines = f"User-agent: *\nUser-agent: {self.text}\nDisallow: /{self.text}\nSitemap: /{self.text}\n"
            return Robots.parse(lines.encode(errors="replace"), self.text)
        if issubclass(kind, KnownAgent):
            return KNOWN_AGENTS[0]
        if issubclass(kind, Enum):
            return list(kind)[-1 if self._is_sparse else 0]
        return self._object(kind, {})

    def _object(self, kind: type, parameters: Mapping[Any, Any]) -> Any:
        """Return an object with all of its fields."""
        hints = _hints(kind)
        values = {}
        for name in field_names(kind):
            hint = parameters.get(hints[name], hints[name])
            if unknown := getattr(hint, "__parameters__", ()):
                hint = hint[tuple(parameters[one] for one in unknown)]
            values[name] = self.of(hint, f"{kind.__name__}.{name}")
        return kind(**values)

    def _row(self, table: str) -> dict[str, Any]:
        made = {column.name: self.of(OF_COLUMNS[column.type]) for column in TABLES[table].columns}
        return made | {name: value for name, value in COLUMNS.items() if name in made}


def _verdict(samples: Samples) -> list[Any]:
    page = samples.of(PageVerdict)
    return [getattr(page, name) for name in field_names(PageVerdict)]


def _findings(samples: Samples) -> tuple[Finding, ...]:
    finding = samples.of(Finding)
    return finding, structs.replace(finding, rule=registry.rule("LOC002"), examples=())


MADE: dict[str, Callable[[Samples], Any]] = {
    "Page.checks": lambda samples: [samples.of(CheckResult).to_dict()],
    "PageList.columns": lambda _: field_names(PageVerdict),
    "PageList.rows": lambda samples: iter([_verdict(samples)]),
    "Report.findings": _findings,
    "QueryResult.rows": lambda samples: iter([("changed", samples.text, samples.text, samples.text)]),
}
"""Fields whose types do not say what is in them."""


def field_names(kind: Any) -> list[str]:
    if issubclass(kind, Struct):
        return [field.name for field in structs.fields(kind)]
    return [field.name for field in dataclasses.fields(kind) if field.init]


def _hints(kind: type) -> dict[str, Any]:
    """Return the types of the fields of a class."""
    names: dict[str, Any] = {}
    for cls in reversed(kind.__mro__):
        if cls.__module__.startswith("urlset."):
            names |= _names(cls.__module__)
    return get_type_hints(kind, localns=names, include_extras=True)


@cache
def _names(module: str) -> dict[str, Any]:
    """Return the names of a module, with those that it imports only for type checkers."""
    names: dict[str, Any] = {"ArrowStream": object}
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if isinstance(node, ast.ImportFrom) and node.module not in (None, "_typeshed"):
            source = import_module(str(node.module))
            names |= {part.asname or part.name: getattr(source, part.name, object) for part in node.names}
    return names | vars(sys.modules[module])
