"""`urlset report`: write the HTML report of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import DASH, OpeningOptions, StoreOptions, output_option
from urlset.errors import ExitCode, UsageError
from urlset.options.declare import COMMAND_LINE, Positive, option_group
from urlset.options.storing import DEFAULT_STORE, is_unnamed_store, run_option

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(StoreOptions, OpeningOptions):
    """Options of `urlset report`."""

    run: Positive | None = run_option(COMMAND_LINE)
    impressions: bool = output_option(
        False, "Also show impressions and clicks in Google's results, as far as the store has them"
    )
    output: Path | None = output_option(
        None, "Write to FILE; - for standard output", "FILE.html", short="o", default_text="next to the store"
    )

    def check(self) -> None:
        """Check that there is a file to open.

        Raises:
            UsageError: The report is written to standard output.
        """
        if self.open and self.output == DASH:
            raise UsageError("--open: standard output cannot be opened; name a file with --output")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output, complain
    from urlset.cli.outputs import check_place, own_beside, write_page
    from urlset.pipeline.report_page import page_of_run

    options = configuration.options
    # The page of a store in the user's cache is written where it is expected.
    beside = DEFAULT_STORE if is_unnamed_store(options.store) else options.store
    path = options.output or own_beside(beside, ".html", "--output")
    if path != DASH:
        check_place(path)
    page = page_of_run(options.store, options.run, has_impressions=options.impressions)
    if path == DASH:
        from urlset.report.formats import render

        Output().write_bytes("\n".join(render("report", "html", page)).encode("utf-8"))
    else:
        write_page(page, path, opens=options.open)
        complain(f"wrote the report of run {page.run_id} to {path}")
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Write the self-contained HTML report of a run in a store.

    The report is one file without external resources. It starts with the verdict, what to fix first, and the pages
    that cannot be indexed. Then follow findings by rule, coverage, documents, charts, which crawlers can fetch what,
    and, if the store has an earlier run on the same targets, what is new, fixed, and unchanged. Impressions and
    clicks are only in a report that you create with --impressions.""",
    examples=(
        "urlset report --open",
        "urlset report audits.duckdb --run 3 --output march.html",
        "urlset report --impressions --open",
        "urlset report urlset.duckdb -o - | ssh web 'cat > report.html'",
    ),
)
