"""Options of a Python call: an options object, single fields, or both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from urlset.errors import UsageError
from urlset.options.convert import hint
from urlset.options.declare import Face, OptionGroup, options_of

Verb = TypeVar("Verb", bound=OptionGroup)


def merge(verb: type[Verb], options: Verb | None, fields: Mapping[str, object]) -> Verb:
    """Return an options object with single fields applied to it.

    Raises:
        UsageError: A field is unknown, or a value is invalid.
    """
    check_fields(verb, fields)
    if options is None:
        return make_group(verb, fields)
    if not isinstance(options, verb):
        raise UsageError(f"options must be {verb.__name__}, not {type(options).__name__}")
    return replace_options(options, fields)


def make_group(group: type[Verb], values: Mapping[str, object]) -> Verb:
    """Return a group with the given values, which it checks."""
    return group(**values)


def replace_options(options: Verb, values: Mapping[str, object]) -> Verb:
    """Return options with some values replaced, which they check."""
    return replace(options, **values) if values else options


def check_fields(verb: type[OptionGroup], fields: Iterable[str]) -> None:
    """Check that a verb has all options that a function was called with.

    Raises:
        UsageError: An option is unknown; the message suggests a similar one.
    """
    names = [option.name for option in options_of(verb) if Face.PYTHON in option.facts.faces]
    for name in fields:
        if name not in names:
            raise UsageError(f"unknown option {name!r}{hint(name, names) or '; known options: ' + ', '.join(names)}")
