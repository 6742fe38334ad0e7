"""Output formats of each command and their renderers, which are imported on use."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, cast

from urlset.errors import UsageError
from urlset.report.style import Style
from urlset.text.sizes import enumeration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from urlset.model.build import BuildReport
    from urlset.model.report import Report


class Form(StrEnum):
    """Report format of `validate`; the value is its name on the command line, and that of its module.

    Tests require that a format also shows that there are no findings, and which targets could not be read.
    """

    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    MARKDOWN = "markdown"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    GITLAB = "gitlab"
    LLM = "llm"
    NONE = "none"


ENDINGS: Mapping[str, Form] = {
    ".sarif": Form.SARIF,
    ".sarif.json": Form.SARIF,
    ".json": Form.JSON,
    ".jsonl": Form.JSONL,
    ".ndjson": Form.JSONL,
    ".csv": Form.CSV,
    ".md": Form.MARKDOWN,
    ".markdown": Form.MARKDOWN,
    ".xml": Form.JUNIT,
    ".txt": Form.TEXT,
}
"""The format of a file by its extension, for formats that have one."""

FORMATS: Mapping[str, Mapping[str, str]] = {
    "validate": {form.value: f"report.{form.value}" for form in Form}
    | {"csv": "report.command_tables:FINDINGS.csv", "json": "report.validate_json:VALIDATE.json"},
    # What `validate --statistics` writes.
    "statistics": {
        "text": "report.statistics:text",
        "json": "report.validate_json:STATISTICS.json",
        "jsonl": "report.statistics:jsonl",
        "csv": "report.command_tables:STATISTICS.csv",
        "markdown": "report.statistics:markdown",
        "none": "report.none",
    },
    # The other formats of these two are those of `validate`, for the report of their findings.
    "audit": {
        "text": "report.audit:text",
        "json": "report.audit_json:AUDIT.json",
        "markdown": "report.audit:markdown",
        "llm": "report.audit:llm",
    },
    "logs": {
        "text": "access_logs.render_text",
        "json": "access_logs.render_json:LOGS.json",
        "csv": "access_logs.render_text:CRAWLERS.csv",
    },
    # --badge writes the badge.
    "check": {
        "text": "report.check:text",
        "json": "report.check_json:CHECK.json",
        "markdown": "report.check:markdown",
        "llm": "report.check:llm",
        "badge": "report.check:badge",
    },
    "check --clients": {
        "text": "report.clients:text",
        "json": "clients.render_json:CLIENTS.json",
        "markdown": "report.clients:markdown",
        "llm": "report.clients:llm",
    },
    "inspect": {"text": "report.inspect_text", "json": "report.inspect_json:INSPECT.json", "llm": "report.inspect_llm"},
    "diff": {
        "text": "report.changes:text",
        "json": "comparison.render_json:DIFF.json",
        "pr": "report.changes_pr",
        "llm": "report.changes:llm",
    },
    # What `audit` writes for the URL of a page.
    "page": {"text": "report.page:text", "json": "report.page_json:PAGE.json"},
    "pages": {
        "text": "report.pages:text",
        "csv": "report.command_tables:QUERY.csv",
        "json": "report.command_tables:QUERY.json",
        "jsonl": "report.command_tables:QUERY.jsonl",
        "llm": "report.pages:llm",
    },
    # What `diff --urls` writes.
    "urls": {
        "text": "comparison.render:urls",
        "csv": "report.command_tables:QUERY.csv",
        "jsonl": "report.command_tables:QUERY.jsonl",
    },
    "lastmod": {
        "text": "comparison.render:dates",
        "json": "comparison.render_json:DATES.json",
        "csv": "comparison.render:DATES.csv",
    },
    # What `diff --redirects` writes.
    "redirects": {
        "text": "comparison.render:redirects",
        "csv": "comparison.render:REDIRECTS.csv",
        "jsonl": "comparison.render:REDIRECTS.jsonl",
    },
    "discover": {"text": "report.discover_text", "json": "report.check_json:DISCOVERY.json"},
    "robots": {"text": "report.robots:text", "json": "report.robots_json:ROBOTS.json"},
    "robots --policy": {"text": "clients.render:policy", "json": "clients.render_json:POLICY.json"},
    "agents": {"text": "report.reference:crawler_list", "json": "report.reference_json:AGENTS.json"},
    "fix": {"text": "repair.render", "json": "repair.render_json:FIX.json"},
    "build": {"text": "build.render_text", "json": "build.render_json:BUILD.json"},
    "notify": {"text": "indexnow.render:notify", "json": "indexnow.render_json:NOTIFY.json"},
    "monitor": {"text": "monitor.render:text", "json": "monitor.render_json:MONITOR.json"},
    "key": {"text": "indexnow.render:key", "json": "indexnow.render_json:KEY.json"},
    "key new": {"text": "clients.render:signing_key", "json": "clients.render_json:SIGNING_KEY.json"},
    "coverage": {
        "text": "coverage.render:text",
        "json": "coverage.render_json:COVERAGE.json",
        "csv": "coverage.render:FUNNEL.csv",
        "markdown": "coverage.render:markdown",
    },
    "coverage import": {"text": "coverage.render_reports:imports", "json": "coverage.render_json:IMPORT.json"},
    "coverage inspect": {"text": "coverage.render_reports:inspections", "json": "coverage.render_json:INSPECTION.json"},
    "coverage sitemaps": {"text": "coverage.render_reports:sitemaps", "json": "coverage.render_json:REPORTED.json"},
    "rules": {"text": "report.reference:rule_list", "json": "report.reference_json:RULES.json"},
    "config": {"text": "report.reference:configuration_lines", "json": "report.reference_json:CONFIG.json"},
    "cache": {"text": "report.reference:cache_size", "json": "report.reference_json:CACHE.json"},
    "history": {"text": "report.command_tables:RUNS.text", "json": "report.reference_json:HISTORY.json"},
    "sql": {
        "table": "report.command_tables:QUERY.text",
        "csv": "report.command_tables:QUERY.csv",
        "json": "report.command_tables:QUERY.json",
        "jsonl": "report.command_tables:QUERY.jsonl",
        "llm": "report.command_tables:QUERY.llm",
    },
    # What `urlset mcp` says about one URL.
    "mcp page": {"llm": "report.page:llm"},
    "report": {"html": "report.html.template"},
}
"""What renders the output of a command, by command and format: a module of urlset with a function `render`, or
`module:function`, such as the forms of a table. A module is in `report`, or with the capability that it shows."""


JSON_OF: Mapping[str, str] = {
    "model.access_log": "access_logs.render_json",
    "model.audit": "report.audit_json",
    "model.build": "build.render_json",
    "model.build_result": "build.render_json",
    "model.check": "report.check_json",
    "model.comparison": "comparison.render_json",
    "model.coverage": "coverage.render_json",
    "model.crawl_report": "access_logs.render_json",
    "model.discovery": "report.check_json",
    "model.document": "report.inspect_json",
    "model.finding": "report.validate_json",
    "model.fix": "repair.render_json",
    "model.lastmod": "comparison.render_json",
    "model.monitoring": "monitor.render_json",
    "model.notification": "indexnow.render_json",
    "model.page_explanation": "report.page_json",
    "model.page_list": "report.audit_json",
    "model.reference": "report.reference_json",
    "model.report": "report.validate_json",
    "model.robots": "report.robots_json",
    "model.run": "report.reference_json",
    "web.robots_content": "report.robots_json",
}
"""The module with the members of the JSON of classes, by the module of the classes. By default, members are fields."""

RESULTS: Mapping[str, str] = {
    "Report": "validate",
    "AuditResult": "audit",
    "BuildReport": "build",
    "CheckResult": "check",
    "ClientCheck": "check --clients",
    "Comparison": "diff",
    "CoverageResult": "coverage",
    "DateTrust": "lastmod",
    "Discovery": "discover",
    "FixReport": "fix",
    "ImportResult": "coverage import",
    "InspectReport": "inspect",
    "InspectResult": "coverage inspect",
    "LogsResult": "logs",
    "NotifyResult": "notify",
    "PageExplanation": "page",
    "QueryReport": "sql",
    "RobotsReport": "robots",
    "RunRow": "history",
}
"""The command that shows a result, by its class."""

SEVERAL = ("check", "discover", "history")
"""Commands that show a sequence of such results."""


def render(command: str, form: str, model: object, style: Style = Style()) -> Iterator[str]:
    """Return a command's output in a format, as pieces of text, each without its trailing line feed.

    Args:
        command: A key of `FORMATS`.
        form: A key of `FORMATS[command]`.
        model: Result of the command; all renderers of a command take the same type.
    """
    return renderer(FORMATS[command][form])(model, style)


def renderer(name: str) -> Callable[[object, Style], Iterator[str]]:
    """Return the function that an entry of `FORMATS` names."""
    module, _, function = name.partition(":")
    generate: Callable[[object, Style], Iterator[str]] = attrgetter(function or "render")(
        import_module(f"urlset.{module}")
    )
    return generate


def render_result(result: object, form: str, style: Style) -> str:
    """Return a result of a public function as the text that its command writes.

    Args:
        result: An instance of a class of `RESULTS`; of the commands in `SEVERAL`, also a sequence of them.

    Raises:
        UsageError: No command shows such a result, or not in this format.
    """
    is_list = isinstance(result, list | tuple)
    first = next(iter(result), None) if isinstance(result, list | tuple) else result
    command = RESULTS.get(type(first).__name__, "")
    if not command or (is_list and command not in SEVERAL):
        raise UsageError(f"{type(result).__name__} is not the result of a command, so it cannot be rendered")
    model: object = [result] if command in SEVERAL and not is_list else result
    if command == "build":
        from urlset.model.build_result import BuildResult

        model = BuildResult(cast("BuildReport", result))
    if form not in FORMATS[command] and (report := _report_of(model)) is not None:
        command, model = "validate", report
    if form not in FORMATS[command]:
        raise UsageError(f"{command}: no such format {form!r}; use {enumeration([*FORMATS[command]], 'or')}")
    return "".join(f"{piece}\n" for piece in render(command, form, model, replace(style, several=is_list)))


def _report_of(model: object) -> Report | None:
    """Return the findings of a result that has the formats of `validate` next to its own."""
    from urlset.model.access_log import LogsResult
    from urlset.model.audit import AuditResult

    match model:
        case AuditResult():
            return model.report
        case LogsResult(crawl=crawl) if crawl is not None:
            return replace(crawl.report, unreadable=model.unreadable)
        case _:
            return None
