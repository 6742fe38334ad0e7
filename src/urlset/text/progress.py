"""The progress of a run, for callbacks that display it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct


class ProgressEvent(Struct, frozen=True):
    """The progress of a run.

    Attributes:
        done: Number of documents or sites that are done.
        known: Number of known documents or sites; more may be found.
        name: The last one that was done.
        urls: Total number of page URLs read; None if they are not counted.
        bytes: Total bytes read, after decompression; None if they are not counted.
    """

    done: int
    known: int
    name: str
    urls: int | None = None
    bytes: int | None = None


Progress: TypeAlias = Callable[[ProgressEvent], None]
"""Called after each document or site."""
