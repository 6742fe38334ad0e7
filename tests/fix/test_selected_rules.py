"""`fix` reports the errors that `validate` reports with the same rules and severities."""

from __future__ import annotations

from pathlib import Path

import pytest

from urlset.cli.main import main

DOCUMENT = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>https://example.com/a</loc></url><sitemap><loc>https://example.com/s.xml</loc></sitemap></urlset>\n"
)

CASES: dict[str, tuple[list[str], str, bool]] = {
    "all rules": ([], "", True),
    "the rule": (["--select", "STR011"], "", True),
    "other rules": (["--select", "LOC"], "", False),
    "ignored": (["--ignore", "STR"], "", False),
    "a lower severity": (["--severity", "STR011=warning"], "", False),
    "ignored by the configuration": ([], 'ignore = ["STR011"]', False),
    "not selected by the configuration": ([], 'select = ["XML"]', False),
    "the command line decides": (["--ignore", "XML"], 'ignore = ["STR011"]', True),
}


@pytest.mark.parametrize("name", CASES)
def test_the_errors_are_those_of_the_rules(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, configuration, remains = CASES[name]
    monkeypatch.chdir(tmp_path)
    Path("a.xml").write_text(DOCUMENT)
    Path("urlset.toml").write_text(configuration)
    code = main(["fix", "a.xml", "--dry-run", *arguments])
    printed = capsys.readouterr()
    assert ("remains: STR011" in printed.out + printed.err) == remains
    assert code == int(remains)
    assert main(["validate", "a.xml", *arguments]) == int(remains)


def test_an_unknown_rule_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # It would be repaired.
    without = DOCUMENT.partition("\n")[2]
    (tmp_path / "a.xml").write_text(without)
    assert main(["fix", str(tmp_path / "a.xml"), "--in-place", "--no-config", "--select", "ABC"]) == 2
    assert (tmp_path / "a.xml").read_text() == without
    assert "no rule code starts with 'ABC'" in capsys.readouterr().err
