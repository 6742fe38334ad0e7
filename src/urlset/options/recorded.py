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


def recorded(options: OptionGroup, chosen: Iterable[Option]) -> dict[str, object]:
    """Return the values of some options as JSON, without secrets."""
    return {each.name: _plain(getattr(options, each.name)) for each in chosen if not each.facts.secret}


def restored(options: Verb, chosen: Iterable[Option], record: Mapping[str, object]) -> Verb:
    """Return the options with the values that a run recorded for some of them."""
    return replace(options, **{each.name: record[each.name] for each in chosen if each.name in record})


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    return value
