"""A run in which selected rules have nothing to check says so: no findings would look as if all were well."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.cases import case_table
from tests.hosting.folders import write
from tests.hosting.test_audit import options

from urlset.cli.main import main
from urlset.errors import UsageError
from urlset.options.verbs import ValidateOptions
from urlset.pipeline.audit import audit
from urlset.report import text
from urlset.report.audit import text as audit_text
from urlset.stages.unapplied import OF_SERVER, notes_on_unapplied

PAGES = frozenset({"pages"})


class Selection(NamedTuple):
    """Selected rules, what the audit does besides reading documents (None for `validate`), and what is said."""

    select: tuple[str, ...]
    done: frozenset[str] | None
    said: str = ""
    is_error: bool = False
    of_server: tuple[str, ...] = ()


SELECTIONS = {
    "nothing selected": Selection((), None),
    "rules on documents": Selection(("LOC", "SIT005"), None),
    "links in validate": Selection(
        ("LNK",), None, "LNK needs `urlset audit --links`, or `urlset audit` of a directory", is_error=True
    ),
    "links, and rules on documents": Selection(
        ("LOC", "lnk"), None, "LNK was not checked: it needs `urlset audit --links`"
    ),
    "pages in validate": Selection(("PGE001",), None, "PGE001 needs `urlset audit`, which fetches", is_error=True),
    "a site as a whole in validate": Selection(("SIT002",), None, "SIT002 needs `urlset audit`", is_error=True),
    "logs in an audit": Selection(("LOG",), PAGES, "LOG needs `urlset logs`", is_error=True),
    "links without --links": Selection(("LNK005",), PAGES, "LNK005 needs `urlset audit --links`", is_error=True),
    "links with --links": Selection(("LNK005",), PAGES | {"links"}),
    "pages without pages": Selection(("PGE",), frozenset(), "PGE needs `urlset audit`", is_error=True),
    "external links": Selection(("PGE", "LNK012"), PAGES | {"links"}, "LNK012 was not checked"),
    "required URLs": Selection(("COV001",), PAGES, "COV001 needs `--required-urls`", is_error=True),
    "what only a server shows": Selection(
        ("PGE001", "FET020"), PAGES, f"FET020 was not checked: it needs {OF_SERVER}", of_server=("FET020",)
    ),
}


@case_table("case", SELECTIONS)
def test_rules_with_nothing_to_check_are_named(case: Selection) -> None:
    chosen = ValidateOptions(select=case.select)
    if case.is_error:
        with pytest.raises(UsageError, match="nothing would be checked") as raised:
            notes_on_unapplied(chosen, case.done, case.of_server)
        assert case.said in str(raised.value)
        return
    notes = notes_on_unapplied(chosen, case.done, case.of_server)
    assert len(notes) == bool(case.said)
    assert all(case.said in note for note in notes)


SOURCE = {
    "index.html": "---\nlayout: default\n---\n{% for post in site.posts %}{{ post.title }}{% endfor %}",
    "_layouts/default.html": "<html>{{ content }}</html>",
    "_config.yml": "title: x\n",
    "sitemap.xml": "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>",
}


@pytest.mark.parametrize("chosen", [{"select": ("LNK",)}, {"ignore": ("SIT",)}, {"select": ("SIT",)}, {}])
def test_a_site_that_is_not_built_is_said_whatever_is_selected(
    chosen: dict[str, tuple[str, ...]], tmp_path: Path
) -> None:
    folder = write(tmp_path / "src", SOURCE)
    report = audit(
        [str(folder)], options(tmp_path / "a.duckdb", base_url="https://e.example/", **{"ignore": (), **chosen})
    ).report
    of_site = [finding for finding in report.findings if finding.rule.code == "SIT002"]
    unread = [gap for gap in report.unreadable if "Jekyll" in gap.reason]
    assert len(of_site) + len(unread) == 1
    assert any("Jekyll" in line for line in text.render(report))


def test_validate_says_what_was_not_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sitemap = tmp_path / "sitemap.xml"
    sitemap.write_text(SOURCE["sitemap.xml"])
    assert main(["validate", str(sitemap), "--no-config", "--select", "LNK"]) == 2
    assert "nothing would be checked" in capsys.readouterr().err
    assert main(["validate", str(sitemap), "--no-config", "--select", "LNK,LOC"]) == 0
    assert "LNK was not checked" in capsys.readouterr().out


# Selections in the configuration and on the command line, and what `validate` does with a sitemap.
CONFIGURED = {
    "shared by all commands": (
        "PGE",
        (),
        0,
        "no rules were applied, because of `select` in the configuration: PGE needs",
    ),
    "one of them applies": ("PGE,LOC", (), 0, "PGE was not checked: it needs"),
    "given for this run": ("LOC", ("--select", "PGE"), 2, "nothing would be checked: PGE needs"),
    "set for this run": ("LOC", ("--set", "select=PGE"), 2, "nothing would be checked: PGE needs"),
}


@case_table("configured, arguments, code, said", CONFIGURED)
def test_a_selection_for_all_commands_is_no_error(
    configured: str,
    arguments: tuple[str, ...],
    code: int,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "sitemap.xml").write_text(SOURCE["sitemap.xml"])
    (tmp_path / "urlset.toml").write_text(f"select = {configured.split(',')}\n")
    config = ["--config", str(tmp_path / "urlset.toml")]
    assert main(["validate", str(tmp_path / "sitemap.xml"), *config, *arguments]) == code
    printed = capsys.readouterr()
    assert said in printed.out + printed.err


PAGE = "<!DOCTYPE html><html><head><title>{0}</title></head><body>{0} <a href='/gone.html'>gone</a></body></html>"


def test_without_a_sitemap_findings_are_at_pages_and_parts_are_one_line_apart(tmp_path: Path) -> None:
    folder = write(tmp_path / "dist", {"index.html": PAGE.format("home"), "robots.txt": "User-agent: *\n"})
    result = audit([str(folder)], options(tmp_path / "a.duckdb", base_url="https://e.example/", ignore=()))
    lines = [*audit_text(result)]
    assert not any("robots.txt" in line for line in lines if "gone" in line)
    assert ("", "") not in {*pairwise(lines)}
