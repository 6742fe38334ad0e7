"""`urlset robots`: what a robots.txt says, who may fetch what, and which line decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from urlset.cli.fetching import Reading, with_fetch_options
from urlset.cli.options import Colour, ColourOption, Format

EXAMPLES = """\b
Examples:
  urlset robots https://example.com
  urlset robots https://example.com https://example.com/search?q=a --agent Googlebot --agent GPTBot
  urlset robots public/robots.txt /cart/ --all-agents
  urlset robots public/robots.txt --urls-from public/sitemap.xml
"""


@with_fetch_options
def robots(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A robots.txt: a file or its folder, - for standard input, its URL, or any URL of its site.",
            show_default=False,
        ),
    ],
    reading: Reading,
    urls: Annotated[
        list[str] | None,
        typer.Argument(metavar="[URL]...", help="URLs or paths to ask about.", show_default=False),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="NAME",
            help="Ask for this crawler, by its product token; may be given several times. "
            "Without it: Googlebot and Bingbot.",
            show_default=False,
        ),
    ] = None,
    all_agents: Annotated[
        bool, typer.Option("--all-agents", help="Ask for every crawler that urlset knows, those of AI included.")
    ] = False,
    urls_from: Annotated[
        list[str] | None,
        typer.Option(
            "--urls-from",
            metavar="SITEMAP",
            help="Ask about every URL of this sitemap or list of URLs; may be given several times.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[Format, typer.Option("--format", metavar="FORMAT", help="text for people, or json.")] = Format.TEXT,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show the rules, though URLs are asked about.")
    ] = False,
    colour: ColourOption = Colour.AUTO,
) -> None:
    """Show what a robots.txt says and who may fetch which URL by it, with the line that decides, as RFC 9309 has it.

    Exits with 1 if a URL asked about is forbidden to a crawler asked about, and with 3 if robots.txt cannot be read;
    one that does not exist allows everything.
    """
    from urlset.agents import DEFAULT_AGENTS, KNOWN_AGENTS
    from urlset.cli.output import Output
    from urlset.errors import ExitCode
    from urlset.pipeline.robots import robots as run
    from urlset.robots import Availability

    asked = dict.fromkeys(name for name in agent or () if name.strip())
    asked |= dict.fromkeys(known.name for known in KNOWN_AGENTS if all_agents)
    report = run(target, urls or (), tuple(asked) or DEFAULT_AGENTS, reading.options(), urls_from or ())
    output = Output(colour)
    output.show("robots", form, report, replace(output.style, verbose=verbose))
    if report.robots.availability is Availability.UNREACHABLE:
        raise typer.Exit(ExitCode.UNREADABLE)
    raise typer.Exit(ExitCode.FINDINGS if report.forbids else ExitCode.CLEAN)
