"""The JSON of a result has the members that its class declares."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Annotated, Any, ClassVar

import pytest
from msgspec import UNSET, Struct, UnsetType, field

from urlset.model.fields import NOT_IN_JSON, Flat, Versioned, computed
from urlset.model.json_values import as_json, members_of


@dataclass
class Rule:
    code: str = "LOC001"
    name: str = "a-name"


class Plain(Struct):
    number: int = field(default=1, name="id")
    text: str = "a"


class Computed(Plain, dict=True):
    hidden: Annotated[int, NOT_IN_JSON] = 2
    rule: Annotated[Rule, Flat("code", "title=name")] = field(default_factory=Rule)
    at: datetime = datetime(2026, 1, 2, tzinfo=UTC)

    @property
    @computed()
    def last(self) -> int:
        return self.hidden

    @property
    @computed(before="text")
    def between(self) -> UnsetType:
        return UNSET

    @cached_property
    @computed("at")
    def year(self) -> int:
        return self.at.year

    @property
    def other(self) -> int:
        return 3


class Derived(Computed):
    own: bool = True


class Listed(Struct):
    IN_JSON: ClassVar = ("text=plain.text", "rule.code", "double")

    plain: Plain = field(default_factory=Plain)
    rule: Rule = field(default_factory=Rule)

    @property
    def double(self) -> int:
        return self.plain.number * 2


class Single(Struct):
    plain: Plain = field(default_factory=Plain)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Rule(), {"code": "LOC001", "name": "a-name"}),
        (Plain(), {"id": 1, "text": "a"}),
        (Computed(), {"id": 1, "text": "a", "code": "LOC001", "title": "a-name", "at": 2026, "last": 2}),
        (Derived(), {"id": 1, "text": "a", "code": "LOC001", "title": "a-name", "at": 2026, "own": True, "last": 2}),
        (Listed(), {"text": "a", "code": "LOC001", "double": 2}),
        (Single(), {"plain": {"id": 1, "text": "a"}}),
        (Versioned(Plain()), {"version": 1, "id": 1, "text": "a"}),
        ({1: (Plain(),)}, {"1": [{"id": 1, "text": "a"}]}),
    ],
)
def test_members(value: object, expected: dict[str, Any]) -> None:
    found = as_json(value)
    assert found == expected
    assert list(found) == list(expected)


def test_the_attribute_of_each_member() -> None:
    assert members_of(Computed) == {
        "id": "number", "between": "between", "text": "text", "code": "rule.code", "title": "rule.name", "at": "year",
        "last": "last",
    }  # fmt: skip


def test_a_member_before_another_that_does_not_exist() -> None:
    class Wrong(Struct):
        @property
        @computed(before="nothing")
        def member(self) -> int:
            return 1

    with pytest.raises(ValueError, match="nothing"):
        members_of(Wrong)
