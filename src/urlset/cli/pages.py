"""`urlset pages`: list the pages of a run that cannot be indexed, and why."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, StoreOptions, file_or_stdout, format_option, output_option
from urlset.errors import ExitCode
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Positive, option, option_group
from urlset.options.storing import run_option
from urlset.web.indexability import PageReason

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


class PagesFormat(StrEnum):
    TEXT = "text"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    LLM = "llm"


@option_group
class Options(StoreOptions, ColorOptions):
    """Options of `urlset pages`."""

    run: Positive | None = run_option(COMMAND_LINE)
    reason: tuple[PageReason, ...] = option(
        (),
        OptionFacts(
            help="List only pages with this reason; can be repeated",
            panel=Panel.PAGES,
            metavar="REASON",
            commas=True,
            faces=COMMAND_LINE,
            more=f"The reasons are {', '.join(PageReason)}.",
        ),
    )
    all: bool = output_option(False, "List the pages that can be indexed as well")
    format: PagesFormat = format_option(PagesFormat.TEXT)
    output: Path | None = output_option(None, "Write to FILE; - for standard output", "FILE", short="o")
    verbose: bool = output_option(False, "Show full URLs on a terminal", short="v")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.cli.outputs import check_place
    from urlset.files.publish import replacing
    from urlset.pipeline.pages import page_list
    from urlset.report.formats import render

    options = configuration.options
    path = file_or_stdout(options.output)
    if path is not None:
        check_place(path)
    with page_list(options.store, options.run, options.reason, every=options.all) as pages:
        if path is None:
            output = Output(options.color)
            output.show("pages", options.format, pages, replace(output.style, verbose=options.verbose))
            return ExitCode.CLEAN
        with replacing(path) as file, file.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(f"{line}\n" for line in render("pages", options.format, pages))
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""List the pages of an audit that search engines cannot index at their listed URL, and why.

    Each page has one reason: the first one that stops a search engine. If it is unknown whether a page can be indexed,
    for example because the server refuses this client, the reason says why, and is_indexable is empty.""",
    examples=(
        "urlset pages",
        "urlset pages --reason noindex --reason not-found",
        "urlset pages audits.duckdb --format csv -o pages.csv",
        "urlset pages audits.duckdb --run 3 --format json",
    ),
)
