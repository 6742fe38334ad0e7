"""Every declared option is on every face that it names, with one name, one default, and one set of bounds."""

from __future__ import annotations

import ast
import inspect as python_inspect
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
from msgspec import inspect
from tests.cases import case_table

import make_docs
import urlset
from urlset.cli.command import Command, CommandGroup, import_command
from urlset.cli.commands import NAMES
from urlset.cli.main import main
from urlset.errors import UsageError
from urlset.options import fields as typed
from urlset.options.auditing import AuditOptions, KeyedOptions
from urlset.options.build_file import in_file
from urlset.options.building import BuildOptions, IndexSpec, LlmsSpec, Site, SiteOptions
from urlset.options.comparing import DiffOptions
from urlset.options.configuration_file import ConfigFile
from urlset.options.convert import choices, converted_text, describe_type, kind
from urlset.options.coverage import (
    ClientsOptions,
    CoverageDiffOptions,
    CoverageOptions,
    ImportOptions,
    ImpressionsOptions,
    InspectionOptions,
    ReportedSitemapsOptions,
)
from urlset.options.declare import Face, Option, OptionGroup, Panel, options_of
from urlset.options.deployment import DeployCheckOptions
from urlset.options.editor_schema import schema
from urlset.options.fixing import FixOptions
from urlset.options.judging import CustomRule
from urlset.options.merge import check_fields
from urlset.options.notifying import NotifyOptions
from urlset.options.querying import QueryOptions
from urlset.options.reading_logs import LogsOptions
from urlset.options.resolve import resolve
from urlset.options.searching import DiscoverOptions
from urlset.options.sources import KINDS
from urlset.options.trusting import LastmodOptions
from urlset.options.values import REQUIRED
from urlset.options.verbs import (
    CheckOptions,
    InspectOptions,
    PolicyOptions,
    ReadOptions,
    RobotsOptions,
    ValidateOptions,
    WritePolicyOptions,
)
from urlset.options.writing import WriteOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]

VERBS: dict[type[OptionGroup], tuple[str, ...]] = {
    ReadOptions: ("read", "scan"),
    InspectOptions: ("inspect",),
    ValidateOptions: ("validate", "list_rules", "explain_rule"),
    AuditOptions: ("audit",),
    DiffOptions: ("diff",),
    DeployCheckOptions: ("deploy_check",),
    QueryOptions: ("query",),
    DiscoverOptions: ("discover",),
    CheckOptions: ("check",),
    RobotsOptions: ("check_robots",),
    PolicyOptions: ("check_policy",),
    WritePolicyOptions: ("write_policy",),
    FixOptions: ("fix",),
    BuildOptions: ("build_sitemaps",),
    WriteOptions: ("write", "stream", "astream"),
    NotifyOptions: ("notify",),
    LogsOptions: ("logs",),
    LastmodOptions: ("lastmod",),
    CoverageOptions: ("coverage", "coverage_clock"),
    CoverageDiffOptions: ("coverage_diff",),
    ImportOptions: ("import_coverage",),
    InspectionOptions: ("inspect_coverage",),
    ImpressionsOptions: ("fetch_impressions",),
    ReportedSitemapsOptions: ("list_submitted_sitemaps",),
    ClientsOptions: ("check_clients",),
}
"""The options of each verb, and the functions that take them."""

ELSEWHERE: dict[str, tuple[type[OptionGroup], ...]] = {
    "coverage": (CoverageDiffOptions, ImportOptions, InspectionOptions, ImpressionsOptions, ReportedSitemapsOptions),
    "check": (ClientsOptions,),
    "robots": (PolicyOptions, WritePolicyOptions),
}
"""Options of commands that functions of their own take."""

FUNCTIONS = {
    "inspect": "inspect",
    "validate": "validate",
    "check": "check",
    "audit": "audit",
    "discover": "discover",
    "robots": "check_robots",
    "build": "build_sitemaps",
    "fix": "fix",
    "history": "history",
    "pages": "list_pages",
    "diff": "diff",
    "deploy-check": "deploy_check",
    "notify": "notify",
    "key": "new_signing_key",
    "logs": "logs",
    "lastmod": "lastmod",
    "coverage": "coverage",
    "report": "report_page",
    "ignore": "ignore_rule",
    "sql": "query",
    "rules": "list_rules",
    "explain": "explain_rule",
}
"""The function that does what a command does."""

OF_THE_COMMAND_LINE = {"monitor", "metrics", "prune", "config", "cache", "skill", "mcp", "serve", "help"}
"""The commands that Python does not need."""

TOP = [import_command(name) for name in NAMES]
BELOW = [each for command in TOP if isinstance(command, CommandGroup) for each in command.commands.values()]
COMMANDS = {str(command.name): command for command in (*TOP, *BELOW) if isinstance(command, Command)}

