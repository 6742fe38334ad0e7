"""Ranks the findings of a report by their consequences: what to fix first, and why.

There is one order, for the terminal, JSON, Markdown, and the HTML report: what keeps search engines from reading a
file, what makes them drop URLs, pages that cannot be indexed, what misleads search engines, and the rest.
Within each, what concerns more URLs comes first, not counting places that another finding causes. A cause comes before
its effects; the rules say which places that are (`rules.rule.Cause`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Struct

from urlset.model.document import Row, number_of
from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.model.finding import Finding
from urlset.rules.rule import Consequence, Rule, RuleCode, Severity
from urlset.rules.templates import effect_on
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from urlset.model.report import Report

FIRST = 3
"""Number of findings to start with."""

SITE = "SIT"
"""The rules on a site as a whole, which come before those on its files."""

CONSEQUENCES = tuple(Consequence)


@dataclass(frozen=True, slots=True)
class CausedPlaces:
    """Places of a rule that another finding of the report causes: repairing that one ends these.

    Attributes:
        rule: The rule that reports the cause.
        places: Number of places that it causes.
    """

    rule: Rule
    places: int


@dataclass(frozen=True, slots=True)
class RankedRule:
    """The findings of a rule, with their place in the order."""

    rank: Annotated[
        PositiveInt, about("Its place in the order in which to fix what was found, from 1; its findings share it.")
    ]
    rule: Annotated[Rule, about("The rule, with its severity in this run.")]
    findings: Annotated[Sequence[Finding], about("Its findings, by document.")]
    reason: Annotated[
        str,
        about(
            "Why it is there, in words, such as `search engines may miss all 36 URLs`; empty for what is only worth "
            "knowing, and if all of its places have a cause."
        ),
    ]
    because_of: Annotated[
        Sequence[CausedPlaces],
        about("The places that other findings of the report cause, by rule, in the order of these rules."),
    ] = ()

    @property
    def is_loss(self) -> bool:
        """Whether it makes search engines lose URLs or pages."""
        return self.rule.consequence in (Consequence.FILE, Consequence.ENTRIES, Consequence.PAGES)

    @property
    def places(self) -> int:
        """Number of places that break the rule."""
        return sum(finding.count for finding in self.findings)

    @property
    def caused(self) -> int:
        """Number of places that other findings of the report cause."""
        return sum(cause.places for cause in self.because_of)

    @property
    def is_effect(self) -> bool:
        """Whether other findings of the report cause all of its places."""
        return self.caused >= self.places


class RankedFinding(Struct, frozen=True):
    """A rule that a document breaks, with its place in the order in which to fix what was found."""

    IN_JSON: ClassVar = (
        "finding.rule.code", "finding.rule.name", "finding.rule.severity", "place.rank", "place.reason", "because_of",
        "caused_places", "finding.count", "document", "finding.rule.message", "finding.rule.fix", "finding.examples",
    )  # fmt: skip

    finding: Annotated[Finding, about("The finding.")]
    document: Annotated[str, about("The url of the document in documents.")]
    place: Annotated[RankedRule, about("The place of its rule.")]
    because_of: Annotated[
        Sequence[RuleCode], about("Codes of the rules in this report whose findings cause places of this one.")
    ]
    caused_places: Annotated[NonNegativeInt, about("Number of places that they cause; repairing those ends these.")]


def rank_rules(report: Report) -> list[RankedRule]:
    """Return the rules with findings, in the order in which to fix them."""
    groups: dict[str, list[Finding]] = defaultdict(list)
    for finding in report.findings:
        groups[finding.rule.code].append(finding)
    rows = {row["document_id"]: row for row in report.documents}
    total = report.summary.urls
    causes = {code: _caused_places(code, findings, groups) for code, findings in groups.items()}
    sized = {code: _size(findings, rows, total, sum(causes[code].values())) for code, findings in groups.items()}
    # A cause is at least as serious as what it causes.
    seriousness = {code: _seriousness(findings[0].rule) for code, findings in groups.items()}
    for code, caused in causes.items():
        for cause in caused:
            seriousness[cause] = min(seriousness[cause], seriousness[code])

    def order(code: str) -> tuple[int, bool, int, int, str]:
        consequence, severity = seriousness[code]
        return (consequence, groups[code][0].rule.family != SITE, -sized[code][0], severity, code)

    codes = _causes_first(sorted(groups, key=order), causes)
    return [
        RankedRule(
            rank,
            groups[code][0].rule,
            groups[code],
            sized[code][1],
            tuple(CausedPlaces(groups[cause][0].rule, causes[code][cause]) for cause in codes if cause in causes[code]),
        )
        for rank, code in enumerate(codes, start=1)
    ]


def ranked_findings(report: Report) -> Iterator[RankedFinding]:
    """Yield the findings of a report, in report order."""
    order = {place.rule.code: place for place in rank_rules(report)}
    for finding in report.findings:
        place = order[finding.rule.code]
        causes = {cause.rule.code: finding.causes.get(cause.rule.code, 0) for cause in place.because_of}
        codes = [code for code, places in causes.items() if places]
        yield RankedFinding(finding, report.document_url(finding.document_id), place, codes, sum(causes.values()))


def to_start_with(order: Iterable[RankedRule]) -> list[RankedRule]:
    """Return what to fix first: errors and warnings, without those that others cause everywhere."""
    places = (rule for rule in order if rule.rule.severity in (Severity.ERROR, Severity.WARNING) and not rule.is_effect)
    return [rule for _, rule in zip(range(FIRST), places, strict=False)]


def _seriousness(rule: Rule) -> tuple[int, int]:
    return CONSEQUENCES.index(rule.consequence), rule.severity.rank


def _caused_places(
    code: str, findings: Iterable[Finding], groups: Mapping[str, Sequence[Finding]]
) -> Mapping[str, int]:
    """Return the number of places that other findings of the report cause, by the codes of their rules.

    A cause that is not in the report, because it is ignored or was not selected, does not count.
    """
    places: Counter[str] = Counter()
    for finding in findings:
        places.update({cause: count for cause, count in finding.causes.items() if cause in groups and cause != code})
    return places


def _size(findings: Sequence[Finding], rows: Mapping[object, Row], total: int, caused: int) -> tuple[int, str]:
    """Return the number of URLs that the findings of a rule concern, and what that means for them.

    Args:
        caused: The number of places that are left out, as other findings cause them.
    """
    rule = findings[0].rule
    places = sum(finding.count for finding in findings) - caused
    if places <= 0:
        return 0, ""
    if rule.effect and rule.consequence is not Consequence.NOTES:
        return places, effect_on(rule, places)
    match rule.consequence:
        case Consequence.FILE if rule.table == "children":
            return places, f"search engines may miss {quantity(places, 'child sitemap')}"
        case Consequence.FILE:
            return _of_files([rows[finding.document_id] for finding in findings], total)
        case Consequence.ENTRIES:
            # An entry can break a rule in several places.
            lost = min(places, total) or places
            return lost, f"{_part(lost, total)} may be dropped"
        case Consequence.PAGES:
            pages = quantity(places, "page")
            is_certain = rule.severity is Severity.ERROR
            return places, f"{pages} cannot be indexed" if is_certain else f"search engines may leave out {pages}"
        case Consequence.SIGNALS:
            # A rule whose severity was raised, or that a user defined.
            return places, f"found in {quantity(places, 'place')}"
        case Consequence.NOTES:
            return places, ""


def _of_files(rows: Sequence[Row], total: int) -> tuple[int, str]:
    urls = sum(number_of(row, "entries") for row in rows if row.get("kind") != "sitemapindex")
    if urls:
        return urls, f"search engines may miss {_part(urls, total)}"
    children = sum(number_of(row, "entries") for row in rows)
    if children:
        return children, f"search engines may miss {quantity(children, 'child sitemap')}"
    files = quantity(len(rows), "file")
    if all(row.get("kind") == "robots" for row in rows):
        return total, "search engines may not find or read the sitemaps"
    return total, f"search engines may miss all URLs of {files}"


def _part(urls: int, total: int) -> str:
    if urls >= total:
        return f"all {total:,} URLs" if total > 1 else "the only URL" if total else quantity(urls, "URL")
    return f"{urls:,} of {quantity(total, 'URL')}"


def _causes_first(codes: Sequence[str], causes: Mapping[str, Mapping[str, int]]) -> list[str]:
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
