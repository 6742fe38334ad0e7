"""How far a run is, as it tells whoever wants to show it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct


class Progressed(Struct, frozen=True):
    """How far a run is.

    Attributes:
        done: Documents, or sites, that are done.
        known: How many are known; more may be found.
        name: The one just done.
        urls: URLs of pages read in total; None if they are not counted.
        bytes: Bytes read in total, after decompression; None if they are not counted.
    """

    done: int
    known: int
    name: str
    urls: int | None = None
    bytes: int | None = None


Progress: TypeAlias = Callable[[Progressed], None]
"""Called after each document or site."""
