"""Output formats of each command and their renderers, which are imported on use."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING

from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Form(StrEnum):
    """Report format of `validate`; the value is its name on the command line."""

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


FORMATS: Mapping[str, Mapping[str, str]] = {
    "validate": {
        "text": "text",
        "concise": "concise",
        "json": "json",
        "jsonl": "jsonl",
        "csv": "csv",
        "markdown": "markdown",
        "sarif": "sarif",
        "junit": "junit",
        "github": "github",
        "gitlab": "gitlab",
        "llm": "llm",
        "none": "none",
    },
    # What `validate --statistics` writes.
    "statistics": {
        "text": "statistics_text",
        "json": "statistics_json",
        "jsonl": "statistics_jsonl",
        "csv": "statistics_csv",
        "markdown": "statistics_markdown",
        "none": "none",
    },
    # The other formats of these two are those of `validate`, for the report of their findings.
    "audit": {"text": "audit_text", "json": "audit_json", "markdown": "audit_markdown", "llm": "audit_llm"},
    "logs": {"text": "logs_text", "json": "logs_json", "csv": "logs_csv"},
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
        "json": "clients_json",
        "markdown": "clients_markdown",
        "llm": "clients_llm",
    },
    "inspect": {"text": "inspect_text", "json": "inspect_json", "llm": "inspect_llm"},
    "diff": {"text": "changes_text", "json": "changes_json", "pr": "changes_pr", "llm": "changes_llm"},
    # What `audit` writes for the URL of a page.
    "page": {"text": "page_text", "json": "page_json"},
    "pages": {
        "text": "pages_text",
        "csv": "pages_csv",
        "json": "pages_json",
        "jsonl": "pages_jsonl",
        "llm": "pages_llm",
    },
    # What `diff --urls` writes.
    "urls": {"text": "urls_text", "csv": "rows_csv", "jsonl": "rows_jsonl"},
    "lastmod": {"text": "lastmod_text", "json": "lastmod_json", "csv": "lastmod_csv"},
    # What `diff --redirects` writes.
    "redirects": {"text": "redirects_text", "csv": "redirects_csv", "jsonl": "redirects_jsonl"},
    "discover": {"text": "discover_text", "json": "discover_json"},
    "robots": {"text": "robots_text", "json": "robots_json"},
    "robots --policy": {"text": "policy_text", "json": "policy_json"},
    "agents": {"text": "agents_text", "json": "agents_json"},
    "fix": {"text": "fix_text", "json": "fix_json"},
    "build": {"text": "build_text", "json": "build_json"},
    "notify": {"text": "notify_text", "json": "notify_json"},
    "monitor": {"text": "monitor_text", "json": "monitor_json"},
    "key": {"text": "key_text", "json": "key_json"},
    "key new": {"text": "signing_key_text", "json": "signing_key_json"},
    "coverage": {
        "text": "coverage_text",
        "json": "coverage_json",
        "csv": "coverage_csv",
        "markdown": "coverage_markdown",
    },
    "coverage import": {"text": "import_text", "json": "import_json"},
    "coverage inspect": {"text": "inspection_text", "json": "inspection_json"},
    "coverage sitemaps": {"text": "reported_text", "json": "reported_json"},
    "rules": {"text": "rules_text", "json": "rules_json"},
    "config": {"text": "config_text", "json": "config_json"},
    "cache": {"text": "cache_text", "json": "cache_json"},
    "history": {"text": "history_text", "json": "history_json"},
    "sql": {"table": "rows_text", "csv": "rows_csv", "json": "rows_json", "jsonl": "rows_jsonl", "llm": "rows_llm"},
    # What `urlset mcp` says about one URL.
    "mcp page": {"llm": "page_llm"},
    "report": {"html": "html.render"},
}
"""Module of this package that renders the output of a command, by command and format."""


def render(command: str, form: str, model: object, style: Style = Style()) -> Iterator[str]:
    """Return a command's output in a format, as pieces of text, each without its trailing line feed.

    Args:
        command: Name of the command, a key of `FORMATS`.
        form: Name of the format, a key of `FORMATS[command]`.
        model: Result of the command; all renderers of a command take the same type.
        style: Display options.
    """
    pieces: Iterator[str] = import_module(f"urlset.report.{FORMATS[command][form]}").render(model, style)
    return pieces
