"""Each option of a resumed audit: kept from the interrupted run, given again, or new."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table

from urlset.errors import InputError, UsageError
from urlset.options.auditing import AuditOptions
from urlset.options.declare import Option, Resume, options_of
from urlset.options.judging import CustomRule
from urlset.stages.audit_run import begin_run, rules_record
from urlset.store.file import Store
from urlset.store.run import Run

OPTIONS = {each.name: each for each in options_of(AuditOptions)}
TARGETS = ("https://example.com",)
OTHERS = {
    "rule": (CustomRule(code="OWN001", message="is short", where="loc_length < 20"),),
    "rule_time": 3.0,
    "rule_memory": "2GB",
    "clients": 3,
    "sign": Path("bot.key"),
}
"""Values of options without an example."""


def options(resume: bool = False, **more: Any) -> AuditOptions:
    return AuditOptions(resume=resume, **more)


def other_value(option: Option) -> object:
    """A value that is not the default."""
    if option.name in OTHERS:
        return OTHERS[option.name]
    return tomllib.loads(f"x = {option.facts.example}")["x"]


def with_value(option: Option, *, resume: bool = False) -> AuditOptions:
    return options(resume, **{option.name: other_value(option)})


def of(*ways: Resume) -> dict[str, Option]:
    return {name: each for name, each in OPTIONS.items() if each.facts.resume in ways}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.create(tmp_path_factory.mktemp("resumed") / "run.duckdb") as store:
        yield store


def begin(store: Store, given: AuditOptions) -> Run:
    """Begins the only run of the store: to resume one, each unfinished run is counted."""
    store.connection.execute("DELETE FROM runs")
    return begin_run(store, TARGETS, given, {})[0]


def test_every_option_says_where_a_resumed_audit_takes_it_from() -> None:
    assert [name for name, each in OPTIONS.items() if each.facts.resume is None] == []


def test_secrets_and_options_of_the_network_are_never_kept() -> None:
    kept = of(Resume.KEPT, Resume.GIVEN_AGAIN).values()
    assert [each.name for each in kept if each.facts.secret or each.facts.has_user] == []
    assert not {"proxy", "insecure", "allow_private", "header", "auth", "store"} & {each.name for each in kept}


@case_table("option", of(Resume.KEPT))
def test_is_kept(option: Option, store: Store) -> None:
    interrupted = with_value(option)
    begin(store, interrupted)
    _, targets, resumed = begin_run(store, (), options(resume=True), {})
    assert targets == TARGETS
    assert getattr(resumed, option.name) == getattr(interrupted, option.name) != option.default
    assert replace(resumed, resume=False) == interrupted
    # Given again, it is the same.
    assert begin_run(store, (), with_value(option, resume=True), {})[2] == resumed


@case_table("option", of(Resume.KEPT))
def test_is_refused_if_it_differs(option: Option, store: Store) -> None:
    begin(store, options())
    with pytest.raises(UsageError, match=rf"^{option.spelling} differs from that of run \d+, which is .*; omit it"):
        begin_run(store, (), with_value(option, resume=True), {})


@case_table("option", of(Resume.GIVEN_AGAIN))
def test_must_be_given_again(option: Option, store: Store) -> None:
    begin(store, with_value(option))
    with pytest.raises(UsageError, match="pass it again"):
        begin_run(store, (), options(resume=True), {})
    given = with_value(option, resume=True)
    assert begin_run(store, (), given, {})[2] == given


@case_table("option", of(Resume.GIVEN_AGAIN))
def test_must_not_be_added(option: Option, store: Store) -> None:
    begin(store, options())
    with pytest.raises(UsageError, match="was started without"):
        begin_run(store, (), with_value(option, resume=True), {})


@case_table("option", of(Resume.NEW))
def test_is_new(option: Option, store: Store) -> None:
    run = begin(store, options())
    assert option.name not in settings(store, run.run_id)
    if option.name in ("resume", "no_store"):
        return
    given = with_value(option, resume=True)
    if option.name in ("auth", "header"):
        with pytest.raises(UsageError, match="add the targets of the run"):
            begin_run(store, (), given, {})
    assert getattr(begin_run(store, TARGETS, given, {})[2], option.name) == getattr(given, option.name)


def test_the_record_of_a_run_has_the_rules_that_were_applied(store: Store) -> None:
    begin_run(store, TARGETS, with_value(OPTIONS["rule"]), rules_record(with_value(OPTIONS["rule"])))
    run, _, resumed = begin_run(store, (), options(resume=True), {})
    assert settings(store, run.run_id) == {**settings(store, run.run_id), **rules_record(resumed)}
    assert "OWN001" not in str(settings(store, run.run_id)["rules"])
    run, _, _ = begin_run(store, (), with_value(OPTIONS["rule"], resume=True), {})
    assert "OWN001" in str(settings(store, run.run_id)["rules"])


DAMAGED = {
    "a number that is text": {"max_pages": "many"},
    "a number out of bounds": {"max_depth": 0},
    "a list that is a number": {"include": 5},
    "a word that is none": {"method": "post"},
    "a mapping that is a list": {"severity": ["LOC"]},
    "a place that is a number": {"crawl_depth": None},
    "a user agent with a line": {"user_agent": "a\r\nX: y"},
}


@case_table("changed", DAMAGED)
def test_damaged_settings(changed: Mapping[str, object], store: Store) -> None:
    run = begin(store, options())
    text = json.dumps({**settings(store, run.run_id), **changed})
    store.connection.execute("UPDATE runs SET settings = $1 WHERE run_id = $2", [text, run.run_id])
    with pytest.raises(InputError, match=rf"is damaged: the settings of run {run.run_id} cannot be read"):
        begin_run(store, (), options(resume=True), {})


def settings(store: Store, run_id: int) -> dict[str, object]:
    [(text,)] = store.connection.execute("SELECT settings FROM runs WHERE run_id = $1", [run_id]).fetchall()
    found: dict[str, object] = json.loads(text)
    return found


def test_the_store_is_not_made_without_targets(tmp_path: Path, cli: Any) -> None:
    assert cli("audit").code == 2
    assert list(tmp_path.iterdir()) == []
