"""Check the values of options (from TOML, the command line, or Python), and convert them to their types."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Hashable, Iterable, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args, get_origin

import msgspec
from msgspec import inspect, structs

from urlset.errors import UsageError
from urlset.options.values import LARGEST, REQUIRED
from urlset.text.masking import mask_url

if TYPE_CHECKING:
    from urlset.options.declare import Option, OptionGroup


_URL = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*:[/\\]")
"""How a URL starts; a path that was made of one has a single slash."""


def convert_value(option: Option, value: object, place: str) -> object:
    """Check a value and convert it to the option's type.

    Args:
        place: The option as messages name it, such as `urlset.toml: max-pages`.

    Raises:
        UsageError: The value is not of the option's type; the message names the type, and shows the value unless it is
            a secret.
    """
    if value is None and option.default is None:
        return None
    check_user(option, value, place)
    if (record := record_of(option.annotation)) is not None and isinstance(value, Iterable):
        records = tuple(value)
        if all(isinstance(item, record) for item in records):
            return records
    info = kind(option.annotation)
    if isinstance(info, inspect.DictType) and isinstance(value, Mapping):
        return {key: _item(option, item, f"{place}.{key}") for key, item in value.items()}
    try:
        converted_value: object = msgspec.convert(_to_plain(value), option.annotation, dec_hook=_decode)
    except msgspec.ValidationError:
        raise _usage_error(option, value, place) from None
    if isinstance(converted_value, float) and not math.isfinite(converted_value):
        raise _usage_error(option, value, place)
    return converted_value


def _item(option: Option, value: object, place: str) -> object:
    annotation = arguments_of(option.annotation)[1]
    return convert_value(structs.replace(option, annotation=annotation, default=REQUIRED), value, place)


def converted_text(option: Option, text: str, place: str) -> object:
    """Check the text of one value on the command line; of a list, one item, and of a mapping, one KEY=VALUE.

    Raises:
        UsageError: The text is not of the option's type.
    """
    check_user(option, text, place)
    try:
        # Otherwise a year would be taken for seconds since 1970.
        is_time = isinstance(kind(option.annotation), inspect.DateTimeType)
        converted_value: object = msgspec.convert(text, _item_type(option), strict=is_time, dec_hook=_decode)
    except msgspec.ValidationError:
        raise _usage_error(option, text, place) from None
    if isinstance(converted_value, float) and not math.isfinite(converted_value):
        raise _usage_error(option, text, place)
    return converted_value


def describe_type(annotation: object) -> str:
    """Describe a type as messages and pages do, such as `an integer of at least 1`."""
    literals = literals_of(annotation)
    return f"one of {', '.join(literals)}" if literals else _describe(inspect.type_info(annotation))


@cache
def kind(annotation: Hashable) -> inspect.Type:
    """Return the structure of a type; for an optional value, of the value."""
    return _without_none(inspect.type_info(annotation))


def record_of(annotation: object) -> type[OptionGroup] | None:
    """Return the record whose tables a list holds; None for other types."""
    info = kind(annotation)
    if isinstance(info, inspect.VarTupleType) and isinstance(info.item_type, inspect.DataclassType):
        cls: type[OptionGroup] = info.item_type.cls
        return cls
    return None


def choices(annotation: object) -> tuple[str, ...]:
    """Return the words that a value can be; empty for other types."""
    match kind(annotation):
        case inspect.EnumType(cls=cls):
            return tuple(str(member.value) for member in cls)
        case inspect.LiteralType():
            return literals_of(annotation)
        case inspect.VarTupleType(item_type=inspect.EnumType(cls=cls)):
            return tuple(str(member.value) for member in cls)
        case _:
            return ()


def literals_of(annotation: object) -> tuple[str, ...]:
    """Return the values of a `Literal` in their order, which msgspec does not keep; empty for other types."""
    rest = [member for member in get_args(annotation) if member is not type(None)]
    if get_origin(annotation) is not Literal and len(rest) == 1:
        return literals_of(rest[0])
    return tuple(map(str, get_args(annotation))) if get_origin(annotation) is Literal else ()


def hint(word: object, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Return `; did you mean 'x'?` for a word that is similar to a known one, else nothing."""
    # Only errors need it.
    from difflib import get_close_matches

    near = get_close_matches(word, list(names), n=1, cutoff=cutoff) if isinstance(word, str) else []
    return f"; did you mean {str(near[0])!r}?" if near else ""