BY_PATH: dict[tuple[type[OptionGroup], str], Option] = {
    (each.group, each.name): each
    for group in (*VERBS, KeyedOptions, *(command.spec.options for command in COMMANDS.values()))
    for each in options_of(group)
}
EVERY = list(BY_PATH.values())

each_option = case_table("option", EVERY, ids=lambda each: f"{each.group.__name__}.{each.name}")
each_verb = pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__)
each_command = pytest.mark.parametrize("name", COMMANDS)

WHOLE = json.loads(json.dumps(schema()))


def tables() -> Iterator[tuple[str, type[OptionGroup], dict[str, Any], str]]:
    """Every table of the configuration file: its name, options, JSON Schema, and heading in the reference."""
    build = WHOLE["properties"]["build"]
    yield "build", SiteOptions, build, "### A site"
    yield "build.site", SiteOptions, build["properties"]["site"]["items"], "### A site"
    for number, (name, spec) in enumerate(KINDS.items()):
        items = build["properties"]["source"]["items"]["oneOf"][number]
        yield f"build.source {name}", spec, items, f"### Sources of kind {name}"
    yield "build.index", IndexSpec, build["properties"]["index"]["anyOf"][1], "### The index over all sites"
    yield "build.llms", LlmsSpec, build["properties"]["llms"], "### The llms.txt of each site"
    yield "rule", CustomRule, WHOLE["properties"]["rule"]["items"], "## Custom rules"


TABLES = list(tables())
each_table = pytest.mark.parametrize(("name", "group", "table", "heading"), TABLES, ids=[each[0] for each in TABLES])


@each_option
def test_it_says_what_it_does(option: Option) -> None:
    facts = option.facts
    assert facts.help
    assert facts.help[0].isupper() or facts.positional, "what a placeholder may be is no sentence"
    assert not facts.help.endswith(".")
    assert describe_type(option.annotation)
    assert kind(option.annotation) is not None
    assert facts.panel in Panel
    assert facts.faces
    if Face.FILE in facts.faces:
        assert facts.example, "the reference shows an example of a key"
    if choices(option.annotation):
        assert option.default is None or option.default is REQUIRED or isinstance(option.default, tuple | str)


# The command line.


@each_command
def test_a_command_has_what_its_options_declare_and_nothing_else(name: str) -> None:
    command = COMMANDS[name]
    declared = {each.name: each for each in options_of(command.spec.options) if Face.COMMAND_LINE in each.facts.faces}
    parameters = {each.name: each for each in command.params}
    assert parameters.keys() == declared.keys()
    shown = "\n".join(command.help_lines(f"urlset {name}"))
    for each in declared.values():
        parameter = parameters[each.name]
        if each.facts.positional:
            assert isinstance(parameter, click.Argument)
            assert each.facts.metavar in shown
            continue
        assert f"--{each.key}" in parameter.opts
        # Click sets no default and checks no bound of its own: both are the option's.
        assert parameter.default is None or not parameter.required
        assert re.search(rf"--(no-)?{each.key}\b", shown), each.key


OF_A_KEY: list[tuple[str, str, object]] = [
    ("check", "fail_on", "warning"),
    ("coverage", "fail_on", "warning"),
    ("serve", "allow_private", True),
    ("serve", "auth", "me:secret"),
    ("serve", "ca_bundle", Path("ca.pem")),
    ("serve", "header", ("X: 1",)),
    ("serve", "proxy", "http://proxy.example"),
]
"""The options of commands that a file cannot set, and that have the name of a key; with a value of that key."""


def test_a_file_sets_no_option_through_the_key_of_another() -> None:
    keys = {each.name for each in in_file(KeyedOptions) if not each.group.TABLE}
    spelled = {
        (name, each.name)
        for name, command in COMMANDS.items()
        for each in options_of(command.spec.options)
        if Face.FILE not in each.facts.faces and not each.group.TABLE and each.name in keys
    }
    assert spelled == {(name, option) for name, option, _ in OF_A_KEY}
    for name, option, value in OF_A_KEY:
        file = ConfigFile(Path("urlset.toml"), "urlset.toml", {option: value})
        resolved = resolve(COMMANDS[name].spec.options, file, {})
        assert resolved.origin(option) == "default"
        assert getattr(resolved.options, option) != value


NUMBERS = [each for each in EVERY if isinstance(kind(each.annotation), inspect.IntType | inspect.FloatType)]


