"""The numbers of the report, which are those of the JSON and text output."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from urlset.report.words import shown_score
from urlset.rules.registry import rule

from .conftest import Opening, SharedPages, open_folds
from .reports import Reports, run

WITH_JSON = ("example", "several-runs", "clean", "hostile")


def report_in(values: Any) -> Any:
    """The report of `validate` in what a command gave."""
    return values.get("report", values)


def numbers(page: Page) -> dict[str, int]:
    """The numbers of the summary on the page, by name."""
    found = page.locator("[data-number]").evaluate_all(
        "all => all.map(one => [one.dataset.number, one.dataset.value, one.textContent])"
    )
    for _, value, shown in found:
        assert int(value) == int(shown.replace(",", ""))
    return {name: int(value) for name, value, _ in found}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", WITH_JSON)
def test_the_summary(name: str, reports: Reports, shared: SharedPages) -> None:
    page = open_folds(shared(name))
    values = reports.values(name)
    summary = report_in(values)["summary"]
    shown = numbers(page)
    assert page.evaluate("() => JSON.parse(document.getElementById('data').textContent).summary") == summary
    for severity in ("error", "warning", "info", "hint"):
        findings = report_in(values)["findings"]
        assert shown[f"{severity}s"] == sum(one["severity"] == severity for one in findings), severity
    assert shown["documents"] == summary["documents"]
    assert shown["urls"] == summary["urls"]
    if values.get("pages"):
        assert shown["pages"] == values["pages"]["fetched"]


@pytest.mark.parametrize("name", WITH_JSON)
def test_places_by_rule(name: str, reports: Reports, shared: SharedPages) -> None:
    page = open_folds(shared(name))
    places: dict[str, int] = {}
    severities: dict[str, str] = {}
    for finding in report_in(reports.values(name))["findings"]:
        places[finding["code"]] = places.get(finding["code"], 0) + finding["count"]
        severities[finding["code"]] = finding["severity"]
    found = page.locator("#findings details.rule").evaluate_all(
        "all => all.map(one => [one.dataset.code, one.dataset.severity, Number(one.dataset.places),"
        " one.querySelector('summary').textContent])"
    )
    assert {code: number for code, _, number, _ in found} == places
    assert {code: severity for code, severity, _, _ in found} == severities
    for _, _, number, text in found:
        assert re.search(rf"\b{number:,} place|\bonce\b|\btwice\b", text)


@pytest.mark.parametrize("name", ["clean", "hostile"])
def test_the_text_output(name: str, reports: Reports, shared: SharedPages) -> None:
    shown = numbers(open_folds(shared(name)))
    text = run("validate", reports[name].with_suffix(".site"), "--no-config", expected=(0, 1, 3))
    last = next(line for line in text.splitlines() if line.startswith(("Found ", "No findings")))
    # The text does not show hints of quiet rules, nor count them.
    findings = report_in(reports.values(name))["findings"]
    shown["hints"] -= sum(one["severity"] == "hint" and rule(one["code"]).quiet for one in findings)
    for noun in ("error", "warning", "hint", "document", "URL"):
        said = re.search(rf"\b([\d,]+) {noun}s?\b", last)
        assert (int(said[1].replace(",", "")) if said else 0) == shown[f"{noun.lower()}s"], noun


def test_pages_and_crawlers_of_an_audit(reports: Reports, shared: SharedPages) -> None:
    page = open_folds(shared("example"))
    values = reports.values("example")
    text = page.locator("#statuses").inner_text()
    for answer, count in values["pages"]["statuses"].items():
        assert re.search(rf"{answer}\b.*?\b{count}\b", text, re.DOTALL), answer
    for one in values["agents"]:
        row = page.locator("#agents tbody tr", has=page.get_by_role("rowheader", name=one["agent"], exact=True))
        assert f"{one['urls'] - one['blocked']} of {one['urls']}" in row.inner_text()


def test_the_score_and_its_working(reports: Reports, shared: SharedPages) -> None:
    page = open_folds(shared("scored"))
    values = reports.values("scored")
    assert float(str(page.locator("[data-score]").get_attribute("data-score"))) == values["score"]
    for step in values["steps"]:
        shown = page.locator("#score li.step", has_text=step["title"])
        assert step["status"].replace("-", " ") in shown.inner_text().lower()
        assert f"{shown_score(step['score'])} of {shown_score(step['weight'])}" in shown.inner_text()


def test_a_store_gives_the_numbers_of_its_run(
    reports: Reports, opening: Opening, shared: SharedPages, tmp_path: Path
) -> None:
    again = tmp_path / "again.html"
    run("report", reports.store("example"), "--output", again)
    assert numbers(open_folds(opening(again))) == numbers(open_folds(shared("example")))


def test_the_trend_is_that_of_the_runs(shared: SharedPages) -> None:
    page = shared("several-runs")
    rows = page.locator("#trend table.runs tbody tr:not(.lines)").all_inner_texts()
    assert len(rows) == 3
    states = page.locator("#trend .states").inner_text().lower()
    assert "new" in states
    assert "fixed" in states
    assert "unchanged" in states
