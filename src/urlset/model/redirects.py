"""Results of checking a redirect map after a migration."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

from msgspec import Struct, field

from urlset.model.comparison import Gaps
from urlset.model.fields import NonNegativeInt, about
from urlset.model.result import with_short_repr


class RedirectOutcome(StrEnum):
    """Outcome of the request for an old URL."""

    ARRIVES = "arrives"
    """It leads to its new URL with one permanent redirect."""
    SAME = "same"
    """The map gives it its own URL, where it returns content without a redirect."""
    GONE = "gone"
    """It returns 404 or 410, and the map gives it no new URL."""
    CHAIN = "chain"
    """It arrives after several redirects."""
    TEMPORARY = "temporary"
    """It arrives with a redirect that is not permanent: neither 301 nor 308."""
    WRONG = "wrong"
    """It leads to another URL than its new one."""
    LOOP = "loop"
    """Its redirects do not end, or exceed `max_redirects`."""
    STILL_THERE = "still there"
    """It returns content instead of a redirect."""
    LOST = "lost"
    """It returns a client error instead of a redirect."""
    BROKEN = "broken"
    """It redirects, but to a client error or to an invalid URL."""
    UNMAPPED = "unmapped"
    """Only the earlier side lists it, and the map does not have it."""
    UNKNOWN = "unknown"
    """No response, or one that may apply to this client only: 401, 402, 403, 407, 429, and server errors."""


GOOD = frozenset({RedirectOutcome.ARRIVES, RedirectOutcome.SAME, RedirectOutcome.GONE})
"""Outcomes as intended."""

WEAK = frozenset({RedirectOutcome.CHAIN, RedirectOutcome.TEMPORARY})
"""Outcomes that arrive, but should be improved."""

REDIRECT_COLUMNS = (
    "outcome", "url", "expected", "status", "final_url", "redirects", "expected_is_listed", "reason",
)  # fmt: skip
"""The columns of a checked redirect."""


class CheckedRedirect(Struct, frozen=True):
    """An old URL, and where it leads."""

    outcome: Annotated[RedirectOutcome, about("What became of it.")]
    url: Annotated[str, about("The old URL.")]
    expected: Annotated[str | None, about("Its new URL; None if the map has none.")] = None
    status: Annotated[int | None, about("The final status code; None without a response.")] = None
    final_url: Annotated[str | None, about("Where its redirects lead; None without redirects.")] = None
    redirects: Annotated[NonNegativeInt | None, about("Number of redirects; None if it was not requested.")] = None
    expected_is_listed: Annotated[
        bool | None, about("Whether the later side lists the new URL; None without a new URL.")
    ] = None
    reason: Annotated[str | None, about("Why the outcome is unknown, or what is wrong with a redirect.")] = None


class RedirectCounts(Struct):
    """Checked redirects in numbers; complete after the last one was read."""

    outcomes: Annotated[dict[RedirectOutcome, NonNegativeInt], about("Number of old URLs per outcome.")] = field(
        default_factory=dict
    )
    repeated: Annotated[NonNegativeInt, about("Number of rows of the map that repeat another row.")] = 0
    unlisted_before: Annotated[NonNegativeInt, about("Number of mapped URLs that the earlier side does not list.")] = 0
    still_listed: Annotated[
        NonNegativeInt,
        about("Number of mapped URLs that the later side still lists, although they have another new URL."),
    ] = 0
    unlisted_targets: Annotated[
        NonNegativeInt, about("Number of mapped URLs whose new URL the later side does not list.")
    ] = 0

    def fails(self, fail_on: str) -> bool:
        """Return whether the redirects count as a failure.

        Args:
            fail_on: `alarm` for redirects that do not arrive, `any` also for chains, temporary redirects, and sitemaps
                that do not match the map, `never`.
        """
        outcomes = {outcome for outcome, count in self.outcomes.items() if count}
        if fail_on == "never":
            return False
        if outcomes - GOOD - WEAK - {RedirectOutcome.UNKNOWN}:
            return True
        return fail_on == "any" and bool(outcomes & WEAK or self.still_listed or self.unlisted_targets)


@with_short_repr
class CheckedRedirects(Struct, frozen=True):
    """The redirects of a map, as they are checked."""

    columns: Annotated[
        tuple[str, str], about("The columns of the map that were taken: those of the old and of the new URLs.")
    ]
    checked: Annotated[
        Iterator[CheckedRedirect],
        about("The redirects in the order of the map, then old URLs that the map does not have. Read it once."),
    ]
    counts: Annotated[RedirectCounts, about("The redirects in numbers.")]
    gaps: Annotated[tuple[Gaps, Gaps], about("What the earlier and the later side lack.")] = (Gaps(), Gaps())
