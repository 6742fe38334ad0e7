"""Text of `robots --policy`, whose lines and columns the HTML report shares, and of `robots --write-policy`."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from urlset.clients.render import cause_lines
from urlset.model.policy import Reply
from urlset.report.paint import Role
from urlset.report.rows import table
from urlset.report.style import Style
from urlset.text.safe import safe
from urlset.text.sizes import enumeration, quantity
from urlset.web.agents import Obedience

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from urlset.model.policy import CrawlerPolicy, PolicyFile, PolicyReport

_WORDS = {
    Reply.LOGIN: "login",
    Reply.PAYMENT: "payment",
    Reply.REFUSED: "refused",
    Reply.CHALLENGE: "challenge",
    Reply.ERROR: "error",
}


def render(report: PolicyReport, style: Style = Style()) -> Iterator[str]:
    paint = style.paint
    yield paint(f"{safe(report.url)}: policy for crawlers on {report.checked_at:%Y-%m-%d}", Role.HEADING)
    yield ""
    if report.intent is not None:
        yield f"Intended, in [policy]: {safe(report.intent.words)}."
        yield ""
    yield paint("Declared:", Role.HEADING)
    yield from (f"  {line}" for line in declared_lines(report))
    yield ""
    yield paint("Crawlers:", Role.HEADING)
    yield from _crawlers(report, style)
    for finding in report.findings:
        evidence = f"{finding.evidence}, on {finding.seen_on}"
        yield from cause_lines(finding, finding.kind.value, evidence, paint)
    yield ""
    if not report.findings:
        yield "  No contradictions found."
    yield paint("  This check cannot tell:", Role.FAINT)
    for line in report.unknown:
        yield paint(f"  - {line}", Role.FAINT)
    if style.verbose:
        yield ""
        yield paint("Sources:", Role.HEADING)
        for crawler in report.crawlers:
            yield f"  {safe(crawler.agent)}: {safe(crawler.source)} ({crawler.source_date})"


def _crawlers(report: PolicyReport, style: Style) -> Iterator[str]:
    columns, rows = crawler_table(report)
    operators = [row[0] for row in rows]
    # Each operator is written once, above its crawlers.
    new = ["" if operator == before else operator for before, operator in pairwise(["", *operators])]
    yield from table(
        columns, [(name, *row[1:]) for name, row in zip(new, rows, strict=True)], replace(style, max_rows=0)
    )
    if report.logs_from is not None and report.logs_to is not None:
        yield style.paint(f"  {logs_line(report.logs_from, report.logs_to)}", Role.FAINT)
    if "response" not in columns:
        yield style.paint("  Use --clients to send requests with the user agent of each crawler.", Role.FAINT)


def declared_lines(report: PolicyReport) -> Iterator[str]:
    """Yield what is declared, a line for each place."""
    status = f"HTTP {report.robots_status}" if report.robots_status is not None else "no response"
    meaning = {
        "unavailable": "; everything is allowed",
        "unreachable": "; everything is disallowed until it can be read",
    }
    yield f"robots.txt: {status}{meaning.get(report.availability, '')}"
    for block in report.managed:
        end = "to the end, without a closing comment" if block.last is None else f"to {block.last}"
        yield f"robots.txt lines {block.first} {end}: written by {safe(block.writer)}"
    for statement in report.statements:
        if statement.key != "RSL":
            agents = f" (for {safe(enumeration(statement.agents))})" if statement.agents else ""
            problem = "" if statement.problem is None else f"; {statement.problem}"
            name = safe(_label(statement.key, statement.where))
            writer = _writer(statement.written_by)
            yield f"{safe(statement.where)}{writer}: {name}{safe(statement.text)}{agents}{problem}"
    for each in report.licenses:
        terms = each.problem or each.terms or "has no terms for this URL"
        yield f"license {safe(each.url)}, {safe(each.where)}: {safe(terms)}"
    if report.llms is not None:
        title = "" if report.llms.title is None else f"{safe(report.llms.title)}, "
        yield f"llms.txt: {title}{quantity(report.llms.links, 'link')}" if report.llms.is_found else "llms.txt: none"
    if report.page_error is not None:
        yield f"headers of {safe(report.url)}: not known: {safe(report.page_error)}"


def _label(key: str, where: str) -> str:
    return "" if where.endswith(key) or where.startswith("meta ") else f"{key}: "


def crawler_table(report: PolicyReport) -> tuple[list[str], list[list[str]]]:
    """Return the columns and rows of the crawlers; a column without any value is left out."""
    cells: dict[str, list[str]] = {
        "operator": [crawler.operator for crawler in report.crawlers],
        "purpose": [crawler.purpose for crawler in report.crawlers],
        "crawler": [crawler.agent for crawler in report.crawlers],
        "intended": ["" if each.intended is None else "yes" if each.intended else "no" for each in report.crawlers],
        "robots.txt": [_robots(crawler) for crawler in report.crawlers],
        "stated": [_statement_line(crawler) for crawler in report.crawlers],
    }
    if any(crawler.answer or crawler.not_asked for crawler in report.crawlers):
        cells["response"] = [_answer(crawler) for crawler in report.crawlers]
    if report.logs_to is not None:
        cells["verified requests"] = [_visits(crawler) for crawler in report.crawlers]
    cells = {name: column for name, column in cells.items() if any(column) or name == "verified requests"}
    return [*cells], [list(row) for row in zip(*cells.values(), strict=True)]


def logs_line(first: datetime, last: datetime) -> str:
    """Return what the verified requests are taken from."""
    return f"Access logs from {first:%Y-%m-%d} to {last:%Y-%m-%d}, without requests for sitemaps and robots.txt."


def _robots(crawler: CrawlerPolicy) -> str:
    if crawler.follows == Obedience.IGNORES:
        return "does not follow it"
    line = "" if crawler.line is None else f", line {crawler.line}{_writer(crawler.line_written_by)}"
    if crawler.allowed:
        return f"allowed{line}"
    return f"disallowed{line}{'; may ignore robots.txt' if crawler.may_ignore else ''}"


def _writer(name: str | None) -> str:
    return "" if name is None else f" ({safe(name)})"


def _statement_line(crawler: CrawlerPolicy) -> str:
    if crawler.use is None or crawler.stated is None:
        return ""
    return f"{crawler.use.value}: {crawler.stated}"


def _answer(crawler: CrawlerPolicy) -> str:
    if crawler.answer is None:
        return crawler.not_asked or "not requested"
    status = "no response" if crawler.answer.status is None else str(crawler.answer.status)
    word = _WORDS.get(crawler.answer.reply)
    detail = f", {crawler.answer.detail}" if crawler.answer.reply is Reply.PAYMENT and crawler.answer.detail else ""
    return status if word is None else f"{status}, {word}{detail}"


def _visits(crawler: CrawlerPolicy) -> str:
    visits = crawler.visits
    if visits is None:
        return ""
    refused = f", {visits.refused:,} refused" if visits.refused else ""
    return f"{visits.hits:,}{refused}, last {visits.last_on}"


def written(plan: PolicyFile, style: Style = Style()) -> Iterator[str]:
    paint = style.paint
    yield paint(f"{safe(plan.path)}: {safe(plan.intent.words)}", Role.HEADING)
    yield ""
    if plan.is_changed:
        yield paint("Lines between the markers:", Role.HEADING)
        yield from (f"  {safe(line)}".rstrip() for line in plan.block.split("\n"))
    else:
        yield "The file is up to date; nothing to write."
    yield ""
    yield paint(f"Allowed URLs, {_compared(plan)}:", Role.HEADING)
    yield from table(
        ["crawler", "operator", "before", "after"],
        [(row.agent, row.operator, f"{row.before:,}", f"{row.after:,}") for row in plan.crawlers],
        style,
    )
    yield paint(f"  {quantity(plan.unchanged, 'known crawler')} without a change.", Role.FAINT)
    for (reason, source), crawlers in groupby(plan.unwritten, key=lambda each: (each.reason, each.source)):
        names = enumeration([crawler.agent for crawler in crawlers])
        yield f"  No group for {safe(names)}: {safe(reason)} ({safe(source)})"
    yield from (f"  Note: {safe(note)}" for note in plan.notes)
    if style.verbose:
        yield ""
        yield paint("Sources:", Role.HEADING)
        for group in plan.groups:
            day = "" if group.source_date is None else f" ({group.source_date})"
            yield f"  {safe(enumeration(group.agents))}: {safe(group.source)}{day}"


def _compared(plan: PolicyFile) -> str:
    if plan.sitemaps:
        return f"of {quantity(plan.urls, 'URL')} in {safe(enumeration(plan.sitemaps[:3]))}"
    return f"of {quantity(plan.urls, 'URL')}; name your sitemap with --urls-from to compare its URLs"
