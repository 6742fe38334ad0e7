"""Sizes in bytes: their units, and sizes in words for people to read."""

from __future__ import annotations

KiB = 1024
MiB = 1024 * KiB
GiB = 1024 * MiB

_UNITS = ("KiB", "MiB", "GiB", "TiB", "PiB")


def size(number_of_bytes: int) -> str:
    """Returns a size in the unit that suits it, with one decimal unless it is a whole number of that unit.

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
    """Returns a size in the unit that suits it, and to the byte: `118.4 KiB (121,242 bytes)`."""
    exactly = _in_bytes(number_of_bytes)
    return exactly if number_of_bytes < KiB else f"{size(number_of_bytes)} ({exactly})"


def limit_size(number_of_bytes: int, *, exact: bool = False) -> str:
    """Returns a limit, which is never rounded: `50 MiB`, or `52,428,801 bytes` if it is no whole number of a unit.

    Args:
        number_of_bytes: The limit.
        exact: Whether the bytes are given as well: `50 MiB (52,428,800 bytes)`.
    """
    if "." in size(number_of_bytes):
        return _in_bytes(number_of_bytes)
    return exact_size(number_of_bytes) if exact else size(number_of_bytes)


def _in_bytes(number: int) -> str:
    return f"{number:,} {'byte' if number == 1 else 'bytes'}"
