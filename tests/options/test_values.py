"""Values of options: each type takes what it should, and refuses the rest with a message that names the place."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from urlset.errors import UsageError
from urlset.options import AuditOptions, FailOn, ProbeMethod, Profile, ValidateOptions
from urlset.options.declare import (
    COMMAND_LINE,
    EVERYWHERE,
    PER_RUN,
    OptionFacts,
    OptionGroup,
    Panel,
    Resume,
    option,
    option_group,
    options_of,
)


def test_values_are_converted_to_their_types() -> None:
    given: dict[str, Any] = {"profile": "google", "method": "head", "timeout": 2, "inventory": "pages.csv"}
    options = AuditOptions(select=["loc"], agents=iter(["a"]), **given)  # type: ignore[arg-type]
    assert options.profile is Profile.GOOGLE
    assert options.method is ProbeMethod.HEAD
    assert (options.timeout, options.inventory, options.agents) == (2.0, Path("pages.csv"), ("a",))
    assert options.select == ("LOC",)


def test_values_of_their_type_are_kept() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    options = AuditOptions(profile=Profile.BING, now=now, store=Path("a.duckdb"), rate=None)
    assert (options.profile, options.now, options.store, options.rate) == (Profile.BING, now, Path("a.duckdb"), None)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("max_depth", 0, "max_depth: must be an integer of at least 1, not 0"),
        ("max_depth", True, "max_depth: must be an integer of at least 1, not True"),
        ("max_depth", "3", "max_depth: must be an integer of at least 1, not '3'"),
        ("max_examples", 1_000_000, "max_examples: must be an integer from 0 to 999,999, not 1000000"),
        ("retries", -1, "retries: must be an integer of at least 0, not -1"),
        ("timeout", 0, "timeout: must be a number above 0, not 0"),
        ("timeout", float("nan"), "timeout: must be a number above 0, not nan"),
        ("timeout", float("inf"), "timeout: must be a number above 0, not inf"),
        ("timeout", None, "timeout: must be a number above 0, not None"),
        ("discover", 1, "discover: must be true or false, not 1"),
        ("select", "LOC", "select: must be a list of strings, not 'LOC'"),
        ("select", [1], "select: must be a list of strings, not [1]"),
        ("select", [""], "select: must be a list of strings, not ['']"),
        ("user_agent", "", "user_agent: must be a string, not ''"),
        ("profile", "gogle", "not 'gogle'; did you mean 'google'?"),
        ("severity", {"LOC": "eror"}, "severity.LOC: must be one of error, warning, info, hint, not 'eror'; did you"),
        ("per_document_ignores", {"a": "LOC"}, "per_document_ignores.a: must be a list of strings, not 'LOC'"),
        ("limits", {"max_entries": "x"}, "limits.max_entries: must be a number or a list of strings, not 'x'"),
        ("xsd", 3, "xsd: must be a path, not 3"),
        ("now", "soon", "now: must be a date and time with a time zone, such as 2027-01-31T12:00:00Z, not 'soon'"),
        ("now", datetime(2026, 1, 1), "now: requires a time zone"),  # noqa: DTZ001 - that is the point
        ("header", ["X"], "header: must be written as 'NAME: VALUE'"),
        ("header", ["A b: c"], "'A b' is not a valid header name"),
        ("header", ["A: b\nC: d"], "header: the value of A must be a single line"),
    ],
)
def test_what_is_wrong_is_named(name: str, value: object, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        ValidateOptions(**{name: value})  # type: ignore[arg-type]
    assert message in str(caught.value)


@pytest.mark.parametrize(("name", "value"), [("auth", "hunter2"), ("auth", 2), ("header", ["hunter2"]), ("header", 2)])
def test_secrets_are_in_no_message(name: str, value: object) -> None:
    with pytest.raises(UsageError) as caught:
        ValidateOptions(**{name: value})  # type: ignore[arg-type]
    assert str(value) not in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_secret_is_not_in_the_repr() -> None:
    assert "hunter2" not in repr(ValidateOptions(auth="bob:hunter2", header=("Cookie: hunter2",)))


def test_severities_in_their_order() -> None:
    assert [each.value for each in FailOn] == ["error", "warning", "info", "hint", "never"]


@option_group(panel=Panel.PAGES, faces=PER_RUN, resume=Resume.KEPT)
class Shared(OptionGroup):
    first: bool = option(False, OptionFacts(help="Do it"))
    second: bool = option(False, OptionFacts(help="Do it", panel=Panel.STORE, faces=COMMAND_LINE, resume=Resume.NEW))


@option_group
class Inheriting(Shared):
    third: bool = option(False, OptionFacts(help="Do it", panel=Panel.RULES))


def test_a_group_declares_what_its_options_share() -> None:
    found = {each.name: (each.facts.panel, each.facts.faces, each.facts.resume) for each in options_of(Inheriting)}
    assert found == {
        "first": (Panel.PAGES, PER_RUN, Resume.KEPT),
        "second": (Panel.STORE, COMMAND_LINE, Resume.NEW),
        "third": (Panel.RULES, EVERYWHERE, None),
    }
    with pytest.raises(TypeError, match=r"Lost.lost has no panel"):

        @option_group
        class Lost(Inheriting):
            lost: bool = option(False, OptionFacts(help="Do it"))
