"""Text on whether robots.txt allows a URL for a crawler, for `robots` and for `audit` of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.paint import Role
from urlset.robots import VerdictReason
from urlset.safe import safe

if TYPE_CHECKING:
    from urlset.report.paint import Paint
    from urlset.robots import Verdict

WHY = {
    VerdictReason.NO_RULE: "no rule matches",
    VerdictReason.NO_GROUP: "no group applies",
    VerdictReason.OWN_GROUP: "no group names it, and it ignores groups for *",
    VerdictReason.IGNORED: "it ignores robots.txt, according to its operator",
    VerdictReason.OWN_PATH: "robots.txt itself is always allowed",
    VerdictReason.UNAVAILABLE: "no robots.txt",
    VerdictReason.UNREACHABLE: "robots.txt is unreachable",
}
"""Reasons for a verdict that no rule decides."""


def verdict_text(verdict: Verdict, paint: Paint) -> str:
    """Return whether a crawler may fetch a URL, and the line or the reason that decides."""
    word = paint("allowed", Role.GOOD) if verdict.allowed else paint("blocked", Role.ERROR)
    if verdict.line is None:
        return f"{word}  {WHY[verdict.reason]}"
    rule = f"{'Allow' if verdict.allowed else 'Disallow'}: {safe(verdict.pattern or '')}"
    index_page = "; Google also applies it to the folder" if verdict.reason is VerdictReason.INDEX_PAGE else ""
    return f"{word}  line {verdict.line}: {rule}  (User-agent: {safe(verdict.group or '')}{index_page})"
