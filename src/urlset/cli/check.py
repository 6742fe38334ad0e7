"""`urlset check`: the scored check of sites."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from urlset.cli.fetching import Reading, with_fetch_options
from urlset.cli.options import Colour, ColourOption, ReportOption
from urlset.cli.origins import Origins, OriginsFile, origins_of


class CheckFormat(StrEnum):
    """Forms of the result."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class CheckFailOn(StrEnum):
    """The status of a check from which the command fails."""

    FAIL = "fail"
    WARN = "warn"


EXAMPLES = """\b
Examples:
  urlset check example.com
  urlset check https://example.com --fail-on warn --badge sitemap.svg
  urlset check --from sites.txt --format json
"""


@with_fetch_options
def check(
    reading: Reading,
    origins: Origins = None,
    file: OriginsFile = None,
    form: Annotated[
        CheckFormat, typer.Option("--format", metavar="FORMAT", help="text for people, json, or markdown.")
    ] = CheckFormat.TEXT,
    fail_on: Annotated[
        CheckFailOn, typer.Option(metavar="STATUS", help="The status that exits with 1: fail, or warn for both.")
    ] = CheckFailOn.FAIL,
    badge: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write a badge, as SVG, for one origin.", show_default=False),
    ] = None,
    page: ReportOption = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show all evidence, and the steps of sites that pass.")
    ] = False,
    colour: ColourOption = Colour.AUTO,
) -> None:
    """Score the sitemap of a site: is there one, can it be fetched and parsed, are its fields and its scope right?

    This is the check `sitemap` 1.0.0 of the suite 2026.06.10: five steps that make a score of 100. It looks at
    robots.txt, /sitemap.xml, /sitemap.txt, /sitemap_index.xml and /sitemap-index.xml, and at nothing else; a path in an
    origin is left out. docs/check-specification.md says what each step goes by.

    With one ORIGIN the JSON is one object; with several, or with --from, it is an array of them.

    Exits with 0 if every site passes or warns, with 1 if one fails, with 3 if one cannot be reached.
    """
    from urlset.cli.output import Output, complain
    from urlset.cli.outputs import as_file, check_place, write_page
    from urlset.cli.progress import ProgressBar
    from urlset.errors import ExitCode, MisuseError, exit_code_for
    from urlset.model.specification import Status
    from urlset.pipeline.check import check as run
    from urlset.publish import publish
    from urlset.report.formats import render

    output = Output(colour)
    asked = origins_of(origins, file)
    if badge is not None:
        if len(asked) != 1:
            raise MisuseError(f"--badge is for one origin, and {len(asked)} are given")
        check_place(badge)
    if page is not None:
        check_place(page)
    with ProgressBar() as progress:
        results = run(asked, reading.options(), progress)
    unreachable = [one for one in results if one.discovery.unreachable is not None]
    for one in unreachable:
        complain(f"{one.origin}: {one.discovery.unreachable}")
    style = replace(output.style, several=len(asked) > 1 or file is not None, verbose=verbose)
    output.show("check", form, results, style)
    if badge is not None:
        publish(badge, as_file(render("check", "badge", results)))
    if page is not None:
        from urlset.pipeline.report_page import page_of_checks

        write_page(page_of_checks(results), page)
    if unreachable:
        raise typer.Exit(exit_code_for(one.discovery.unreachable or "" for one in unreachable))
    failing = {Status.FAIL} if fail_on is CheckFailOn.FAIL else {Status.FAIL, Status.WARN}
    raise typer.Exit(ExitCode.FINDINGS if any(one.status in failing for one in results) else ExitCode.CLEAN)
