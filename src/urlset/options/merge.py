"""Options of a Python call: a value of them, single fields, or both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from urlset.errors import UsageError
from urlset.options.convert import hint
from urlset.options.declare import Face, OptionGroup, options_of

Verb = TypeVar("Verb", bound=OptionGroup)


def merged(verb: type[Verb], options: Verb | None, fields: Mapping[str, object]) -> Verb:
    """Return the options of a function: a value of them, with single fields over it.

    Raises:
        UsageError: There is no such field, or a value is wrong.
    """
    check_fields(verb, fields)
    if options is None:
        return made(verb, fields)
    if not isinstance(options, verb):
        raise UsageError(f"options must be {verb.__name__}, not {type(options).__name__}")
    return changed(options, fields)


def made(group: type[Verb], values: Mapping[str, object]) -> Verb:
    """Return a group with values by name, which it checks itself."""
    return group(**values)


def changed(options: Verb, values: Mapping[str, object]) -> Verb:
    """Return options with other values by name, which they check themselves."""
    return replace(options, **values) if values else options


def check_fields(verb: type[OptionGroup], fields: Iterable[str]) -> None:
    """Check that a verb has all of the options that a function was called with.

    Raises:
        UsageError: It does not; the message suggests the nearest name.
    """
    names = [each.name for each in options_of(verb) if Face.PYTHON in each.facts.faces]
    for name in fields:
        if name not in names:
            raise UsageError(f"unknown option {name!r}{hint(name, names) or '; known options: ' + ', '.join(names)}")
