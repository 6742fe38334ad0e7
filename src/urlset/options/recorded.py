"""Convert options to the JSON that a run records, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from urlset.options.convert import record_of
from urlset.options.declare import Option, OptionGroup, options_of

Verb = TypeVar("Verb", bound=OptionGroup)


def recorded(options: OptionGroup, chosen: Iterable[Option]) -> dict[str, object]:
    """Return the values of some options as JSON, without secrets; of records, such as custom rules, only a digest."""
    return {
        each.name: _digest(options, each) if record_of(each.annotation) else _plain(getattr(options, each.name))
        for each in chosen
        if not each.facts.secret
    }


def restored(options: Verb, chosen: Iterable[Option], record: Mapping[str, object]) -> Verb:
    """Return the options with the values that a run recorded for some of them."""
    return replace(options, **{each.name: record[each.name] for each in chosen if each.name in record})


def _digest(options: OptionGroup, declared: Option) -> str:
    """Return a digest of records by what can be set in them; empty without records."""
    records = [
        {field.name: getattr(record, field.name) for field in options_of(type(record))}
        for record in getattr(options, declared.name)
    ]
    return sha256(repr(records).encode()).hexdigest() if records else ""


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
