"""Ranks the findings of a report by their consequences: what to fix first, and why.

There is one order, for the terminal, JSON, Markdown, and the HTML report: what keeps search engines from reading a
file, what makes them drop URLs, pages that cannot be indexed, what misleads search engines, and the rest.
Within each, what concerns more URLs comes first. A cause comes before its effects.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.model.document import number_of
from urlset.rules.rule import Consequence, Severity
from urlset.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.model.document import Row
    from urlset.model.finding import Example, Finding
    from urlset.model.report import Report
    from urlset.rules.rule import Rule

FIRST = 3
"""Number of findings to start with."""

CONSEQUENCES = tuple(Consequence)


@dataclass(frozen=True, slots=True)
class RankedRule:
    """The findings of a rule, with their place in the order.

    Attributes:
        rank: Its place in the order in which to fix what was found, from 1; its findings share it.
        rule: The rule, with its severity in this run.
        findings: Its findings, by document.
        reason: Why it is there, in words, such as `all 36 URLs at risk`; empty for what is only worth knowing.
        because_of: The rules whose findings cause all or some of these, in their order.
    """

    rank: int
    rule: Rule
    findings: Sequence[Finding]
    reason: str
    because_of: Sequence[Rule] = ()

    @property
    def is_loss(self) -> bool:
        """Whether it makes search engines lose URLs or pages."""
        return self.rule.consequence in (Consequence.FILE, Consequence.ENTRIES, Consequence.PAGES)

    @property
    def places(self) -> int:
        """Number of places that break the rule."""
        return sum(finding.count for finding in self.findings)


def rank_rules(report: Report) -> list[RankedRule]:
    """Return the rules with findings, in the order in which to fix them."""
    groups: dict[str, list[Finding]] = defaultdict(list)
    for finding in report.findings:
        groups[finding.rule.code].append(finding)
    rows = {row["document_id"]: row for row in report.documents}
    total = report.summary.urls
    sized = {code: _size(findings, rows, total) for code, findings in groups.items()}

    def order(code: str) -> tuple[int, int, int, str]:
        rule = groups[code][0].rule
        return (CONSEQUENCES.index(rule.consequence), -sized[code][0], rule.severity.rank, code)

    codes = _causes_first(sorted(groups, key=order), causes := _causes(groups))
    return [
        RankedRule(
            rank,
            groups[code][0].rule,
            groups[code],
            sized[code][1],
            tuple(groups[cause][0].rule for cause in codes if cause in causes[code]),
        )
        for rank, code in enumerate(codes, start=1)
    ]


def to_start_with(order: Iterable[RankedRule]) -> list[RankedRule]:
    """Return what to fix first: errors and warnings, without those that others cause."""
    places = (
        rule for rule in order if rule.rule.severity in (Severity.ERROR, Severity.WARNING) and not rule.because_of
    )
    return [rule for _, rule in zip(range(FIRST), places, strict=False)]


def _size(findings: Sequence[Finding], rows: Mapping[object, Row], total: int) -> tuple[int, str]:
    """Return the number of URLs that the findings of a rule concern, and what that means for them."""
    rule = findings[0].rule
    places = sum(finding.count for finding in findings)
    match rule.consequence:
        case Consequence.FILE if rule.table == "children":
            return places, f"{quantity(places, 'child sitemap')} at risk"
        case Consequence.FILE:
            return _of_files([rows[finding.document_id] for finding in findings], total)
        case Consequence.ENTRIES:
            # An entry can break a rule in several places.
            lost = min(places, total) or places
            return lost, f"{_part(lost, total)} may be dropped"
        case Consequence.PAGES:
            can = "cannot" if rule.severity is Severity.ERROR else "may not"
            return places, f"{quantity(places, 'page')} {can} be indexed"
        case Consequence.SIGNALS:
            return places, f"may mislead search engines, or be ignored, in {quantity(places, 'place')}"
        case Consequence.NOTES:
            return places, ""


def _of_files(rows: Sequence[Row], total: int) -> tuple[int, str]:
    urls = sum(number_of(row, "entries") for row in rows if row.get("kind") != "sitemapindex")
    if urls:
        return urls, f"{_part(urls, total)} at risk"
    children = sum(number_of(row, "entries") for row in rows)
    if children:
        return children, f"{quantity(children, 'child sitemap')} at risk"
    files = quantity(len(rows), "file")
    return total, f"all URLs of {files} at risk" if any(row.get("kind") != "robots" for row in rows) else (
        "search engines may not find or read the sitemaps"
    )


def _part(urls: int, total: int) -> str:
    if urls >= total:
        return f"all {total:,} URLs" if total > 1 else "the only URL" if total else quantity(urls, "URL")
    return f"{urls:,} of {quantity(total, 'URL')}"


def _causes(groups: Mapping[str, Sequence[Finding]]) -> Mapping[str, frozenset[str]]:
    """Return for each rule those whose findings cause some of its own, as far as the examples show.

    A page that is lost causes findings on other entries and pages that name it: alternates, canonicals, and links.
    """
    lost: dict[str, set[str]] = defaultdict(set)
    for code, findings in groups.items():
        if findings[0].rule.consequence is Consequence.PAGES:
            for example in _examples(findings):
                lost[example.url or ""].add(code)
    causes: dict[str, set[str]] = defaultdict(set)
    for code, findings in groups.items():
        is_of_page = findings[0].rule.consequence is Consequence.PAGES
        for example in _examples(findings):
            # What a page says of itself is not caused by what else is wrong with it.
            if not (is_of_page and example.value == example.url):
                causes[code] |= lost.get(example.value or "-", set()) - {code}
    return {code: frozenset(causes[code]) for code in groups}


def _examples(findings: Iterable[Finding]) -> Iterator[Example]:
    return (example for finding in findings for example in finding.examples)


def _causes_first(codes: Sequence[str], causes: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the codes in the same order, with each after its causes."""
    ordered: list[str] = []

    def add(code: str, above: frozenset[str]) -> None:
        if code in ordered or code in above:
            return
        for cause in codes:
            if cause in causes[code]:
                add(cause, above | {code})
        ordered.append(code)

    for code in codes:
        add(code, frozenset())
    return ordered
