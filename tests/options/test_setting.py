"""Keys of the configuration file on the command line, with `--set`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.cases import case_table

from urlset.cli.command import import_command
from urlset.cli.commands import NAMES
from urlset.cli.main import main
from urlset.errors import ExitCode, UsageError
from urlset.options.declare import options_of
from urlset.options.setting import set_values

COMMANDS = {name: import_command(name) for name in NAMES}


def values(*texts: str, command: str = "audit") -> dict[str, object]:
    return set_values(texts, options_of(COMMANDS[command].spec.options), command)


SET: dict[str, tuple[tuple[str, ...], dict[str, object]]] = {
    "the path in the file": (("read-timeout=5",), {"read_timeout": 5.0}),
    "in the table for the network": (("network.read-timeout = 5",), {"read_timeout": 5.0}),
    "a table of the file": (("audit.crawl-depth=3",), {"crawl_depth": 3}),
    "TOML": (("threads=1_000",), {"threads": 1000}),
    "a flag": (("robots=true",), {"robots": True}),
    "plain text": (("audit.method=get",), {"method": "get"}),
    "text in quotes": (('audit.robots-agent="a b"',), {"robots_agent": "a b"}),
    "a number as text": (("user-agent=5",), {"user_agent": "5"}),
    "a date as text": (("user-agent=2026-01-01",), {"user_agent": "2026-01-01"}),
    "a sign in the value": (("user-agent=a=b",), {"user_agent": "a=b"}),
    "a comment stays text": (("user-agent=a # b",), {"user_agent": "a # b"}),
    "a second line is no key": (("user-agent=5\nthreads = 2",), {"user_agent": "5\nthreads = 2"}),
    "brackets stay text": (("user-agent=" + "[" * 5000,), {"user_agent": "[" * 5000}),
    "a list": (('required-urls=["https://a.example/", "b"]',), {"required_urls": ("https://a.example/", "b")}),
    "a list of one": (("required-urls=https://a.example/",), {"required_urls": ("https://a.example/",)}),
    "a list with commas": (("agents=Googlebot,GPTBot",), {"agents": ("Googlebot", "GPTBot")}),
    "entries of a table": (
        ("limits.near-limit=0.5", "limits.secret-parameters=a,b", "limits.max-entries=3"),
        {"limits": {"near-limit": 0.5, "secret-parameters": ("a", "b"), "max-entries": 3}},
    ),
    "a glob": (('per-document-ignores."a/*.xml"=MOD,LOC',), {"per_document_ignores": {"a/*.xml": ("MOD", "LOC")}}),
    "a whole table": (("limits={max-entries = 3}",), {"limits": {"max-entries": 3}}),
}


@case_table("texts, expected", SET)
def test_what_is_set(texts: tuple[str, ...], expected: dict[str, object]) -> None:
    assert values(*texts, command="validate" if "robots" in expected else "audit") == expected


REFUSED = {
    "read-timeout": "--set: must be written as KEY=VALUE, such as network.read-timeout=5",
    "read-tmeout=5": "--set: unknown key 'read-tmeout'; did you mean 'read-timeout'?",
    "network.read_timeouts=5": "--set: unknown key 'network.read_timeouts'; did you mean 'network.read-timeout'?",
    "xyzzy=5": "--set: unknown key 'xyzzy'; `urlset config` shows the keys",
    "network.sample=5": "--set: unknown key 'network.sample'",
    "store=a": "--set: unknown key 'store'",
    "build.pretty=true": "--set build.pretty: `urlset audit` does not use this key",
    "read-timeout=x": "--set read-timeout: must be a number above 0, not 'x'",
    "network.read-timeout=0": "--set network.read-timeout: must be a number above 0, not 0",
    "max-total-bytes=99999999999999999999": "--set max-total-bytes: must be at most 9,007,199,254,740,992",
    "audit.method=post": "--set audit.method: must be one of auto, head, get, not 'post'",
    "limits=5": "--set limits: must be a table",
    "rule-time=0": "--set: unknown key 'rule-time'",
}


@case_table("text, message", {text: (text, message) for text, message in REFUSED.items()})
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(message)}"):
        values(text)


@case_table("texts", {
    "in both spellings": ("timeout=5", "network.timeout=6"),
    "an entry of a table": ("limits.max-entries=5", "limits.max-entries=6"),
})  # fmt: skip
def test_a_key_is_set_once(texts: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match=rf"^--set {texts[1].partition('=')[0]}: set twice"):
        values(*texts)


def run(line: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(shlex.split(line))
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def test_it_counts_as_given_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("https://example.com/\n")
    Path("urlset.toml").write_text('required-urls = ["https://example.com/file"]\nproxy = "http://p.example"\n')
    assert run("validate a.txt --set required-urls=https://example.com/set", capsys)[1].count("example.com/file") == 0
    code, text = run("validate a.txt --timeout 5 --set timeout=6", capsys)
    assert (code, text) == (ExitCode.USAGE, "urlset: --timeout and --set network.timeout cannot be combined\n")
    # A file does not decide what reads a secret that is set; another --set does.
    assert "a file cannot decide what reads the secret" in run("validate a.txt --set auth=user:hunter2", capsys)[1]
    assert (
        run("validate a.txt --fail-on never --set auth=user:hunter2 --set proxy=http://q.example", capsys)[0]
        == ExitCode.CLEAN
    )
    monkeypatch.setenv("URLSET_AUTH", "user:other")
    assert run("validate a.txt --no-config --set auth=user:hunter2", capsys)[0] == ExitCode.CLEAN


def test_secrets_are_never_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("hunter2", "auth=hunter2", "auth=[hunter2", "header=['hunter2']", "https://user:hunter2@a.example/=5"):
        code, shown = run(f"validate a.xml --no-config --set {shlex.quote(text)}", capsys)
        assert code == ExitCode.USAGE
        assert "hunter2" not in shown


def test_old_spellings_of_options_lead_to_their_settings(capsys: pytest.CaptureFixture[str]) -> None:
    for name, command in COMMANDS.items():
        for each in command.settings:
            assert main([name, f"--{each.key}", "5"]) == ExitCode.USAGE
            first = capsys.readouterr().err.splitlines()[0]
            found = re.fullmatch(rf"urlset: no such option '--{each.key}'; it is now --set (.*)", first)
            assert found, first
            [text] = shlex.split(found[1])
            assert values(text, command=name).keys() == {each.name}
    assert main(["build", "--no-pretty"]) == ExitCode.USAGE
    assert "it is now --set build.pretty=false" in capsys.readouterr().err


NETWORK: dict[str, tuple[str, str]] = {
    "twice": (
        "read-timeout = 5\n[network]\nread-timeout = 6",
        "urlset.toml: network.read-timeout: read-timeout is also set at the top level; omit one",
    ),
    "unknown": ("[network]\nread-tmeout = 6", "urlset.toml: network: unknown key 'read-tmeout'; did you mean"),
    "not for the network": ("[network]\nthreads = 6", "urlset.toml: network: unknown key 'threads'"),
    "invalid": ("[network]\nread-timeout = 0", "urlset.toml: network.read-timeout: must be a number above 0, not 0"),
    "not a table": ("network = 5", "urlset.toml: network: must be a table, not 5"),
}


@case_table("content, message", NETWORK)
def test_a_wrong_table_for_the_network(
    content: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("urlset.toml").write_text(content)
    code, shown = run("config", capsys)
    assert code == ExitCode.USAGE
    assert shown.startswith(f"urlset: {message}")


def test_the_file_takes_the_table_for_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("urlset.toml").write_text("timeout = 9\n[network]\nread-timeout = 5\n")
    shown = run("config", capsys)[1]
    assert re.search(r"^read-timeout +5\.0 +\(urlset\.toml\)$", shown, re.MULTILINE)
    assert re.search(r"^timeout +9\.0 +\(urlset\.toml\)$", shown, re.MULTILINE)
