"""The public functions: each fills in the options and calls the pipeline."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.config import (
    USUAL_STORE,
    DiscoverOptions,
    ExpandOptions,
    FetchOptions,
    ProbeMethod,
    Profile,
    ReadOptions,
    RequiredField,
)
from urlset.documents import Batch, Document
from urlset.errors import MisuseError
from urlset.pipeline.read import open_one
from urlset.sources import Target, as_targets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from urlset.buildspec import BuildSpec, Site
    from urlset.model.audit import Audited
    from urlset.model.build import BuildReport
    from urlset.model.check import CheckResult
    from urlset.model.comparison import Comparison
    from urlset.model.discovery import Discovery
    from urlset.model.document import InspectReport
    from urlset.model.fix import FixReport
    from urlset.model.report import Report
    from urlset.model.run import RunRow


def read(
    target: Target, *, max_inflated: int | None = None, timeout: float | None = None, fetch: FetchOptions | None = None
) -> Document:
    r"""Reads a document whole.

    Args:
        target: A path, an http(s) URL, `-` for standard input, bytes, or an object open for reading bytes.
        max_inflated: Bound on its size after decompression, in bytes; 200 MiB unless given. What lies beyond is not
            read, `facts["complete"]` is then False and an anomaly `size-limit` says so.
        timeout: Bound on fetching it, in seconds; 30 unless given.
        fetch: How to fetch it.

    Returns:
        The document: its facts, its tables as Arrow, and its entries when iterated.

    Raises:
        InputError: It could not be read at all. A bad sitemap is read; what is wrong with it are anomalies.
        MisuseError: The target is a folder or no target.

    Example:
        >>> document = read(b"https://example.com/\nhttps://example.com/a\n")
        >>> document.kind, [entry.loc for entry in document]
        ('text', ['https://example.com/', 'https://example.com/a'])
    """
    reader = open_one(target, _read_options(max_inflated, timeout, fetch))
    tables = reader.read_all()
    return Document(reader.facts, tables)


def scan(
    target: Target, *, max_inflated: int | None = None, timeout: float | None = None, fetch: FetchOptions | None = None
) -> Iterator[Batch]:
    r"""Reads a document batch by batch, in constant memory however long it is.

    Args:
        target: As for `read`.
        max_inflated: As for `read`.
        timeout: As for `read`.
        fetch: As for `read`.

    Yields:
        Batches of about 16,000 rows, each with whole entries.

    Raises:
        InputError: It could not be read at all.
        MisuseError: The target is a folder or no target.

    Example:
        >>> sum(len(batch) for batch in scan(b"https://example.com/\nhttps://example.com/a\n"))
        2
    """
    # Batches have no facts, so nobody would see the hash.
    reader = open_one(target, _read_options(max_inflated, timeout, fetch), hashed=False)
    return map(Batch, reader)


def validate(
    targets: Target | Iterable[Target],
    *,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    max_examples: int | None = None,
    now: datetime | None = None,
    url: str | None = None,
    max_inflated: int | None = None,
    timeout: float | None = None,
    fetch: FetchOptions | None = None,
    discover: bool | None = None,
    expand: bool | ExpandOptions | None = None,
    agents: Iterable[str] | None = None,
    robots: bool | None = None,
    threads: int | None = None,
    preview: bool | None = None,
    profile: str | None = None,
    severity: Mapping[str, str] | None = None,
    required_urls: Iterable[str] | None = None,
    require: Iterable[str] | None = None,
    xsd: str | os.PathLike[str] | None = None,
    config: str | os.PathLike[str] | None = None,
) -> Report:
    """Checks sitemaps against the protocol and what search engines ask for.

    Args:
        targets: One target or several: paths, folders, http(s) URLs, `-` for standard input, bytes, binary files.
        select: Prefixes of rule codes to run; every rule that runs by default unless given.
        ignore: Prefixes of rule codes to leave out.
        max_examples: Examples kept of each finding, 10 unless given; counts are exact whatever this is.
        now: The moment that "in the future" is measured from; the present unless given.
        url: The URL under which a single target is or will be published, for the rules that compare with it.
        max_inflated: Bound on a document's size after decompression, in bytes; 200 MiB unless given.
        timeout: Bound on one request, in seconds; 30 unless given.
        fetch: How to fetch; what the configuration file says on that does not count then.
        discover: Whether targets that are sites (`example.com`) are searched for their sitemaps, which are read in
            their place together with robots.txt.
        expand: Whether what indexes list is read as well, and how far.
        agents: Crawlers that robots.txt is asked about, where it is read; Googlebot and Bingbot unless given.
        robots: Whether robots.txt of the hosts of http(s) targets is read, to check listed URLs against it.
        threads: Threads of the rule engine; one per core, at most four, unless given.
        preview: Whether rules in preview run, too; one whose whole code is selected always does.
        profile: Whose eyes to look with: protocol, google, bing, yandex or strict-xsd; urlset's own unless
            given.
        severity: Prefixes of rule codes and the severity (error, warning, info, hint) that those rules get.
        required_urls: URLs that some document must list.
        require: Optional fields that every entry must have: `lastmod`.
        xsd: An XML schema, or the folder with the official ones, `sitemap.xsd` and `siteindex.xsd`, that documents are
            validated against as well by libxml2 (extra `urlset[xsd]`); what it says is `report.schema`, apart from the
            findings.
        config: A configuration file, whose values hold where nothing is given here; none is looked for.

    Returns:
        A report: its findings, errors first; its documents; what could not be read; a summary.

    Raises:
        MisuseError: An argument makes no sense.
        ConfigError: The configuration file cannot be read or makes no sense, or the schemas cannot be used.
        MissingExtraError: Schemas are given, and lxml is not installed.

    Example:
        >>> report = validate(b"<urlset><url><loc>/about</loc></url></urlset>", select=["LOC", "STR"])
        >>> for finding in report.findings:
        ...     print(finding.rule.code, finding.rule.name, finding.examples[0].line)
        LOC001 url-relative 1
        STR004 namespace-missing 1
    """
    from urlset.configfile.load import load
    from urlset.configfile.resolve import resolve

    given: dict[str, object] = {
        "select": None if select is None else tuple(select),
        "ignore": None if ignore is None else tuple(ignore),
        "max_examples": max_examples,
        "max_bytes": max_inflated,
        "timeout": timeout,
        "profile": None if profile is None else _profile(profile),
        "severity": severity,
        "required_urls": None if required_urls is None else tuple(required_urls),
        "require": None if require is None else tuple(_required_field(field) for field in require),
        "xsd": None if xsd is None else Path(xsd),
        "preview": preview,
        "discover": discover,
        "expand": None if expand is None else expand is not False,
        "agents": None if agents is None else tuple(agents),
        "robots": robots,
    }
    settings = resolve(
        None if config is None else load(Path(config)),
        {name: value for name, value in given.items() if value is not None},
    )
    options = replace(settings.options, now=now, threads=threads)
    if fetch is not None:
        fetching = fetch if timeout is None else replace(fetch, timeout=timeout)
        options = replace(options, read=replace(options.read, fetch=fetching))
    if isinstance(expand, ExpandOptions):
        options = replace(options, read=replace(options.read, expand=expand))
    # The engine takes a while to import; reading alone does without it.
    from urlset.pipeline.validate import validate as run

    return run(as_targets(targets), options, url=url)


def discover(
    origin: str,
    *,
    paths: Iterable[str] = (),
    timeout: float | None = None,
    fetch: FetchOptions | None = None,
) -> Discovery:
    """Searches a site for its sitemaps: robots.txt, well-known paths, links of the home page, in this order.

    Args:
        origin: The site: `example.com`, `https://example.com/shop/` or the like. A path is that of the home page.
        paths: More paths to ask for, before the usual ones: from the root of the site.
        timeout: Bound on one request, in seconds; 30 unless given.
        fetch: How to fetch.

    Returns:
        `candidates` are the sitemaps, each with how it was found, its kind and its size; `tried` is what else was
        tried, each with the reason why it is none. That a site cannot be reached is no error: `unreachable` says why.

    Raises:
        MisuseError: The origin or a path makes no sense.

    Example:
        ```python
        for sitemap in urlset.discover("example.com").candidates:
            print(sitemap.url, sitemap.found_by, sitemap.entries)
        ```
    """
    from urlset.pipeline.discover import discover_all

    read_options = _read_options(None, timeout, fetch)
    [found] = discover_all([origin], DiscoverOptions(read=read_options, more_paths=tuple(paths)))
    return found


def check(origin: str, *, timeout: float | None = None, fetch: FetchOptions | None = None) -> CheckResult:
    """Scores the sitemap of a site by the specification `sitemap` 1.0.0.

    Args:
        origin: The site: `example.com`, `https://example.com` or the like. A path is left out.
        timeout: Bound on one request, in seconds; 30 unless given.
        fetch: How to fetch.

    Returns:
        The status (pass, warn or fail), the score from 0 to 1, the five steps with their evidence, and the candidates.
        That a site cannot be reached is no error but a failed check: `discovery.unreachable` says why.

    Raises:
        MisuseError: The origin makes no sense.

    Example:
        ```python
        result = urlset.check("example.com")
        print(result.status, result.score)
        for step in result.steps:
            print(step.step.id, step.status, [evidence.message for evidence in step.evidence])
        ```
    """
    from urlset.pipeline.check import check as run

    [result] = run([origin], _read_options(None, timeout, fetch))
    return result


def fix(
    targets: Target | Iterable[Target],
    *,
    output: str | os.PathLike[str] | None = None,
    in_place: bool = False,
    dry_run: bool = False,
    diff: bool = False,
    base_url: str | None = None,
    max_inflated: int | None = None,
    timeout: float | None = None,
    fetch: FetchOptions | None = None,
) -> FixReport:
    r"""Repairs what has one right answer, and lists what has none.

    What is right stays byte for byte, and fixing twice changes nothing. An entry that cannot be repaired is left out.

    Args:
        targets: One target or several: paths, folders, http(s) URLs, `-` for standard input, bytes, binary files.
        output: File to write the result to; of a folder or several targets, the folder of the results.
        in_place: Whether to replace each file by its repaired version, whole or not at all.
        dry_run: Whether to write nothing, and hand nothing back.
        diff: Whether to give the differences, line by line, as well.
        base_url: What relative URLs are taken from, and what the parts of a document beyond the limits are published
            beside; without it such entries are left out, and such a document is not split.
        max_inflated: Bound on a document's size after decompression, in bytes; 200 MiB unless given.
        timeout: Bound on fetching it, in seconds; 30 unless given.
        fetch: How URLs are fetched.

    Returns:
        What was done to each document. Without `output` and `in_place` a single document has its `content`.

    Raises:
        MisuseError: The arguments do not fit the targets, or each other.
        OutputError: A result cannot be written.

    Example:
        >>> report = fix(b"https://example.com/a b\n")
        >>> report.documents[0].content, report.repaired
        (b'https://example.com/a%20b\n', 1)
    """
    from urlset.config import FixOptions
    from urlset.pipeline.fix import fix as run

    options = FixOptions(
        output=None if output is None else Path(output),
        in_place=in_place,
        dry_run=dry_run,
        diff=diff,
        base_url=base_url,
        read=_read_options(max_inflated, timeout, fetch),
    )
    return run(as_targets(targets), options)


def diff(
    before: str | os.PathLike[str],
    after: str | os.PathLike[str],
    *,
    rules: bool = True,
    max_examples: int = 10,
    max_drop: float = 10.0,
    fetch: FetchOptions | None = None,
    config: str | os.PathLike[str] | None = None,
) -> Comparison:
    """Compares two sides: what URLs, lastmods, sitemaps of indexes and findings were added, removed or changed.

    Args:
        before: The earlier side: a path, a folder, an http(s) URL, or a run of a store (`FILE.duckdb` for its newest,
            `FILE.duckdb@3` for run 3).
        after: The later side.
        rules: Whether rules are run on what is read for this, so that findings can be compared.
        max_examples: Examples kept of each kind of change; counts are exact whatever this is.
        max_drop: The share of URLs that may go without an alarm, in percent.
        fetch: How to fetch; what the configuration file says on that does not count then.
        config: A configuration file; none is looked for unless given.

    Returns:
        What changed. `alarms` are the changes that nobody makes on purpose without knowing of it.

    Raises:
        InputError: A side cannot be read at all.
        MisuseError: A side or an option makes no sense.

    Example:
        ```python
        changes = urlset.diff("https://example.com/sitemap.xml", "public/")
        print(changes.added.count, changes.removed.count, changes.alarms)
        ```
    """
    from urlset.config import DiffOptions
    from urlset.configfile.load import load
    from urlset.configfile.resolve import resolve
    from urlset.pipeline.diff import diff as run

    options = resolve(None if config is None else load(Path(config)), {}).options
    if fetch is not None:
        options = replace(options, read=replace(options.read, fetch=fetch))
    return run(
        os.fspath(before),
        os.fspath(after),
        DiffOptions(validate=options, judge=rules, max_examples=max_examples, max_drop=max_drop),
    )


def build_sitemaps(
    config: str | os.PathLike[str] | BuildSpec | Site,
    *,
    publish: bool = True,
    explain: str | None = None,
    left_out: str | os.PathLike[str] | None = None,
    now: datetime | None = None,
    timeout: float | None = None,
    fetch: FetchOptions | None = None,
) -> BuildReport:
    r"""Builds sitemaps from folders, lists, queries and sitemaps that there are already, as `urlset build` does.

    Args:
        config: A configuration file with `[build]`: `urlset.toml`, or `pyproject.toml` with `[tool.urlset]`. Or what is
            to be built as a value: a site, or several with an index over them.
        publish: Whether anything is written; if not, what would be is found out.
        explain: A page: the report then has its lastmod, and who said what of it.
        left_out: A file that gets a line of JSON for each page and entry that is left out.
        now: The moment that "in the future" is measured from; the present unless given.
        timeout: Bound on one request for sitemaps that are taken over, in seconds; 30 unless given.
        fetch: How to fetch; what the configuration file says on that does not count then.

    Returns:
        What became of each site and of the index: files, counts, what was left out and why, the lines for robots.txt.
        `changed` says whether anything differs from what was published before, `problems` what is wrong.

    Raises:
        ConfigError: The configuration file cannot be read or makes no sense.
        EntryRefusedError: An entry is bad, and strictness was asked for.
        InputError: A source cannot be read.
        MisuseError: There is nothing to build, or something that cannot be meant.
        MissingExtraError: A source or a target needs a package that is not installed.
        OutputError: Something cannot be written; what was published before stands.

    Example:
        >>> import tempfile
        >>> from urlset import Site, UrlList
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     urls = Path(folder, "urls.txt")
        ...     _ = urls.write_text("/\n/about\nmailto:me@example.com\n")
        ...     site = Site(base_url="https://example.com/", out=folder, sources=(UrlList(file=urls),))
        ...     report = build_sitemaps(site)
        >>> report.written, report.problems
        (2, ('https://example.com/: 1 left out as bad: url-invalid',))
    """
    from urlset.buildspec import BuildOptions, BuildSpec, Site
    from urlset.configfile.build import with_limits
    from urlset.configfile.load import load
    from urlset.configfile.resolve import resolve
    from urlset.pipeline.build import build

    read = _read_options(None, timeout, fetch)
    if isinstance(config, Site):
        spec = BuildSpec(sites=(config,))
    elif isinstance(config, BuildSpec):
        spec = config
    else:
        loaded = load(Path(config))
        if loaded.settings.build is None or not loaded.settings.build.sites:
            raise MisuseError(f"there is nothing to build: {loaded.path} has no [[build.source]]")
        spec = with_limits(loaded.settings.build, loaded.settings.limits)
        if fetch is None:
            read = resolve(loaded, {} if timeout is None else {"timeout": timeout}).options.read
    options = BuildOptions(
        publish=publish and explain is None,
        explain=explain,
        left_out=None if left_out is None else Path(left_out),
        read=read,
        now=now,
    )
    report, _ = build(spec, options)
    return report


def report_page(store: str | os.PathLike[str], run: int | None = None) -> str:
    """The report page of a run that a store keeps: one file of HTML, which asks nobody for anything.

    Args:
        store: The store's file, as `urlset audit` writes it.
        run: The run's number; the newest that came to its end unless given.

    Returns:
        The page as text, to be written in UTF-8.

    Raises:
        InputError: The store cannot be read, or has no such run.

    Example:
        ```python
        Path("report.html").write_text(urlset.report_page("urlset.duckdb"), encoding="utf-8")
        ```
    """
    from urlset.pipeline.report_page import page_of_run
    from urlset.report.html.render import render

    return "\n".join(render(page_of_run(Path(store), run)))


def audit(
    targets: str | Iterable[str] = (),
    *,
    store: str | os.PathLike[str] | None = None,
    resume: bool = False,
    pages: bool | None = None,
    images: bool | None = None,
    score: bool | None = None,
    method: str | None = None,
    sample: int | None = None,
    max_pages: int | None = None,
    include: Iterable[str] | None = None,
    exclude: Iterable[str] | None = None,
    max_traffic: int | None = None,
    max_time: float | None = None,
    ask_forbidden: bool | None = None,
    inventory: str | os.PathLike[str] | None = None,
    keep: bool = True,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    max_examples: int | None = None,
    agents: Iterable[str] | None = None,
    fetch: FetchOptions | None = None,
    config: str | os.PathLike[str] | None = None,
) -> Audited:
    """Audits sites: finds and checks their sitemaps, looks at the listed pages, and keeps everything in a store.

    Args:
        targets: Sites (`example.com`), files, folders or http(s) URLs; none to go on with a run.
        store: The DuckDB file that keeps everything; `urlset.duckdb` unless given.
        resume: Whether to go on with the last run of the store that did not come to its end; it looks at what it began
            to look at.
        pages: Whether to look at the listed pages, as it is unless said otherwise.
        images: Whether to look at listed images and thumbnails, too.
        score: Whether to score sites as `check` does, as it is unless said otherwise.
        method: How pages are asked for: auto, head or get.
        sample: Look at so many pages, spaced evenly over all.
        max_pages: Look at so many pages, the first ones.
        include: Globs of URLs: look only at pages that match one.
        exclude: Globs of URLs: do not look at pages that match one.
        max_traffic: Begin no page after so many bytes of pages.
        max_time: Begin no page after so many seconds.
        ask_forbidden: Whether to ask for pages that robots.txt forbids: on your own site.
        inventory: File of the URLs that are there, one a line.
        keep: Whether the run is kept; otherwise it is removed at the end, and `store` and `run_id` are None.
        select: As for `validate`.
        ignore: As for `validate`.
        max_examples: As for `validate`.
        agents: As for `validate`.
        fetch: How to fetch; what the configuration file says on that does not count then.
        config: A configuration file, whose values hold where nothing is given here; none is looked for.

    Returns:
        `report` is what `validate` gives, with findings on pages; `pages` are the pages in numbers, with the share of
        good ones and its interval; `agents` says which crawlers may fetch what; `store` and `run_id` where all is kept.

    Raises:
        MisuseError: An argument makes no sense, or there is no run to go on with.
        ConfigError: The configuration file cannot be read or makes no sense.
        OutputError: The store cannot be written.
        InputError: The inventory cannot be read.

    Example:
        ```python
        result = urlset.audit("example.com", sample=1_000)
        print(result.report.summary.errors, result.pages.statuses, result.pages.good)
        ```
    """
    from urlset.configfile.audit_keys import audit_options
    from urlset.configfile.load import load
    from urlset.configfile.resolve import resolve

    said: dict[str, object] = {
        "store": None if store is None else Path(store),
        "pages": pages,
        "images": images,
        "score": score,
        "method": None if method is None else _method(method),
        "sample": sample,
        "max_pages": max_pages,
        "include": None if include is None else tuple(include),
        "exclude": None if exclude is None else tuple(exclude),
        "max_traffic": max_traffic,
        "max_time": max_time,
        "ask_forbidden": ask_forbidden,
        "inventory": None if inventory is None else Path(inventory),
    }
    given: dict[str, object] = {
        "select": None if select is None else tuple(select),
        "ignore": None if ignore is None else tuple(ignore),
        "max_examples": max_examples,
        "agents": None if agents is None else tuple(agents),
        "audit": {name: value for name, value in said.items() if value is not None},
    }
    settings = resolve(
        None if config is None else load(Path(config)),
        {name: value for name, value in given.items() if value is not None},
    )
    options = settings.options
    if fetch is not None:
        options = replace(options, read=replace(options.read, fetch=fetch))
    from urlset.pipeline.audit import audit as run

    several = [targets] if isinstance(targets, str) else list(targets)
    auditing = audit_options(settings.audit, options, resume=resume)
    if keep:
        return run(several, auditing)
    if resume or store is not None:
        raise MisuseError("keep=False keeps nothing: leave out store and resume")
    from urlset.scratch import Scratch

    with Scratch() as scratch:
        return replace(run(several, replace(auditing, store=scratch.path / USUAL_STORE)), store=None, run_id=None)


def history(store: str | os.PathLike[str]) -> tuple[RunRow, ...]:
    """Lists the runs that a store keeps, oldest first, with their numbers.

    Args:
        store: The DuckDB file that `audit` wrote.

    Returns:
        For each run when it began and ended, its targets, and how many documents, URLs, pages and findings it has. One
        without an end was interrupted, or goes on in another process.

    Raises:
        InputError: There is no such store, or it cannot be read.

    Example:
        ```python
        for run in urlset.history("urlset.duckdb"):
            print(run.run_id, run.started_at, run.urls, run.errors)
        ```
    """
    from urlset.store.file import Store

    with Store.read(Path(store)) as opened:
        return opened.runs()


def inspect(
    targets: Target | Iterable[Target],
    *,
    max_inflated: int | None = None,
    timeout: float | None = None,
    fetch: FetchOptions | None = None,
    discover: bool = False,
    expand: bool | ExpandOptions = False,
) -> InspectReport:
    r"""Says what sitemaps are: kind, entries, size, encoding, dates, and of an index its children. Nothing is judged.

    Args:
        targets: As for `validate`.
        max_inflated: As for `read`.
        timeout: As for `read`.
        fetch: As for `read`.
        discover: Whether targets that are sites are searched for their sitemaps, which are read in their place.
        expand: Whether what indexes list is read as well, and how far.

    Returns:
        `documents`, each with its `facts`, `children`, `anomalies` and the histogram of its lastmods; `unreadable` is
        what could not be read.

    Raises:
        MisuseError: A target is none.

    Example:
        >>> [document] = inspect(b"https://example.com/\nhttps://example.com/a\n").documents
        >>> document.facts["kind"], document.facts["entries"]
        ('text', 2)
    """
    from urlset.pipeline.inspect import inspect as run

    bounds = expand if isinstance(expand, ExpandOptions) else ExpandOptions() if expand else None
    options = replace(_read_options(max_inflated, timeout, fetch), discover=discover, expand=bounds)
    return run(as_targets(targets), options)


def _method(name: str) -> ProbeMethod:
    try:
        return ProbeMethod(name)
    except ValueError:
        raise MisuseError(f"there is no method {name!r}; there are: {', '.join(ProbeMethod)}") from None


def _profile(name: str) -> Profile:
    try:
        return Profile(name)
    except ValueError:
        raise MisuseError(f"there is no profile {name!r}; there are: {', '.join(Profile)}") from None


def _required_field(name: str) -> RequiredField:
    try:
        return RequiredField(name)
    except ValueError:
        raise MisuseError(f"{name!r} cannot be required; the fields are: {', '.join(RequiredField)}") from None


def _read_options(max_inflated: int | None, timeout: float | None, fetch: FetchOptions | None) -> ReadOptions:
    """The options, with the defaults where nothing is given."""
    fetching = fetch or FetchOptions()
    if timeout is not None:
        fetching = replace(fetching, timeout=timeout)
    options = ReadOptions(fetch=fetching)
    return options if max_inflated is None else replace(options, max_inflated=max_inflated)
