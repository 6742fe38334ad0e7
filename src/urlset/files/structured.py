"""Decode untrusted JSON and TOML. Every error is a `ValueError` with a readable message.

Python's parsers raise other errors at deep nesting, and its TOML parser takes quadratic time for keys of many parts.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")

TOO_DEEP = "nested too deeply"

MAX_KEY_PARTS = 32
"""Maximum parts of a dotted key in TOML. Our choice."""

# Matches start at the beginning of a word and do not backtrack, so each place is tried once.
_DOTTED = re.compile(rf"(?<![\w.-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}")
_TEXT = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|$)|'
    r"'''(?:[^']|'(?!''))*+(?:'''|$)|"
    r'"(?:[^"\\\n]|\\.)*+"?|'
    r"'[^'\n]*+'?|"
    r"#[^\n]*+",
    re.DOTALL,
)


@overload
def decode_json(content: bytes | str, kind: type[T]) -> T: ...
@overload
def decode_json(content: bytes | str, kind: Any = ...) -> Any: ...
def decode_json(content: bytes | str, kind: Any = object) -> Any:
    """Return a value of JSON.

    Args:
        kind: The type that it must have, by default any.

    Raises:
        msgspec.ValidationError: It is a value of another type; a `ValueError`.
        ValueError: It is not valid JSON.
    """
    try:
        return msgspec.json.decode(content, type=kind)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None


def decode_toml(text: str) -> dict[str, object]:
    r"""Return the values of a TOML document.

    Raises:
        ValueError: It is not valid TOML, or has keys or integers that no document needs.

    Example:
        >>> decode_toml('[a."b.c"]\nd = 1')
        {'a': {'b.c': {'d': 1}}}
        >>> decode_toml("a = 99999999999999999999")
        Traceback (most recent call last):
            ...
        ValueError: an integer has more than 64 bits
    """
    # Most runs have no configuration file.
    import tomllib

    if _DOTTED.search(_TEXT.sub("x", text)) is not None:
        raise ValueError(f"a key has more than {MAX_KEY_PARTS} parts")
    try:
        values = tomllib.loads(text)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        # Python converts no more than 4,300 digits.
        raise ValueError("an integer has more than 64 bits") from None
    waiting: list[object] = [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, int) and value.bit_length() > 63:
            raise ValueError("an integer has more than 64 bits")
    return values