@case_table("option", NUMBERS, ids=lambda each: f"{each.group.__name__}.{each.name}")
def test_text_of_the_command_line_has_the_bounds_of_python(option: Option) -> None:
    info = kind(option.annotation)
    assert isinstance(info, inspect.IntType | inspect.FloatType)
    for bound in (info.ge, info.gt, info.le):
        if bound is not None:
            beyond = bound * 2 if bound is info.le else bound - 1
            with pytest.raises(UsageError, match="must be"):
                converted_text(option, str(beyond), f"--{option.key}")


# Python.


def function_named(name: str) -> Any:
    """A function of the package, or of `urlset.api` if it is not among the few names of the package."""
    return getattr(urlset if name in urlset.__all__ else urlset.api, name)


def test_every_command_has_a_function() -> None:
    assert set(NAMES) == FUNCTIONS.keys() | OF_THE_COMMAND_LINE
    for command, name in FUNCTIONS.items():
        function = function_named(name)
        assert function.__module__ == "urlset.api", name
        taken = {*python_inspect.signature(function).parameters}
        for verb in (verb for verb, names in VERBS.items() if name in names):
            taken |= {each.name for each in options_of(verb) if Face.PYTHON in each.facts.faces}
        # What arguments and some options do are functions of their own.
        taken |= {each.name for verb in ELSEWHERE.get(command, ()) for each in options_of(verb)}
        if command == "build":
            # What is built is a value of its own.
            built: list[type[OptionGroup]] = [Site, *KINDS.values()]
            taken |= {each.name for spec in built for each in options_of(spec)}
        on_the_command_line = (*COMMANDS[command].options, *COMMANDS[command].settings)
        asked = {each.name for each in on_the_command_line if Face.PYTHON in each.facts.faces}
        assert asked <= taken, command


@each_verb
def test_python_has_every_option_of_a_verb(verb: type[OptionGroup]) -> None:
    names = [each.name for each in options_of(verb) if Face.PYTHON in each.facts.faces]
    check_fields(verb, names)
    for each in options_of(verb):
        if Face.PYTHON not in each.facts.faces:
            with pytest.raises(UsageError, match="unknown option"):
                check_fields(verb, [each.name])
    fields = getattr(typed, f"{verb.__name__.removesuffix('Options')}Fields")
    assert list(fields.__annotations__) == names
    for name in VERBS[verb]:
        signature = python_inspect.signature(function_named(name))
        assert [each.kind for each in signature.parameters.values()][-1] is python_inspect.Parameter.VAR_KEYWORD
        annotation = list(signature.parameters.values())[-1].annotation
        assert fields.__name__ in str(annotation), name


@each_verb
def test_python_has_the_default_and_the_bounds(verb: type[OptionGroup]) -> None:
    usual = verb()
    for each in options_of(verb):
        value = getattr(usual, each.name)
        assert value == each.default or value == (), each.name
        info = kind(each.annotation)
        if isinstance(info, inspect.IntType | inspect.FloatType) and info.ge is not None:
            with pytest.raises(UsageError, match=f"{each.name}: must be"):
                verb(**{each.name: info.ge - 1})


# The configuration file.


def keyed() -> dict[str, Option]:
    return {each.path: each for each in in_file(KeyedOptions)}


def in_schema(path: str) -> dict[str, Any]:
    table, _, key = path.rpartition(".")
    properties = WHOLE["properties"][table]["properties"] if table else WHOLE["properties"]
    found: dict[str, Any] = properties[key]
    return found


def check_bounds(option: Option, found: dict[str, Any]) -> None:
    """The default and the bounds of a property are those of the option."""
    if isinstance(option.default, bool | int | float | str) and option.default and not option.facts.secret:
        assert found["default"] == option.default, option.path
    info = kind(option.annotation)
    if isinstance(info, inspect.IntType | inspect.FloatType):
        bounds = (found.get("minimum"), found.get("exclusiveMinimum"), found.get("maximum"))
        assert bounds == (info.ge, info.gt, info.le), option.path
    if listed := choices(option.annotation):
        assert sorted(found.get("enum") or found["items"]["enum"]) == sorted(listed), option.path


def test_the_schema_has_every_key_of_the_file_and_nothing_else() -> None:
    top = {path for path in keyed() if "." not in path}
    assert WHOLE["properties"].keys() == top | {"audit", "notify", "logs", "policy", "network", "build"}
    # These keys can be at the top level or in the table.
    for key, found in WHOLE["properties"]["network"]["properties"].items():
        assert found == WHOLE["properties"][key]
    for table in ("audit", "notify", "logs", "policy"):
        inner = {path.partition(".")[2] for path in keyed() if path.startswith(f"{table}.")}
        assert WHOLE["properties"][table]["properties"].keys() == inner
    for path, option in keyed().items():
        check_bounds(option, in_schema(path))


