"""The reports for people, held to goldens that a person can read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from types import ModuleType

import pytest
from msgspec import structs
from msgspec.structs import replace

from urlset.model.audit import PageCounts, Share
from urlset.model.document import InspectedDocument, InspectReport
from urlset.model.report import Report, SeverityCount
from urlset.report import concise, github, inspect_text, llm, markdown, text
from urlset.report.pages import sentence_on_pages
from urlset.report.paint import colored
from urlset.report.style import Style
from urlset.report.words import instant, occurrences, severity_count
from urlset.rules.rule import Severity
from urlset.text.sizes import exact_size, quantity

Golden = Callable[[str, Iterable[str] | str], None]


def test_faults(faulty: Report, golden: Golden) -> None:
    golden("faulty.txt", text.render(faulty))


def test_faults_in_full(faulty: Report, golden: Golden) -> None:
    golden("faulty-verbose.txt", text.render(faulty, Style(verbose=True)))


def test_faults_concisely(faulty: Report, golden: Golden) -> None:
    golden("faulty-concise.txt", concise.render(faulty))


def test_hints_are_one_line_after_the_summary(faulty: Report) -> None:
    as_hint = {"MOD002", "ENC005"}
    findings = [
        replace(finding, rule=structs.replace(finding.rule, severity=Severity.HINT))
        if finding.rule.code in as_hint
        else finding
        for finding in faulty.findings
    ]
    report = replace(faulty, findings=findings)
    lines = list(text.render(report, Style(hints=False)))
    assert "3 hints: ENC005, MOD002; use -v to show them." in lines
    assert any("3 hints" in line for line in lines if line.startswith("Found "))
    assert not any(line.startswith("hint[") for line in lines)
    assert any(line.startswith("error[LOC003]") for line in lines)
    full = list(text.render(report, Style(verbose=True)))
    assert sum(line.startswith("hint[") for line in full) == 2
    assert not any("use -v" in line for line in full)
    assert not any(
        "hint" in line for line in text.render(replace(faulty, findings=faulty.findings[:1]), Style(hints=False))
    )


def quiet(faulty: Report, *codes: str) -> Report:
    """The findings of these rules as hints of quiet rules."""
    findings = [
        replace(finding, rule=structs.replace(finding.rule, severity=Severity.HINT, quiet=True))
        for finding in faulty.findings
        if finding.rule.code in codes
    ]
    return replace(faulty, findings=[*findings, *(one for one in faulty.findings if one.rule.code not in codes)])


@pytest.mark.parametrize("render", [text.render, concise.render, github.render, markdown.render])
def test_quiet_hints_are_shown_on_demand(faulty: Report, render: Callable[..., Iterable[str]]) -> None:
    report = quiet(faulty, "ENC005")
    assert "ENC005" in "".join(render(faulty))
    assert "ENC005" not in "".join(render(report))
    assert "ENC005" in "".join(render(report, Style(verbose=True)))
    assert "ENC005" in "".join(render(report, Style(fail_on="hint")))


def test_quiet_hints_are_counted_where_they_are_shown(faulty: Report) -> None:
    report = replace(quiet(faulty, "ENC005"), unreadable=(), skipped=(), schema=None, known=None)
    only = replace(report, findings=[one for one in report.findings if one.rule.code == "ENC005"])
    assert only.findings
    assert "hint" not in "".join(text.render(only, Style(hints=False)))
    assert any(line.startswith("No findings in ") for line in text.render(only, Style(hints=False)))
    assert any(line.startswith("Found 1 hint ") for line in text.render(only, Style(verbose=True)))
    # A profile or the configuration can make it more than a hint.
    louder = [replace(one, rule=structs.replace(one.rule, severity=Severity.INFO)) for one in only.findings]
    assert "Found 1 info" in "".join(text.render(replace(only, findings=louder)))


def test_no_findings(clean: Report) -> None:
    assert list(text.render(clean)) == ["No findings in 1 document (1 URL)."]
    assert list(concise.render(clean)) == []


def test_nothing_read_is_not_called_clean() -> None:
    assert list(text.render(Report("0.1.0", [], []))) == []


def test_counts_without_examples_still_say_where(faulty: Report, golden: Golden) -> None:
    bare = replace(faulty, findings=[replace(finding, examples=()) for finding in faulty.findings])
    golden("no-examples.txt", text.render(bare))
    golden("no-examples-concise.txt", concise.render(bare))


def test_color_changes_nothing_but_color(faulty: Report) -> None:
    lines = list(text.render(faulty, Style(paint=colored)))
    assert lines[0].startswith("\x1b[1;31merror[XML006]\x1b[0m \x1b[1mdocument-cut-off")
    uncolored = [_without_color(line) for line in lines]
    assert uncolored == list(text.render(faulty))


def _without_color(line: str) -> str:
    while "\x1b[" in line:
        before, _, after = line.partition("\x1b[")
        line = before + after.partition("m")[2]
    return line


@pytest.mark.parametrize("render", [text.render, concise.render])
def test_text_from_outside_steers_nothing(hostile: Report, render: Callable[[Report], Iterable[str]]) -> None:
    lines = list(render(hostile))
    assert all(line.isprintable() for line in lines)
    assert any(r"\u{1b}]0;owned\u{7}\n\u{202e}evil.xml:1:2" in line for line in lines)


def test_inspect(inspected: InspectReport, golden: Golden) -> None:
    golden("inspect.txt", inspect_text.render(inspected))


def test_inspect_in_full_and_ascii(inspected: InspectReport, golden: Golden) -> None:
    golden("inspect-verbose.txt", inspect_text.render(inspected, Style(unicode=False, verbose=True)))


def test_inspect_escapes_text_from_outside(hostile: Report) -> None:
    evil = "\x1b[2J\u202e"
    facts = {
        **hostile.documents[0],
        "foreign_namespaces": [evil],
        "foreign_counts": [1],
        "declared_encoding": evil,
        "version": evil,
    }
    rows = [{"kind": "doctype", "line": 1, "col": 1, "evidence": evil, "count": 1}]
    children = [{"loc": evil, "lastmod": evil}]
    lines = inspect_text.render(InspectReport([InspectedDocument(facts, children, rows, [(evil, 1), ("x", 2)])]))
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1,023 bytes"),
        (1024, "1 KiB (1,024 bytes)"),
        (1_048_575, "1.0 MiB (1,048,575 bytes)"),
        (52_428_801, "50.0 MiB (52,428,801 bytes)"),
    ],
)
def test_sizes(number: int, words: str) -> None:
    assert exact_size(number) == words


def test_plurals() -> None:
    assert [quantity(n, "entry", "entries") for n in (0, 1, 1204)] == ["0 entries", "1 entry", "1,204 entries"]
    assert [occurrences(n) for n in (0, 1, 2)] == ["0 occurrences", "1 occurrence", "2 occurrences"]


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (SeverityCount(1, 1, 1), ("1 warning", "")),
        (SeverityCount(2, 9, 2), ("2 warnings", " (9 places)")),
        # Three documents break two rules, each of which has a heading.
        (SeverityCount(3, 9, 2), ("3 warnings", " (2 rules, 9 places)")),
        (SeverityCount(3, 3, 1), ("3 warnings", " (1 rule)")),
    ],
)
def test_what_a_number_of_findings_is_made_up_of(count: SeverityCount, words: tuple[str, str]) -> None:
    assert severity_count(Severity.WARNING, count) == words


@pytest.mark.parametrize("form", [text, markdown, github, llm])
def test_every_report_says_how_many_rules_the_findings_break(form: ModuleType, faulty: Report) -> None:
    of_two = [finding for finding in faulty.findings if finding.rule.code == "MOD002"]
    assert len(of_two) == 2
    shown = "\n".join(form.render(replace(faulty, findings=of_two)))
    assert "2 warnings (1 rule, 1," in shown


def test_pages_in_the_baseline_are_said_to_be_counted(faulty: Report) -> None:
    pages = PageCounts(9, 9, 9, 0, None, {"200": 9}, Share.of(7, 9, 9), reasons={"noindex": 2})
    counts = {"noindex": 2}
    assert sentence_on_pages(counts, pages, faulty) == "2 of 9 listed pages cannot be indexed"
    known = sentence_on_pages(counts, pages, replace(faulty, known=1))
    assert (
        known == "2 of 9 listed pages cannot be indexed; pages whose findings are in the baseline are counted as well"
    )


def test_github_says_once_how_many_places_there_are(faulty: Report) -> None:
    finding = next(one for one in faulty.findings if len(one.examples) == 2)
    whole = "\n".join(github.render(replace(faulty, findings=[replace(finding, count=2)])))
    assert (whole.count(f"title={finding.rule.code} "), "occurrences)" in whole) == (2, False)
    part = "\n".join(github.render(replace(faulty, findings=[replace(finding, count=7)])))
    assert part.count("(7 occurrences)") == 1


def test_instants_leave_zero_parts_out() -> None:
    assert instant(datetime(5, 1, 2)) == "0005-01-02"  # noqa: DTZ001
    assert instant(datetime(2026, 1, 2, 3, 4)) == "2026-01-02 03:04:00 UTC"  # noqa: DTZ001
