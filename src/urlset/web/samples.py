"""Choose a sample of the pages of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


def evenly_spaced(pages: Sequence[T], count: int | None) -> list[T]:
    """Return a sample of pages, in their order, with the first one; all of them if `count` is None.

    Example:
        >>> evenly_spaced("abcdef", 3)
        ['a', 'c', 'e']
    """
    if count is None or count >= len(pages):
        return list(pages)
    return [pages[number * len(pages) // count] for number in range(count)]
