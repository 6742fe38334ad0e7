"""Short phrases: sizes with their units, counts with their nouns, lists with `and`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

KiB = 1024
MiB = 1024 * KiB
GiB = 1024 * MiB

_UNITS = ("KiB", "MiB", "GiB", "TiB", "PiB")


def quantity(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun, in the form that agrees with it: `0 URLs`, `1 URL`, `1,204 URLs`."""
    return f"{number:,} {inflect(number, singular, plural)}"


def inflect(number: int, singular: str, plural: str | None = None) -> str:
    """Return the form of a noun, or of a noun with its verb, that agrees with a number.

    Args:
        plural: The form for numbers other than 1; by default the singular with an s.
    """
    return singular if number == 1 else plural or singular + "s"


def enumeration(texts: Sequence[str], word: str = "and") -> str:
    """Return at least one text as a list: `a`, `a and b`, `a, b, and c`."""
    *first, last = texts
    return f"{', '.join(first)}{',' if len(first) > 1 else ''} {word} {last}" if first else last


def in_bytes(text: str) -> int:
    """Return a size as DuckDB shows it, such as `1.5 GiB`, in bytes."""
    number, unit = text.split()
    return int(float(number) * (1 if unit == "bytes" else KiB ** (_UNITS.index(unit) + 1)))


def size(number_of_bytes: int) -> str:
    """Return a size in the largest suitable unit, with one decimal unless it is a whole number of that unit.

    Example:
        >>> size(1_023), size(121_242), size(52_428_800)
        ('1,023 bytes', '118.4 KiB', '50 MiB')
    """
    if number_of_bytes < KiB:
        return _in_bytes(number_of_bytes)
    divisor = 1
    for unit in _UNITS:  # noqa: B007 - the last one is used below
        divisor *= 1024
        # 1023.95 KiB would be shown as 1024.0.
        if number_of_bytes / divisor < 1023.95:
            break
    return f"{number_of_bytes / divisor:,.{1 if number_of_bytes % divisor else 0}f} {unit}"


def exact_size(number_of_bytes: int) -> str:
    """Return a size in the largest suitable unit, with the exact number of bytes: `118.4 KiB (121,242 bytes)`."""
    exactly = _in_bytes(number_of_bytes)
    return exactly if number_of_bytes < KiB else f"{size(number_of_bytes)} ({exactly})"


def limit_size(number_of_bytes: int, *, exact: bool = False) -> str:
    """Return a limit without rounding: `50 MiB`, or `52,428,801 bytes` if it is not a whole number of a unit.

    Args:
        exact: Whether to add the exact number of bytes: `50 MiB (52,428,800 bytes)`.
    """
    if "." in size(number_of_bytes):
        return _in_bytes(number_of_bytes)
    return exact_size(number_of_bytes) if exact else size(number_of_bytes)


def _in_bytes(number: int) -> str:
    return quantity(number, "byte")
