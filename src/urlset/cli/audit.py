"""`urlset audit`: check sitemaps and the pages that they list, and store the result."""

from __future__ import annotations

import os
import shlex
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.cli.command import CommandSpec
from urlset.cli.deliver import JudgingReportOptions, check_report, deliver, examples_to_keep, forms_of
from urlset.cli.show import ColorOptions, targets_facts, with_store_of_builds
from urlset.errors import ExitCode, InputError, OutputError, UsageError, exit_code_for, reason_of
from urlset.options.auditing import AuditOptions
from urlset.options.clustering import EngineName, PagesClusterOptions
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Text, option, option_group
from urlset.options.fetching import CacheOptions, FetchingOptions
from urlset.options.following import FollowingOptions
from urlset.options.judging import AgentOptions
from urlset.options.probing import ProbingOptions
from urlset.options.publishing import FolderOptions
from urlset.options.reading import ReadingOptions
from urlset.options.reporting import FailOn
from urlset.options.resolve import DEFAULT
from urlset.options.storing import DEFAULT_STORE, StorePlaceOptions, StoringOptions, store_of_builds
from urlset.report.formats import OF_FILES, OUTPUTS
from urlset.text.masking import mask_target

if TYPE_CHECKING:
    from collections.abc import Callable

    from urlset.cli.output import Output
    from urlset.hosting.site import FolderSite
    from urlset.model.audit import AuditResult
    from urlset.model.report import Report
    from urlset.model.report_page import Page
    from urlset.options.resolve import ResolvedOptions
    from urlset.report.style import Style


OF_PAGE = (
    ReadingOptions,
    CacheOptions,
    FetchingOptions,
    FollowingOptions,
    AgentOptions,
    FolderOptions,
    ColorOptions,
    ConfiguringOptions,
)
"""The groups of options that also apply to a single page."""

NAMED_OF_PAGE = frozenset(
    {"targets", "site", "store", "no_store", "format", "verbose", "fail_on", "method", "max_page_bytes", "max_time"}
) | {"ask_forbidden", "robots_agent", "map"}
"""The other options that do."""


@option_group
class Options(AuditOptions, PagesClusterOptions, JudgingReportOptions, ConfiguringOptions):
    """Options of `urlset audit`."""

    targets: tuple[Text, ...] = option(
        (), structs.replace(targets_facts(), help="Sites, files, directories, or http(s) URLs; or the URL of a page")
    )
    site: bool = option(
        False,
        OptionFacts(
            help="Audit the site of a page, instead of explaining the page",
            panel=Panel.TARGETS,
            faces=COMMAND_LINE,
        ),
    )


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset import _core
    from urlset.cli.output import complain
    from urlset.cli.progress_bar import ProgressBar
    from urlset.files.scratch import Scratch
    from urlset.pipeline.audit import audit_opened
    from urlset.report.words import stored_run_line
    from urlset.stages.folder_audit import folder_site
    from urlset.stages.ruleset import check_rules

    options = configuration.options
    if (explained := _page_to_explain(configuration)) is not None:
        return _explain(*explained, with_store_of_builds(configuration).options)
    check_report(options)
    check_rules(configuration)
    if options.engine is EngineName.SPARK:
        return _on_spark(configuration)
    if options.pages:
        # asyncio reads responses in pieces of 256 KiB: to return each takes a tenth of the time of an audit (measured).
        _core.return_large_memory(1024 * 1024)
    with ExitStack() as resources:
        audit_options = replace(options, max_examples=examples_to_keep(options, options.max_examples))
        if options.no_store:
            # Kept until the command ends, since the HTML report is made from it.
            audit_options = replace(audit_options, store=resources.enter_context(Scratch()).path / DEFAULT_STORE)
        site = folder_site(options.targets, options)
        if not options.no_store and (site is not None or options.resume):
            audit_options = _with_store(configuration, audit_options)
        try:
            with ProgressBar() as progress:
                audited = audit_opened(options.targets, site, audit_options, progress)
        except KeyboardInterrupt:
            if not options.no_store and audit_options.store.exists():
                again = shlex.join(
                    [*map(mask_target, options.targets), "--resume", "--store", str(audit_options.store)]
                )
                complain(f"interrupted; resume with `urlset audit {again}`")
            return ExitCode.INTERRUPTED
        if site is not None and not OF_FILES.isdisjoint(forms_of(options.format, options)):
            from urlset.stages.finding_files import with_files

            report = with_files(audited.report, site, options.against)
            audited = structs.replace(audited, report=report)
        visible = structs.replace(audited, store=None, run_id=None) if options.no_store else audited

        def page(report: Report) -> Page:
            from urlset.pipeline.report_page import page_of_report, page_of_run

            if audited.run_id is None:
                return page_of_report(options.targets, report)
            return page_of_run(audit_options.store, audited.run_id, report, is_temporary=options.no_store)

        code = deliver(
            audited.report,
            options,
            form=options.format,
            max_examples=options.max_examples,
            show=_page_writer(visible, options),
            page=page,
        )
    line = stored_run_line(visible)
    if line is not None and options.format not in OUTPUTS["audit"].formats:
        complain(line)
    return code


