"""Badge of `check`: a small SVG without external fonts, scripts, or services."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from urlset.model.specification import SPECIFICATION, Status
from urlset.report.style import Style
from urlset.report.words import points

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.check import CheckResult

HEIGHT = 20
PADDING = 6
COLOURS = {Status.PASS: "#2e7d32", Status.WARN: "#9a6700", Status.FAIL: "#c62828"}
"""White text on each of them has a contrast of at least 4.5 to 1: https://www.w3.org/TR/WCAG22/#contrast-minimum"""

_NARROW = frozenset("fijlrt.,:;|!'()[] ")
_WIDE = frozenset("mwMW%")


def render(results: Sequence[CheckResult], style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    """Yield the lines of the badge of a single site."""
    (result,) = results
    label, value = SPECIFICATION.id, f"{result.status.value} {points(result.score)}"
    left, right = _width(label), _width(value)
    title = escape(f"{SPECIFICATION.id} check of {result.origin}: {result.status.value}, {points(result.score)} of 100")
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{HEIGHT}" role="img" '
        f'aria-label="{title}">\n'
        f"  <title>{title}</title>\n"
        f'  <clipPath id="r"><rect width="{left + right}" height="{HEIGHT}" rx="3"/></clipPath>\n'
        f'  <g clip-path="url(#r)">\n'
        f'    <rect width="{left}" height="{HEIGHT}" fill="#444c56"/>\n'
        f'    <rect x="{left}" width="{right}" height="{HEIGHT}" fill="{COLOURS[result.status]}"/>\n'
        f"  </g>\n"
        f'  <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">\n'
        f"    {_text(label, left / 2, left)}\n"
        f"    {_text(value, left + right / 2, right)}\n"
        f"  </g>\n"
        f"</svg>"
    )


def _text(text: str, centre: float, width: int) -> str:
    # `textLength` fits the text to its width in any font.
    return f'<text x="{centre:g}" y="14" textLength="{width - 2 * PADDING}">{escape(text)}</text>'


def _width(text: str) -> int:
    """Return the approximate width in Verdana at 11 pixels, plus padding."""
    letters = sum(4.2 if letter in _NARROW else 10.2 if letter in _WIDE else 7.0 for letter in text)
    return round(letters) + 2 * PADDING
