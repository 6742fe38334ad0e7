"""The formats of each command's output, and the renderer that makes each. A renderer is imported on use."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING

from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Form(StrEnum):
    """A format of the report of `validate`; the value is its name on the command line."""

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
    # Its other formats are those of `validate`, of its report.
    "audit": {"text": "audit_text", "json": "audit_json"},
    # The badge is what --badge writes.
    "check": {"text": "check_text", "json": "check_json", "markdown": "check_markdown", "badge": "badge"},
    "inspect": {"text": "inspect_text", "json": "inspect_json"},
    "diff": {"text": "changes_text", "json": "changes_json"},
    "discover": {"text": "discover_text", "json": "discover_json"},
    "robots": {"text": "robots_text", "json": "robots_json"},
    "fix": {"text": "fix_text", "json": "fix_json"},
    "build": {"text": "build_text", "json": "build_json"},
    "rules": {"text": "rules_text", "json": "rules_json"},
    "config": {"text": "config_text", "json": "config_json"},
    "cache": {"text": "cache_text", "json": "cache_json"},
    "history": {"text": "history_text", "json": "history_json"},
    "sql": {"table": "rows_text", "csv": "rows_csv", "json": "rows_json", "jsonl": "rows_jsonl"},
    "report": {"html": "html.render"},
}
"""The module of this package that renders a command's output in a format, by command and format."""

READ_IN_LOGS = frozenset({"text", "concise", "table"})
"""Formats that land in the log of a CI system, whose lines must not be taken for commands to it."""


def render(command: str, form: str, model: object, style: Style = Style()) -> Iterator[str]:
    """Return a command's output in a format, as pieces of text, each to be followed by a line feed.

    Args:
        command: The command, as `FORMATS` names it.
        form: The format, as `FORMATS` names it.
        model: What the command has to show; every renderer of one command takes the same.
        style: How to show it.
    """
    pieces: Iterator[str] = import_module(f"urlset.report.{FORMATS[command][form]}").render(model, style)
    return pieces
