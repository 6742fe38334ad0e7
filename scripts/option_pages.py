"""Generate the reference pages of the command line, the configuration, and the writer from the declared options."""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any

import click

from urlset import _core
from urlset.cli.command import Command, CommandGroup, default_of, first_sentence, import_command, setting_value
from urlset.cli.commands import NAMES
from urlset.cli.main import app
from urlset.options.auditing import KeyedOptions
from urlset.options.build_file import in_file
from urlset.options.building import IndexSpec, LlmsSpec, RemoteSitemap, SiteOptions
from urlset.options.convert import choices, describe_type, record_of
from urlset.options.declare import Face, Panel, options_of
from urlset.options.judging import CustomRule, Profile
from urlset.options.sources import KINDS, SourceSpec
from urlset.options.values import REQUIRED
from urlset.options.writing import WriteOptions
from urlset.rules import profiles
from urlset.rules.families import DEFAULT_LIMITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlset.options.declare import Option


def cell(text: str) -> str:
    """Return text escaped for a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")


def markdown_table(heading: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield a Markdown table."""
    yield "| " + " | ".join(heading) + " |"
    yield "|" + "---|" * len(heading)
    for row in rows:
        yield "| " + " | ".join(cell(each) for each in row) + " |"


def member_docs(enum: type) -> dict[str, str]:
    """Return the docstring below each member of an enum, which Python discards."""
    (node,) = ast.parse(inspect.getsource(enum)).body
    assert isinstance(node, ast.ClassDef)
    docs = {}
    for statement, following in zip(node.body, node.body[1:], strict=False):
        match statement, following:
            case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(value=ast.Constant(value=str(text))):
                docs[name] = text
    return docs


def cli_page() -> Iterator[str]:
    """Yield the index of the commands."""
    context = click.Context(app, info_name="urlset")
    yield "# Command line"
    yield ""
    yield "Each command has a page with its options, exit statuses, and examples."
    yield "Options, except for those of a single call, are also keys of the [configuration file](config.md)."
    yield ""
    firsts = {name: first_sentence(import_command(name).spec) for name in NAMES}
    rows = [(f"[`urlset {name}`](cli/{name}.md)", first) for name, first in firsts.items()]
    yield from markdown_table(("command", "what it does"), rows)
    yield ""
    yield "```text"
    yield app.get_help(context)
    yield "```"


def command_page(name: str) -> Iterator[str]:
    """Yield a command with its options and its subcommands, and a link back to the index."""
    command = import_command(name)
    yield f"# urlset {name}"
    yield ""
    yield "[Command line](../cli.md) · [configuration file](../config.md)"
    yield ""
    yield from _command(command)
    for each in command.subcommands.values() if isinstance(command, CommandGroup) else ():
        yield ""
        yield f"## urlset {each.name}"
        yield ""
        yield from _command(each)


def _command(command: Command[Any]) -> Iterator[str]:
    yield "```text"
    yield next(command.help_lines(f"urlset {command.name}"))
    yield "```"
    for text in filter(None, (command.spec.about, command.spec.details)):
        for paragraph in text.strip().split("\n\n"):
            yield ""
            yield " ".join(paragraph.split())
    for panel in Panel:
        listed = [each for each in (*command.options, *command.settings) if each.facts.panel is panel]
        rows = [_row(each) for each in sorted(listed, key=lambda each: not each.facts.positional)]
        if rows:
            yield ""
            yield f"**{panel.value}**"
            yield ""
            yield from markdown_table(("option", "what it does", "default"), rows)
    if command.spec.exit_status:
        yield ""
        yield f"**Exit status**: {' '.join(command.spec.exit_status.split())}"
    if command.spec.examples:
        yield ""
        yield "**Examples**"
        yield ""
        yield "```text"
        yield from (*command.spec.examples, *command.spec.more_examples)
        yield "```"


def _row(option: Option) -> tuple[str, str, str]:
    """Return the row of an option of a command."""
    facts = option.facts
    if facts.positional:
        return f"`{facts.metavar}`", about(option), _default(option)
    name = f"--{option.key}"
    if option.is_setting:
        return f"`{option.spelling}{setting_value(option)}`", about(option), _default(option)
    if describe_type(option.annotation) == "true or false":
        value, other = "", "" if option.key.startswith("no-") else f"`, `--no-{option.key}"
    else:
        value, other = f" {facts.metavar or 'VALUE'}", ""
    short = f"`-{facts.short}`, " if facts.short else ""
    environment = f" The environment variable `{facts.envvar}` also sets it." if facts.envvar else ""
    return f"{short}`{name}{value}{other}`", about(option) + environment, _default(option)


