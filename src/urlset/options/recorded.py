"""Convert options to the JSON that a run records, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import TypeVar

from urlset.options.convert import record_of
from urlset.options.declare import Option, OptionGroup, options_of

Verb = TypeVar("Verb", bound=OptionGroup)


def recorded(options: OptionGroup, groups: tuple[type[OptionGroup], ...]) -> dict[str, object]:
    """Return the options of some groups as JSON values, without secrets and records."""
    return {each.name: _plain(getattr(options, each.name)) for each in _of(options, groups)}


def restored(options: Verb, groups: tuple[type[OptionGroup], ...], record: Mapping[str, object]) -> Verb:
    """Return the options with the values that a run recorded for some groups."""
    return replace(options, **{each.name: record[each.name] for each in _of(options, groups) if each.name in record})


def _of(options: OptionGroup, groups: tuple[type[OptionGroup], ...]) -> list[Option]:
    return [
        each
        for each in options_of(type(options))
        if each.group in groups and not each.facts.secret and record_of(each.annotation) is None
    ]


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
