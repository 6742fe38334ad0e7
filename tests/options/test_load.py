"""The configuration file: where it is looked for, and that whatever is wrong in it is named with file and key."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from urlset.errors import ConfigError
from urlset.options.auditing import AuditOptions, KeyedOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.configuration_file import find, load
from urlset.options.declare import options_of
from urlset.options.judging import Profile
from urlset.options.reporting import FailOn
from urlset.options.resolve import configuration, resolve
from urlset.options.sources import HtmlFolder
from urlset.stages.ruleset import check_rules, limits_in_force


def written(folder: Path, text: str, name: str = "urlset.toml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


WHOLE = """
select = ["LOC", "shop"]
ignore = ["LOC006"]
profile = "yandex"
required-urls = ["https://example.com/"]
fail-on = "warning"
max-warnings = 3
max-examples = 0
max-document-bytes = 1_000
timeout = 2
baseline = "known.json"

[severity]
LOC = "info"
LOC003 = "error"

[per-document-ignores]
"old/*" = ["LOC"]

[limits]
max-entries = 10
near-limit = 0.5

[build]
base-url = "https://example.com"
out = "public"

[[build.source]]
html = "public"

[[rule]]
code = "SHOP001"
message = "No shop"
where = "true"
"""


def test_every_key_is_read(tmp_path: Path) -> None:
    resolved = resolve(KeyedOptions, load(written(tmp_path, WHOLE)), {})
    options = resolved.options
    assert options.select == ("LOC", "SHOP")
    assert options.ignore == ("LOC006",)
    assert options.profile is Profile.YANDEX
    assert options.severity == {"LOC": "info", "LOC003": "error"}
    assert options.per_document_ignores == {"old/*": ("LOC",)}
    assert options.limits == {"max_entries": 10, "near_limit": 0.5}
    assert options.required_urls == ("https://example.com/",)
    assert options.fail_on is FailOn.WARNING
    assert (options.max_warnings, options.max_examples) == (3, 0)
    assert (options.max_document_bytes, options.timeout) == (1000, 2.0)
    assert [rule.code for rule in options.rule] == ["SHOP001"]
    assert options.baseline == tmp_path / "known.json"
    assert resolved.file is not None
    assert resolved.file.build is not None
    assert resolved.file.build.spec == BuildSpec(
        sites=(
            Site(
                base_url="https://example.com",
                out=str(tmp_path / "public"),
                sources=(HtmlFolder(folder=tmp_path / "public"),),
            ),
        )
    )
    origins = {each.option.path: each.origin for each in resolved.in_force}
    origins |= {key: origin for key, _, origin in limits_in_force(resolved)}
    assert origins["select"].endswith("urlset.toml")
    assert origins["limits.max-url-length"] == "profile yandex"
    assert origins["limits.max-images-per-url"] == "default"


def test_pyproject_says_the_same(tmp_path: Path) -> None:
    text = '[tool.urlset]\nmax-warnings = 3\n[[tool.urlset.rule]]\ncode = "SHOP001"\nmessage = "m"\nwhere = "true"\n'
    options = resolve(KeyedOptions, load(written(tmp_path, text, "pyproject.toml")), {}).options
    assert options.max_warnings == 3
    assert options.rule[0].origin.endswith("pyproject.toml, [tool.urlset], [[rule]] 1")


def test_the_command_line_wins(tmp_path: Path) -> None:
    resolved = resolve(KeyedOptions, load(written(tmp_path, WHOLE)), {"select": ("DUP",), "max_warnings": 9})
    assert resolved.options.select == ("DUP",)
    assert resolved.options.max_warnings == 9
    assert resolved.options.ignore == ("LOC006",)
    assert {each.option.path: each.origin for each in resolved.in_force}["select"] == "--select"


def test_the_nearest_file_counts_and_urlset_toml_comes_first(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    far = written(tmp_path, "")
    assert find(inner) == far
    project = written(tmp_path / "a", "[tool.urlset]\n", "pyproject.toml")
    assert find(inner) == project
    own = written(tmp_path / "a", "")
    assert find(inner) == own


def test_a_pyproject_of_others_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    written(tmp_path / "a", "[tool.other]\n", "pyproject.toml")
    assert find(tmp_path / "a") is None


def test_the_search_ends_at_the_root_of_the_repository(tmp_path: Path) -> None:
    written(tmp_path, "")
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    assert find(tmp_path / "repository") is None
    assert configuration(None, start=tmp_path / "repository") is None


OWNERS = {
    "one's own": (1000, 1000, 1000, True),
    "the system's": (1000, 1000, 0, True),
    "another user's": (1000, 1000, 1001, False),
    "another user's, in a directory of that user": (1000, 1001, 1001, False),
    "a user's, in a container": (0, 1000, 1000, True),
    "another user's than the directory's, in a container": (0, 1000, 1001, False),
}


@pytest.mark.parametrize(("user", "directory", "owner", "is_used"), OWNERS.values(), ids=[*OWNERS])
@pytest.mark.parametrize("name", ["urlset.toml", "pyproject.toml"])
def test_the_search_ends_at_a_file_of_another_user(
    user: int, directory: int, owner: int, is_used: bool, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "parent/inner"
    inner.mkdir(parents=True)
    (tmp_path / "urlset.toml").touch()
    file = inner.parent / name
    file.write_text("[tool.urlset]" if name == "pyproject.toml" else "")
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    monkeypatch.setattr("urlset.files.repository_links._owner", lambda path: owner if path == file else directory)
    said: list[str] = []
    assert find(inner, said.append) == (file if is_used else None)
    expected = f"{file}: belongs to another user, and was not used; pass it with --config to use it"
    assert said == ([] if is_used else [expected])


GUARDED = {each.key: each for each in options_of(AuditOptions) if each.facts.guards_secrets}


@pytest.mark.parametrize("key", GUARDED)
@pytest.mark.parametrize("secret", [{"auth": "u:p"}, {"header": ("X-Key: 1",)}])
def test_a_file_does_not_decide_what_reads_a_secret(key: str, secret: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "urlset.toml"
    path.write_text(f"{key} = {GUARDED[key].facts.example}\n")
    file = load(path)
    [name] = secret
    expected = rf"{key}: a file cannot decide what reads the secret in --{name}; pass --{key}, or omit the key"
    with pytest.raises(ConfigError, match=expected):
        resolve(AuditOptions, file, secret)
    value = file.values[GUARDED[key].name]
    assert (
        getattr(resolve(AuditOptions, file, {**secret, GUARDED[key].name: value}).options, GUARDED[key].name) == value
    )
    assert getattr(resolve(AuditOptions, file, {}).options, GUARDED[key].name) == value


def test_a_secret_of_the_same_file_may_be_read_as_it_says(tmp_path: Path) -> None:
    (tmp_path / "urlset.toml").write_text('auth = "u:p"\ninsecure = true\n')
    assert resolve(AuditOptions, load(tmp_path / "urlset.toml"), {}).options.insecure


def test_no_search_finds_nothing(tmp_path: Path) -> None:
    written(tmp_path, "no-such-key = 1")
    assert configuration(None, search=False, start=tmp_path) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "unknown key 'selct'; did you mean 'select'?"),
        ("max_warnings = 1", "unknown key 'max_warnings'; did you mean 'max-warnings'?"),
        ("zzzzzz = 1", "unknown key 'zzzzzz'; known keys: agents, allow-private, audit, auth, baseline, "),
        ("limits = { max-entry = 1 }", "limits: unknown key 'max-entry'; did you mean 'max-entries'?"),
        ('[[rule]]\ncod = "A"', "[[rule]] 1: unknown key 'cod'; did you mean 'code'?"),
        ('select = "LOC"', "select: must be a list of strings, not 'LOC'"),
        ("select = [1]", "select: must be a list of strings, not [1]"),
        ('select = ["LOX"]', "select: no rule has a code that starts with 'LOX'"),
        ('ignore = ["LOC0003"]', "ignore: no rule has a code that starts with 'LOC0003'; did you mean 'LOC003'"),
        ("severity = 1", "severity: must be a table of error, warning, info, hint, not 1"),
        ('severity = { LOC = "eror" }', "severity.LOC: must be one of error, warning, info, hint, not 'eror'; did you"),
        ('severity = { LOX = "error" }', "severity: no rule has a code that starts with 'LOX'"),
        (
            'profile = "gogle"',
            "profile: must be one of protocol, google, bing, yandex, not 'gogle'; did you mean 'goo",
        ),
        ('fail-on = "warn"', "fail-on: must be one of error, warning, info, hint, never, not 'warn'"),
        ("max-warnings = true", "max-warnings: must be an integer of at least 0, not True"),
        ("max-warnings = -1", "max-warnings: must be an integer of at least 0, not -1"),
        ("max-document-bytes = 0", "max-document-bytes: must be an integer from 1 to 536,870,912, not 0"),
        ('timeout = "3"', "timeout: must be a number above 0, not '3'"),
        ("timeout = inf", "timeout: must be a number above 0, not inf"),
        ("limits = { max-entries = 1.5 }", "limits: max-entries must be an integer of at least 1, not 1.5"),
        ('limits = { secret-parameters = "pin" }', "limits.secret-parameters: must be"),
        (
            'limits = { secret-parameters = ["a|b"] }',
            "names that consist of letters, digits, dots, hyphens, and underscores",
        ),
        ('require = ["priority"]', "require: must be a list of lastmod, not ['priority']"),
        ("limits = { near-limit = 2 }", "limits: near-limit must be a number greater than 0 and at most 1, not 2"),
        ("per-document-ignores = { a = [1] }", "per-document-ignores.a: must be a list of strings, not [1]"),
        ("required-urls = [1]", "required-urls: must be a list of strings, not [1]"),
        ("rule = 1", "rule: must be written as tables: [[rule]]"),
        ('[[rule]]\ncode = "SHOP001"', "[[rule]] 1: message is missing"),
        ('[[rule]]\ncode = "SHOP001"\nmessage = "m"', "rule SHOP001 requires either where or query"),
        ("select = [", "not valid TOML"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        check_rules(resolve(KeyedOptions, load(path), {}))
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: no such file"):
        load(tmp_path / "urlset.toml")


def test_latin_1_is_no_toml(tmp_path: Path) -> None:
    path = tmp_path / "urlset.toml"
    path.write_bytes(b'baseline = "\xe9"')
    with pytest.raises(ConfigError, match="not valid TOML"):
        load(path)
