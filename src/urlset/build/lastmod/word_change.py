"""Describes in a few words how two texts differ, and whether two files were changed in the same way."""

from __future__ import annotations

from typing import NamedTuple

SHOWN = 8
"""Words of a change that are shown."""

_LONGEST = 40
"""Longest word that is shown whole, in characters."""

_PUNCTUATION = ".,;:!?\"'()"


class WordChange(NamedTuple):
    """The first words in which two texts differ, and what identifies the change in other files.

    Attributes:
        shown: The old and the new words.
        kinds: Keys that files which are changed in the same way share: the words that begin the change, and the sets of
            words that it removes and adds anywhere; empty if no other file was changed.
    """

    shown: str
    kinds: tuple[int, ...]


def change_of(old: str, new: str, *, is_alone: bool = False) -> WordChange:
    """Compare the words of two texts.

    Args:
        is_alone: Whether no other file was changed.

    Example:
        >>> change_of("needs 16 GB of memory", "needs 32 GB of memory").shown
        '"16" -> "32"'
        >>> change_of("one two", "one and two").shown
        'added "and"'
    """
    start = _common_prefix(old, new)
    old, new = old[start:], new[start:]
    end = _common_prefix(old[::-1], new[::-1])
    removed, added = old[: len(old) - end].split(), new[: len(new) - end].split()
    shown_removed, shown_added = _shown(removed), _shown(added)
    if removed and added:
        shown = f"{shown_removed} -> {shown_added}"
    else:
        shown = f"removed {shown_removed}" if removed else f"added {shown_added}"
    if is_alone:
        return WordChange(shown, ())
    words_before, words_after = _set(removed), _set(added)
    everywhere = frozenset(words_before - words_after), frozenset(words_after - words_before)
    beginning = tuple(removed[:SHOWN]), tuple(added[:SHOWN])
    return WordChange(shown, (hash(beginning), hash(everywhere if any(everywhere) else beginning)))


def common_length(first: str, second: str) -> int:
    """Return the number of characters at the beginning of two texts that are the same.

    Halving compares in C: going through the words takes half of the time of a whole history.
    """
    least, most = 0, min(len(first), len(second))
    while least < most:
        middle = (least + most + 1) // 2
        if first[least:middle] == second[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def first_words(text: str) -> str:
    """Return the first words of a text that is new."""
    return f"added {_shown(text.split(' ', SHOWN + 1))}" if text else ""


def _common_prefix(first: str, second: str) -> int:
    """Return the number of characters of the words at the beginning of two texts that are the same."""
    least = common_length(first, second)
    ends_words = all(least == len(text) or text[least] == " " for text in (first, second))
    return least if ends_words else first.rfind(" ", 0, least) + 1


def _set(words: list[str]) -> set[str]:
    return {word.strip(_PUNCTUATION) for word in words}


def _shown(words: list[str]) -> str:
    cut = " ".join(word if len(word) <= _LONGEST else f"{word[:_LONGEST]}…" for word in words[:SHOWN])
    return f'"{cut} …"' if len(words) > SHOWN else f'"{cut}"'