def about(option: Option) -> str:
    """Return what an option does, in full."""
    return " ".join(filter(None, (f"{option.facts.help}.", option.facts.more)))


def _default(option: Option) -> str:
    """Return the default of an option for a table."""
    if option.default is REQUIRED:
        return "required"
    if isinstance(option.default, bool):
        return f"`{str(option.default).lower()}`"
    shown = default_of(option)
    if option.facts.default_text or not shown:
        return shown or "none"
    return f"`{shown}`"


def config_page(*, is_short: bool = False) -> Iterator[str]:
    """Yield every key of the configuration, the limits, the keys of a custom rule, and what each profile changes.

    Args:
        is_short: Whether to leave out the type, the example, and all but the first sentence of each key.
    """
    keys = _short_keys if is_short else _keys
    yield "# Configuration"
    yield ""
    yield "The keys of `urlset.toml`, or of the table `[tool.urlset]` of `pyproject.toml`. The command line takes"
    yield "precedence over the file, the file over the profile, and the profile over the defaults."
    yield "`urlset config` shows the effective values, and `urlset config --schema` prints the schema"
    yield "with which editors can check the file. On the command line, `--set KEY=VALUE` sets a key for one run."
    yield "The keys for the network can be in a table `[network]` as well."
    yield ""
    keyed = in_file(KeyedOptions)
    yield from keys([each for each in keyed if not each.group.TABLE])
    yield ""
    yield "## Limits"
    yield ""
    yield "Keys of the table `limits`. [Limits](limits.md) gives the sources of the numbers."
    yield ""
    rows = [
        (f"`{_key(name)}`", ", ".join(value) if isinstance(value, tuple) else f"{value:,}")
        for name, value in sorted(DEFAULT_LIMITS.items())
    ]
    yield from markdown_table(("key", "default"), rows)
    yield ""
    yield "## Audits"
    yield ""
    yield "Keys of the table `[audit]`; see [audit](../how-to/audit.md)."
    yield ""
    yield from keys([each for each in keyed if each.group.TABLE == "audit"])
    yield ""
    yield "## IndexNow"
    yield ""
    yield "Keys of the table `[notify]`; see [IndexNow](../how-to/tell-search-engines.md#indexnow)."
    yield ""
    yield from keys([each for each in keyed if each.group.TABLE == "notify"])
    yield ""
    yield "## Access logs"
    yield ""
    yield "Keys of the table `[logs]`; see [access logs](../how-to/access-logs.md). The store is that of `[audit]`."
    yield ""
    yield from keys([each for each in keyed if each.group.TABLE == "logs"])
    yield ""
    yield "## Policy"
    yield ""
    yield "Keys of the table `[policy]`; see [Write a policy](../how-to/tell-search-engines.md#write-a-policy)."
    yield ""
    yield from keys([each for each in keyed if each.group.TABLE == "policy"])
    yield from _build(keys)
    yield ""
    yield "## Custom rules"
    yield ""
    yield "Keys of a table `[[rule]]`, in pyproject.toml `[[tool.urlset.rule]]`."
    yield ""
    yield from keys(in_file(CustomRule))
    yield from _profiles()


def _key(name: str) -> str:
    return name.replace("_", "-")


def _keys(options: Iterable[Option]) -> Iterator[str]:
    """Yield a table of keys."""
    heading = ("key", "type", "default", "what it does", "example")
    yield from markdown_table(heading, [
        (f"`{each.key}`", _type(each), _default(each), about(each), f"`{_example(each)}`") for each in options
    ])  # fmt: skip


def _short_keys(options: Iterable[Option]) -> Iterator[str]:
    """Yield a table of keys, each with one sentence."""
    rows = [(f"`{each.key}`", _default(each), f"{each.facts.help}.") for each in options]
    yield from markdown_table(("key", "default", "what it does"), rows)


