"""`urlset report`: the page of a run that a store keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from urlset.cli.options import DEFAULT_STORE

EXAMPLES = """\b
Examples:
  urlset report
  urlset report audits.duckdb --run 3 --output march.html
  urlset report urlset.duckdb -o - | ssh web 'cat > report.html'
"""


def report(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The store's file.")] = DEFAULT_STORE,
    run: Annotated[
        int | None,
        typer.Option(
            "--run",
            metavar="N",
            min=1,
            help="The run: the newest that came to its end unless given.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE.html",
            help="Where the page goes: - for standard output; beside the store, with its name, unless given.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write the page of a run that a store keeps, to look at in a browser.

    The page is one file with everything in it: it asks nobody for anything, and can be sent on as it is. It shows the
    verdict and what to fix first, the findings by rule, charts, the tree of documents, who may fetch what, and with
    several runs on the same targets what is new, fixed and still there.
    """
    from urlset.cli.output import Output, complain
    from urlset.cli.outputs import check_place, write_page
    from urlset.pipeline.report_page import page_of_run

    path = output or store.with_suffix(".html")
    is_stream = str(path) == "-"
    if not is_stream:
        check_place(path)
    page = page_of_run(store, run)
    if is_stream:
        from urlset.report.formats import render

        Output().write_bytes("\n".join(render("report", "html", page)).encode("utf-8"))
        return
    write_page(page, path)
    complain(f"wrote the page of run {page.run_id} to {path}")
