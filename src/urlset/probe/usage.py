"""What fetching pages used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

if TYPE_CHECKING:
    from urlset.errors import Unreadable


class ProbeUsage(Struct):
    """What the run of a prober used.

    Attributes:
        pages: Number of pages requested.
        forbidden: Number of pages skipped because robots.txt blocks them.
        bytes: Bytes received.
        stopped_by: The budget that stopped it, bytes or time; None if all pages were processed.
        failed: Number of pages without a result because of an internal error.
        failures: The first of them, each with its error.
    """

    pages: int = 0
    forbidden: int = 0
    bytes: int = 0
    seconds: float = 0.0
    stopped_by: Literal["bytes", "time"] | None = None
    failed: int = 0
    failures: list[Unreadable] = field(default_factory=list)
