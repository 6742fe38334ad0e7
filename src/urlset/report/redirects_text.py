"""Text report of `diff --redirects`: the redirects that are not as intended, then all in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.redirects import GOOD, WEAK, RedirectOutcome
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.safe import safe
from urlset.sizes import counted, inflected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.redirects import CheckedRedirect, CheckedRedirects, RedirectCounts

_MEANING = {
    RedirectOutcome.ARRIVES: "at the new URL, with one permanent redirect",
    RedirectOutcome.SAME: "the map gives the URL itself, which returns content without a redirect",
    RedirectOutcome.GONE: "404 or 410, as the map says",
    RedirectOutcome.CHAIN: "at the new URL, but after several redirects",
    RedirectOutcome.TEMPORARY: "at the new URL, but with a temporary redirect",
    RedirectOutcome.WRONG: "at another URL than the new one",
    RedirectOutcome.LOOP: "endless redirects",
    RedirectOutcome.STILL_THERE: "no redirect; the old URL returns content",
    RedirectOutcome.LOST: "no redirect; the old URL returns an error",
    RedirectOutcome.BROKEN: "redirects to an error",
    RedirectOutcome.UNMAPPED: "no longer listed, and not in the map",
    RedirectOutcome.UNKNOWN: "no conclusive response",
}


def render(result: CheckedRedirects, style: Style = Style()) -> Iterator[str]:
    """Yield a line for each redirect that is not as intended (in verbose style, for all), then the numbers."""
    old, new = result.columns
    yield style.paint(f"Redirect map: old URLs from {safe(old)}, new URLs from {safe(new)}", Role.FAINT)
    for one in result.checked:
        if style.verbose or one.outcome not in GOOD:
            yield _line(one, style)
    yield ""
    yield from _numbers(result.counts, style)


def _role(outcome: RedirectOutcome) -> Role:
    if outcome in GOOD:
        return Role.GOOD
    return Role.WARNING if outcome in WEAK or outcome is RedirectOutcome.UNKNOWN else Role.ERROR


def _line(one: CheckedRedirect, style: Style) -> str:
    facts = []
    if one.expected is not None:
        facts.append(f"should lead to {safe(one.expected)}")
    elif one.outcome is not RedirectOutcome.UNMAPPED:
        facts.append("should return 404 or 410")
    if one.final_url is not None and one.final_url != one.expected:
        facts.append(f"leads to {safe(one.final_url)}")
    if one.redirects is not None and one.redirects > 1:
        facts.append(counted(one.redirects, "redirect"))
    if one.status is not None:
        facts.append(f"HTTP {one.status}")
    if one.reason is not None:
        facts.append(safe(one.reason))
    return f"{style.paint(one.outcome.value, _role(one.outcome))}  {safe(one.url)}" + (
        f" ({'; '.join(facts)})" if facts else ""
    )


def _numbers(counts: RedirectCounts, style: Style) -> Iterator[str]:
    total = sum(counts.outcomes.values())
    yield style.paint(f"{counted(total, 'old URL')}", Role.HEADING)
    width = max((len(f"{count:,}") for count in counts.outcomes.values()), default=1)
    for outcome in RedirectOutcome:
        if count := counts.outcomes.get(outcome):
            yield f"  {count:>{width},} {style.paint(outcome.value, _role(outcome))}: {_MEANING[outcome]}"
    if counts.unlisted_targets:
        yield (
            f"The later side does not list the new {inflected(counts.unlisted_targets, 'URL', 'URLs')} of "
            f"{counted(counts.unlisted_targets, 'old URL')}."
        )
    if counts.still_listed:
        yield f"The later side still lists {counted(counts.still_listed, 'old URL')} of the map."
    if counts.unlisted_before:
        yield f"The earlier side does not list {counted(counts.unlisted_before, 'old URL')} of the map."
    if counts.repeated:
        yield f"{counted(counts.repeated, 'row')} of the map {inflected(counts.repeated, 'repeats', 'repeat')} another."
