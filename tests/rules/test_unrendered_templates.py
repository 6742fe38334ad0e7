"""What follows from a template that was not rendered is not reported beside it; all else is, and nothing is hidden."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import urlset
from urlset import _core
from urlset.documents import concatenate
from urlset.engine.duckdb import Engine
from urlset.model.finding import Finding
from urlset.model.report import Report
from urlset.rules import registry
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.rule import AnomalyRule
from urlset.rules.scored import scored_rules

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
TEMPLATE = f"""---
layout: null
---
{HEAD}{{% for page in site.pages %}}
<url><loc>{{{{ page.url }}}}</loc><changefreq>daily</changefreq><lastmod>{{{{ page.date }}}}</lastmod></url>
{{% endfor %}}
</urlset>
"""


def validated(*documents: str, **options: object) -> Report:
    return urlset.validate([document.encode() for document in documents], now=NOW, **options)  # type: ignore[arg-type]


def counts(report: Report) -> dict[str, int]:
    return {finding.rule.code: finding.count for finding in report.findings}


def test_a_template_is_one_finding_and_the_rest_is_counted() -> None:
    report = validated(TEMPLATE)
    assert counts(report) == {"STR025": 5}
    assert report.notes == (
        "because of STR025 (template-unrendered), 4 findings are not reported (HNT003, STR020, XML005, "
        "XML008) and no other rule was applied to 1 entry",
    )
    assert set(report.silenced) == {(0, code) for code in ("HNT003", "STR020", "XML005", "XML008")}
    assert set(report.silenced.values()) == {"caused by STR025 (template-unrendered)"}


def test_all_of_it_is_reported_where_the_rule_is_not_run() -> None:
    report = validated(TEMPLATE, ignore=["STR025"])
    assert counts(report).keys() >= {"LOC001", "MOD001", "XML005", "XML008", "STR018", "STR020"}
    assert not report.notes
    assert not report.silenced


def test_other_faults_of_a_document_with_markers_in_fields_only_stay() -> None:
    report = validated(
        f"{HEAD}<url><loc>https://example.com/{{{{ slug }}}}</loc><priority>9</priority></url>\n"
        "<url><loc>/about</loc><priority>7</priority></url>\n"
        "<url><loc>https://example.com/?a&b</loc></url>\nstray\n</urlset>\n"
    )
    found = counts(report)
    assert {code: found.get(code) for code in ("STR025", "LOC001", "HNT002", "XML002", "STR020")} == {
        "STR025": 1, "LOC001": 1, "HNT002": 1, "XML002": 1, "STR020": 1,
    }  # fmt: skip
    assert report.notes == ("because of STR025 (template-unrendered), no other rule was applied to 1 entry",)
    assert not report.silenced


def test_faults_of_rendered_entries_between_markers_stay() -> None:
    found = counts(validated(TEMPLATE.replace("</urlset>", "<url><loc>/about</loc></url>\n</urlset>")))
    assert found == {"STR025": 5, "LOC001": 1}


def test_another_document_of_the_run_is_judged_as_ever() -> None:
    faulty = f"{HEAD}a<url><loc>{{x}}</loc></url></urlset>"
    report = validated(TEMPLATE, faulty, TEMPLATE)
    alone = validated(faulty)
    assert {f.rule.code for f in report.findings if f.document_id == 1} == counts(alone).keys()
    assert {f.rule.code for f in report.findings if f.document_id != 1} == {"STR025"}, "no duplicates of {{ page.url }}"
    assert "no other rule was applied to 2 entries" in report.notes[0]


@pytest.mark.parametrize("more", ["", "stray"])
def test_more_entries_than_anomalies_are_kept(more: str) -> None:
    entries = "".join(f"<url><loc>{{{{ base }}}}/{number}</loc></url>\n" for number in range(1_500))
    report = validated(f"{HEAD}{entries}<url><loc>/about</loc></url>{more}</urlset>")
    found = counts(report)
    assert (found["STR025"], found["LOC001"], found.get("STR020", 0)) == (1_500, 1, int(bool(more)))
    assert report.notes[0].endswith("no other rule was applied to 1,500 entries")


def test_a_text_sitemap_of_a_template_is_not_called_a_text_of_an_unknown_kind() -> None:
    report = validated("---\npermalink: /sitemap.txt\n---\n{% for page in site.pages %}{{ page.url }}\n{% endfor %}\n")
    assert counts(report) == {"STR025": 2}
    assert set(report.silenced) == {(0, "STR001")}


def test_rows_that_are_loaded_are_left_out_as_those_of_a_chunk() -> None:
    reader = _core.Reader(TEMPLATE.encode(), document_id=0)
    tables = concatenate(list(reader))
    facts = [{**reader.facts(), "document_id": 0}]

    def judged(load: bool) -> list[Finding]:
        with Engine(registry.all_rules(), {**DEFAULT_LIMITS, "now": NOW}) as engine:
            if load:
                engine.load(tables)
            findings = engine.check_loaded(facts) if load else engine.check(tables, facts)
            assert engine.silencing.entries == 1
            assert engine.check(concatenate([tables]), facts), "nothing of it is left in the engine"
            return findings

    assert [finding.rule.code for finding in judged(load=True)] == ["STR025"]
    assert judged(load=True) == judged(load=False)


def test_the_scored_check_goes_by_all_that_it_specifies() -> None:
    assert not any(isinstance(rule, AnomalyRule) and rule.silences for rule in scored_rules())
