"""What to fix first: one order in every report, by consequence, with the reason in words and causes before effects."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

import urlset
from urlset.model.finding import Example, Finding
from urlset.model.ranking import rank_rules, to_start_with
from urlset.model.report import Report
from urlset.model.report_page import Page
from urlset.report.formats import render
from urlset.report.html import view
from urlset.rules import registry
from urlset.rules.rule import Consequence, Severity

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
PAGE = "https://example.com/"


def sitemap(*entries: str) -> bytes:
    return (HEAD + "".join(f"<url>{entry}</url>\n" for entry in entries) + "</urlset>\n").encode()


def found(code: str, count: int = 1, *examples: tuple[str, str | None], document: int = 0, **causes: int) -> Finding:
    places = tuple(Example(0, 3, 5, url, "loc", value, f"{url} is wrong") for url, value in examples)
    return Finding(registry.rule(code), document, count, places, causes)


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
        (1, "XML006", "search engines may miss all 36 URLs"),
        (2, "LOC004", "2 of 36 URLs may be dropped"),
        (3, "PGE001", "3 pages cannot be indexed"),
        (4, "MOD002", "search engines guess the time zone of 36 dates, or ignore them"),
        (5, "HRL007", "search engines ignore 30 links without a return link"),
        (6, "LOC006", "some search engines drop 1 URL of this length"),
        (7, "IMG003", ""),
    ]


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (report(found("XML006"), entries=(36, 4)), "search engines may miss 36 of 40 URLs"),
        (report(found("XML006"), entries=(1,)), "search engines may miss the only URL"),
        (report(found("XML006"), entries=(0, 4)), "search engines may miss all URLs of 1 file"),
        (report(found("XML006"), entries=(3,), kind="sitemapindex"), "search engines may miss 3 child sitemaps"),
        (report(found("FET001", 2), entries=(3,), kind="sitemapindex"), "search engines may miss 2 child sitemaps"),
        (report(found("ROB006"), entries=(0,), kind="robots"), "search engines may not find or read the sitemaps"),
        (report(found("PGE005", 1)), "search engines index the target of the redirect instead of 1 listed URL"),
    ],
)
def test_the_reason_is_in_words(made: Report, reason: str) -> None:
    assert [one.reason for one in rank_rules(made)] == [reason]


def test_causes_come_before_effects() -> None:
    """The 410 before the hreflang and the canonical that lead to it, even if these are more."""
    gone = f"{PAGE}gone"
    made = report(
        found("PGE001", 1, (gone, "410")),
        found("HRL014", 9, (gone, gone), PGE001=9),
        found("PGE014", 5, (f"{PAGE}a", gone), PGE001=5),
        found("PGE008", 1, (f"{PAGE}b", "meta robots: noindex")),
    )
    order = [(one.rule.code, [cause.rule.code for cause in one.because_of]) for one in rank_rules(made)]
    assert order == [("PGE001", []), ("PGE008", []), ("PGE014", ["PGE001"]), ("HRL014", ["PGE001"])]
    assert [one.rule.code for one in to_start_with(rank_rules(made))] == ["PGE001", "PGE008"]
    text = list(render("validate", "text", made))
    assert text.count("  caused by PGE001 (page-not-found): fix that first") == 2


def test_places_without_a_cause_keep_their_rank() -> None:
    """One listed 404 does not hide six broken links that it has nothing to do with."""
    made = report(found("PGE001", 1), found("LNK005", 7, PGE001=1))
    links = rank_rules(made)[1]
    assert (links.places, links.caused, links.is_effect) == (7, 1, False)
    assert [one.rule.code for one in to_start_with(rank_rules(made))] == ["PGE001", "LNK005"]
    assert "  1 of 7 places caused by PGE001 (page-not-found): fix that first" in list(render("validate", "text", made))
    [_, finding] = json.loads("\n".join(render("validate", "json", made)))["findings"]
    assert (finding["because_of"], finding["caused_places"], finding["count"]) == (["PGE001"], 1, 7)


def test_a_cause_that_is_not_reported_is_none() -> None:
    """It may be ignored, or was not selected: then what it causes stands alone."""
    [links] = rank_rules(report(found("LNK005", 2, PGE001=2)))
    assert links.because_of == ()
    assert to_start_with([links]) == [links]


def test_a_cause_is_as_serious_as_what_it_causes() -> None:
    made = report(found("LNK002", 9), found("MOD002", 1), found("PGE008", 2, MOD002=1))
    assert [one.rule.code for one in rank_rules(made)] == ["MOD002", "PGE008", "LNK002"]


def test_rules_that_cause_each_other() -> None:
    made = report(found("PGE014", 1, PGE010=1), found("PGE010", 1, PGE014=1))
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
