"""Option values as JSON values and as text."""

from __future__ import annotations

from pathlib import Path


def plain_value(value: object) -> object:
    """Return a value as a JSON value; a custom rule becomes its code."""
    if isinstance(value, tuple):
        return [plain_value(item) for item in value]
    if isinstance(value, dict):
        return {key: plain_value(item) for key, item in value.items()}
    if isinstance(value, Path):
        return str(value)
    return getattr(value, "code", value)


def value_text(value: object) -> str:
    """Return a value as text: `true`, `1,000`, `a, b`, `none`."""
    plain = plain_value(value)
    if plain is None or plain in ([], {}):
        return "none"
    if isinstance(plain, bool):
        return str(plain).lower()
    if isinstance(plain, list):
        return ", ".join(map(str, plain))
    if isinstance(plain, dict):
        return ", ".join(f"{key} = {value_text(item)}" for key, item in plain.items())
    return f"{plain:,}" if isinstance(plain, int) else str(plain)
