"""Every declared option is on every face that it names, with one name, one default, and one set of bounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from urlset.errors import UsageError
from urlset.options import AuditOptions, DiffOptions, DiscoverOptions, FixOptions
from urlset.options.convert import choices, converted_text, kind, words
from urlset.options.declare import EVERYWHERE, REQUIRED, Face, Option, OptionGroup, Panel, options_of
from urlset.options.file import KEYED
from urlset.options.schema import schema

ROOT = Path(__file__).parents[2]

VERBS: tuple[type[OptionGroup], ...] = (KEYED, AuditOptions, DiffOptions, DiscoverOptions, FixOptions)
EVERY = list({each.path: each for verb in VERBS for each in options_of(verb)}.values())

each_option = pytest.mark.parametrize("option", EVERY, ids=[each.path for each in EVERY])


@each_option
def test_it_says_what_it_does(option: Option) -> None:
    facts = option.facts
    assert facts.help
    assert facts.help[0].isupper()
    assert not facts.help.endswith(".")
    assert words(option.annotation)
    assert facts.panel in Panel
    assert facts.faces
    if Face.FILE in facts.faces:
        assert facts.example, "the reference shows an example of a key"
    if choices(option.annotation):
        assert option.default is None or isinstance(option.default, tuple | str)


@each_option
def test_a_name_is_one_thing(option: Option) -> None:
    same = [each for each in EVERY if each.name == option.name]
    assert len(same) == 1, [each.path for each in same]


def test_the_schema_has_every_key_of_the_file() -> None:
    whole = json.loads(json.dumps(schema()))
    for each in options_of(KEYED):
        table = whole["properties"]
        if each.group.TABLE:
            table = table[each.group.TABLE]["properties"]
        assert (each.key in table) == (Face.FILE in each.facts.faces), each.path
        if each.key in table and isinstance(each.default, bool | int | float) and each.default is not REQUIRED:
            assert table[each.key]["default"] == each.default


def test_bounds_are_those_of_the_declaration_everywhere() -> None:
    whole = json.loads(json.dumps(schema()))
    assert whole["properties"]["max-depth"]["minimum"] == 1
    assert whole["properties"]["timeout"]["exclusiveMinimum"] == 0
    [depth] = [each for each in EVERY if each.name == "max_depth"]
    with pytest.raises(UsageError, match="of at least 1"):
        converted_text(depth, "0", "--max-depth")
    with pytest.raises(UsageError, match="of at least 1"):
        AuditOptions(max_depth=0)


def test_most_options_are_everywhere() -> None:
    """What is not has a reason in its declaration: it belongs to one call, or is decided with the report in hand."""
    elsewhere = {each.name for each in EVERY if each.facts.faces != EVERYWHERE}
    assert {"timeout", "sample", "select", "discover", "max_document_bytes", "profile"}.isdisjoint(elsewhere)


@each_option
def test_its_kind_is_known(option: Option) -> None:
    assert kind(option.annotation) is not None
