"""Text that `coverage inspect` prints: the share of indexed URLs, the reasons, and when to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.coverage import InspectOutcome
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.safe import safe
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.coverage import InspectResult

MOST_REASONS = 12
"""Maximum reasons to show."""


def render(result: InspectResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines."""
    yield style.paint(safe(result.site), Role.HEADING)
    yield (
        f"Inspected {result.inspected:,} of {counted(result.sample, 'URL')} in the sample, "
        f"of {counted(result.listed, 'listed URL')} of the property."
    )
    if result.outside:
        yield f"Left out: {counted(result.outside, 'listed URL')} outside of the property."
    if (share := result.indexed) is not None:
        line = f"Indexed: {share.part:,} of {share.whole:,} ({share.part / share.whole:.1%})"
        if share.low != share.high:
            line += f"; of all listed URLs {share.low:.1%} to {share.high:.1%}, with 95% confidence"
        yield f"{line}."
    for reason, count in result.reasons[:MOST_REASONS]:
        yield f"  {count:,}  {safe(reason) or 'unknown'}"
    if left := result.reasons[MOST_REASONS:]:
        yield style.paint(f"  … {counted(len(left), 'more reason')}", Role.FAINT)
    for problem, count in result.failed.items():
        yield f"Not inspected: {counted(count, 'URL')}: {safe(problem)}"
    yield f"Requests: {result.asked:,} now, {result.used:,} of {result.per_day:,} in the last 24 hours."
    for note in result.notes:
        yield style.paint(f"Note: {note}.", Role.FAINT)
    yield from _end(result, style)


def _end(result: InspectResult, style: Style) -> Iterator[str]:
    if result.outcome is InspectOutcome.COMPLETE:
        yield style.paint("Complete.", Role.GOOD) + f" Run `urlset coverage --store {safe(str(result.store))}` next."
        return
    role = Role.WARNING if result.outcome is InspectOutcome.QUOTA else Role.ERROR
    left = result.sample - result.inspected - sum(result.failed.values())
    yield style.paint(f"Stopped: {safe(result.reason or '')}; {counted(left, 'URL is', 'URLs are')} left.", role)
    when = "" if result.next_at is None else f" after {result.next_at:%Y-%m-%d %H:%M} UTC"
    yield f"Continue{when} with --resume."
