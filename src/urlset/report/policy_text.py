"""Text report of `robots --policy`: what is declared, a table of the crawlers, and the contradictions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.agents import Obedience
from urlset.model.policy import Reply
from urlset.report.check_lines import finding_lines
from urlset.report.paint import Role
from urlset.report.rows import table
from urlset.report.style import Style
from urlset.safe import safe
from urlset.sizes import counted, enumerated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.policy import CrawlerPolicy, PolicyReport

_WORDS = {
    Reply.LOGIN: "login",
    Reply.PAYMENT: "payment",
    Reply.REFUSED: "refused",
    Reply.CHALLENGE: "challenge",
    Reply.ERROR: "error",
}


def render(report: PolicyReport, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    paint = style.paint
    yield paint(f"{safe(report.url)}: policy for crawlers on {report.checked_at:%Y-%m-%d}", Role.HEADING)
    yield ""
    yield paint("Declared:", Role.HEADING)
    yield from _declared(report)
    yield ""
    yield paint("Crawlers:", Role.HEADING)
    yield from _crawlers(report, style)
    for finding in report.findings:
        seen = f"{finding.evidence}, on {finding.seen_on}"
        yield from finding_lines(finding, finding.kind.value, seen, paint)
    yield ""
    if not report.findings:
        yield "  No contradictions, as far as can be seen from here."
    yield paint("  Not known from here:", Role.FAINT)
    for line in report.unknown:
        yield paint(f"  - {line}", Role.FAINT)
    if style.verbose:
        yield ""
        yield paint("Sources:", Role.HEADING)
        for one in report.crawlers:
            yield f"  {one.agent}: {one.source} ({one.source_date})"


def _declared(report: PolicyReport) -> Iterator[str]:
    status = f"HTTP {report.robots_status}" if report.robots_status is not None else "no response"
    meaning = {
        "unavailable": "; everything is allowed",
        "unreachable": "; everything is disallowed until it can be read",
    }
    yield f"  robots.txt: {status}{meaning.get(report.availability, '')}"
    for one in report.statements:
        if one.key != "RSL":
            whom = f" (for {safe(enumerated(one.agents))})" if one.agents else ""
            problem = "" if one.problem is None else f"; {one.problem}"
            yield f"  {safe(one.where)}: {safe(_named(one.key, one.where))}{safe(one.text)}{whom}{problem}"
    for each in report.licenses:
        said = each.problem or each.terms or "says nothing about this address"
        yield f"  license {safe(each.url)}, robots.txt line {each.line}: {safe(said)}"
    llms = report.llms
    if llms.is_found:
        yield f"  llms.txt: {safe(llms.title or 'without title')}, {counted(llms.links, 'link')}"
    else:
        yield "  llms.txt: none"
    if report.page_error is not None:
        yield f"  headers: not known, since the address cannot be read: {safe(report.page_error)}"


def _named(key: str, where: str) -> str:
    return "" if where.endswith(key) or where.startswith("meta ") else f"{key}: "


def _crawlers(report: PolicyReport, style: Style) -> Iterator[str]:
    """Yield the table; a column without any request is left out."""
    is_asked = any(one.answer or one.not_asked for one in report.crawlers)
    has_logs = report.logs_to is not None
    columns = ["operator", "purpose", "crawler", "robots.txt", "stated"]
    columns += ["response"] if is_asked else []
    columns += ["verified requests"] if has_logs else []
    rows = []
    before = ""
    for one in report.crawlers:
        row = ["" if one.operator == before else one.operator, one.purpose, one.agent, _robots(one), _stated(one)]
        row += [_answer(one)] if is_asked else []
        row += [_visits(one)] if has_logs else []
        rows.append(tuple(row))
        before = one.operator
    yield from table(columns, rows, replace(style, max_rows=0))
    if report.logs_from is not None and report.logs_to is not None:
        yield style.paint(
            f"  Access logs from {report.logs_from:%Y-%m-%d} to {report.logs_to:%Y-%m-%d}, without requests for "
            "sitemaps and robots.txt.",
            Role.FAINT,
        )
    if not is_asked:
        yield style.paint("  Use --clients to ask under the user agent of each crawler.", Role.FAINT)


def _robots(one: CrawlerPolicy) -> str:
    if one.follows == Obedience.IGNORES:
        return "does not follow it"
    word = "allowed" if one.allowed else "disallowed"
    return word if one.line is None else f"{word}, line {one.line}"


def _stated(one: CrawlerPolicy) -> str:
    if one.use is None or one.stated is None:
        return ""
    return f"{one.use.value}: {one.stated}"


def _answer(one: CrawlerPolicy) -> str:
    if one.answer is None:
        return one.not_asked or "not requested"
    status = "no response" if one.answer.status is None else str(one.answer.status)
    word = _WORDS.get(one.answer.reply)
    detail = f", {one.answer.detail}" if one.answer.reply is Reply.PAYMENT and one.answer.detail else ""
    return status if word is None else f"{status}, {word}{detail}"


def _visits(one: CrawlerPolicy) -> str:
    visits = one.visits
    if visits is None:
        return ""
    refused = f", {visits.refused:,} refused" if visits.refused else ""
    return f"{visits.hits:,}{refused}, last {visits.last_on}"
