"""Words of other tools lead to the right command or option."""

from __future__ import annotations

import pytest
from tests.cases import case_table

from urlset.cli import suggestions
from urlset.cli.commands import NAMES
from urlset.cli.main import main
from urlset.errors import ExitCode

FORMAT = "did you mean '--format json'?"
EXPAND = "did you mean '--expand'?"
AUDIT = "did you mean 'urlset audit'?"
PAGES = "did you mean '--pages'?"

CASES = {
    "sitemap": "did you mean 'build' to write a sitemap, or 'inspect' to show one?",
    "lint a.xml": "did you mean 'validate'?",
    "generate public/": "did you mean 'build'?",
    "crawl https://example.com": "did you mean 'audit' to fetch the listed pages, or 'build' to write a sitemap?",
    "ping https://example.com/sitemap.xml": suggestions.PING,
    "submit": suggestions.PING,
    "validat a.xml": "did you mean 'validate'?",
    "validate --json a.xml": FORMAT,
    "inspect --json a.xml": FORMAT,
    "audit --json example.com": FORMAT,
    "check --json example.com": FORMAT,
    "discover --json example.com": FORMAT,
    "robots --json robots.txt": FORMAT,
    "fix --json a.xml": FORMAT,
    "build --json public/": FORMAT,
    "diff --json a.xml b.xml": FORMAT,
    "history --json": FORMAT,
    "sql --json": FORMAT,
    "rules --json": FORMAT,
    "config --json": FORMAT,
    "cache info --json": FORMAT,
    "validate --recursive public/": EXPAND,
    "inspect --recursive a.xml": EXPAND,
    "audit --recursive a.xml": EXPAND,
    "diff --recursive a b": EXPAND,
    "sql --recursive": EXPAND,
    "fix --recursive public/": "directories are always read with their subdirectories",
    "build --recursive public/": "directories are always read with their subdirectories",
    "history --store a.duckdb": "give it without --store: urlset history STORE",
    "diff --before a --after b": "give it without --before: urlset diff BEFORE AFTER",
    "validate --deep a.xml": AUDIT,
    "inspect --deep a.xml": AUDIT,
    "check --deep example.com": AUDIT,
    "fix --deep public/": "directories are always read with their subdirectories",
    "validate --check-urls a.xml": AUDIT,
    "inspect --check-urls a.xml": AUDIT,
    "check --check-urls example.com": AUDIT,
    "audit --check-urls a.xml": PAGES,
    "validate --fix a.xml": "did you mean 'urlset fix'?",
    "validate --quiet a.xml": "did you mean '--format none'?",
    "validate --no-colour a.xml": "did you mean '--no-color'?",
    "validate --follow a.xml": EXPAND,
    "validate --fetch a.xml": AUDIT,
    "validate --pages a.xml": AUDIT,
    "validate --schema a.xml": "did you mean '--xsd'?",
    "validate --noout a.xml": "did you mean '--xsd'?",
    "audit --html a.xml": "did you mean '--report'?",
    "validate --exit-zero a.xml": "did you mean '--fail-on never'?",
    "validate -q a.xml": "did you mean '--format none'?",
    "--validate a.xml": "did you mean 'urlset validate'?",
}
"""Command lines, and what urlset says about them."""


@case_table("line", list(CASES))
def test_the_suggestion(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == ExitCode.USAGE
    first = capsys.readouterr().err.splitlines()[0]
    wrong = next((word for word in line.split() if word.startswith("-")), line.split()[0])
    assert first == f"urlset: no such {'option' if wrong.startswith('-') else 'command'} {wrong!r}; {CASES[line]}"


@pytest.mark.parametrize("line", ["report --json", "explain --json", "help --deep", "validate --frob"])
def test_nothing_is_suggested_where_nothing_fits(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == ExitCode.USAGE
    assert "did you mean" not in capsys.readouterr().err


def test_the_tables_name_nothing_that_exists() -> None:
    assert not {*suggestions.COMMANDS} & {*NAMES}
    for name in suggestions.COMMANDS:
        assert main([name]) == ExitCode.USAGE


def test_ping_names_every_way_that_is_left() -> None:
    for word in ("Google", "2023", "Bing", "2022", "Sitemap:", "robots.txt", "Search Console", "IndexNow"):
        assert word in suggestions.PING
    assert "Bing Webmaster Tools" in suggestions.PING
    assert ". " not in suggestions.PING, "it is one sentence"
