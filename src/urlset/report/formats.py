"""Output formats of each command and their renderers, which are imported on use."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, cast

from urlset.errors import UsageError
from urlset.report.style import Style
from urlset.sizes import enumerated

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
    "validate": {form.value: form.value for form in Form} | {"csv": "tables:FINDINGS.csv"},
    # What `validate --statistics` writes.
    "statistics": {
        "text": "statistics:text",
        "json": "statistics:json",
        "jsonl": "statistics:jsonl",
        "csv": "tables:STATISTICS.csv",
        "markdown": "statistics:markdown",
        "none": "none",
    },
    # The other formats of these two are those of `validate`, for the report of their findings.
    "audit": {"text": "audit_text", "json": "audit_json", "markdown": "audit_markdown", "llm": "audit_llm"},
    "logs": {"text": "logs_text", "json": "logs_json", "csv": "tables:CRAWLERS.csv"},
    # --badge writes the badge.
    "check": {
        "text": "check_text",
        "json": "check_json",
        "markdown": "check_markdown",
        "llm": "check_llm",
        "badge": "badge",
    },
    "check --clients": {
        "text": "clients_text",
        "json": "json_objects:CLIENTS.json",
        "markdown": "clients_markdown",
        "llm": "clients_llm",
    },
    "inspect": {"text": "inspect_text", "json": "inspect_json", "llm": "inspect_llm"},
    "diff": {"text": "changes_text", "json": "changes_json", "pr": "changes_pr", "llm": "changes_llm"},
    # What `audit` writes for the URL of a page.
    "page": {"text": "page_text", "json": "json_objects:PAGE.json"},
    "pages": {
        "text": "pages_text",
        "csv": "tables:QUERY.csv",
        "json": "tables:QUERY.json",
        "jsonl": "tables:QUERY.jsonl",
        "llm": "pages_llm",
    },
    # What `diff --urls` writes.
    "urls": {"text": "urls_text", "csv": "tables:QUERY.csv", "jsonl": "tables:QUERY.jsonl"},
    "lastmod": {"text": "lastmod_text", "json": "json_objects:DATES.json", "csv": "tables:DATES.csv"},
    # What `diff --redirects` writes.
    "redirects": {"text": "redirects_text", "csv": "tables:REDIRECTS.csv", "jsonl": "tables:REDIRECTS.jsonl"},
    "discover": {"text": "discover_text", "json": "json_objects:DISCOVERY.json"},
    "robots": {"text": "robots_text", "json": "json_objects:ROBOTS.json"},
    "robots --policy": {"text": "policy_text", "json": "json_objects:POLICY.json"},
    "agents": {"text": "agents_text", "json": "json_objects:AGENTS.json"},
    "fix": {"text": "fix_text", "json": "json_objects:FIX.json"},
    "build": {"text": "build_text", "json": "build_json"},
    "notify": {"text": "notify_text", "json": "json_objects:NOTIFY.json"},
    "monitor": {"text": "monitor_text", "json": "monitor_json"},
    "key": {"text": "key_text", "json": "json_objects:KEY.json"},
    "key new": {"text": "signing_key_text", "json": "json_objects:SIGNING_KEY.json"},
    "coverage": {
        "text": "coverage_text",
        "json": "coverage_json",
        "csv": "tables:FUNNEL.csv",
        "markdown": "coverage_markdown",
    },
    "coverage import": {"text": "import_text", "json": "json_objects:IMPORT.json"},
    "coverage inspect": {"text": "inspection_text", "json": "json_objects:INSPECTION.json"},
    "coverage sitemaps": {"text": "reported_text", "json": "json_objects:REPORTED.json"},
    "rules": {"text": "rules_text", "json": "json_objects:RULES.json"},
    "config": {"text": "config_text", "json": "json_objects:CONFIG.json"},
    "cache": {"text": "cache_text", "json": "json_objects:CACHE.json"},
    "history": {"text": "tables:RUNS.text", "json": "json_objects:HISTORY.json"},
    "sql": {
        "table": "tables:QUERY.text",
        "csv": "tables:QUERY.csv",
        "json": "tables:QUERY.json",
        "jsonl": "tables:QUERY.jsonl",
        "llm": "rows_llm",
    },
    # What `urlset mcp` says about one URL.
    "mcp page": {"llm": "page_llm"},
    "report": {"html": "html.render"},
}
"""What renders the output of a command, by command and format: a module of this package with a function `render`, or
`module:function`, such as the forms of a table in `tables`."""


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
        command: Name of the command, a key of `FORMATS`.
        form: Name of the format, a key of `FORMATS[command]`.
        model: Result of the command; all renderers of a command take the same type.
        style: Display options.
    """
    return renderer(FORMATS[command][form])(model, style)


def renderer(name: str) -> Callable[[object, Style], Iterator[str]]:
    """Return the function that an entry of `FORMATS` names."""
    module, _, function = name.partition(":")
    found: Callable[[object, Style], Iterator[str]] = attrgetter(function or "render")(
        import_module(f"urlset.report.{module}")
    )
    return found


def rendered(result: object, form: str, style: Style) -> str:
    """Return a result of a public function as the text that its command writes.

    Args:
        result: An instance of a class of `RESULTS`; of the commands in `SEVERAL`, also a sequence of them.
        form: Name of the format.
        style: Display options.

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
        raise UsageError(f"{command}: no such format {form!r}; use {enumerated([*FORMATS[command]], 'or')}")
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