def _to_plain(value: object) -> object:
    """Return a value as msgspec accepts it: enums by their value, iterables as lists."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str | bytes | Mapping | os.PathLike):
        return value
    if isinstance(value, Iterable):
        return [_to_plain(item) for item in value]
    return value


def _decode(kind: type, value: object) -> object:
    if kind is Path and isinstance(value, str | os.PathLike) and str(value):
        return Path(value).expanduser()
    raise ValueError


def _usage_error(option: Option, value: object, place: str) -> UsageError:
    if option.facts.secret or option.facts.has_user or _with_user(value) is not None:
        return UsageError(f"{place}: must be {describe_type(option.annotation)}")
    if _is_beyond(value):
        return UsageError(f"{place}: must be at most {LARGEST:,}")
    plain_value = value.value if isinstance(value, Enum) else value
    if isinstance(plain_value, str) and plain_value in option.facts.removed:
        return UsageError(f"{place}: {plain_value} was removed; {option.facts.removed[plain_value]}")
    words = choices(option.annotation)
    text, meant = repr(plain_value), plain_value
    if isinstance(plain_value, bool) and words:
        text, meant = f"the boolean {str(plain_value).lower()}", "yes" if plain_value else "no"
    text = text if len(text) <= 80 else f"{text[:79]}…"
    return UsageError(f"{place}: must be {describe_type(option.annotation)}, not {text}{hint(meant, words)}")


def check_user(option: Option, value: object, place: str) -> None:
    """Check that a user name and password are only given where they are used, and so never shown, stored, or sent.

    Raises:
        UsageError: A URL has them, and the option does not take them.
    """
    if not (option.facts.secret or option.facts.has_user) and (url := _with_user(value)) is not None:
        raise UsageError(f"{place}: takes no user name and password, but {mask_url(url)} has them; remove them")


def _with_user(value: object) -> str | None:
    """Return the first URL with a user name and password in a value or its items."""
    if isinstance(value, Mapping):
        return _with_user(tuple(value.items()))
    if isinstance(value, list | tuple):
        return next((url for item in value if (url := _with_user(item)) is not None), None)
    if not isinstance(value, str | Path) or "@" not in (text := str(value)):
        return None
    return text if _URL.match(text) and mask_url(text) != text else None


def _is_beyond(value: object) -> bool:
    """Return whether an integer, or its text on the command line, is too large for any option."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return len(value) > len(str(LARGEST)) or int(value) > LARGEST
    return isinstance(value, int) and value > LARGEST


def _item_type(option: Option) -> object:
    """Return the type of one value on the command line."""
    info = kind(option.annotation)
    if isinstance(info, inspect.VarTupleType):
        return arguments_of(option.annotation)[0]
    return option.annotation


def arguments_of(annotation: object) -> tuple[object, ...]:
    """Return the item types of a list, mapping, or union; for an optional value, of the value."""
    arguments = get_args(annotation)
    rest = tuple(argument for argument in arguments if argument is not type(None))
    return arguments_of(rest[0]) if len(rest) == 1 < len(arguments) else arguments


def _without_none(info: inspect.Type) -> inspect.Type:
    if isinstance(info, inspect.Metadata):
        return _without_none(info.type)
    if isinstance(info, inspect.UnionType):
        rest = [member for member in info.types if not isinstance(member, inspect.NoneType)]
        if len(rest) == 1:
            return _without_none(rest[0])
    return info


def _describe(info: inspect.Type) -> str:
    match _without_none(info):
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType() as number:
            return f"an integer{_describe_range(number)}"
        case inspect.FloatType() as number:
            return f"a number{_describe_range(number)}"
        case inspect.StrType():
            return "a string"
        case inspect.DateTimeType():
            return "a date and time with a time zone, such as 2027-01-31T12:00:00Z"
        case inspect.DateType():
            return "a date such as 2027-01-31"
        case inspect.CustomType():
            return "a path"
        case inspect.EnumType(cls=cls):
            return f"one of {', '.join(str(member.value) for member in cls)}"
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(map(str, values))}"
        case inspect.VarTupleType(item_type=inspect.EnumType(cls=cls)):
            return f"a list of {', '.join(str(member.value) for member in cls)}"
        case inspect.UnionType(types=types):
            # A float can be written as an integer, so naming both would add nothing.
            has_float = any(isinstance(member, inspect.FloatType) for member in types)
            return " or ".join(
                _describe(member) for member in types if not (has_float and isinstance(member, inspect.IntType))
            )
        case inspect.VarTupleType(item_type=inspect.StrType()) | inspect.VarTupleType(item_type=inspect.Metadata()):
            return "a list of strings"
        case inspect.VarTupleType():
            return "a list of tables"
        case inspect.DictType(value_type=value):
            return f"a table of {_plural(value)}"
        case _:
            return "a table"


def _plural(info: inspect.Type) -> str:
    match _without_none(info):
        case inspect.FloatType() | inspect.IntType():
            return "numbers"
        case inspect.UnionType(types=types):
            return " and ".join(dict.fromkeys(_plural(member) for member in types))
        case inspect.VarTupleType():
            return "lists"
        case inspect.EnumType(cls=cls):
            return f"{', '.join(str(member.value) for member in cls)}"
        case _:
            return "strings"


def _describe_range(number: inspect.IntType | inspect.FloatType) -> str:
    if number.ge is not None and number.le not in (None, LARGEST):
        return f" from {number.ge:,} to {number.le:,}"
    if number.ge is not None:
        return f" of at least {number.ge:,}"
    if number.gt is not None:
        return f" above {number.gt:,}"
    return f" of at most {number.le:,}" if number.le not in (None, LARGEST) else ""
