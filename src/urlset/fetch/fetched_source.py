"""What is read of a source."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlset.sources import BinaryFile


@dataclass(frozen=True, slots=True)
class FetchedSource:
    """A source that is ready to be read.

    Attributes:
        content: What the core reads: bytes, the path of a file, or a file object.
        facts: Facts about the fetch: columns of `tables.DOCUMENTS`.
        fetched_at: When it was fetched, UTC.
        is_ours: Whether the file object was opened here, and must be closed here.
        size: Bytes that it occupies in memory or on disk until it is read; 0 for what the user opened.
    """

    content: bytes | str | BinaryFile
    facts: dict[str, object] = field(default_factory=dict)
    fetched_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    is_ours: bool = False
    elapsed_ms: float = 0.0
    size: int = 0

    def close(self) -> None:
        """Close what was opened here. What the user opened stays open."""
        close = getattr(self.content, "close", None)
        if self.is_ours and close is not None:
            close()
