"""The page as HTML: one file that asks nobody for anything, in which what strangers wrote stays text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

import pytest
from lxml import html
from msgspec.structs import replace

from urlset.model.audit import (
    AgentAccess,
    Inventory,
    LlmsCounts,
    LlmsSection,
    MediaCounts,
    PageCounts,
    Share,
    TwinCounts,
)
from urlset.model.comparison import FindingChange, State, Unchecked
from urlset.model.document import SkippedFile
from urlset.model.finding import Finding
from urlset.model.json_values import as_json
from urlset.model.report import Report
from urlset.model.report_page import ChangesSince, Page
from urlset.model.run import Languages, Overview, Redirects, RunRow, Section
from urlset.report import text
from urlset.report.html.filters import MAX_URL, link_urls, place, prose
from urlset.report.html.template import render
from urlset.rules import registry
from urlset.rules.rule import Severity
from urlset.web.agents import KNOWN_AGENTS

from .conftest import faulty_report
from .test_hostile_text import HOSTILE, report_of

NOW = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)
PARTS = (
    "verdict", "first", "findings", "places", "score", "agents", "twins", "documents", "statuses", "redirects",
    "images", "lastmod", "sections", "hreflang", "inventory", "trend", "about",
)  # fmt: skip


def run_row(number: int) -> RunRow:
    return RunRow(number, NOW, NOW, ("example.com",), "{}", "0.1.0", 3, 1_225, 7, 2, 2, 0)


def full_page(word: str = "word", report: Report | None = None) -> Page:
    """A page with every part, in which `word` stands wherever strangers write."""
    evidence = {"effect": "fail", "message": word, "rule": "LOC001", "count": 3, "url": word, "line": 7}
    step = {
        "id": "parse", "title": "Parse sitemap", "weight": 0.25, "status": "fail", "score": 0.0, "evidence": [evidence],
    }  # fmt: skip
    check = {
        "check": {"id": "sitemap", "version": "1.0.0", "suite": "2026.06.10"},
        "origin": word, "status": "fail", "score": 0.75, "steps": [step], "candidates": [],
    }  # fmt: skip
    return Page(
        command="audit",
        targets=[word, "example.com"],
        made_at=NOW,
        version="0.1.0",
        report=replace(report or faulty_report(), notes=(word,), skipped=(SkippedFile(word, "unknown"),)),
        checks=[check],
        overview=Overview(
            9,
            ((date(2026, 1, 2), 5), (date(2026, 1, 4), 2)),
            1,
            1,
            (Section(word, 8, ((word, 3),)), Section("example.com/", 1)),
            5,
            Languages(((word, 4), ("de", 3)), 2, ((2, 4),), 2, 4),
            Redirects(((1, 2),), (("301", 2),), ((word, word, 1, "200"),)),
        ),
        pages=PageCounts(100, 10, 9, 1, "time", {"200": 8, word: 1}, Share.of(8, 9, 99)),
        media=MediaCounts(5, 3, 1, 1, None, {"200": 2, word: 1}),
        agents=[AgentAccess(KNOWN_AGENTS[0], 9, 3, ((word, 4, 3),)), AgentAccess(KNOWN_AGENTS[1], 9, 9)],
        twins=TwinCounts(240, 212, 212, 212, 200, 5, 4),
        llms=LlmsCounts(1, 230, (LlmsSection(f"/{word}/", 200, 190), LlmsSection("/", 40, 38))),
        inventory=Inventory(3, 1, (word,), 2, (word,)),
        runs=[run_row(1), run_row(2)],
        since=ChangesSince(
            run_row(1), 3, 2, 1, {State.NEW: 1, State.UNCHANGED: 4},
            (FindingChange("LOC003", Severity.ERROR, word, 0, 2, word),),
        ),
        store=f"{word}.duckdb",
        run_id=2,
    )  # fmt: skip


def drawn(page: Page) -> str:
    return "\n".join(render(page))


def parsed(page: Page) -> Any:
    return html.document_fromstring(drawn(page))


@cache
def usual() -> Any:
    return parsed(full_page())


def data_of(tree: Any) -> dict[str, Any]:
    [script] = tree.xpath("//script[@id='data']")
    values: dict[str, Any] = json.loads(script.text)
    return values


def test_every_part_is_there_in_order_and_named_above() -> None:
    assert tuple(usual().xpath("//main/section/@id")) == PARTS
    assert tuple(usual().xpath("//nav//li//li/a/@href")) == tuple(f"#{part}" for part in PARTS[1:])
    groups = usual().xpath("//nav//a[@class='group']")
    assert [(one.text, one.get("href")) for one in groups] == [
        ("Fix", "#first"), ("Search engines", "#score"), ("Site", "#documents"), ("This report", "#trend"),
    ]  # fmt: skip


def test_empty_parts_are_left_out() -> None:
    page = Page(command="validate", targets=["x"], made_at=NOW, version="0.1.0", report=Report("0.1.0", [], []))
    assert parsed(page).xpath("//main/section/@id") == ["verdict", "about"]
    check = Page(command="check", targets=["x"], made_at=NOW, version="0.1.0", checks=full_page().checks)
    assert parsed(check).xpath("//main/section/@id") == ["verdict", "first", "findings", "score", "about"]


def test_only_the_pages_own_style_and_script_may_run() -> None:
    tree = usual()
    [policy] = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    digests = re.findall(r"'sha256-([^']+)'", policy)
    [style] = tree.xpath("//style")
    [data, script] = tree.xpath("//script")
    assert data.get("type") == "application/json"
    for content, digest in zip((style.text, script.text), digests, strict=True):
        assert base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() == digest
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    # The policy comes before anything that it is to hold back.
    assert drawn(full_page()).index("Content-Security-Policy") < drawn(full_page()).index("<style>")


def test_nothing_is_asked_for() -> None:
    tree = usual()
    assert tree.xpath("//link | //img | //iframe | //object | //embed | //base | //form | //audio | //video") == []
    assert tree.xpath("//@src | //@srcset | //@style | //@action | //@ping") == []
    assert "url(" not in tree.xpath("//style")[0].text
    assert "@import" not in tree.xpath("//style")[0].text


def test_ids_are_unique_and_labels_are_there() -> None:
    ids = usual().xpath("//@id")
    assert len(ids) == len(set(ids))
    for named in usual().xpath("//@aria-labelledby"):
        assert named in ids
    for target in usual().xpath("//a[starts-with(@href, '#')]/@href"):
        assert target[1:] in ids


def test_the_same_numbers_in_every_form() -> None:
    report = faulty_report()
    page = replace(full_page(), report=report)
    tree = parsed(page)
    summary = as_json(report.finding_counts)
    assert data_of(tree)["summary"] == summary
    shown = {one.get("data-number"): int(one.get("data-value")) for one in tree.xpath("//*[@data-number]")}
    assert {name: shown[name] for name in summary} == summary
    told = "\n".join(text.render(report))
    for severity in ("error", "warning"):
        count = sum(finding.count for finding in report.findings if finding.severity.value == severity)
        by_rule = tree.xpath(f"//details[@data-severity='{severity}']/@data-places")
        assert sum(map(int, by_rule)) == count
        assert f"{summary[f'{severity}s']:,} {severity}s" in told
    assert f"{summary['urls']:,} URLs" in told
    assert tree.xpath("//*[@data-score]/@data-score") == ["0.75"]
    assert tree.xpath("//*[@data-health]/@data-health") == ["8"]


def test_the_score_never_contradicts_the_verdict() -> None:
    tree = usual()
    # The ring is in the section of the check, which says whose score it is; the verdict has none.
    assert not tree.xpath("//section[@id='verdict']//*[local-name()='svg']")
    [gist] = tree.xpath("//section[@id='score']//summary/span[@class='gist']")
    assert gist.text == "0.75 of 1 for its sitemaps: failed"
    assert "Sitemap check" in tree.xpath("//*[@id='score-of-1']")[0].text_content()


@pytest.mark.parametrize(("part", "kind"), [(9, "pass"), (8, "error"), (0, "error")])
def test_indexable_pages_are_counted_with_the_verdict(part: int, kind: str) -> None:
    pages = PageCounts(9, 9, 9, 0, None, {"200": 9}, Share.of(part, 9, 9))
    [number] = parsed(replace(full_page(), pages=pages)).xpath("//section[@id='verdict']//*[@data-health]")
    assert " ".join(number.getparent().text_content().split()) == f"indexable{part}of 9 checked"
    assert number.getparent().get("class").split() == ["tile", kind]
    nothing = parsed(replace(full_page(), pages=PageCounts(9, 9, 0, 9, None, {}, Share.of(0, 0, 0))))
    assert not nothing.xpath("//*[@data-health]")


def test_twins_and_what_is_wrong_with_them() -> None:
    finding = Finding(registry.rule("TWN005"), 0, 3, ())
    report = replace(faulty_report(), findings=[*faulty_report().findings, finding])
    for page, findings in ((full_page(), "No findings on them."), (replace(full_page(), report=report), "TWN005 3")):
        [twins] = parsed(page).xpath("//section[@id='twins']")
        [gist] = twins.xpath(".//summary/span[@class='gist']")
        assert gist.text == "212 of 240 pages have a Markdown twin"
        shown = " ".join(" ".join(twins.itertext()).split())
        assert "212 declared; 4 of 5 requested as Markdown return it. 200 of 212 twins compared" in shown
        assert "An llms.txt links to 228 of 240 pages; without a link: /word/ 10, / 2." in shown
        assert findings in shown


def test_a_site_without_files_for_agents_has_no_such_part() -> None:
    page = replace(full_page(), llms=None, twins=TwinCounts(240, 0, 0, 0, 0, 5, 0))
    assert not parsed(page).xpath("//section[@id='twins']")


def test_what_to_fix_first_names_the_urls() -> None:
    [first, *_] = usual().xpath("//section[@id='first']/ol/li")
    linked = first.xpath("./ul/li/a/@href | ./ul/li/span")
    assert linked
    assert len(usual().xpath("//section[@id='first']/ol/li")) <= 3


def test_the_only_place_of_a_rule_is_shown_without_opening_it() -> None:
    report = faulty_report()
    tree = parsed(replace(full_page(), report=report))
    single = {finding.rule.code for finding in report.findings if finding.count == len(finding.examples) == 1}
    codes = [one.rule.code for one in report.findings]
    for rule in tree.xpath("//details[@data-code]"):
        code = rule.get("data-code")
        if codes.count(code) == 1:
            assert bool(rule.getparent().xpath("./p[@class='only']")) is (code in single), code


def test_changes_are_listed_by_state_and_rules_that_are_not_compared_are_named() -> None:
    def change(code: str, before: int, after: int) -> FindingChange:
        return FindingChange(code, Severity.ERROR, "https://example.com/s.xml", before, after, "seen")

    since = ChangesSince(
        run_row(1), 0, 0, 0,
        {State.NEW: 1, State.UNCHANGED: 60, State.SHRUNK: 1, State.FIXED: 2, State.NOT_CHECKED: 1},
        (
            change("LOC003", 0, 2), change("XML001", 3, 3), change("MOD002", 2, 1), change("ENC005", 1, 0),
            replace(change("PGE001", 4, 0), unchecked={Unchecked.ROBOTS: 4}),
        ),
        ("LNK002", "PGE003"),
    )  # fmt: skip
    tree = parsed(replace(full_page(), since=since))
    [trend] = tree.xpath("//section[@id='trend']")
    shown = {
        one.xpath("./summary")[0].text: [code.text for code in one.xpath(".//tbody//code")]
        for one in trend.xpath("./details[.//table[contains(@class, 'changes')]]")
    }
    assert shown == {
        "New or in more places: 1 finding": ["LOC003"],
        "No longer checked: 1 finding": ["PGE001"],
        "Fixed or in fewer places: 3 findings": ["MOD002", "ENC005"],
        "Unchanged: 60 findings": ["XML001"],
    }
    notes = [" ".join(one.text_content().split()) for one in trend.xpath("./p[@class='note']")]
    assert notes == [
        "Not compared: findings of LNK002, PGE003. Only this run applied these rules.",
    ]
    assert "4 no longer checked: robots.txt blocks the page" in trend.text_content()


@pytest.mark.parametrize("count", [99, 100])
def test_charts_are_for_sites_that_need_them(count: int) -> None:
    report = faulty_report()
    documents = [{**row, "entries": 0} for row in report.documents]
    documents[0] = {**documents[0], "entries": count}
    tree = parsed(replace(full_page(), report=replace(report, documents=documents)))
    for section in ("lastmod", "sections"):
        charts = tree.xpath(f"//section[@id='{section}']//*[local-name()='svg'][@role='img']")
        assert bool(charts) is (count == 100)
        # Without a chart, the table is there at once, and its caption names no areas.
        [table] = tree.xpath(f"//section[@id='{section}']//figure//table")
        assert bool(table.xpath("ancestor::details[@class='values']")) is (count == 100)
        assert "The areas" not in tree.xpath(f"string(//section[@id='{section}']//figcaption)") or charts


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("redirects to https://example.com/a.", ["https://example.com/a"]),
        ("https://example.com/a, https://example.com/b", ["https://example.com/a", "https://example.com/b"]),
        ("https://example.com/a\u2026", []),
        ("redirect: \u201chttps://example.com/a/\u201d to none", ["https://example.com/a/"]),
        ("see https://example.com/\u202egpj", []),
        ("javascript:alert(1) ftp://example.com/", []),
        ("`https://example.com/` is listed", ["https://example.com/"]),
    ],
)
def test_urls_in_messages_are_links(text: str, links: list[str]) -> None:
    drawn: Any = html.fragment_fromstring(str(link_urls(text)), create_parent="p")
    assert drawn.xpath("./a/@href") == links


def test_the_same_values_give_the_same_bytes() -> None:
    assert drawn(full_page()) == drawn(full_page())


@pytest.mark.parametrize("word", [*HOSTILE, "</script><script>alert(1)</script>", "<!--<script>", "{{7*7}}{% raw %}"])
def test_what_strangers_write_stays_text(word: str) -> None:
    page = full_page(word, report_of(word))
    written = drawn(page)
    written.encode("utf-8")
    tree: Any = html.document_fromstring(written)
    usual_tags = {one.tag for one in usual().iter() if isinstance(one.tag, str)}
    assert {one.tag for one in tree.iter() if isinstance(one.tag, str)} <= usual_tags | {"mark"}
    assert tree.xpath("//comment()") == []
    assert len(tree.xpath("//script")) == 2
    assert not [name for one in tree.iter() for name in one.attrib if name.startswith("on") or name == "style"]
    for target in tree.xpath("//@href"):
        assert target.startswith(("#", "https://", "http://"))
    assert "49" not in "".join(tree.xpath("//title")[0].itertext())
    # Nothing steers what stands beside it.
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufeff]", written)
    data_of(tree)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("https://example.com/a?b=1&c=2", True),
        ("HTTP://example.com/", True),
        ("javascript:alert(1)", False),
        (" https://example.com/", False),
        ("data:text/html,x", False),
        ("//example.com/", False),
        ("ftp://example.com/", False),
        ("public/sitemap.xml", False),
        ("https://example.com/\u202egpj", False),
        ("https://example.com/\n", False),
        ("https://example.com/" + "a" * 5_000, False),
    ],
)
def test_only_harmless_addresses_are_links(text: str, link: bool) -> None:
    drawn: Any = html.fragment_fromstring(str(place(text)))
    assert (drawn.tag == "a") is link
    if link:
        assert (drawn.get("href"), drawn.get("rel")) == (text, "noopener noreferrer nofollow")


def test_a_long_address_is_shortened_and_says_so() -> None:
    drawn = "".join(html.fragment_fromstring(str(place("https://example.com/" + "a" * 5_000))).itertext())
    assert len(drawn) < MAX_URL + 40
    assert "(5,020 characters)" in drawn


def test_prose_knows_code_and_drops_links() -> None:
    assert str(prose("Write `<loc>` as [the protocol](https://x) says & <b>no</b>")) == (
        "Write <code>&lt;loc&gt;</code> as the protocol says &amp; &lt;b&gt;no&lt;/b&gt;"
    )
