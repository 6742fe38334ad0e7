"""`urlset audit`: sitemaps and the pages that they list, looked at and kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from urlset.cli.configured import given_on_command_line
from urlset.cli.fetching import Reading, with_following_options
from urlset.cli.judging import Judging, with_judging_options
from urlset.config import USUAL_STORE, ProbeMethod
from urlset.report.formats import FORMATS

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.model.report import Report
    from urlset.model.report_page import Page

EXAMPLES = """\b
Examples:
  urlset audit example.com
  urlset audit example.com --sample 1000 --store audits.duckdb
  urlset audit public/sitemap.xml --include '*/blog/*' --rate 5
  urlset audit --resume
  urlset audit example.com --no-pages --format json
"""

Store = Annotated[Path, typer.Option("--store", metavar="FILE", help="Keep everything in this DuckDB file.")]


@with_following_options
@with_judging_options
def audit(
    context: typer.Context,
    reading: Reading,
    judging: Judging,
    targets: Annotated[
        list[str] | None,
        typer.Argument(metavar="ORIGIN|TARGET...", help="Sites, files, folders or http(s) URLs.", show_default=False),
    ] = None,
    store: Store = Path(USUAL_STORE),
    no_store: Annotated[bool, typer.Option("--no-store", help="Keep nothing once the audit ends.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the last run of the store that did not come to its end.")
    ] = False,
    pages: Annotated[bool, typer.Option("--pages/--no-pages", help="Look at the listed pages.")] = True,
    images: Annotated[
        bool,
        typer.Option("--images", help="Look at listed images and thumbnails too, and hold videos against robots.txt."),
    ] = False,
    method: Annotated[
        ProbeMethod,
        typer.Option(
            metavar="METHOD",
            help="How pages are asked for: auto (HEAD for names such as .pdf or .jpg, GET for the rest), head (what "
            "pages say of themselves stays unknown), get. Where HEAD answers an error or nonsense, GET is asked after.",
        ),
    ] = ProbeMethod.AUTO,
    sample: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Look at N pages, spaced evenly over all.", show_default=False),
    ] = None,
    max_pages: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Look at the first N pages.", show_default=False)
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Look only at pages whose URL matches. May be given several times."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Do not look at pages whose URL matches. May be given several times."),
    ] = None,
    max_page_bytes: Annotated[
        int, typer.Option(metavar="BYTES", min=1, help="Read no more than this of a page.")
    ] = 2 * 1024 * 1024,
    max_traffic: Annotated[
        int | None,
        typer.Option(metavar="BYTES", min=1, help="Begin no page after so many bytes of pages.", show_default=False),
    ] = None,
    max_time: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0.1, help="Begin no page after this time.", show_default=False),
    ] = None,
    ask_forbidden: Annotated[
        bool, typer.Option("--ask-forbidden", help="Ask for pages that robots.txt forbids, too: on your own site.")
    ] = False,
    score: Annotated[bool, typer.Option("--score/--no-score", help="Score sites, too, as urlset check does.")] = True,
    inventory: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="URLs that are there, one a line: what is in no sitemap is reported.",
                     show_default=False),
    ] = None,
) -> None:  # fmt: skip
    """Audit a site: find its sitemaps, check them, look at the pages that they list, and keep everything.

    Sites are searched as by --discover, indexes are followed as by --expand. Pages are asked for politely: a few at
    once for each host (--concurrency), at --rate if that is given, more slowly when a host says that it is too much.
    What robots.txt forbids is not asked for. An answer of 401, 403 or 429 is to us, and says nothing of Googlebot.

    Everything is kept in --store as it comes, for any DuckDB client, for `urlset history` and `urlset diff`. A run
    that was killed goes on with --resume: what was kept, sitemap or page, is not asked for again. Dates and texts are
    compared with the last whole run on the same targets.

    With --no-store the run is kept in a temporary file and removed at the end, so it cannot be resumed or compared.

    The report is that of `urlset validate`, with findings on pages (PGE) and dates; below it stand the pages in
    numbers, and which crawlers may fetch what. Page health is the share of listed pages that are indexable at their
    listed URL; with --sample it has its confidence interval.
    """
    from urlset.cli.output import complain
    from urlset.cli.progress import ProgressBar
    from urlset.configfile.audit_keys import audit_options
    from urlset.errors import ExitCode, MisuseError
    from urlset.pipeline.audit import audit as run
    from urlset.report.words import kept_line
    from urlset.scratch import Scratch

    said = {
        "store": store, "pages": pages, "images": images, "score": score, "method": method, "sample": sample,
        "max_pages": max_pages, "include": include, "exclude": exclude, "max_page_bytes": max_page_bytes,
        "max_traffic": max_traffic, "max_time": max_time, "ask_forbidden": ask_forbidden, "inventory": inventory,
    }  # fmt: skip
    settings = judging.settings(reading, {"audit": given_on_command_line(context, said)})
    options = audit_options(settings.audit, judging.asked(settings), resume=resume)
    if no_store:
        if resume or "store" in given_on_command_line(context, {"store": store}):
            raise MisuseError("--no-store keeps nothing: leave out --store and --resume")
        # Until the command ends: the report page is drawn from it.
        options = replace(options, store=context.with_resource(Scratch()).path / USUAL_STORE)
    try:
        with ProgressBar() as progress:
            audited = run(tuple(targets or ()), options, progress)
    except KeyboardInterrupt:
        if not no_store and options.store.exists():
            complain(f"interrupted; resume with `urlset audit --resume --store {options.store}`")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    shown = replace(audited, store=None, run_id=None) if no_store else audited

    def show(report: Report, output: Output) -> bool:
        """Standard output of the forms that have more to say than the report."""
        form, verbose = judging.values["form"], judging.values["verbose"]
        if form in FORMATS["audit"]:
            output.show(
                "audit", form, replace(shown, report=report), replace(output.style, verbose=verbose, hints=verbose)
            )
        return form in FORMATS["audit"]

    def page(report: Report) -> Page:
        from urlset.pipeline.report_page import page_of_run

        drawn = page_of_run(options.store, audited.run_id, report)
        return replace(drawn, store=None, run_id=None) if no_store else drawn

    code = judging.deliver(audited.report, settings, show, page)
    kept = kept_line(shown)
    if kept is not None and judging.values["form"] not in FORMATS["audit"]:
        complain(kept)
    raise typer.Exit(code)
