"""Text report of `check --clients`: what stops crawlers, and with `verbose` every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.check_lines import check_lines
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.safe import safe
from urlset.sizes import counted, size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.client_check import Answer, ClientCheck


def render(check: ClientCheck, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    paint = style.paint
    yield from check_lines(check, paint)
    if not check.findings:
        yield "  Nothing stands in the way of crawlers, as far as can be seen from here."
    if style.verbose:
        yield ""
        yield paint("Responses", Role.HEADING)
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
        yield paint("  Use -v to show every response.", Role.FAINT)


def _answer(answer: Answer) -> str:
    """Return an answer in a line."""
    if answer.status is None:
        return safe(answer.error or "no response")
    parts = [f"HTTP {answer.status}"]
    parts += [answer.content.value] if answer.content is not None else []
    parts += [size(answer.bytes) + ("" if answer.is_whole else " and more")] if answer.bytes else []
    parts += [f"{answer.ttfb_ms:,.0f} ms"] if answer.ttfb_ms is not None else []
    parts += [f"HTTP/{answer.http_version}"] if answer.http_version == "2" else []
    parts += [f"after {counted(len(answer.redirects), 'redirect')}"] if answer.redirects else []
    parts += [safe(answer.error)] if answer.error is not None else []
    return ", ".join(parts)
