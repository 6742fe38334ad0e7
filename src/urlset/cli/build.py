"""`urlset build`: sitemaps from folders, lists, queries and sitemaps that there are already."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from urlset.buildwords import UrlStyle
from urlset.cli.configured import given_on_command_line
from urlset.cli.fetching import Reading, with_fetch_options
from urlset.cli.options import Colour, ColourOption, Format, only_file

EXAMPLES = """\b
Examples:
  urlset build public/ --base-url https://example.com -o public/
  urlset build urls.csv --base-url https://example.com -o public/ --gzip parts
  urlset build public/ products.jsonl --base-url https://example.com -o public/ --robots public/robots.txt
  grep -v /internal/ urls.txt | urlset build - --base-url https://example.com -o public/
  urlset build --query "SELECT url AS loc FROM pages" --database shop.sqlite --base-url https://example.com -o out/
  urlset build                       # what [build] of urlset.toml says
  urlset build --check --diff        # in CI: would anything change, is anything wrong?
"""


@with_fetch_options
def build(
    context: typer.Context,
    reading: Reading,
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE",
            help="Folders of HTML or Markdown, lists of URLs (text, CSV, JSON lines, Parquet, - for standard input), "
            "sitemaps. html:, files:, list: or sitemaps: before one says what it is. Without any: urlset.toml.",
            show_default=False,
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url", metavar="URL", help="The address of the folder of the sitemaps.", show_default=False
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="The folder that gets sitemap.xml and its parts; - writes one document to standard output.",
            show_default=False,
        ),
    ] = None,
    robots: Annotated[
        Path | None,
        typer.Option(
            "--robots",
            metavar="FILE",
            help="Have this robots.txt name the sitemaps; every other byte of it is left alone.",
            show_default=False,
        ),
    ] = None,
    query: Annotated[
        str | None,
        typer.Option(
            "--query", metavar="SQL", help="A SELECT with the columns loc, lastmod and so on.", show_default=False
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="PLACE",
            help="What --query is asked of: a file of SQLite or DuckDB, or postgresql://…; without it, of the files "
            "that it names.",
            show_default=False,
        ),
    ] = None,
    path_prefix: Annotated[
        str, typer.Option("--path-prefix", metavar="PATH", help="Path below the base URL where the pages are.")
    ] = "/",
    include: Annotated[
        list[str] | None,
        typer.Option("--include", metavar="GLOB", help="Files that are pages; repeatable.", show_default=False),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="GLOB", help="Files that are not; repeatable.", show_default=False),
    ] = None,
    urls: Annotated[
        UrlStyle | None,
        typer.Option(
            "--urls",
            metavar="STYLE",
            help="How files become URLs: files (a.html, b/), slashes (a/, b/), bare (a, b), exact (b/index.html).",
            show_default="files for HTML, slashes for Markdown",
        ),
    ] = None,
    images: Annotated[bool, typer.Option("--images", help="List the images of HTML pages.")] = False,
    lastmod_from: Annotated[
        str | None,
        typer.Option(
            "--lastmod-from",
            metavar="ORDER",
            help="Who is asked for a lastmod, the first that knows: given, page, git, content, mtime, with commas.",
            show_default="given,page,git,content",
        ),
    ] = None,
    explain_lastmod: Annotated[
        str | None,
        typer.Option(
            "--explain-lastmod",
            metavar="URL",
            help="Write nothing, and say of this page who was asked for its lastmod, and what they said.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Name instead of sitemap.", show_default=False)
    ] = None,
    compress: Annotated[
        str | None,
        typer.Option("--gzip", metavar="WHAT", help="Compress none, parts or all of the files.", show_default="none"),
    ] = None,
    lastmod: Annotated[
        str | None,
        typer.Option(
            "--lastmod",
            metavar="FORM",
            help="Form of lastmod: date (the day in UTC), local-date (the day in the given offset) or datetime.",
            show_default="date",
        ),
    ] = None,
    max_entries: Annotated[
        int | None,
        typer.Option("--max-entries", metavar="N", help="Maximum URLs in one file.", show_default="50000"),
    ] = None,
    part: Annotated[
        str | None,
        typer.Option("--part", metavar="NAME", help="Write parts of this name: sitemap-NAME.xml.", show_default=False),
    ] = None,
    part_by: Annotated[
        str | None,
        typer.Option(
            "--part-by",
            metavar="COLUMN",
            help="Split into parts by the values of this column, or by the month of lastmod.",
            show_default=False,
        ),
    ] = None,
    hosts: Annotated[
        list[str] | None,
        typer.Option(
            "--hosts",
            metavar="HOST",
            help="Further host that URLs may be on, * for any; repeatable.",
            show_default=False,
        ),
    ] = None,
    bare_paths: Annotated[
        bool,
        typer.Option("--bare-paths", help="Read URLs such as about/team as paths; otherwise paths begin with / or ./."),
    ] = False,
    pretty: Annotated[bool, typer.Option("--pretty", help="Indent the XML, with one element per line.")] = False,
    stylesheet: Annotated[
        str | None,
        typer.Option("--stylesheet", metavar="URL", help="Refer to this XSL style sheet.", show_default=False),
    ] = None,
    feed: Annotated[
        Path | None,
        typer.Option(
            "--feed",
            metavar="FILE",
            help="Also write a feed of the 100 URLs with the newest lastmod: Atom if FILE is named "
            "atom.xml or ends with .atom, else RSS.",
            show_default=False,
        ),
    ] = None,
    publish_mode: Annotated[
        str | None,
        typer.Option(
            "--publish",
            metavar="MODE",
            help="How files are put in place: rename, one by one, or atomic, all at once through a symbolic link. A "
            "build killed between two renames leaves files of both sets until the next build.",
            show_default="rename",
        ),
    ] = None,
    allow_shrink: Annotated[
        bool,
        typer.Option(
            "--allow-shrink", help="Allow replacing a published set with less than half of its URLs, or none."
        ),
    ] = False,
    require_lastmod: Annotated[
        bool, typer.Option("--require-lastmod", help="Leave out entries without lastmod, as bad.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at a bad entry, and publish nothing.")] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit with 1 if anything would change or anything is wrong."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write nothing, and say what would be.")] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing, and show what would change, URL by URL.")
    ] = False,
    left_out: Annotated[
        Path | None,
        typer.Option(
            "--left-out",
            metavar="FILE",
            callback=only_file,
            help="List all that is left out here, as JSON lines.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[Format, typer.Option("--format", metavar="FORMAT", help="text for people, or json.")] = Format.TEXT,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every file and every example kept.")] = False,
    colour: ColourOption = Colour.AUTO,
) -> None:
    """Build sitemaps that are right by construction, and publish them as a whole.

    The sources stand on the command line, or under [build] in urlset.toml, where several hosts and an index over them
    fit, too. A page that asks not to be indexed, whose canonical URL is another one, that leads on to another page or
    that robots.txt forbids is left out, counted and shown with its reason. A bad entry is left out and counted, too.

    lastmod is what is known and never invented. The old files stand until the new ones are whole; what does not change
    keeps its bytes and its time. A build killed between two renames is finished by the next one; until then files of
    both sets are published, unless --publish atomic replaces them at once.

    A published set is not replaced with nothing, or with less than half of its URLs, unless --allow-shrink is given.

    Exits with 0 when the set is published; with --check with 1 if anything would change or is wrong; with 1 if --strict
    stopped at a bad entry, if the set would shrink too much, or if there is no page to explain.
    """
    import logging
    import sys

    from urlset.buildspec import STDIN, BuildOptions
    from urlset.cli.build_sources import Given, spec_of
    from urlset.cli.output import Output, complain
    from urlset.cli.progress import ProgressBar
    from urlset.configfile.build import with_limits
    from urlset.errors import ExitCode
    from urlset.model.build_result import BuildResult
    from urlset.pipeline.build import build as run

    # What is left out stands in the report.
    logging.getLogger("urlset.build").addHandler(logging.NullHandler())
    flags = {
        "require_lastmod": require_lastmod, "strict": strict, "bare_paths": bare_paths, "pretty": pretty,
        "allow_shrink": allow_shrink,
    }  # fmt: skip
    options = {
        "name": name, "gzip": compress, "lastmod": lastmod, "max_entries": max_entries, "stylesheet": stylesheet,
        "feed": feed, "publish": publish_mode, "hosts": tuple(hosts) if hosts else None,
    }  # fmt: skip
    given = Given(
        sources=tuple(sources or ()),
        base_url=base_url,
        out=out,
        robots=robots,
        query=query,
        database=database,
        path_prefix=path_prefix,
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
        urls=urls,
        images=images,
        lastmod_from=lastmod_from,
        part=part,
        part_by=part_by,
        options={**_written(options), **given_on_command_line(context, flags)},
    )
    settings = reading.settings()
    spec = spec_of(given, settings.loaded)
    if settings.loaded is not None:
        spec = with_limits(spec, settings.loaded.settings.limits)
    publish = not (check or dry_run or diff or explain_lastmod)
    how = BuildOptions(
        publish=publish, diff=diff, explain=explain_lastmod, left_out=left_out, read=settings.options.read
    )
    with ProgressBar() as progress:
        report, comparison = run(spec, how, progress)
    # Where standard output has the document, the report goes to standard error.
    output = Output(colour, sys.stderr if spec.sites[0].out == STDIN else None)
    result = BuildResult(report, diff, comparison, explain_lastmod)
    shown = output.show("build", form, result, replace(output.style, verbose=verbose))
    if explain_lastmod is not None and form is Format.TEXT:
        raise typer.Exit(ExitCode.CLEAN if shown and report.explained is not None else ExitCode.FINDINGS)
    if check:
        for problem in report.problems if form is Format.JSON else ():
            complain(problem)
        raise typer.Exit(ExitCode.FINDINGS if report.changed or report.problems else ExitCode.CLEAN)
    if report.would_be_refused:
        raise typer.Exit(ExitCode.FINDINGS)


def _written(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
