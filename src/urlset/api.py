"""The public functions: each resolves its options and calls the pipeline.

The package exports most of them; the others are called as `urlset.api.notify`. Results are values of `urlset.model`.

Args:
    target: A path, an http(s) URL, `-` for standard input, bytes, or an object open for reading bytes.
    targets: One target or several, and also directories.
    origin: A site: `example.com` or `https://example.com/shop/`.
    store: The DuckDB file that `audit` wrote.
    run: The number of a run; by default the newest complete one.
    options: Options as a value of `urlset.options`.
    config: A configuration file. By default no file is read.
    fields: Single options, the fields of `options`, which take precedence over `options` and the file.

Raises:
    UsageError: An argument or an option is invalid.
    ConfigError: The configuration file cannot be read or is invalid.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from msgspec import structs

from urlset.documents import Batch, Document, DocumentReader
from urlset.errors import UsageError
from urlset.options.auditing import AuditOptions
from urlset.options.building import BuildOptions
from urlset.options.comparing import DiffOptions
from urlset.options.coverage import (
    ClientsOptions,
    CoverageDiffOptions,
    CoverageOptions,
    ImportOptions,
    ImpressionsOptions,
    InspectionOptions,
    ReportedSitemapsOptions,
)
from urlset.options.declare import OptionGroup
from urlset.options.deployment import DeployCheckOptions
from urlset.options.fixing import FixOptions
from urlset.options.ignoring import ALL_DOCUMENTS, IgnoreOptions
from urlset.options.merge import check_fields, merge
from urlset.options.notifying import NotifyOptions
from urlset.options.querying import QueryOptions
from urlset.options.reading_logs import LogsOptions
from urlset.options.searching import DiscoverOptions
from urlset.options.trusting import LastmodOptions
from urlset.options.verbs import (
    CheckOptions,
    InspectOptions,
    PolicyOptions,
    ReadOptions,
    RobotsOptions,
    ValidateOptions,
    WritePolicyOptions,
)
from urlset.sources import Target, as_targets
from urlset.stages.named import trust_in
from urlset.stages.open_target import open_one
from urlset.text.sizes import enumeration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from urlset.model.access_log import LogsResult
    from urlset.model.audit import AuditResult
    from urlset.model.build import BuildReport
    from urlset.model.check import CheckResult
    from urlset.model.client_check import ClientCheck
    from urlset.model.clock import ClockResult
    from urlset.model.comparison import Comparison
    from urlset.model.coverage import CoverageResult, ImportResult, InspectResult
    from urlset.model.coverage_diff import CoverageDiff
    from urlset.model.deploy_check import DeployCheck
    from urlset.model.discovery import Discovery
    from urlset.model.document import InspectReport
    from urlset.model.fix import FixReport
    from urlset.model.impressions import ImpressionsResult
    from urlset.model.lastmod import DateTrust
    from urlset.model.notification import NotifyResult
    from urlset.model.page_explanation import PageExplanation
    from urlset.model.page_list import PageVerdict
    from urlset.model.policy import PolicyFile, PolicyReport
    from urlset.model.query import QueryReport
    from urlset.model.reference import IgnoredRule
    from urlset.model.report import Report
    from urlset.model.reported import ReportedSitemaps
    from urlset.model.robots import RobotsReport
    from urlset.model.run import RunRow
    from urlset.model.signing import NewSigningKey
    from urlset.options.building import BuildSpec, Site
    from urlset.options.fields import (
        AuditFields,
        BuildFields,
        CheckFields,
        ClientsFields,
        CoverageDiffFields,
        CoverageFields,
        DeployCheckFields,
        DiffFields,
        DiscoverFields,
        FixFields,
        ImportFields,
        ImpressionsFields,
        InspectFields,
        InspectionFields,
        LastmodFields,
        LogsFields,
        NotifyFields,
        PolicyFields,
        QueryFields,
        ReadFields,
        ReportedSitemapsFields,
        RobotsFields,
        ValidateFields,
        WritePolicyFields,
    )
    from urlset.options.resolve import ResolvedOptions
    from urlset.rules.rule import Rule

Verb = TypeVar("Verb", bound=OptionGroup)
Judging = TypeVar("Judging", bound=ValidateOptions)


def read(target: Target, options: ReadOptions | None = None, **fields: Unpack[ReadFields]) -> Document:
    r"""Read a document whole.

    Raises:
        InputError: It could not be read at all. A broken sitemap is read, and its problems are anomalies.
        UsageError: The target is a directory or of an unsupported type, or an option is invalid.

    Example:
        >>> document = read(b"https://example.com/\nhttps://example.com/a\n")
        >>> document.kind, [entry.loc for entry in document]
        ('text', ['https://example.com/', 'https://example.com/a'])
    """
    reader = _open(target, merge(ReadOptions, options, fields))
    tables = reader.read_all()
    return Document(reader.facts, tables)


def scan(target: Target, options: ReadOptions | None = None, **fields: Unpack[ReadFields]) -> Iterator[Batch]:
    r"""Read a document batch by batch, in constant memory.

    Raises:
        InputError: It could not be read at all.
        UsageError: The target is a directory or of an unsupported type, or an option is invalid.

    Example:
        >>> sum(len(batch) for batch in scan(b"https://example.com/\nhttps://example.com/a\n"))
        2
    """
    # Batches have no facts, so the hash would never be seen.
    return map(Batch, _open(target, merge(ReadOptions, options, fields), hashed=False))


def _open(target: Target, options: ReadOptions, *, hashed: bool = True) -> DocumentReader:
    from urlset.stages.session import Session

    with Session(options, trust_in(as_targets(target), options, discover=False)) as session:
        return open_one(target, session, hashed=hashed)


def validate(
    targets: Target | Iterable[Target],
    options: ValidateOptions | None = None,
    *,
    url: str | None = None,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[ValidateFields],
) -> Report:
    """Check sitemaps against the protocol and search engine requirements.

    Args:
        url: The URL where a single target is or will be published, for the rules that compare with it.

    Raises:
        ConfigError: The configuration file cannot be read or is invalid, or the schemas cannot be used.
        MissingExtraError: `xsd` is set, and lxml is not installed.

    Example:
        >>> report = validate(b"<urlset><url><loc>/about</loc></url></urlset>", select=["LOC", "STR"])
        >>> for finding in report.findings:
        ...     print(finding.rule.code, finding.rule.name, finding.examples[0].line)
        LOC001 url-relative 1
        STR004 namespace-missing 1
    """
    validate_options = _configure(ValidateOptions, options, config, fields)
    # The engine is slow to import, and reading does not need it.
    from urlset.pipeline.validate import validate as run

    return run(as_targets(targets), validate_options, url=url)


def discover(
    origin: str,
    options: DiscoverOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[DiscoverFields],
) -> Discovery:
    """Find the sitemaps of a site: in robots.txt, at common locations, in links of the home page, in this order.

    Example:
        ```python
        for sitemap in urlset.discover("example.com").candidates:
            print(sitemap.url, sitemap.found_by, sitemap.entries)
        ```
    """
    from urlset.pipeline.discover import discover_all

    [discovery] = discover_all([origin], _resolve(DiscoverOptions, options, config, fields).options)
    return discovery


def check(
    origin: str,
    options: CheckOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[CheckFields],
) -> CheckResult:
    """Score the sitemap of a site by the specification `sitemap` 1.0.0.

    Example:
        ```python
        result = urlset.check("example.com")
        print(result.status, result.score)
        for step in result.steps:
            print(step.step.id, step.status, [evidence.message for evidence in step.evidence])
        ```
    """
    from urlset.pipeline.check import check as run

    [result] = run([origin], _resolve(CheckOptions, options, config, fields).options)
    return result


def check_clients(
    url: str,
    options: ClientsOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[ClientsFields],
) -> ClientCheck:
    """Request an address in the ways that crawlers do, and find what stops them from reading it.

    It sends about 20 requests, one a second unless `rate` says otherwise. Use it for your own sites.

    Args:
        url: The URL of a sitemap or a page. For a site without a path, its sitemap is searched first.

    Raises:
        InputError: The store cannot be read, or the API of a search engine that there are credentials for.
        UsageError: The address or an option is invalid, a proxy is configured, or credentials are refused.

    Example:
        ```python
        result = urlset.api.check_clients("https://example.com/sitemap.xml")
        for finding in result.findings:
            print(finding.severity, finding.cause, finding.evidence)
        ```
    """
    from urlset.pipeline.clients import check_clients as run

    return run(url, _resolve(ClientsOptions, options, config, fields).options)


def fix(
    targets: Target | Iterable[Target],
    options: FixOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[FixFields],
) -> FixReport:
    r"""Repair what has exactly one correct fix, and list the rest; valid parts stay byte for byte the same.

    Raises:
        UsageError: The options do not fit the targets, or contradict each other.
        OutputError: A result cannot be written.

    Example:
        >>> report = fix(b"https://example.com/a b\n")
        >>> report.documents[0].content, report.repaired
        (b'https://example.com/a%20b\n', 1)
    """
    from urlset.pipeline.fix import fix as run

    return run(as_targets(targets), _resolve(FixOptions, options, config, fields).options)


def diff(
    before: str | os.PathLike[str],
    after: str | os.PathLike[str],
    options: DiffOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[DiffFields],
) -> Comparison:
    """Compare two sides: which URLs, lastmods, child sitemaps, and findings were added, removed, or changed.

    Args:
        before: The earlier side: a path, a directory, an http(s) URL, or a run of a store (`FILE.duckdb` for its
            newest, `FILE.duckdb@3` for run 3).
        after: The later side.

    Raises:
        InputError: A side cannot be read at all.

    Example:
        ```python
        changes = urlset.diff("https://example.com/sitemap.xml", "public/")
        print(changes.added.count, changes.removed.count, changes.alarms)
        ```
    """
    from urlset.pipeline.diff import diff as run

    return run(os.fspath(before), os.fspath(after), _configure(DiffOptions, options, config, fields))


def lastmod(
    target: str | os.PathLike[str],
    options: LastmodOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[LastmodFields],
) -> DateTrust:
    """Compare the lastmod dates of each sitemap with what is known about the pages.

    Args:
        target: A run of a store (`FILE.duckdb` for its newest, `FILE.duckdb@3` for run 3); or a site or sitemap, which
            is audited first.

    Raises:
        InputError: The target cannot be read, or lists no pages.
        OutputError: The store cannot be written.

    Example:
        ```python
        dates = urlset.api.lastmod("urlset.duckdb")
        print(dates.total.trust, dates.total.inflated, dates.total.frozen)
        ```
    """
    from urlset.pipeline.lastmod import lastmod as run

    return run(os.fspath(target), _configure(LastmodOptions, options, config, fields))


def notify(
    *sides: str | os.PathLike[str],
    options: NotifyOptions | None = None,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[NotifyFields],
) -> NotifyResult:
    """Tell search engines about the URLs that differ between two sides, with IndexNow.

    Args:
        sides: The earlier and the later side, as for `diff`; or only `-`, for URLs from standard input.

    Raises:
        InputError: A side cannot be read at all.
        OutputError: The ledger cannot be written.
        UsageError: A side, a key, or an option is invalid, or too much would be sent.

    Example:
        ```python
        result = urlset.api.notify("urlset.duckdb@7", "urlset.duckdb@8", key_file=["public/0f3c8a1e.txt"])
        print(result.outcome, result.accepted)
        ```
    """
    from urlset.pipeline.notify import notify as run

    return run([os.fspath(side) for side in sides], _resolve(NotifyOptions, options, config, fields).options)


def logs(
    targets: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    options: LogsOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[LogsFields],
) -> LogsResult:
    """Read access logs into a store, and return what crawlers requested; logs that grew are continued.

    Args:
        targets: Files, directories, patterns such as `logs/*.gz`, URLs of objects, or `-` for standard input.

    Raises:
        OutputError: The store cannot be written.
        UsageError: An option is invalid, a log has no known format, or nothing says which site it belongs to.

    Example:
        ```python
        result = urlset.logs("access.log", site="https://example.com", ranges="ranges/")
        for one in result.crawlers:
            print(one.agent.name, one.verdict, one.hits)
        ```
    """
    from urlset.pipeline.logs import logs as run

    several = (targets,) if isinstance(targets, str | os.PathLike) else tuple(targets)
    logs_options = _resolve(LogsOptions, options, config, fields).options
    return run([os.fspath(target) for target in several], logs_options)


def deploy_check(
    folder: str | os.PathLike[str],
    site: str,
    options: DeployCheckOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[DeployCheckFields],
) -> DeployCheck:
    """Compare a built directory with what its site serves.

    Args:
        folder: The directory.
        site: The URL at which it is served.

    Raises:
        InputError: The directory has no pages, or the site cannot be reached.

    Example:
        ```python
        check = urlset.api.deploy_check("dist", "https://www.example.com", wait=120)
        for finding in check.report.findings:
            print(finding.rule.code, finding.count, finding.examples[0].message)
        ```
    """
    from urlset.pipeline.deploy_check import deploy_check as run

    resolved = _resolve(DeployCheckOptions, options, config, fields).options
    return run(Path(folder), site, resolved)


def coverage(
    options: CoverageOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[CoverageFields],
) -> CoverageResult:
    """Show how many listed URLs are fetched by crawlers, indexable, and indexed, per sitemap or section.

    Raises:
        InputError: The store cannot be read, or has no such run.
        UsageError: An option is invalid, or the store has no reports of the search engine.

    Example:
        ```python
        result = urlset.api.coverage(store="urlset.duckdb", by="section")
        for row in result.funnel.rows:
            print(row.name, row.listed, row.indexed.yes, row.indexed.unknown)
        ```
    """
    from urlset.pipeline.coverage import coverage as run

    return run(_resolve(CoverageOptions, options, config, fields).options)


def coverage_clock(
    options: CoverageOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[CoverageFields],
) -> ClockResult:
    """Estimate how long pages take from text to crawl, from crawl to index, and to an impression.

    Raises:
        InputError: The store cannot be read, or has no such run.
        UsageError: An option is invalid, or the search engine is unknown and the store has no reports of it.

    Example:
        ```python
        result = urlset.api.coverage_clock(store="urlset.duckdb")
        for step in result.steps:
            print(step.step, step.every.n, step.every.median)
        ```
    """
    from urlset.pipeline.coverage import coverage_clock as run

    return run(_resolve(CoverageOptions, options, config, fields).options)


def import_coverage(
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    options: ImportOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[ImportFields],
) -> ImportResult:
    """Import what search engines report about URLs, from exports of their webmaster tools.

    Args:
        files: ZIP files of Search Console, the CSV file of Site Explorer of Bing, or any CSV file with `fields`.

    Raises:
        InputError: A file is not an export with URLs. Nothing is imported then.
        OutputError: The store cannot be written.
        UsageError: An option is invalid, or a file lacks a column.

    Example:
        ```python
        result = urlset.api.import_coverage("example.com-Coverage-Drilldown-2026-11-20.zip", store="urlset.duckdb")
        print(result.files[0].reason, result.files[0].urls)
        ```
    """
    from urlset.pipeline.coverage import import_exports

    paths = (files,) if isinstance(files, str | os.PathLike) else tuple(files)
    return import_exports(list(map(Path, paths)), _resolve(ImportOptions, options, config, fields).options)


def coverage_diff(
    options: CoverageDiffOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[CoverageDiffFields],
) -> CoverageDiff:
    """Return which URLs fell out of an index, entered it, or got another reason between two days.

    Raises:
        InputError: The store cannot be read.
        UsageError: An option is invalid, or the store has no reports of the search engine.

    Example:
        ```python
        result = urlset.api.coverage_diff(store="urlset.duckdb", since="28d")
        for group in result.changes:
            print(group.change, group.urls, [page.url for page in group.pages])
        ```
    """
    from urlset.pipeline.coverage_diff import coverage_diff

    return coverage_diff(_resolve(CoverageDiffOptions, options, config, fields).options)


def inspect_coverage(
    options: InspectionOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[InspectionFields],
) -> InspectResult:
    """Ask the URL Inspection API of Google about the listed URLs of the last run, as far as the quota allows.

    Raises:
        InputError: The store does not exist, or has no finished run.
        MissingExtraError: google-auth is not installed.
        OutputError: The store cannot be written.
        UsageError: An option is invalid, the credentials are refused, or the account has no access to the property.

    Example:
        ```python
        result = urlset.api.inspect_coverage(property="sc-domain:example.com", credentials="key.json", sample=2401)
        print(result.outcome, result.indexed)
        ```
    """
    from urlset.coverage.inspect_urls import inspect_urls

    return inspect_urls(_resolve(InspectionOptions, options, config, fields).options)


def fetch_impressions(
    options: ImpressionsOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[ImpressionsFields],
) -> ImpressionsResult:
    """Add impressions and clicks by page and day to a store, from the Search Analytics API of Google.

    Raises:
        InputError: The API cannot be reached.
        MissingExtraError: google-auth is not installed.
        OutputError: The store cannot be written.
        UsageError: An option is invalid, the credentials are refused, or the account has no access to the property.

    Example:
        ```python
        result = urlset.api.fetch_impressions(property="sc-domain:example.com", credentials="key.json", since="90d")
        print(result.outcome, result.last, result.impressions)
        ```
    """
    from urlset.coverage.fetch_impressions import fetch_impressions

    return fetch_impressions(_resolve(ImpressionsOptions, options, config, fields).options)


def list_submitted_sitemaps(
    options: ReportedSitemapsOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[ReportedSitemapsFields],
) -> ReportedSitemaps:
    """Ask Google and Bing about the sitemaps that were submitted to them: when they were read last, and errors.

    Raises:
        InputError: An API cannot be reached, or returns something else.
        MissingExtraError: google-auth is not installed.
        UsageError: An option is invalid, the credentials are refused, or the account has no access to the site.

    Example:
        ```python
        result = urlset.api.list_submitted_sitemaps(property="sc-domain:example.com", credentials="key.json")
        for sitemap in result.sitemaps:
            print(sitemap.url, sitemap.read_at, sitemap.errors)
        ```
    """
    from urlset.coverage.reported import reported_sitemaps

    return reported_sitemaps(_resolve(ReportedSitemapsOptions, options, config, fields).options)


def build_sitemaps(
    config: str | os.PathLike[str] | BuildSpec | Site,
    options: BuildOptions | None = None,
    **fields: Unpack[BuildFields],
) -> BuildReport:
    r"""Build sitemaps from directories, lists, queries, and existing sitemaps, as `urlset build` does.

    Args:
        config: A configuration file with `[build]` (`urlset.toml`, or `pyproject.toml` with `[tool.urlset]`); a site;
            or several sites with an index over them.

    Raises:
        EntryRefusedError: An entry is invalid, and `strict` is set.
        InputError: A source cannot be read.
        UsageError: There is nothing to build, or an option is invalid.
        MissingExtraError: A source or a target needs a package that is not installed.
        OutputError: A file cannot be written; what was published before stays.

    Example:
        >>> import tempfile
        >>> from urlset.options import Site, UrlList
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     urls = Path(folder, "urls.txt")
        ...     _ = urls.write_text("/\n/about\nmailto:me@example.com\n")
        ...     site = Site(base_url="https://example.com/", out=folder, sources=(UrlList(file=urls),))
        ...     report = build_sitemaps(site)
        >>> report.written, report.problems
        (2, ('https://example.com/: 1 entry left out: url-invalid',))
    """
    from urlset.options.building import BuildSpec, Site
    from urlset.pipeline.build import build, with_limits

    if isinstance(config, Site):
        spec, build_options = BuildSpec(sites=(config,)), merge(BuildOptions, options, fields)
    elif isinstance(config, BuildSpec):
        spec, build_options = config, merge(BuildOptions, options, fields)
    else:
        from urlset.options.configuration_file import load
        from urlset.options.declare import Face
        from urlset.options.resolve import resolve

        check_fields(BuildOptions, fields)
        file = load(Path(config))
        if file.build is None or not file.build.spec.sites:
            raise UsageError(f"nothing to build: {file.path} has no [[build.source]]; add one")
        configuration = resolve(BuildOptions, file, fields, Face.PYTHON)
        spec = with_limits(file.build.spec, configuration.of(ValidateOptions).options.limits)
        build_options = configuration.options if options is None else merge(BuildOptions, options, fields)
    if not build_options.notify:
        return build(spec, build_options)[0]
    from urlset.pipeline.build_notify import notify_build, remember

    remember(spec, build_options)
    report, _ = build(spec, build_options)
    return notify_build(spec, report, build_options)


def list_pages(
    store: str | os.PathLike[str], *, run: int | None = None, reason: Sequence[str] = (), every: bool = False
) -> list[PageVerdict]:
    """List the pages of an audit that search engines cannot index at their listed URL, each with the reason.

    Args:
        reason: Reasons of the pages to list (`urlset.web.indexability.PageReason`); empty for all.
        every: Whether to list pages that can be indexed as well.

    Raises:
        InputError: The store cannot be read, has no such run, or the run requested no pages.
        UsageError: A reason is unknown, or the store has runs of several sites.

    Example:
        ```python
        for page in urlset.api.list_pages("urlset.duckdb", reason=["noindex"]):
            print(page.url, page.value)
        ```
    """
    from urlset.pipeline.pages import page_list
    from urlset.web.indexability import PageReason

    try:
        reasons = list(map(PageReason, reason))
    except ValueError:
        raise UsageError(f"reason must be one of {', '.join(PageReason)}") from None
    with page_list(Path(store), run, reasons, every=every) as pages:
        return list(pages.verdicts())


def report_page(store: str | os.PathLike[str], run: int | None = None, *, impressions: bool = False) -> str:
    """Return the HTML report of a run in a store: one self-contained page.

    Args:
        run: Number of the run; by default the latest finished one.
        impressions: As `--impressions`: also show impressions and clicks in Google's results.

    Raises:
        InputError: The store cannot be read, or has no such run.

    Example:
        ```python
        Path("report.html").write_text(urlset.report_page("urlset.duckdb"), encoding="utf-8")
        ```
    """
    from urlset.pipeline.report_page import page_of_run
    from urlset.report.html.template import render as page_lines

    return "\n".join(page_lines(page_of_run(Path(store), run, has_impressions=impressions)))


def render(result: object, form: str = "text", *, verbose: bool = False, fail_on: str = "error") -> str:
    """Return a result as text in an output format, as the command of the same verb writes it with `--format`.

    Args:
        result: What a public function returned, such as a `Report`.
        form: Name of the format, such as `sarif`; see `--format` of the command.
        verbose: As `--verbose`.
        fail_on: As `--fail-on`, for formats that mark failures.

    Raises:
        UsageError: No command writes the result or the format.

    Example:
        ```python
        report = urlset.validate("public/")
        Path("urlset.sarif").write_text(urlset.render(report, "sarif"), encoding="utf-8")
        ```
    """
    from urlset.options.reporting import FailOn
    from urlset.report.formats import render_result
    from urlset.report.style import Style

    if fail_on not in [*FailOn]:
        raise UsageError(f"fail_on: no such severity {fail_on!r}; use {enumeration([*FailOn], 'or')}")
    return render_result(result, form, Style(verbose=verbose, hints=verbose, fail_on=fail_on))


def audit(
    targets: str | Iterable[str] = (),
    options: AuditOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[AuditFields],
) -> AuditResult:
    """Audit sites: find and check their sitemaps, fetch the listed pages, and keep everything in a store.

    Args:
        targets: Sites (`example.com`), files, directories, or http(s) URLs; none to resume a run.

    Raises:
        UsageError: An option is invalid, or there is no run to resume.
        OutputError: The store cannot be written.
        InputError: The inventory cannot be read.

    Example:
        ```python
        result = urlset.audit("example.com", sample=1_000)
        print(result.report.summary.errors, result.pages.statuses, result.pages.good)
        ```
    """
    audit_options = _configure(AuditOptions, options, config, fields)
    from urlset.pipeline.audit import audit as run

    several = (targets,) if isinstance(targets, str) else tuple(targets)
    if not audit_options.no_store:
        return run(several, audit_options)
    from urlset.files.scratch import Scratch

    with Scratch() as scratch:
        stored_options = replace(audit_options, store=scratch.path / "urlset.duckdb")
        return structs.replace(run(several, stored_options), store=None, run_id=None)


def explain_page(
    url: str,
    options: AuditOptions | None = None,
    *,
    directory: str | os.PathLike[str] | None = None,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[AuditFields],
) -> PageExplanation:
    """Explain one page: where it is listed, which crawlers may fetch it, what it returns, and who refers to it.

    Args:
        url: URL of the page; it may be a home page.
        directory: The built site that has the page, which is explained without requests.

    Raises:
        InputError: The store cannot be read, and is not the default one.
        UsageError: It is not the URL of a page, or an option is invalid.

    Example:
        ```python
        page = urlset.api.explain_page("https://example.com/hidden")
        print(page.verdict)
        print(page.is_listed, page.reason, [listing.document for listing in page.listings])
        ```
    """
    from urlset.errors import InputError
    from urlset.pipeline.explain_page import explain_page as run
    from urlset.stages.folder_audit import folder_site

    configured = _configure(AuditOptions, options, config, fields)
    site = None if directory is None else folder_site([os.fspath(directory)], configured)
    if directory is not None and site is None:
        raise InputError(os.fspath(directory), "is not a directory with HTML pages")
    return run(url, configured, site=site)


def history(
    store: str | os.PathLike[str], *, keep: int | None = None, delete: Sequence[int] = ()
) -> tuple[RunRow, ...]:
    """List the runs in a store, oldest first, with their numbers.

    Args:
        keep: Delete all but this many of the newest runs first.
        delete: Delete these runs first, by number: all of them, or none.

    Raises:
        InputError: There is no such store, or it cannot be read, or it has no such run.
        UsageError: `keep` is less than 1.

    Example:
        ```python
        for run in urlset.history("urlset.duckdb"):
            print(run.run_id, run.started_at, run.urls, run.errors)
        ```
    """
    from urlset.store.file import Store
    from urlset.store.page_states import delete_runs

    path = Path(store)
    if keep is not None and keep < 1:
        raise UsageError(f"keep must be an integer of at least 1, not {keep}")
    if keep is not None or delete:
        # Read first: a store that does not exist must not be created, and either all runs are deleted or none.
        with Store.read(path) as database:
            unwanted = {database.run(number).run_id for number in delete}
        with Store.create(path) as database:
            remaining = [run.run_id for run in database.runs() if run.run_id not in unwanted]
            for run_id in sorted(unwanted):
                database.forget(run_id)
            if keep is not None:
                delete_runs(database, remaining[:-keep])
    with Store.read(path) as database:
        return database.runs()


def inspect(
    targets: Target | Iterable[Target],
    options: InspectOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[InspectFields],
) -> InspectReport:
    r"""Show what sitemaps contain: kind, entries, size, encoding, dates, and the children of an index.

    Example:
        >>> [document] = inspect(b"https://example.com/\nhttps://example.com/a\n").documents
        >>> document.facts["kind"], document.facts["entries"]
        ('text', 2)
    """
    from urlset.pipeline.inspect import inspect as run

    return run(as_targets(targets), _resolve(InspectOptions, options, config, fields).options)


def query(
    sql: str,
    targets: Target | Iterable[Target],
    options: QueryOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[QueryFields],
) -> QueryReport:
    r"""Query sitemaps, or a run of a store, with SQL that can only read.

    All rows are in memory, which `memory` does not limit: use LIMIT or an aggregate, or `urlset sql`, which streams
    them. They are kept in columns if all of these are text, integers, doubles, booleans, instants, or lists of text or
    integers: 3,000,000 URLs with their lastmod take 200 MB then, and their Arrow stream no copy.

    Args:
        sql: A SELECT in DuckDB's dialect; `urlset sql --tables` lists the tables.
        targets: As for `validate`, but at least one. Or one store: `FILE.duckdb` for its newest run, or
            `FILE.duckdb@3` for run 3.

    Raises:
        QueryError: The SQL is wrong, or takes longer than `max_time` or more memory and disk than allowed.
        UsageError: It is not a single SELECT, there is no target, or a target or an option is invalid.
        InputError: The store cannot be read, or has no such run.

    Example:
        >>> result = query("select loc from urls order by loc", b"https://example.com/b\nhttps://example.com/a\n")
        >>> result.columns, result.rows
        (('loc',), [('https://example.com/a',), ('https://example.com/b',)])
    """
    query_options = _configure(QueryOptions, options, config, fields)
    from urlset.pipeline.sql import query as run

    return run(sql, as_targets(targets), query_options)


def check_robots(
    target: str | os.PathLike[str],
    urls: str | Iterable[str] = (),
    options: RobotsOptions | None = None,
    *,
    urls_from: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[RobotsFields],
) -> RobotsReport:
    """Read a robots.txt, and check which crawlers can fetch which URLs, with the line that decides (RFC 9309).

    Args:
        target: The robots.txt: a file or its directory, `-` for standard input, its URL, or any URL of its site.
        urls: URLs or paths to check.
        urls_from: Sitemaps or lists of URLs, of which every URL is checked.

    Raises:
        InputError: A file or a sitemap cannot be read.

    Example:
        ```python
        report = urlset.check_robots("https://example.com", ["/search?q=a"], agents=["Googlebot", "GPTBot"])
        for agent, verdict in report.urls[0].verdicts.items():
            print(agent, verdict.allowed, verdict.line)
        ```
    """
    from urlset.pipeline.robots import robots

    url_list = (urls,) if isinstance(urls, str) else tuple(urls)
    several = (urls_from,) if isinstance(urls_from, str | os.PathLike) else tuple(urls_from)
    configuration = _resolve(RobotsOptions, options, config, fields)
    return robots(os.fspath(target), url_list, configuration.options, [os.fspath(path) for path in several])


def check_policy(
    target: str,
    options: PolicyOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[PolicyFields],
) -> PolicyReport:
    """Compare what a site declares to AI crawlers and search engines with what it answers, and with access logs.

    With `clients`, it sends a request under the user agent of each crawler. Use that for your own sites.

    Args:
        target: The site, or the URL of one of its pages.

    Raises:
        InputError: The store cannot be read, or has no access logs.
        UsageError: The target is not a URL, an option is invalid, or a proxy is configured.

    Example:
        ```python
        report = urlset.api.check_policy("https://example.com", clients=True)
        for crawler in report.crawlers:
            print(crawler.operator, crawler.agent, crawler.allowed, crawler.stated, crawler.answer)
        ```
    """
    from urlset.pipeline.policy import policy

    return policy(target, _resolve(PolicyOptions, options, config, fields).options)


def write_policy(
    target: str | os.PathLike[str],
    urls: Sequence[str] = (),
    options: WritePolicyOptions | None = None,
    *,
    urls_from: Sequence[str | os.PathLike[str]] = (),
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[WritePolicyFields],
) -> PolicyFile:
    """Write the uses of the content that a site allows into its robots.txt, between markers.

    Nothing is written that would change the rules of a crawler that the policy does not name. With `dry_run`, nothing
    is written at all.

    Args:
        target: The robots.txt, or the directory that it is in.
        urls: URLs, or paths, to compare the verdicts for, before and after.
        urls_from: Sitemaps or lists of URLs, of which every URL is compared.

    Raises:
        InputError: A file cannot be read, or the policy cannot be added to it.
        OutputError: The file cannot be written.
        UsageError: The policy states nothing, the target is not a file, or an option is invalid.

    Example:
        ```python
        written = urlset.api.write_policy("public", policy_search="yes", policy_training="no")
        for crawler in written.crawlers:
            print(crawler.agent, crawler.before, crawler.after)
        ```
    """
    from urlset.pipeline.write_policy import write_policy as write

    configuration = _resolve(WritePolicyOptions, options, config, fields)
    return write(os.fspath(target), tuple(urls), configuration.options, [os.fspath(path) for path in urls_from])


def new_signing_key(
    path: str | os.PathLike[str], agent: str, directory: str | os.PathLike[str] | None = None
) -> NewSigningKey:
    """Make a key for signing requests with the option `sign` (Web Bot Auth).

    Args:
        path: The file to write the private key to; it must not exist.
        agent: The https origin that publishes the public key.
        directory: The directory that this origin serves; the public key is added to its document of public keys.

    Raises:
        MissingExtraError: cryptography is not installed.
        OutputError: A file cannot be written.
        UsageError: The agent is not an https origin, the file exists, or the document has something else.

    Example:
        ```python
        made = urlset.api.new_signing_key("urlset.key", "https://bot.example.com", "public")
        print(made.url)
        ```
    """
    from urlset.clients.signing_key import new_signing_key as run

    return run(Path(path), agent, None if directory is None else Path(directory))


def list_rules(
    options: ValidateOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[ValidateFields],
) -> tuple[Rule, ...]:
    """List all rules, custom rules last, with the severities in effect.

    Raises:
        ConfigError: The configuration file cannot be read or is invalid, or a custom rule is invalid.

    Example:
        >>> severities = {rule.code: str(rule.severity) for rule in list_rules(severity={"LOC003": "warning"})}
        >>> severities["LOC001"], severities["LOC003"]
        ('error', 'warning')
    """
    from urlset.stages.ruleset import rules_in_force

    return rules_in_force(_check_options(ValidateOptions, options, config, fields))


def explain_rule(
    code: str,
    options: ValidateOptions | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    **fields: Unpack[ValidateFields],
) -> str:
    """Explain a rule: what it finds, why it matters, examples that fail and pass, how to fix it, and sources.

    Args:
        code: The code of the rule, such as `LOC003`.

    Raises:
        UsageError: There is no such rule, or an option is invalid.
        ConfigError: The configuration file cannot be read or is invalid, or a custom rule is invalid.

    Example:
        >>> print(explain_rule("LOC003").splitlines()[0])
        # LOC003: url-too-long
    """
    from urlset.pipeline.explain import explain

    return explain(code, _check_options(ValidateOptions, options, config, fields))


def ignore_rule(
    code: str,
    document: str | os.PathLike[str] = ALL_DOCUMENTS,
    *,
    reason: str,
    until: date | str,
    baseline: str | os.PathLike[str],
    config: str | os.PathLike[str] | None = None,
) -> IgnoredRule:
    """Ignore the findings of a rule until a date: add an entry to a baseline, or replace it.

    Args:
        code: The code of the rule, such as `LOC003`.
        document: A file, a URL, `-` for standard input, or a pattern in which `*` matches any characters. A pattern
            without a slash is matched with the name of the document only.
        reason: Why the findings are accepted.
        until: The last day on which they are ignored.
        baseline: The baseline, which is created if it does not exist.
        config: A configuration file with custom rules. By default no file is read.

    Raises:
        UsageError: The rule or the document does not exist, or the date is not in the future.
        ConfigError: The baseline or the configuration file cannot be read or is invalid.
        OutputError: The baseline cannot be written.

    Example:
        ```python
        urlset.ignore_rule("MOD002", "archive/*", reason="old dates stay", until="2027-12-31", baseline="known.json")
        ```
    """
    from datetime import UTC, datetime

    from urlset.pipeline.ignore import ignore

    values: dict[str, Any] = {"code": code, "document": os.fspath(document), "reason": reason, "until": until}
    configuration = _check_options(ValidateOptions, None, config, {})
    return ignore(IgnoreOptions(**values), Path(baseline), configuration, datetime.now(UTC).date())


def _configure(
    verb: type[Judging],
    options: Judging | None,
    config: str | os.PathLike[str] | None,
    fields: Mapping[str, object],
) -> Judging:
    return _check_options(verb, options, config, fields).options


def _check_options(
    verb: type[Judging],
    options: Judging | None,
    config: str | os.PathLike[str] | None,
    fields: Mapping[str, object],
) -> ResolvedOptions[Judging]:
    """Return the options of a call with their origins, after checking that the rules and limits in them exist."""
    from urlset.stages.ruleset import check_rules

    configuration = _resolve(verb, options, config, fields)
    check_rules(configuration)
    return configuration


def _resolve(
    verb: type[Verb],
    options: Verb | None,
    config: str | os.PathLike[str] | None,
    fields: Mapping[str, object],
) -> ResolvedOptions[Verb]:
    from urlset.options.configuration_file import load
    from urlset.options.declare import Face
    from urlset.options.resolve import ResolvedOptions, resolve

    if options is not None:
        if config is not None:
            raise UsageError("options and config cannot be combined; use single options with config")
        return ResolvedOptions(merge(verb, options, fields), explicit=dict(fields))
    check_fields(verb, fields)
    return resolve(verb, None if config is None else load(Path(config)), fields, Face.PYTHON)
