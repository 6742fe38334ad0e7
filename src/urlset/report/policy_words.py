"""The lines and columns of a policy for crawlers, which the text and the HTML report share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.agents import Obedience
from urlset.model.policy import Reply
from urlset.safe import safe
from urlset.sizes import counted, enumerated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from urlset.model.policy import CrawlerPolicy, PolicyReport

_WORDS = {
    Reply.LOGIN: "login",
    Reply.PAYMENT: "payment",
    Reply.REFUSED: "refused",
    Reply.CHALLENGE: "challenge",
    Reply.ERROR: "error",
}


def declared_lines(report: PolicyReport) -> Iterator[str]:
    """Yield what is declared, a line for each place."""
    status = f"HTTP {report.robots_status}" if report.robots_status is not None else "no response"
    meaning = {
        "unavailable": "; everything is allowed",
        "unreachable": "; everything is disallowed until it can be read",
    }
    yield f"robots.txt: {status}{meaning.get(report.availability, '')}"
    for one in report.statements:
        if one.key != "RSL":
            whom = f" (for {safe(enumerated(one.agents))})" if one.agents else ""
            problem = "" if one.problem is None else f"; {one.problem}"
            yield f"{safe(one.where)}: {safe(_named(one.key, one.where))}{safe(one.text)}{whom}{problem}"
    for each in report.licenses:
        said = each.problem or each.terms or "says nothing about this address"
        yield f"license {safe(each.url)}, robots.txt line {each.line}: {safe(said)}"
    if report.llms is not None:
        title = "" if report.llms.title is None else f"{safe(report.llms.title)}, "
        yield f"llms.txt: {title}{counted(report.llms.links, 'link')}" if report.llms.is_found else "llms.txt: none"
    if report.page_error is not None:
        yield f"headers of {safe(report.url)}: not known: {safe(report.page_error)}"


def _named(key: str, where: str) -> str:
    return "" if where.endswith(key) or where.startswith("meta ") else f"{key}: "


def crawler_table(report: PolicyReport) -> tuple[list[str], list[list[str]]]:
    """Return the columns and rows of the crawlers; a column without any value is left out."""
    cells: dict[str, list[str]] = {
        "operator": [one.operator for one in report.crawlers],
        "purpose": [one.purpose for one in report.crawlers],
        "crawler": [one.agent for one in report.crawlers],
        "robots.txt": [_robots(one) for one in report.crawlers],
        "stated": [_stated(one) for one in report.crawlers],
    }
    if any(one.answer or one.not_asked for one in report.crawlers):
        cells["response"] = [_answer(one) for one in report.crawlers]
    if report.logs_to is not None:
        cells["verified requests"] = [_visits(one) for one in report.crawlers]
    cells = {name: column for name, column in cells.items() if any(column) or name == "verified requests"}
    return [*cells], [list(row) for row in zip(*cells.values(), strict=True)]


def logs_line(first: datetime, last: datetime) -> str:
    """Return what the verified requests are taken from."""
    return f"Access logs from {first:%Y-%m-%d} to {last:%Y-%m-%d}, without requests for sitemaps and robots.txt."


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