def _with_store(configuration: ResolvedOptions[Options], options: Options) -> Options:
    """Return the options with the store of a directory of pages, or of a run to resume, if no store is named.

    Raises:
        OutputError: The directory of the store cannot be created.
    """
    if configuration.origin("store") != DEFAULT or DEFAULT_STORE.exists():
        return options
    store = store_of_builds()
    if options.resume and not store.exists():
        return options
    try:
        store.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{store}: {reason_of(error)}; name the store with --store, or add --no-store") from None
    return replace(options, store=store)


def _page_to_explain(configuration: ResolvedOptions[Options]) -> tuple[str, FolderSite | None] | None:
    """Return the page to explain, and the directory that has it if one is named; None to audit.

    Raises:
        InputError: The given store does not exist.
        UsageError: Other targets are named along with it, or options that only an audit has.
    """
    from urlset.sources.bare_hosts import is_url
    from urlset.stages.folder_audit import folder_site
    from urlset.stages.named import page_of

    options = configuration.options
    if options.site or options.resume or options.engine is EngineName.SPARK:
        return None
    is_with_directory = len(options.targets) > 1 and any(map(os.path.isdir, options.targets))
    page = next(
        (one for one in options.targets if page_of(one, home=is_with_directory and is_url(one)) is not None), None
    )
    if page is None:
        return None
    what = f"{mask_target(page)} is the URL of a page"
    others = [target for target in options.targets if target != page]
    site = folder_site(others, options)
    if others and site is None:
        raise UsageError(
            f"{what}, which is explained on its own; name it alone or with the directory of its built site, or add "
            "--site to audit its site"
        )
    for setting in configuration.in_force:
        name = setting.option.name
        if name in configuration.explicit and setting.option.group not in OF_PAGE and name not in NAMED_OF_PAGE:
            raise UsageError(
                f"{what}, and {setting.option.spelling} is for a site; add --site to audit the site of the page"
            )
    formats = OUTPUTS["page"].formats
    if options.format.value not in formats:
        raise UsageError(
            f"{what}, which --format {options.format.value} cannot show; use {' or '.join(formats)}, or add "
            "--site to audit the site of the page"
        )
    if "store" in configuration.explicit and not options.store.exists():
        raise InputError(str(options.store), "no such store; omit --store to explain the page without one")
    return page, site


def _explain(url: str, site: FolderSite | None, options: Options) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.cli.progress_bar import ProgressBar
    from urlset.pipeline.explain_page import explain_page

    with ProgressBar() as progress:
        page = explain_page(url, options, progress, site=site)
    output = Output(options.color)
    output.show("page", options.format, page, replace(output.style, verbose=options.verbose))
    if page.is_indexable is None:
        return exit_code_for([str(page.page.get("error"))])
    return ExitCode.FINDINGS if page.fails and options.fail_on is not FailOn.NEVER else ExitCode.CLEAN


