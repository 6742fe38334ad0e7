"""`urlset audit`: check sitemaps and the pages that they list, and store the result."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.cli.command import CommandSpec
from urlset.cli.deliver import JudgedOptions, check_report, deliver, enough_examples
from urlset.cli.show import targets_facts
from urlset.errors import ExitCode
from urlset.options.auditing import AuditOptions
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import Text, option, option_group
from urlset.options.storing import DEFAULT_STORE
from urlset.report.formats import FORMATS

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.model.report import Report
    from urlset.model.report_page import Page
    from urlset.options.resolve import Resolved


@option_group
class Options(AuditOptions, JudgedOptions, ConfiguringOptions):
    """Options of `urlset audit`."""

    targets: tuple[Text, ...] = option(
        (), structs.replace(targets_facts(), help="Sites, files, directories, or http(s) URLs")
    )


def run(resolved: Resolved[Options]) -> ExitCode:
    """Audit the targets and report."""
    from urlset.cli.output import complain
    from urlset.cli.progress import ProgressBar
    from urlset.pipeline.audit import audit
    from urlset.pipeline.ruleset import check_rules
    from urlset.report.words import kept_line
    from urlset.scratch import Scratch

    options = resolved.options
    check_report(options)
    check_rules(resolved)
    with ExitStack() as opened:
        asked = enough_examples(options)
        if options.no_store:
            # Kept until the command ends, since the HTML report is made from it.
            asked = replace(asked, store=opened.enter_context(Scratch()).path / DEFAULT_STORE)
        try:
            with ProgressBar() as progress:
                audited = audit(options.targets, asked, progress)
        except KeyboardInterrupt:
            if not options.no_store and asked.store.exists():
                complain(f"interrupted; resume with `urlset audit --resume --store {asked.store}`")
            return ExitCode.INTERRUPTED
        shown = replace(audited, store=None, run_id=None) if options.no_store else audited

        def show(report: Report, output: Output) -> bool:
            """Write the formats that have more than the report."""
            if options.format in FORMATS["audit"]:
                style = replace(output.style, verbose=options.verbose, hints=options.verbose)
                output.show("audit", options.format, replace(shown, report=report), style)
            return options.format in FORMATS["audit"]

        def page(report: Report) -> Page:
            from urlset.pipeline.report_page import page_of_run

            drawn = page_of_run(asked.store, audited.run_id, report)
            return replace(drawn, store=None, run_id=None) if options.no_store else drawn

        code = deliver(audited.report, options, max_examples=options.max_examples, show=show, page=page)
    kept = kept_line(shown)
    if kept is not None and options.format not in FORMATS["audit"]:
        complain(kept)
    return code


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Check a site: find and validate its sitemaps, fetch the pages they list, and store everything.

    Sites are searched as with `urlset validate --discover --expand`. The report is the same as from `urlset validate`,
    with findings on pages, page statistics, and which crawlers can fetch what.""",
    details="""Page health is the share of listed pages that are indexable at their listed URL; with --sample it has a
    confidence interval.

    Requests are polite: a few at a time per host (--concurrency), at most --rate per second, slower if a host asks for
    it, and none that robots.txt disallows. 401, 403, and 429 apply to this client only; Googlebot may get a different
    response.

    The store is a DuckDB file for `urlset history`, `urlset diff`, `urlset report`, and `urlset sql`. --resume
    continues an interrupted run: nothing that is stored is requested again. Dates and texts are compared with the last
    complete run on the same targets.""",
    examples=(
        "urlset audit example.com",
        "urlset audit example.com --sample 1000 --store audits.duckdb",
        "urlset audit public/sitemap.xml --include '*/blog/*' --rate 5",
        "urlset audit example.com --crawl",
        "urlset audit --resume",
        "urlset audit example.com --no-pages --format json",
    ),
    exit_status="0 no findings at or above --fail-on, 1 findings, 2 usage or configuration error, 3 a target could not "
    "be read, 4 internal error, 130 interrupted.",
)
