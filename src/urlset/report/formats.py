"""The forms that the report of `validate` can take, and which renderer makes each. A renderer is imported on use."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from urlset.config import FailOn
from urlset.report.paint import Paint, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.model.report import Report


class Form(StrEnum):
    """A form of text; the value is its name on the command line, and nothing else lists them."""

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


READ_IN_LOGS = frozenset({Form.TEXT, Form.CONCISE})
"""Forms that land in the log of a CI system, whose lines must not be taken for commands to it."""


def render(
    report: Report,
    form: Form,
    *,
    fail_on: FailOn = FailOn.ERROR,
    paint: Paint = plain,
    verbose: bool = False,
    hints: bool = True,
    ascii_only: bool = False,
) -> Iterable[str]:
    """The report as pieces of text, after each of which a line feed belongs.

    Args:
        report: What to report.
        form: How.
        fail_on: What counts as a failure, in forms that know of failures.
        paint: How to colour text.
        verbose: Whether text shows everything that is known.
        hints: Whether text shows hints like other findings, or only names their rules.
        ascii_only: Write nothing but ASCII, in forms that can say everything so.
    """
    match form:
        case Form.TEXT:
            from urlset.report import text

            return text.render(report, paint=paint, verbose=verbose, hints=hints)
        case Form.CONCISE:
            from urlset.report import concise

            return concise.render(report)
        case Form.MARKDOWN:
            from urlset.report import markdown

            return markdown.render(report)
        case Form.GITHUB:
            from urlset.report import github

            return github.render(report)
        case Form.JUNIT:
            from urlset.report import junit

            return junit.render(report, fail_on=fail_on, ascii_only=ascii_only)
        case _:
            return _render_data(report, form, ascii_only)


def _render_data(report: Report, form: Form, ascii_only: bool) -> Iterable[str]:
    match form:
        case Form.JSONL:
            from urlset.report import jsonl

            return jsonl.render(report, ascii_only=ascii_only)
        case Form.CSV:
            from urlset.report import csv

            return csv.render(report, ascii_only=ascii_only)
        case Form.SARIF:
            from urlset.report import sarif

            return [sarif.render(report, ascii_only=ascii_only)]
        case Form.GITLAB:
            from urlset.report import gitlab

            return [gitlab.render(report, ascii_only=ascii_only)]
        case _:
            from urlset.report import json

            return json.pieces(report, ascii_only=ascii_only)
