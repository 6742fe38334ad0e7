"""`urlset explain`: show the page of a rule or a reason, or the lastmod of a page with its proof."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions
from urlset.errors import ExitCode
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, Names, OptionFacts, Panel, Text, option, option_group, required
from urlset.options.judging import ProfileOptions
from urlset.options.verbs import ValidateOptions

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.options.resolve import ResolvedOptions

WIDEST = 100
"""Maximum line length of a page on a terminal; longer lines are hard to read."""


@option_group
class Options(ProfileOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset explain`."""

    code: Text = required(
        OptionFacts(
            help="Code or name of a rule (LOC003), reason of a page (not-found), or URL of a page in a built sitemap",
            panel=Panel.TARGETS,
            metavar="CODE|REASON|URL",
            has_user=True,
            faces=COMMAND_LINE,
            positional=True,
            names=Names.RULES,
        )
    )
    state: Path | None = option(
        None,
        OptionFacts(
            help="State file that the build of the page wrote with --state",
            panel=Panel.TARGETS,
            metavar="FILE",
            faces=COMMAND_LINE,
            rare=True,
            default_text="those of [build] in the configuration file, or else those of all builds of this user",
        ),
    )


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.pipeline.explain import explain, explain_lastmod
    from urlset.report.paint import plain
    from urlset.sources import is_url

    code = configuration.options.code
    output = Output(configuration.options.color)
    if is_url(code.strip()) and (lastmod := explain_lastmod(code.strip(), _states(configuration))) is not None:
        output.show("explain", "text", lastmod, output.style)
        return ExitCode.CLEAN
    text = explain(code, configuration.of(ValidateOptions))
    if output.paint is plain:
        output.write([text.rstrip("\n")])
    else:
        _show_markdown(text, output)
    return ExitCode.CLEAN


def _states(configuration: ResolvedOptions[Options]) -> list[Path]:
    """Return the state files that the command line or the configuration names and that exist."""
    if configuration.options.state is not None:
        return [configuration.options.state]
    build = None if configuration.file is None else configuration.file.build
    if build is None:
        return []
    states = (*(site.state for site in build.spec.sites), build.site.get("state"))
    return [state for state in states if isinstance(state, Path) and state.exists()]


def _show_markdown(text: str, output: Output) -> None:
    import io

    from rich.console import Console
    from rich.markdown import Markdown

    drawn = io.StringIO()
    console = Console(file=drawn, force_terminal=True, width=min(Console().width, WIDEST))
    console.print(Markdown(text))
    output.write(drawn.getvalue().splitlines())


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Explain a rule: what it finds, why it matters, examples that fail and pass, how to fix it, and sources.

    For a reason why a page cannot be indexed, as `urlset pages` lists them, explain how to fix it and which rules
    report it.

    For the URL of a page, show the lastmod that the last build with --lastmod-from git-text gave it, and its proof: the
    commit, its date and subject, and the first words that it changed.""",
    examples=(
        "urlset explain LOC003",
        "urlset explain LOC003 > LOC003.md",
        "urlset explain noindex-in-body",
        "urlset explain https://example.com/configuration/",
    ),
)
