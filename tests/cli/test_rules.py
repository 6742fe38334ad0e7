"""`urlset rules` and `urlset explain`, on the rules there are."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from urlset.rules.explanation import page
from urlset.rules.registry import all_rules, rule
from urlset.web.indexability import PageReason

Cli = Callable[..., Any]


def test_every_rule_is_listed(cli: Cli) -> None:
    done = cli("rules")
    assert done.code == 0
    listed = [line.split()[:3] for line in done.out.splitlines() if line.startswith("  ")]
    assert listed == [[rule.code, rule.severity.value, rule.name] for rule in all_rules()]


def test_rules_as_json(cli: Cli) -> None:
    listed = json.loads(cli("rules", "--format", "json").out)["rules"]
    assert [rule["code"] for rule in listed] == [rule.code for rule in all_rules()]
    assert all(rule["message"] and rule["fix"] and rule["sources"] for rule in listed)


def test_a_page_is_markdown_in_a_pipe(cli: Cli) -> None:
    done = cli("explain", "loc003")
    opening = f"Severity: error. {rule('LOC003').standing}"
    assert done.out == page(rule("LOC003"), opening)


def test_a_page_is_drawn_where_colour_is_wanted(cli: Cli) -> None:
    done = cli("explain", "LOC003", "--color", "always")
    assert "\x1b[" in done.out
    assert "## Why" not in done.out
    assert "Why is this bad" in done.out


def test_an_unknown_code_is_misuse_and_near_ones_are_named(cli: Cli) -> None:
    done = cli("explain", "LOC0003")
    assert done.code == 2
    assert "LOC003" in done.err


@pytest.mark.parametrize(
    ("mistyped", "meant"),
    [
        ("noindx", "noindex"),
        ("client-redirct", "client-redirect"),
        ("url-relativ", "LOC001 (url-relative)"),
        ("server-eror", "FET002 (server-error)"),
    ],
)
def test_a_mistyped_name_leads_to_the_rule_or_reason(cli: Cli, mistyped: str, meant: str) -> None:
    done = cli("explain", mistyped)
    assert (done.code, done.err) == (2, f"urlset: unknown rule or reason {mistyped!r}; did you mean {meant}?\n")


def test_explain_says_what_explains_a_page(cli: Cli) -> None:
    done = cli("explain", "https://example.com/a")
    assert done.code == 2
    assert "is not a rule, and no build with git-text recorded its lastmod; `urlset audit https://" in done.err


def test_a_word_of_names_leads_to_its_rules(cli: Cli) -> None:
    done = cli("explain", "orphan")
    assert done.code == 2
    assert "did you mean IDX020 (orphan-sitemap) or LNK002 (orphan-page)?" in done.err


def test_explain_knows_every_reason(cli: Cli) -> None:
    for reason in PageReason:
        done = cli("explain", reason.value.upper() if reason is PageReason.NOINDEX else reason.value)
        assert done.code == 0
        assert f"# {reason}: {reason.words}" in done.out
        assert reason.fix in done.out
    # A rule with the name of a reason comes first.
    assert cli("explain", "server-error").out.startswith("# FET002: server-error")
    assert "- PGE008 (page-noindex): " in cli("explain", "noindex").out
