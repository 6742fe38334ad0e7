"""What to fix first: one order in every report, by consequence, with the reason in words and causes before effects."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

import urlset
from urlset.model.finding import Example, Finding
from urlset.model.report import Report
from urlset.model.report_page import Page
from urlset.ranking import rank_rules, to_start_with
from urlset.report.formats import render
from urlset.report.html import view
from urlset.rules import registry
from urlset.rules.rule import Consequence, Severity

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
PAGE = "https://example.com/"


def sitemap(*entries: str) -> bytes:
    return (HEAD + "".join(f"<url>{entry}</url>\n" for entry in entries) + "</urlset>\n").encode()


def found(code: str, count: int = 1, *examples: tuple[str, str | None], document: int = 0) -> Finding:
    places = tuple(Example(0, 3, 5, url, "loc", value, f"{url} is wrong") for url, value in examples)
    return Finding(registry.rule(code), document, count, places)


def report(*findings: Finding, entries: Sequence[int] = (36,), kind: str = "urlset") -> Report:
    rows: list[Any] = [
        {"document_id": number, "url": f"{number}.xml", "kind": kind, "entries": size, "bytes": 1}
        for number, size in enumerate(entries)
    ]
    return Report("0", rows, findings)


def test_the_order_is_that_of_consequences() -> None:
    """A file that is not well-formed comes first, whatever its code."""
    mixed = report(
        found("HRL007", 30), found("LOC004", 2), found("MOD002", 36), found("PGE001", 3), found("XML006"),
        found("LOC006", 1), found("IMG003", 36),
    )  # fmt: skip
    assert [(one.rank, one.rule.code, one.reason) for one in rank_rules(mixed)] == [
        (1, "XML006", "all 36 URLs at risk"),
        (2, "LOC004", "2 of 36 URLs may be dropped"),
        (3, "PGE001", "3 pages cannot be indexed"),
        (4, "MOD002", "may mislead search engines, or be ignored, in 36 places"),
        (5, "HRL007", "may mislead search engines, or be ignored, in 30 places"),
        (6, "LOC006", "may mislead search engines, or be ignored, in 1 place"),
        (7, "IMG003", ""),
    ]


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (report(found("XML006"), entries=(36, 4)), "36 of 40 URLs at risk"),
        (report(found("XML006"), entries=(1,)), "the only URL at risk"),
        (report(found("XML006"), entries=(0, 4)), "all URLs of 1 file at risk"),
        (report(found("XML006"), entries=(3,), kind="sitemapindex"), "3 child sitemaps at risk"),
        (report(found("FET001", 2), entries=(3,), kind="sitemapindex"), "2 child sitemaps at risk"),
        (report(found("ROB006"), entries=(0,), kind="robots"), "search engines may not find or read the sitemaps"),
        (report(found("PGE005", 1)), "1 page may not be indexed"),
    ],
)
def test_the_reason_is_in_words(made: Report, reason: str) -> None:
    assert [one.reason for one in rank_rules(made)] == [reason]


def test_causes_come_before_effects() -> None:
    """The 410 before the hreflang and the canonical that lead to it, even if these are more."""
    gone = f"{PAGE}gone"
    made = report(
        found("PGE001", 1, (gone, "410")),
        found("HRL014", 9, (gone, gone)),
        found("PGE014", 5, (f"{PAGE}a", gone)),
        found("PGE008", 1, (f"{PAGE}b", "meta robots: noindex")),
    )
    order = [(one.rule.code, [cause.code for cause in one.because_of]) for one in rank_rules(made)]
    assert order == [("PGE001", []), ("PGE014", ["PGE001"]), ("PGE008", []), ("HRL014", ["PGE001"])]
    assert [one.rule.code for one in to_start_with(rank_rules(made))] == ["PGE001", "PGE008"]
    text = list(render("validate", "text", made))
    assert text.count("  because of PGE001 (page-not-found), at least in part: fix that first") == 2


def test_pages_that_blame_each_other() -> None:
    one, other = f"{PAGE}1", f"{PAGE}2"
    made = report(found("PGE014", 1, (one, other)), found("PGE010", 1, (other, one)))
    assert [len(each.because_of) for each in rank_rules(made)] == [1, 1]


def test_every_report_has_the_same_order() -> None:
    document = sitemap(
        "<loc>/relative</loc>", f"<loc>{PAGE}</loc><lastmod>yesterday</lastmod>", f"<loc>{PAGE}a?b&c</loc>",
        f"<loc>{PAGE}</loc>",
    )  # fmt: skip
    made = urlset.validate(document)
    order = [one.rule.code for one in rank_rules(made)]
    assert order[0] == "XML002"
    text = "\n".join(render("validate", "text", made))
    shown = re.findall(r"^(?:error|warning|info|hint)\[(\w+)\]", text, re.MULTILINE)
    assert shown == order
    markdown = "\n".join(render("validate", "markdown", made))
    assert re.findall(r"^\| (?:error|warning|info|hint) \| (\w+)", markdown, re.MULTILINE) == order
    as_json = json.loads("".join(render("validate", "json", made)))
    assert {one["code"]: one["rank"] for one in as_json["findings"]} == {code: n for n, code in enumerate(order, 1)}
    lines = [json.loads(line) for line in render("validate", "jsonl", made)]
    assert [one["rank"] for one in lines if one["type"] == "finding"] == [one["rank"] for one in as_json["findings"]]
    assert [group.rule.code for group in view.by_rule(made)] == order
    first = [one.rule.code for one in to_start_with(rank_rules(made))]
    assert re.findall(r"^  \d\. (\w+) ", text, re.MULTILINE) == first
    assert text.index("Start with these three:") > text.index("Found ")
    page = Page(command="validate", targets=(), made_at=made.documents[0]["fetched_at"], version="0", report=made)  # type: ignore[arg-type]
    assert [one.target for one in view.to_fix_first(page, view.by_rule(made))][:3] == [f"rule-{code}" for code in first]


def test_one_finding_leaves_no_choice() -> None:
    assert not any("Start with" in line for line in render("validate", "text", report(found("XML006"))))
    two = render("validate", "text", report(found("XML006"), found("IMG003")))
    assert "Start with this:" in list(two)
    notes = render("validate", "text", report(found("IMG003"), found("HRL012")))
    assert not any("Start with" in line for line in notes)


def test_every_rule_has_a_consequence() -> None:
    for rule in registry.all_rules():
        is_note = rule.severity in (Severity.INFO, Severity.HINT)
        assert (rule.consequence is Consequence.NOTES) is is_note, rule.code