@each_table
def test_the_schema_has_every_key_of_a_table(
    name: str, group: type[OptionGroup], table: dict[str, Any], heading: str
) -> None:
    more = {"build": {"site", "source", "llms"}, "build.site": {"source"}}.get(name, set())
    declared = {each.key: each for each in in_file(group)}
    assert table["properties"].keys() == declared.keys() | more
    assert table["additionalProperties"] is False
    for key, option in declared.items():
        if (name, key) != ("build", "index"):
            check_bounds(option, table["properties"][key])


def test_config_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == WHOLE


def test_config_shows_every_key_with_its_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--no-config", "--format", "json"]) == 0
    shown = {each["key"]: each["value"] for each in json.loads(capsys.readouterr().out)["values"]}
    expected = {path for path in keyed() if path != "limits"}
    assert {key for key in shown if not key.startswith("limits.")} == expected
    for path in expected:
        default = keyed()[path].default
        if isinstance(default, bool | int | float | str):
            assert shown[path] == default, path


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if name != "build"])
def test_a_key_of_the_file_is_of_the_same_declaration_as_the_option(name: str) -> None:
    """What the command line and the file both have is one declaration, so a default cannot differ."""
    for each in options_of(COMMANDS[name].spec.options):
        if each.path in keyed() and Face.FILE in each.facts.faces:
            same = keyed()[each.path]
            assert each.facts is same.facts or each.name == "agents", each.path
            assert describe_type(each.annotation) == describe_type(same.annotation), each.path


# The reference.


@cache
def reference(name: str) -> str:
    """A page as `make docs` generates it."""
    folder = "docs" if f"build/reference/{name}" not in make_docs.PAGES else "build"
    return make_docs.render(f"{folder}/reference/{name}")


def rows(page: str, heading: str) -> dict[str, list[str]]:
    """The rows of the tables below a heading, by their first cell."""
    text = reference(page)
    level = heading.partition(" ")[0]
    body = text.split(f"\n{heading}\n", 1)[1] if heading else text
    body = re.split(rf"\n#{{1,{len(level) or 2}}} ", body.removeprefix("\n"), maxsplit=1 if heading else 0)[
        0 if heading else 1
    ]
    found = [re.split(r"(?<!\\) \| ", line.strip("| ")) for line in body.splitlines() if line.startswith("| `")]
    return {each[0]: each for each in found}


@each_command
def test_the_reference_has_every_option(name: str) -> None:
    first, _, more = name.partition(" ")
    shown = " ".join(rows(f"cli/{first}.md", f"## urlset {name}" if more else f"# urlset {name}")).replace("\\|", "|")
    for each in (*COMMANDS[name].options, *COMMANDS[name].settings):
        written = f"`{each.facts.metavar}`" if each.facts.positional else f"`{each.spelling}"
        assert written in shown, each.key


@each_table
def test_the_reference_has_every_key_of_a_table(
    name: str, group: type[OptionGroup], table: dict[str, Any], heading: str
) -> None:
    shown = set(rows("config.md", heading))
    if name.startswith("build.source"):
        shown |= set(rows("config.md", "### All sources"))
    assert {f"`{each.key}`" for each in in_file(group)} == shown


def test_the_reference_has_every_key_of_the_file() -> None:
    text = reference("config.md")
    for path, option in keyed().items():
        assert re.search(
            rf"^\| `{option.key}` \| {re.escape(describe_type(option.annotation)[:20])}", text, re.MULTILINE
        ), path


def test_the_reference_has_every_option_of_the_writer() -> None:
    shown = rows("writer.md", "## Options")
    assert list(shown) == [f"`{each.name}`" for each in options_of(WriteOptions) if Face.PYTHON in each.facts.faces]


@each_verb
def test_the_reference_has_every_option_of_a_verb(verb: type[OptionGroup]) -> None:
    _, _, listed = reference("api.md").partition(f"\n### {verb.__name__}\n\n")
    names = re.findall(r"^- `(\w+)`", listed.partition("\n\n")[0], re.MULTILINE)
    assert names == [each.name for each in options_of(verb) if Face.PYTHON in each.facts.faces]


def test_bounds_are_those_of_the_declaration_everywhere() -> None:
    assert in_schema("max-depth")["minimum"] == 1
    assert in_schema("timeout")["exclusiveMinimum"] == 0
    depth = keyed()["max-depth"]
    with pytest.raises(UsageError, match="of at least 1"):
        converted_text(depth, "0", "--max-depth")
    with pytest.raises(UsageError, match="of at least 1"):
        AuditOptions(max_depth=0)


def test_the_generated_fields_are_parsed_as_python() -> None:
    source = Path(typed.__file__).read_text("utf-8")
    classes = {node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}
    assert classes == {f"{verb.__name__.removesuffix('Options')}Fields" for verb in VERBS}
