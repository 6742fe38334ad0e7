"""Counts agree with their nouns in every report: "0 URLs", "1 URL", "2 URLs"."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from tests.agreement import disagreements
from tests.cases import case_table

from urlset.errors import Unreadable
from urlset.model.audit import AgentAccess, AuditResult, Inventory, MediaCounts, PageCounts, Share
from urlset.model.build import BuildReport, Feed, File, LeftOutPage, Refusal, RobotsUpdate, SiteReport, Summary
from urlset.model.build_result import BuildChecks, BuildResult
from urlset.model.check import CheckResult
from urlset.model.comparison import (
    Comparison,
    FindingChange,
    LastmodChange,
    LastmodChangeKind,
    ListedUrl,
    Part,
    RemovedUrl,
    RemovedUrlStatus,
    Side,
    State,
)
from urlset.model.discovery import Candidate, Discovery, Find, FoundBy, VisitedPage
from urlset.model.document import InspectedDocument, InspectReport, SkippedFile
from urlset.model.finding import Example, Finding
from urlset.model.fix import FixedDocument, FixOutcome, FixReport, Repair
from urlset.model.query import QueryResult
from urlset.model.reference import CachedStores, CacheState, ListedRule
from urlset.model.report import Report
from urlset.model.report_page import ChangesSince, Page
from urlset.model.robots import RobotsReport, SitemapAccess
from urlset.model.run import Languages, Overview, Redirects, RunRow, Section
from urlset.model.schema import SchemaFault, SchemaStatus, SchemaVerdict
from urlset.report import formats
from urlset.report.style import Style
from urlset.rules import registry
from urlset.rules.rule import EntryRule, Severity
from urlset.web.agents import KNOWN_AGENTS
from urlset.web.robots_txt import Robots

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def rule(severity: Severity) -> EntryRule:
    return EntryRule(
        code=f"TST{list(Severity).index(severity):03}",
        name="test-rule",
        severity=severity,
        table="urls",
        where="true",
        message="URL is wrong",
        example="URL is wrong",
        fix="Fix the URL.",
        sources=("urlset",),
    )


def row(number: int, n: int, **facts: object) -> dict[str, object]:
    return {
        "document_id": number, "url": f"https://example.com/{number}.xml", "kind": "urlset", "entries": n, "bytes": n,
        "wire_bytes": n, "compression": "gzip", "encoding": "UTF-8", "complete": True, "well_formed": True,
        "images": n, "videos": n, "news": n, "alternates": n, "lastmod_missing": n - 1 if n else 0,
        "foreign_namespaces": ["x", "…"], "foreign_counts": [n, n], "found_by": "given", "depth": 0,
    } | facts  # fmt: skip


def report(n: int) -> Report:
    example = Example(0, 1, 1, "https://example.com/", "loc", "x", "URL is wrong")
    findings = [
        Finding(rule(severity), number, count, (example,) * min(count, n))
        for severity in Severity
        for number in range(n)
        for count in {1, n}
    ]
    faults = tuple(SchemaFault(1, "wrong") for _ in range(n))
    return Report(
        "0.1.0",
        [row(number, n) for number in range(max(n, 1))] if n else [],
        findings,
        [Unreadable(f"{number}.xml", "no such file") for number in range(n)],
        [SkippedFile(f"{number}.txt", "unknown") for number in range(n)],
        known=n,
        schema=[SchemaVerdict(number, SchemaStatus.INVALID, faults[:1], n + 1) for number in range(n)],
    )


def part(n: int, items: Sequence[Any]) -> Part[Any]:
    return Part(n, tuple(items[:1]) if n else (), (("a.xml", n), ("b.xml", n)))


def comparison(n: int) -> Comparison:
    side = Side("x", None, NOW, n, n)
    listed = ListedUrl("https://example.com/", "a.xml", "2026-01-01")
    changes = [FindingChange(f"TST{k:03}", Severity.ERROR, "a.xml", 0, n or 1, "URL is wrong") for k in range(n)]
    return Comparison(
        replace(side, urls=10 * n),
        side,
        part(n, [listed]),
        part(n, [listed]),
        part(n, [LastmodChange("x", "a.xml", "2026-01-02", "2026-01-01", LastmodChangeKind.EARLIER)]),
        {LastmodChangeKind.EARLIER: n} if n else {},
        part(n, ["x"]),
        part(n, ["x"]),
        tuple(changes),
        part(n, [RemovedUrl("x", RemovedUrlStatus.LOST, 404)]),
        {RemovedUrlStatus.LOST: n} if n else {},
        new_findings=report(n),
    )


def audited(n: int) -> AuditResult:
    agent = AgentAccess(KNOWN_AGENTS[0], n + 1, n, tuple((f"/{k}/", n + 1, n) for k in range(n + 4)))
    pages = PageCounts(n + 1, n, n, n, "bytes", {"200": n}, Share.of(n, n, n + 1), n, 0, n)
    media = MediaCounts(2 * n, n, n, n, "time", {"200": n})
    return AuditResult(
        store=Path("x.duckdb"), run_id=2, earlier_run=1, report=report(n), pages=pages, media=media, agents=(agent,),
        inventory=Inventory(n, n, (), n, ()),
    )  # fmt: skip


def build(n: int) -> BuildResult:
    files = tuple(
        File(f"{kind}-{k}.xml", "https://example.com/", kind, "", n, n, n, "", None, True, n, n, n, n)
        for kind in ("urlset", "sitemapindex")
        for k in range(n + 7)
    )
    refused = tuple(Refusal(1, "https://example.com/", reason, "", "", "", reason != "x") for reason in ("bad", "x"))
    summary = Summary(
        files, n, n, {"bad": n} if n else {}, {"x": n} if n else {}, refused, (), n, n, n, ("title",) * n or ("x",),
        Feed("atom.xml", n, True),
    )  # fmt: skip
    site = SiteReport(
        "https://example.com/", "out", summary, {"unreadable": n} if n else {}, (LeftOutPage("a.html", "unreadable"),),
        summary.notes, RobotsUpdate("robots.txt", "example.com", ("Sitemap: x",) * n, False), shrinking=None,
    )  # fmt: skip
    return BuildResult(BuildReport((site,) * (n + 1), None, False, 1.0), True, BuildChecks(comparison(n)))


def fixed(n: int) -> FixReport:
    repair = Repair("date", "A date was fixed.", n, ())
    document = FixedDocument(
        target="a.xml", kind="urlset", outcome=FixOutcome.REPAIRED, reason=None, entries=n, files=("a.xml",),
        repairs=(repair,), omitted=n, omissions=(),
    )  # fmt: skip
    same = replace(document, outcome=FixOutcome.RIGHT, repairs=(), omitted=0)
    return FixReport(dry_run=n == 2, documents=[document, *[same] * n], unreadable=[])


def discovery(n: int) -> Discovery:
    found = Candidate(
        url="https://example.com/sitemap.xml", finds=(Find(FoundBy.ROBOTS, 1),), final_url="x", status=200,
        kind="sitemapindex", entries=n, bytes=n, wire_bytes=n,
    )  # fmt: skip
    guess = replace(found, finds=(Find(FoundBy.WELL_KNOWN),), kind=None, why_not="returned HTTP 404")
    home = VisitedPage(url="x", status=200, reason=None, named=n)
    return Discovery(
        written="x", origin="x", candidates=(found,) * n, tried=(guess,) * (n + 1), robots=home, home=home, notes=()
    )


def inspected(n: int) -> InspectReport:
    anomaly = {"kind": "doctype", "line": 1, "col": 1, "evidence": "x", "count": n}
    documents = [InspectedDocument(row(k, n), (), (anomaly,) * n, ()) for k in range(n)]
    index = InspectedDocument(row(7, n, kind="sitemapindex"), ({"loc": "x", "ordinal": 0},) * 21)
    gone = [InspectedDocument(row(8 + k, n, kind=None, found_by="index", error="gone")) for k in range(n)]
    cut = {"document_id": 7, "ordinal": 0, "kind": "depth-limit", "count": n, "duplicate_of": None}
    return InspectReport([*documents, index, *gone], [], [SkippedFile("a.txt", "unknown")] * n, [cut])


def robots(n: int) -> RobotsReport:
    lines = b"User-agent: *\nDisallow: /a\n\n" * n + b"Sitemap: https://example.com/a.xml\n" * n + b"nonsense\n" * n
    parsed = Robots.parse(lines, "https://example.com/robots.txt")
    asked = SitemapAccess("a.xml", n, True, n, {"GPTBot": n}, {"GPTBot": ()})
    return RobotsReport("robots.txt", parsed, 200, None, ("GPTBot",), (), (asked,))


def page(n: int) -> Page:
    run = RunRow(1, NOW, NOW, ("x",), "{}", "0.1.0", n, n, n, n, n, n)
    change = FindingChange("TST000", Severity.ERROR, "a.xml", n, n + 1, "URL is wrong")
    result = audited(n)
    languages = Languages((("en", n or 1),), n, ((2, n or 1),), n, n)
    redirects = Redirects(((1, n or 1),), (("301", n or 1),), (("a", "b", n, "200"),))
    section = Section("example.com/blog/", n or 1, (("2025/", n or 1),))
    days = ((date(2026, 1, 1), n or 1),)
    cut = {"kind": "depth-limit", "count": n}
    shown = replace(result.report, cuts=[cut], notes=())
    return Page(
        command="audit", targets=["x"], made_at=NOW, version="0.1.0", report=shown, checks=[],
        overview=Overview(n, days, n, n, (section,), n, languages, redirects), pages=result.pages, media=result.media,
        agents=result.agents, inventory=result.inventory, runs=[run, run],
        since=ChangesSince(run, n, n, n, dict.fromkeys(State, n), (change,) * n), store="x.duckdb", run_id=2,
    )  # fmt: skip


def checked(n: int) -> list[CheckResult]:
    return [CheckResult(discovery=discovery(n), steps=(), judged=None)] * max(n, 1)


def cached(n: int) -> CacheState:
    stores = CachedStores(Path("stores"), n, n)
    return CacheState(Path("cache"), n, n, n == 1, stores, stores)


def listed_rules(n: int) -> list[ListedRule]:
    return [ListedRule(one, one.severity.value) for one in registry.all_rules()[:n]]


def queried(n: int) -> QueryResult:
    return QueryResult(("x",), ("INTEGER",), iter([(k,) for k in range(n + 1)]))


MODELS: Mapping[str, Callable[[int], object]] = {
    "validate": report,
    "audit": audited,
    "build": build,
    "cache": cached,
    "check": checked,
    "diff": comparison,
    "discover": lambda n: [discovery(n)],
    "fix": fixed,
    "inspect": inspected,
    "report": page,
    "robots": robots,
    "rules": listed_rules,
    "sql": queried,
}
"""What a command returns if there are so many of everything."""

FOR_PROGRAMS = {"json", "jsonl", "csv", "badge", "none"}
"""Formats without sentences."""

SHOWN = [
    (command, form, made)
    for command, made in MODELS.items()
    for form in formats.OUTPUTS[command].formats
    if form not in FOR_PROGRAMS
]
CASES = {
    f"{number} {command} {form}{' verbose' if verbose else ''}": (command, form, made, verbose, number)
    for (command, form, made), verbose, number in product(SHOWN, (False, True), range(3))
}


@case_table("command, form, made, verbose, number", CASES)
def test_counts_agree_with_their_nouns(
    command: str, form: str, made: Callable[[int], object], verbose: bool, number: int
) -> None:
    style = Style(verbose=verbose, max_rows=max(number, 1), hints=verbose)
    text = "\n".join(formats.render(command, form, made(number), style))
    if form == "html":
        body = re.sub(r"<(style|script).*?</\1>|<title>.*?</title>", " ", text, flags=re.DOTALL)
        text = re.sub(r"</?(?:strong|span|code|wbr)[^>]*>", "", body)
        text = re.sub(r"<[^>]+>", "\n", text)
    assert disagreements(text) == []
