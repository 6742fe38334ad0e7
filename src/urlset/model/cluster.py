"""The result of reading documents on a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.errors import Unreadable


@dataclass(frozen=True, slots=True)
class FolderRun:
    """A run as a folder of Parquet, which is complete.

    Attributes:
        folder: The folder.
        documents: Number of documents that were read.
        urls: Number of page URLs in them, not counting entries of indexes.
        unreadable: Targets and documents that could not be read.
        notes: What was left out.
    """

    folder: str
    documents: int
    urls: int
    unreadable: Sequence[Unreadable] = ()
    notes: Sequence[str] = ()