def _type(option: Option) -> str:
    found = describe_type(option.annotation)
    listed = choices(option.annotation)
    return found if not listed or any(word in found for word in listed) else f"{found}: {', '.join(listed)}"


def _example(option: Option) -> str:
    """Return a line of TOML that sets the option."""
    if record_of(option.annotation) is CustomRule:
        return option.facts.example
    return f"{option.key} = {option.facts.example}"


def _build(keys: Callable[[Iterable[Option]], Iterator[str]]) -> Iterator[str]:
    """Yield the keys of `[build]`, its sites, its sources, and its index, in tables that `keys` makes."""
    yield ""
    yield "## Building"
    yield ""
    yield "See [build sitemaps](../how-to/build.md). Paths are relative to the directory of the configuration file."
    kinds = ", ".join(f"`{kind}`" for kind in KINDS)
    common = [each.name for each in in_file(SourceSpec)]
    groups: list[tuple[str, str, list[Option]]] = [
        (
            "A site",
            "Keys of `[build]` for one site. With several, they are keys of each `[[build.site]]`, and those of "
            "`[build]` apply to all sites.",
            in_file(SiteOptions),
        ),
        (
            "All sources",
            "Each `[[build.source]]` (with several sites `[[build.site.source]]`) has exactly one of the keys "
            f"{kinds}, which determines its kind. Any source can also have these keys.",
            in_file(SourceSpec),
        ),
        *(
            (f"Sources of kind {kind}", "", [each for each in in_file(spec) if each.name not in common])
            for kind, spec in KINDS.items()
        ),
        ("The index over all sites", "Keys of `[build.index]`.", in_file(IndexSpec)),
        ("Remote sitemaps", "Keys of a table in `remote` of `[build.index]`.", in_file(RemoteSitemap)),
        (
            "The llms.txt of each site",
            "Keys of `[build.llms]`, which makes `urlset build` write one, as `--llms` does.",
            in_file(LlmsSpec),
        ),
    ]
    for title, about, options in groups:
        yield ""
        yield f"### {title}"
        yield ""
        if about:
            yield about
            yield ""
        yield from keys(options)


def _profiles() -> Iterator[str]:
    yield ""
    yield "## Profiles"
    docs = member_docs(Profile)
    for profile in Profile:
        yield ""
        yield f"### {profile.value}"
        yield ""
        yield docs[profile.name]
        yield ""
        changes = profiles.PROFILES[profile]
        rows = [
            (f"`{prefix}`", "left out" if severity is None else severity.value)
            for prefix, severity in changes.severity.items()
        ]
        rows += [(f"`limits.{_key(name)}`", f"{value:,}") for name, value in changes.limits.items()]
        yield from markdown_table(("rules or limit", "here"), rows)


def writer_page() -> Iterator[str]:
    """Yield the options of the writer, and the reasons for leaving something out."""
    yield "# The writer"
    yield ""
    yield "For examples, see [write sitemaps](../how-to/write.md)."
    yield ""
    yield "## Options"
    yield ""
    yield "Keyword arguments of `urlset.write`, `urlset.Writer`, `urlset.stream`, and `urlset.astream`."
    yield ""
    rows = [
        (f"`{each.name}`", _type(each), _default(each), about(each))
        for each in options_of(WriteOptions)
        if Face.PYTHON in each.facts.faces
    ]
    yield from markdown_table(("option", "type", "default", "what it does"), rows)
    yield ""
    yield "## Fields of an entry"
    yield ""
    yield "`loc`, `lastmod`, `changefreq`, `priority`; `hreflang` and `alternates`; `images`, `videos`, and `news`,"
    yield "each a list of records with the fields below; `group`; and `prefix:name` for your own namespaces. Columns"
    yield "of Arrow tables have the same names; records are lists of structs. The default of the protocol for priority"
    yield "is 0.5."
    for holder, fields in _core.record_fields().items():
        yield ""
        yield f"### {holder}"
        yield ""
        yield from markdown_table(
            ("field", "element or attribute", "required"),
            [(f"`{key}`", f"`{element}`", "yes" if needed else "") for key, element, needed in fields],
        )
    yield ""
    yield "## Why something is left out"
    yield ""
    yield from markdown_table(
        ("reason", "meaning"), [(f"`{name}`", about) for name, about in _core.refusal_reasons().items()]
    )
