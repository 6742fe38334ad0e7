"""Text report of `check --clients`: what stops crawlers, and with `verbose` every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.rules.rule import Severity
from urlset.safe import safe
from urlset.sizes import counted, size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.client_check import Answer, ClientCheck
    from urlset.report.paint import Paint

_ROLES = {Severity.ERROR: Role.ERROR, Severity.WARNING: Role.WARNING, Severity.INFO: Role.INFO}
_VERDICTS = {"pass": Role.GOOD, "warn": Role.WARNING, "fail": Role.ERROR}


def render(check: ClientCheck, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    paint = style.paint
    yield from check_lines(check, paint)
    if not check.findings:
        yield "  Nothing stands in the way of crawlers, as far as can be seen from here."
    if style.verbose:
        yield ""
        yield paint("Answers", Role.HEADING)
        width = max(len(answer.request) for answer in check.answers)
        for answer in check.answers:
            yield f"  {answer.request:{width}}  {_answer(answer)}"
    if check.not_tried:
        yield ""
        for left in check.not_tried:
            yield paint(f"  not tried: {left.request}: {safe(left.reason)}", Role.FAINT)
    yield ""
    yield paint("  Not known from here:", Role.FAINT)
    for line in check.unknown:
        yield paint(f"  - {line}", Role.FAINT)
    if not style.verbose:
        yield paint("  Use -v to show every answer.", Role.FAINT)


def check_lines(check: ClientCheck, paint: Paint) -> Iterator[str]:
    """Yield the verdict, what search engines say, and the findings."""
    yield f"{paint(safe(check.url), Role.HEADING)}: {paint(check.status, _VERDICTS[check.status])}"
    if check.found_by is not None:
        yield f"  the sitemap of the site, found by {check.found_by}"
    read = sum(answer.is_read for answer in check.answers)
    yield f"  {counted(len(check.answers), 'request')}, {read} answered as expected of a plain request"
    for reading in check.readings:
        yield f"  {safe(reading.sentence)}."
    for finding in check.findings:
        yield ""
        yield f"  {paint(finding.severity.value, _ROLES[finding.severity])}  {finding.title} ({finding.cause})"
        yield f"    seen: {safe(finding.evidence)}"
        yield f"    fix:  {finding.fix}"
        if finding.source is not None:
            yield paint(f"    {finding.source}", Role.FAINT)


def _answer(answer: Answer) -> str:
    """Return an answer in a line."""
    if answer.status is None:
        return safe(answer.error or "no answer")
    parts = [f"HTTP {answer.status}"]
    parts += [answer.content.value] if answer.content is not None else []
    parts += [size(answer.bytes) + ("" if answer.is_whole else " and more")] if answer.bytes else []
    parts += [f"{answer.ttfb_ms:,.0f} ms"] if answer.ttfb_ms is not None else []
    parts += [f"HTTP/{answer.http_version}"] if answer.http_version == "2" else []
    parts += [f"after {counted(len(answer.redirects), 'redirect')}"] if answer.redirects else []
    parts += [safe(answer.error)] if answer.error is not None else []
    return ", ".join(parts)
