"""What stands on the page: findings by rule, what to fix first, the tree; all of it bounded."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import structs

from urlset.model.audit import AgentAccess
from urlset.model.finding import Example, Finding
from urlset.model.report import Report
from urlset.model.report_page import Page
from urlset.report.html import view
from urlset.report.html.template import environment
from urlset.rules.registry import all_rules
from urlset.web.agents import KNOWN_AGENTS

from .conftest import BYTE_ORDER_MARK, CUT_OFF, NO_TIMEZONE, TOO_LONG, document

NOW = datetime(2026, 2, 3, tzinfo=UTC)


def example(number: int) -> Example:
    return Example(number, number + 2, 3, f"https://example.com/{number}", "loc", "x", f"place {number}")


def examples(count: int, first: int = 0) -> tuple[Example, ...]:
    return tuple(example(number) for number in range(first, first + count))


def report(*findings: Finding, documents: int = 2) -> Report:
    return Report("0.1.0", [document(number, f"{number}.xml") for number in range(documents)], findings)


def page(shown: Report | None = None, **more: Any) -> Page:
    return Page(command="validate", targets=["x"], made_at=NOW, version="0.1.0", report=shown, **more)


def step(title: str, weight: float, status: str, rule: str | None = None) -> dict[str, object]:
    effect = status if status in ("fail", "warn") else "none"
    evidence = [{"effect": effect, "message": "what was seen", "rule": rule, "count": 1, "url": None, "line": None}]
    earned = {"pass": 1.0, "warn": 0.5}.get(status, 0.0)
    return {"title": title, "weight": weight, "status": status, "score": weight * earned, "evidence": evidence}


def test_rules_come_in_the_order_in_which_to_fix_them() -> None:
    groups = view.by_rule(
        report(
            Finding(BYTE_ORDER_MARK, 0, 99, ()),
            Finding(CUT_OFF, 0, 1, examples(1)),
            Finding(NO_TIMEZONE, 0, 50, examples(2)),
            Finding(TOO_LONG, 0, 4, examples(1)),
            Finding(TOO_LONG, 1, 3, examples(1)),
        )
    )
    assert [(group.rule.code, group.places, group.documents) for group in groups] == [
        ("XML006", 1, 1),
        ("LOC003", 7, 2),
        ("MOD002", 50, 1),
        ("ENC005", 99, 1),
    ]


def test_examples_are_of_as_many_documents_as_can_be() -> None:
    shown = report(Finding(TOO_LONG, 0, 9, examples(9)), Finding(TOO_LONG, 1, 2, examples(2, 50)))
    [group] = view.by_rule(shown)
    found = [(document, one.ordinal) for document, one in group.examples]
    assert found[:5] == [("0.xml", 0), ("1.xml", 50), ("0.xml", 1), ("1.xml", 51), ("0.xml", 2)]
    assert len(found) == view.MAX_EXAMPLES


def test_every_rule_says_what_and_why() -> None:
    for rule in all_rules():
        [group] = view.by_rule(report(Finding(rule, 0, 1, examples(1))))
        assert group.what[0].startswith("Checks for "), rule.code
        assert group.why, rule.code
        assert group.fix[0].startswith(rule.fix), rule.code
    [group] = view.by_rule(report(Finding(structs.replace(TOO_LONG, code="OWN001"), 0, 1, examples(1))))
    assert (group.what, group.why, group.fix) == ((f"{TOO_LONG.message}.",), (), (TOO_LONG.fix,))


def test_the_score_comes_after_the_rules_and_says_what_it_gains() -> None:
    steps = [
        step("Fetch", 0.25, "pass"),
        step("Parse", 0.25, "fail", "LOC003"),
        step("Fields", 0.1, "warn", "MOD002"),
        step("Scope", 0.4, "not-run"),
    ]
    shown = page(report(Finding(TOO_LONG, 0, 3, examples(1)), Finding(CUT_OFF, 0, 1, ())), checks=[{"steps": steps}])
    assert shown.report is not None
    first = view.to_fix_first(shown, view.by_rule(shown.report))
    assert [(one.title, one.gain, one.kind, one.target) for one in first] == [
        ("XML006 Document is cut off", "Search engines may miss 1,204 of 2,408 URLs", "error", "rule-XML006"),
        (
            "LOC003 URL is longer than 2,048 characters",
            "3 of 2,408 URLs may be dropped; the fix raises the score by up to 0.25",
            "error",
            "rule-LOC003",
        ),
        ("Parse: what was seen", "Raises the score by 0.25; another 0.40 can then be earned", "fail", "score"),
    ]


def test_what_to_fix_first_has_the_urls_of_its_places() -> None:
    shown = page(report(Finding(TOO_LONG, 0, 7, examples(4)), Finding(CUT_OFF, 1, 1, ())))
    assert shown.report is not None
    first = view.to_fix_first(shown, view.by_rule(shown.report))
    urls = [f"https://example.com/{number}" for number in range(view.MAX_URLS)]
    assert [(list(one.urls), one.more) for one in first] == [([], 1), (urls, 7 - view.MAX_URLS)]


def test_hints_are_never_to_be_fixed_first() -> None:
    shown = page(report(Finding(BYTE_ORDER_MARK, 0, 9, ())))
    assert shown.report is not None
    assert view.to_fix_first(shown, view.by_rule(shown.report)) == []


@pytest.mark.parametrize(
    ("shown", "kind", "sentence"),
    [
        (page(report()), "pass", "No errors or warnings"),
        (page(report(Finding(TOO_LONG, 0, 1, ()))), "fail", "1 error"),
        (page(report(Finding(TOO_LONG, 0, 1_204, ()))), "fail", "1 error in 1,204 places"),
        (page(report(Finding(NO_TIMEZONE, 0, 5, ()))), "warn", "No errors, 1 warning"),
        (page(report(Finding(BYTE_ORDER_MARK, 0, 5, ()))), "pass", "No errors or warnings"),
        (page(checks=[{"status": "fail"}]), "fail", "The check fails"),
        (page(checks=[{"status": "pass"}, {"status": "fail"}]), "fail", "A check fails"),
        (page(checks=[{"status": "pass"}, {"status": "warn"}]), "warn", "The check passes with warnings"),
        (page(checks=[{"status": "pass"}]), "pass", "The check passes"),
        (page(report(), checks=[{"status": "fail"}]), "fail", "The check fails"),
    ],
)
def test_the_verdict(shown: Page, kind: str, sentence: str) -> None:
    assert view.verdict_of(shown) == view.OverallResult(kind, sentence)


def test_the_tree_goes_from_robots_txt_down() -> None:
    rows = [
        document(0, "robots.txt", kind="robots", parent_id=None),
        document(1, "index.xml", kind="sitemapindex", parent_id=0),
        document(2, "a.xml", parent_id=1),
        document(3, "b.xml", parent_id=1),
        document(4, "given.xml", parent_id=None),
    ]
    shown = Report("0.1.0", rows, [Finding(TOO_LONG, 3, 7, ()), Finding(NO_TIMEZONE, 3, 2, ())])
    robots, given = view.tree_of(shown)
    assert (robots.row["url"], given.row["url"], given.children) == ("robots.txt", "given.xml", [])
    [index] = robots.children
    assert [(node.row["url"], node.errors, node.warnings) for node in index.children] == [
        ("a.xml", 0, 0),
        ("b.xml", 7, 2),
    ]


def test_documents_stand_in_the_order_of_their_numbers() -> None:
    rows = [document(number, f"{number}.xml", parent_id=None) for number in (2, 0, 1)]
    shown = Report("0.1.0", rows, [])
    assert [row[0] for row in rows_of(view.documents_table(shown))] == ["0.xml", "1.xml", "2.xml"]
    assert [node.row["url"] for node in view.tree_of(shown)] == ["0.xml", "1.xml", "2.xml"]


def test_a_tree_that_lists_itself_ends() -> None:
    rows = [document(0, "a.xml", parent_id=1), document(1, "b.xml", parent_id=0), document(2, "c.xml", parent_id=2)]
    assert [node.row["url"] for node in view.tree_of(Report("0.1.0", rows, []))] == ["c.xml"]


def test_the_tree_is_cut_where_a_document_lists_many() -> None:
    rows = [document(0, "index.xml", kind="sitemapindex", parent_id=None)]
    rows += [document(number, f"{number}.xml", parent_id=0) for number in range(1, 2_001)]
    [index] = view.tree_of(Report("0.1.0", rows, []))
    assert (len(index.children), index.more) == (view.MAX_CHILDREN, 2_000 - view.MAX_CHILDREN)


def rows_of(table: dict[str, object]) -> list[list[object]]:
    rows = table["rows"]
    assert isinstance(rows, list)
    return rows


def test_places_name_rules_and_documents_once() -> None:
    table = view.places_table(report(Finding(TOO_LONG, 1, 5, examples(2)), Finding(CUT_OFF, 0, 3, ())))
    assert table == {
        "rules": [["XML006", "document-cut-off", "error"], ["LOC003", "url-too-long", "error"]],
        "documents": ["0.xml", "1.xml"],
        "rows": [
            [0, 0, None, None, "Document is cut off"],
            [1, 1, 2, "https://example.com/0", "place 0"],
            [1, 1, 3, "https://example.com/1", "place 1"],
        ],
        "total": 8,
    }


def test_of_too_many_places_each_finding_keeps_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "MAX_PLACES", 2_000)
    findings = [Finding(TOO_LONG, number, 500, examples(10)) for number in range(300)]
    table = view.places_table(report(*findings, documents=300))
    assert table["total"] == 150_000
    assert len(rows_of(table)) == 300 * (view.MAX_PLACES // 300)
    many = [Finding(TOO_LONG, number, 1, examples(1)) for number in range(view.MAX_PLACES + 5)]
    assert len(rows_of(view.places_table(report(*many, documents=len(many))))) == view.MAX_PLACES


def test_of_too_many_documents_those_with_faults_are_kept() -> None:
    count = view.MAX_DOCUMENTS + 10
    shown = report(Finding(NO_TIMEZONE, count - 1, 2, ()), Finding(TOO_LONG, count - 2, 1, ()), documents=count)
    table = view.documents_table(shown)
    rows = rows_of(table)
    assert (table["total"], len(rows)) == (count, view.MAX_DOCUMENTS)
    assert [row[0] for row in rows[:3]] == [f"{count - 2}.xml", f"{count - 1}.xml", "0.xml"]


@pytest.mark.parametrize(
    ("facts", "came"),
    [
        ({"http_status": 200}, "200"),
        ({"http_status": None}, "read"),
        ({"http_status": 404, "kind": None}, "404"),
        ({"error_kind": "dns", "kind": None}, "dns"),
        ({"http_status": 200, "error_kind": "cut-off"}, "cut-off"),
        ({"kind": None}, "not read"),
    ],
)
def test_fetch_status(facts: dict[str, object], came: str) -> None:
    assert view.fetch_status(document(0, "x", **facts)) == came


def test_responses_are_named_and_ranked() -> None:
    assert view.responses({"200": 5, "301": 1, "404": 2, "500": 1, "799": 1, "no response": 3}) == [
        ("200 OK", 5, "pass"),
        ("301 Moved Permanently", 1, "info"),
        ("404 Not Found", 2, "warn"),
        ("500 Internal Server Error", 1, "fail"),
        ("799", 1, "fail"),
        ("no response", 3, "fail"),
    ]


def test_a_report_with_other_severities_shows_those() -> None:
    [group] = view.by_rule(report(Finding(structs.replace(TOO_LONG, severity=NO_TIMEZONE.severity), 0, 1, ())))
    assert group.rule.severity is NO_TIMEZONE.severity


def test_the_rules_of_checks_are_shown_as_findings() -> None:
    steps = [step("Parse", 0.25, "fail", "LOC003"), step("Fields", 0.1, "warn", "MOD002"), step("Scope", 0.2, "pass")]
    groups = view.by_rule_of([{"steps": steps}, {"steps": steps[:1]}])
    assert [(group.rule.code, group.places) for group in groups] == [("LOC003", 2), ("MOD002", 1)]
    assert groups[0].examples[0][1].message == "what was seen"
    assert groups[0].why


def test_of_several_sites_what_gains_most_comes_first() -> None:
    checks = [
        {"origin": "https://a.example", "steps": [step("Fields", 0.1, "warn")]},
        {"origin": "https://b.example", "steps": [step("Fetch", 0.25, "fail"), step("Parse", 0.25, "not-run")]},
    ]
    first = view.to_fix_first(page(checks=checks), [])
    assert [one.title.split(": ")[0] for one in first] == ["https://b.example", "https://a.example"]


@pytest.mark.parametrize(
    ("blocked", "gist"),
    [
        ([0, 0], "2 crawlers: 2 may fetch every listed URL"),
        ([1, 9, 1], "3 crawlers: 2 may fetch part of the listed URLs, 1 none"),
        ([0, 1, 9], "3 crawlers: 1 may fetch every listed URL, 1 part, 1 none"),
        ([9], "1 crawler: 1 may fetch no listed URL"),
    ],
)
def test_access_is_summed_up(blocked: list[int], gist: str) -> None:
    agents = [AgentAccess(agent, 9, count) for agent, count in zip(KNOWN_AGENTS, blocked, strict=False)]
    assert view.access_gist(agents) == gist


@pytest.mark.parametrize(
    ("template", "value", "shown"),
    [
        ("<p>{{ x }}</p>", "a\n\tb\u202e", "<p>a\\n\\tb\\u{202e}</p>"),
        ("<pre>{{ x }}</pre>", "a\r\n\tb\u202e", "<pre>a\n        b\\u{202e}</pre>"),
        ('<pre tabindex="0">{% if x %}<b>{{ x }}</b>{% endif %}</pre>', "a\nb", '<pre tabindex="0"><b>a\nb</b></pre>'),
        ("<pre></pre><i>{{ x }}</i>", "a\nb", "<pre></pre><i>a\\nb</i>"),
        ("<textarea>{{ x }}</textarea>", "a\n\tb\\n<\u202e", "<textarea>a&#10;&#9;b\\n&lt;&#8238;</textarea>"),
        ('<input value="{{ "-" if x }}{{ x }}.{{ x }}">', '\u00a0"', '<input value="-&#160;&#34;.&#160;&#34;">'),
        ('<input value="{{ "-" if not x }}">', "a", '<input value="">'),
        ('<b data-value="{{ x }}" value="" title="{{ x }}">', "\n", '<b data-value="\\n" value="" title="\\n">'),
    ],
)
def test_the_place_of_a_text_decides_how_it_is_shown(template: str, value: str, shown: str) -> None:
    """Fields of forms stay as they are, preformatted text keeps its lines, and all other text is in one line."""
    assert environment().from_string(template).render(x=value) == shown
