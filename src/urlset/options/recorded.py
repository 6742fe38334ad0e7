"""Convert options to the JSON that a run records, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import TypeVar

from urlset.options.declare import Option, OptionGroup

Verb = TypeVar("Verb", bound=OptionGroup)


def record_options(options: OptionGroup, chosen: Iterable[Option]) -> dict[str, object]:
    """Return the values of some options as JSON, without secrets."""
    return {option.name: _to_plain(getattr(options, option.name)) for option in chosen if not option.facts.secret}


def restore_options(options: Verb, chosen: Iterable[Option], record: Mapping[str, object]) -> Verb:
    """Return the options with the values that a run recorded for some of them."""
    return replace(options, **{option.name: record[option.name] for option in chosen if option.name in record})


def _to_plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return [_to_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _to_plain(item) for key, item in value.items()}
    return value