def _page_writer(audited: AuditResult, options: Options) -> Callable[[Report, Output, Style], bool]:
    """Return a function that writes the formats that have more than the report."""

    def show(report: Report, output: Output, style: Style) -> bool:
        if options.format in OUTPUTS["audit"].formats:
            output.show("audit", options.format, structs.replace(audited, report=report), style)
        return options.format in OUTPUTS["audit"].formats

    return show


def _on_spark(configuration: ResolvedOptions[Options]) -> ExitCode:
    """Audit a run on a Spark cluster, whose pages were fetched elsewhere."""
    from urlset.cluster.spark_session import check_packages, session

    # The next modules import them.
    check_packages()
    from urlset.pipeline import cluster
    from urlset.pipeline.cluster_report import place_of_run

    options = configuration.options
    of_pages = (FolderOptions, ProbingOptions, StoringOptions, StorePlaceOptions)
    for setting in configuration.in_force:
        if setting.option.group in of_pages and setting.origin != DEFAULT:
            name = setting.option.spelling
            where = name if setting.origin == name else f"{setting.origin}: {name}"
            raise UsageError(f"{where} is not available with --engine spark, which does not fetch or store pages")
    audit_options = replace(options, max_examples=examples_to_keep(options, options.max_examples))
    targets, is_reported = options.targets, options.report is not None
    with (
        session(options.master) as spark,
        place_of_run(
            spark, targets, options.run_folder, options.pages_from, command="audit", is_reported=is_reported
        ) as place,
    ):
        audited = cluster.audit(spark, targets, audit_options, place.folder, options.pages_from)
        show = _page_writer(audited, options)
        return deliver(
            audited.report, options, form=options.format, max_examples=options.max_examples, show=show, page=place.page
        )


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Check a site: find and validate its sitemaps, fetch the pages they list, and store everything.

    Sites are searched as with `urlset validate --discover --expand`. The report is the same as from `urlset validate`,
    with findings on pages, page statistics, and which crawlers can fetch what.

    The URL of a page explains that page instead: whether search engines can index it, and why not. With the directory
    of its built site, nothing is requested.""",
    details="""Page health is the share of listed pages that are indexable at their listed URL; with --sample it has a
    confidence interval.

    A directory of pages is audited as its host would serve it, without requests: --base-url is where it will be
    published, and --host the host. See docs/how-to/audit-a-build.md.

    Requests are polite: a few at a time per host (--concurrency), at most --rate per second, slower if a host asks for
    it, and none that robots.txt disallows. 401, 403, and 429 apply to this client only; Googlebot may get a different
    response.

    The store is a DuckDB file for `urlset history`, `urlset diff`, `urlset report`, and `urlset sql`: urlset.duckdb,
    or, for a directory of pages, a file in your cache directory that `urlset pages`, `urlset report`, and other
    commands find from the same working directory. --resume continues an interrupted run: it reads the sitemaps again,
    and does not request stored pages again. Name its targets again if they are on a private network or get credentials:
    targets that only the store names are not trusted. Dates and texts are compared with the last complete run on the
    same targets.

    --engine spark checks sitemaps, or a run of `urlset validate --engine spark`, on a Spark cluster, with the listed
    pages of --pages-from, which were fetched elsewhere. See docs/how-to/scale.md.""",
    examples=(
        "urlset audit example.com",
        "urlset audit example.com --sample 1000 --store audits.duckdb",
        "urlset audit dist/ --base-url https://www.example.com/",
        "urlset audit public/sitemap.xml --include '*/blog/*' --rate 5",
        "urlset audit https://example.com/hidden",
        "urlset audit dist/ https://www.example.com/hidden",
        "urlset audit example.com --crawl",
        "urlset audit example.com --resume",
        "urlset audit example.com --no-pages --format json",
        "urlset audit --engine spark /data/run --pages-from /data/crawl",
    ),
    exit_status="0 no findings at or above --fail-on, 1 findings, 2 usage or configuration error, 3 a target could not "
    "be read, 4 internal error, 130 interrupted.",
)
