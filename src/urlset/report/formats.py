"""Output formats of each command and their renderers, which are imported on use."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct, structs

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


OF_FILES = frozenset({Form.CONCISE, Form.SARIF, Form.JUNIT, Form.GITHUB, Form.GITLAB, Form.LLM})
"""Formats whose readers open, annotate, or repair files."""

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


class CommandOutput(Struct, frozen=True):
    """What a command writes.

    Attributes:
        of: The class of its result: a module of urlset, and the name of the class in it.
        formats: What renders the result, by format: a module of urlset with a function `render`, or `module:function`,
            such as the forms of a table. A module is in `report`, or with the capability that it shows.
        several: Whether the command shows a sequence of such results.
    """

    of: str
    formats: Mapping[str, str]
    several: bool = False


OUTPUTS: dict[str, CommandOutput] = {
    "validate": CommandOutput(
        "model.report:Report",
        {form.value: f"report.{form.value}" for form in Form}
        | {"csv": "report.command_tables:FINDINGS.csv", "json": "report.json_outputs:VALIDATE.json"},
    ),
    # What `validate --statistics` writes.
    "statistics": CommandOutput(
        "model.report:Report",
        {
            "text": "report.statistics:text",
            "json": "report.json_outputs:STATISTICS.json",
            "jsonl": "report.statistics:jsonl",
            "csv": "report.command_tables:STATISTICS.csv",
            "markdown": "report.statistics:markdown",
            "none": "report.none",
        },
    ),
    # The other formats of these two are those of `validate`, for the report of their findings.
    "audit": CommandOutput(
        "model.audit:AuditResult",
        {
            "text": "report.audit:text",
            "json": "report.json_outputs:AUDIT.json",
            "markdown": "report.audit:markdown",
            "llm": "report.audit:llm",
        },
    ),
    "logs": CommandOutput(
        "model.access_log:LogsResult",
        {
            "text": "access_logs.render_text",
            "json": "report.json_outputs:LOGS.json",
            "csv": "access_logs.render_text:CRAWLERS.csv",
        },
    ),
    # The other formats of this one, too.
    "deploy-check": CommandOutput(
        "model.deploy_check:DeployCheck",
        {
            "text": "deployment.render:text",
            "json": "report.json_outputs:DEPLOY_CHECK.json",
            "pr": "deployment.render:comment",
        },
    ),
    # --badge writes the badge.
    "check": CommandOutput(
        "model.check:CheckResult",
        {
            "text": "report.check:text",
            "json": "report.json_outputs:CHECK.json",
            "markdown": "report.check:markdown",
            "llm": "report.check:llm",
            "badge": "report.check:badge",
        },
        several=True,
    ),
    "check --clients": CommandOutput(
        "model.client_check:ClientCheck",
        {
            "text": "clients.render:text",
            "json": "report.json_outputs:CLIENTS.json",
            "markdown": "clients.render:markdown",
            "llm": "clients.render:llm",
        },
    ),
    "inspect": CommandOutput(
        "model.document:InspectReport",
        {"text": "report.inspect_text", "json": "report.json_outputs:INSPECT.json", "llm": "report.inspect_llm"},
    ),
    "diff": CommandOutput(
        "model.comparison:Comparison",
        {
            "text": "comparison.render_text",
            "json": "report.json_outputs:DIFF.json",
            "pr": "comparison.render_pr",
            "github": "comparison.render_github",
            "llm": "comparison.render_llm",
        },
    ),
    # What `audit` writes for the URL of a page.
    "page": CommandOutput(
        "model.page_explanation:PageExplanation",
        {
            "text": "report.page:text",
            "json": "report.json_outputs:PAGE.json",
            "llm": "report.page:explanation_for_models",
        },
    ),
    "pages": CommandOutput(
        "model.page_list:PageList",
        {
            "text": "report.pages:text",
            "csv": "report.command_tables:QUERY.csv",
            "json": "report.command_tables:QUERY.json",
            "jsonl": "report.command_tables:QUERY.jsonl",
            "llm": "report.pages:llm",
        },
    ),
    # What `diff --urls` writes.
    "urls": CommandOutput(
        "model.query:QueryResult",
        {
            "text": "comparison.render:urls",
            "csv": "report.command_tables:QUERY.csv",
            "jsonl": "report.command_tables:QUERY.jsonl",
        },
    ),
    "lastmod": CommandOutput(
        "model.lastmod:DateTrust",
        {
            "text": "comparison.render:dates",
            "json": "report.json_outputs:DATES.json",
            "csv": "comparison.render:DATES.csv",
        },
    ),
    # What `explain` writes of the URL of a page.
    "explain": CommandOutput("model.build:Lastmod", {"text": "build.render_text:lastmod"}),
    # What `diff --redirects` writes.
    "redirects": CommandOutput(
        "model.redirects:CheckedRedirects",
        {
            "text": "comparison.render:redirects",
            "csv": "comparison.render:REDIRECTS.csv",
            "jsonl": "comparison.render:REDIRECTS.jsonl",
        },
    ),
    "discover": CommandOutput(
        "model.discovery:Discovery",
        {"text": "report.discover_text", "json": "report.json_outputs:DISCOVERY.json"},
        several=True,
    ),
    "robots": CommandOutput(
        "model.robots:RobotsReport",
        {"text": "report.robots:text", "json": "report.json_outputs:ROBOTS.json", "llm": "report.robots:llm"},
    ),
    "robots --policy": CommandOutput(
        "model.policy:PolicyReport", {"text": "clients.render_policy", "json": "report.json_outputs:POLICY.json"}
    ),
    "robots --write-policy": CommandOutput(
        "model.policy:PolicyFile",
        {"text": "clients.render_policy:written", "json": "report.json_outputs:POLICY_FILE.json"},
    ),
    "agents": CommandOutput(
        "web.agents:KnownAgent",
        {"text": "report.reference:crawler_list", "json": "report.json_outputs:AGENTS.json"},
        several=True,
    ),
    "fix": CommandOutput("model.fix:FixReport", {"text": "repair.render", "json": "report.json_outputs:FIX.json"}),
    "build": CommandOutput(
        "model.build:BuildReport", {"text": "build.render_text", "json": "report.json_outputs:BUILD.json"}
    ),
    "notify": CommandOutput(
        "model.notification:NotifyResult",
        {"text": "indexnow.render:notify", "json": "report.json_outputs:NOTIFY.json"},
    ),
    "monitor": CommandOutput(
        "model.monitoring:MonitorResult", {"text": "monitor.render:text", "json": "report.json_outputs:MONITOR.json"}
    ),
    "key": CommandOutput(
        "model.notification:NewKey", {"text": "indexnow.render:key", "json": "report.json_outputs:KEY.json"}
    ),
    "key new": CommandOutput(
        "model.signing:NewSigningKey",
        {"text": "clients.render:signing_key", "json": "report.json_outputs:SIGNING_KEY.json"},
    ),
    "coverage": CommandOutput(
        "model.coverage:CoverageResult",
        {
            "text": "coverage.render:text",
            "json": "report.json_outputs:COVERAGE.json",
            "csv": "coverage.render:FUNNEL.csv",
            "markdown": "coverage.render:markdown",
        },
    ),
    "coverage --clock": CommandOutput(
        "model.clock:ClockResult",
        {
            "text": "coverage.render_clock:text",
            "json": "report.json_outputs:CLOCK.json",
            "csv": "coverage.render_clock:TIMES.csv",
            "markdown": "coverage.render_clock:markdown",
        },
    ),
    "coverage diff": CommandOutput(
        "model.coverage_diff:CoverageDiff",
        {"text": "comparison.render_states:state_changes", "json": "report.json_outputs:COVERAGE_DIFF.json"},
    ),
    "coverage import": CommandOutput(
        "model.coverage:ImportResult",
        {"text": "coverage.render_reports:imports", "json": "report.json_outputs:IMPORT.json"},
    ),
    "coverage inspect": CommandOutput(
        "model.coverage:InspectResult",
        {"text": "coverage.render_reports:inspections", "json": "report.json_outputs:INSPECTION.json"},
    ),
    "coverage impressions": CommandOutput(
        "model.impressions:ImpressionsResult",
        {"text": "coverage.render_reports:impressions", "json": "report.json_outputs:IMPRESSIONS.json"},
    ),
    "coverage sitemaps": CommandOutput(
        "model.reported:ReportedSitemaps",
        {"text": "coverage.render_reports:sitemaps", "json": "report.json_outputs:REPORTED.json"},
    ),
    "rules": CommandOutput(
        "model.reference:ListedRule",
        {"text": "report.reference:rule_list", "json": "report.json_outputs:RULES.json"},
        several=True,
    ),
    "config": CommandOutput(
        "model.reference:EffectiveConfiguration",
        {"text": "report.reference:configuration_lines", "json": "report.json_outputs:CONFIG.json"},
    ),
    "cache": CommandOutput(
        "model.reference:CacheState",
        {"text": "report.reference:cache_size", "json": "report.json_outputs:CACHE.json"},
    ),
    "history": CommandOutput(
        "model.run:RunRow",
        {"text": "report.command_tables:RUNS.text", "json": "report.json_outputs:HISTORY.json"},
        several=True,
    ),
    "sql": CommandOutput(
        "model.query:QueryReport",
        {
            "table": "report.command_tables:QUERY.text",
            "csv": "report.command_tables:QUERY.csv",
            "json": "report.command_tables:QUERY.json",
            "jsonl": "report.command_tables:QUERY.jsonl",
            "llm": "report.command_tables:QUERY.llm",
        },
    ),
    # What `urlset mcp` says about one URL.
    "mcp page": CommandOutput("model.url_facts:UrlFacts", {"llm": "report.page:llm"}, several=True),
    "report": CommandOutput("model.report_page:Page", {"html": "report.html.template"}),
}
"""What each command writes. Nothing of it is imported until it is needed."""

PARTS: Mapping[str, str] = {
    "clients": "clients.render",
    "coverage": "coverage.render",
    "diff": "comparison.render_text",
    "impressions": "coverage.render_reports",
    "links": "links.render",
    "logs": "access_logs.render_text",
    "policy": "clients.render_policy",
    "schema": "schema.render",
}
"""The module that shows parts of a capability in the output of other commands, and in the HTML report."""

_COMMANDS: Mapping[str, str] = {output.of: command for command, output in reversed(OUTPUTS.items())}
"""The command that shows the results of a class: the first one."""


def render(command: str, form: str, model: object, style: Style = Style()) -> Iterator[str]:
    """Return a command's output in a format, as pieces of text, each without its trailing line feed.

    Args:
        command: A key of `OUTPUTS`.
        form: One of its formats.
        model: Result of the command; all renderers of a command take the same type.
    """
    pieces: Iterator[str] = renderer(OUTPUTS[command].formats[form])(model, style)
    return pieces


def part(name: str) -> Callable[..., Any]:
    """Return the function that shows a part of a capability: a key of `PARTS` and its name, such as `links.text`."""
    capability, _, function = name.partition(".")
    return renderer(f"{PARTS[capability]}:{function}")


def renderer(name: str) -> Callable[..., Any]:
    """Return the function that `CommandOutput.formats` names."""
    module, _, function = name.partition(":")
    named: Callable[..., Any] = attrgetter(function or "render")(import_module(f"urlset.{module}"))
    return named


def render_result(result: object, form: str, style: Style) -> str:
    """Return a result of a public function as the text that its command writes.

    Args:
        result: An instance of `CommandOutput.of`; of commands that show several, also a sequence of them.

    Raises:
        UsageError: No command shows such a result, or not in this format.
    """
    is_list = isinstance(result, list | tuple)
    first = next(iter(result), None) if isinstance(result, list | tuple) else result
    cls = type(first)
    command = _COMMANDS.get(f"{cls.__module__.removeprefix('urlset.')}:{cls.__name__}", "")
    if not command or (is_list and not OUTPUTS[command].several):
        raise UsageError(f"{type(result).__name__} is not the result of a command, so it cannot be rendered")
    model: object = [result] if OUTPUTS[command].several and not is_list else result
    if command == "build":
        from urlset.model.build_result import BuildResult

        model = BuildResult(cast("BuildReport", result))
    if form not in OUTPUTS[command].formats and (report := _report_of(model)) is not None:
        command, model = "validate", report
    formats = OUTPUTS[command].formats
    if form not in formats:
        raise UsageError(f"{command}: no such format {form!r}; use {enumeration([*formats], 'or')}")
    return "".join(f"{piece}\n" for piece in render(command, form, model, replace(style, several=is_list)))


def _report_of(model: object) -> Report | None:
    """Return the findings of a result that has the formats of `validate` next to its own."""
    from urlset.model.access_log import LogsResult
    from urlset.model.audit import AuditResult
    from urlset.model.deploy_check import DeployCheck

    match model:
        case AuditResult() | DeployCheck():
            return model.report
        case LogsResult(crawl=crawl) if crawl is not None:
            return structs.replace(crawl.report, unreadable=model.unreadable)
        case _:
            return None
