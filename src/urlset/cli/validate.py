"""`urlset validate`: what is wrong with sitemaps, where, and how to mend it."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from urlset.cli.configured import ProfileOption, given_on_command_line
from urlset.cli.fetching import Reading, with_following_options
from urlset.cli.options import Colour, ColourOption, Targets
from urlset.config import FailOn
from urlset.report.formats import Form

NO_FORM = "none"
FORMATS = (*(form.value for form in Form), NO_FORM)
"""What `--format` takes."""


def _form(name: str | Form) -> Form | None:
    """The form with this name; None for none at all."""
    if name in FORMATS:
        return None if name == NO_FORM else Form(name)
    near = get_close_matches(name, FORMATS, n=1)
    advice = f"did you mean {near[0]}?" if near else f"the formats are {', '.join(FORMATS)}"
    raise typer.BadParameter(f"there is no format {name!r}; {advice}")


EXAMPLES = """\b
Examples:
  urlset validate sitemap.xml
  urlset validate https://example.com/sitemap.xml --fail-on warning
  urlset validate example.com --discover --expand
  urlset validate public/ --ignore HNT,LOC003 --format concise
  curl -s https://example.com/sitemap.xml | urlset validate - --format json
  urlset validate public/ --format github --output urlset.sarif --output junit:reports/urlset.xml
"""


@with_following_options
def validate(
    context: typer.Context,
    reading: Reading,
    targets: Targets,
    form: Annotated[
        Form | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            parser=_form,
            autocompletion=lambda: list(FORMATS),
            help="What standard output gets: text for people, concise for one line an example, json, jsonl, csv, "
            "markdown, sarif, junit, github (annotations), gitlab (code quality), or none.",
        ),
    ] = Form.TEXT,
    outputs: Annotated[
        list[str] | None,
        typer.Option(
            "--output",
            metavar="FILE",
            help="Also write the report to FILE, in the format of its ending (.sarif, .json, .jsonl, .csv, .md, .txt, "
            ".parquet, .xml for junit) or as FORMAT:FILE says. May be given several times.",
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(metavar="PREFIX", help="Run only rules whose code begins so: LOC, LOC003, or several: LOC,XML."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="PREFIX", help="Leave out rules whose code begins so.")
    ] = None,
    fail_on: Annotated[
        FailOn,
        typer.Option(metavar="SEVERITY", help="The least severity that exits with 1: error, warning, info, or never."),
    ] = FailOn.ERROR,
    max_examples: Annotated[
        int, typer.Option(metavar="N", min=0, help="Keep at most N examples of a finding; counts stay exact.")
    ] = 10,
    preview: Annotated[
        bool, typer.Option("--preview", help="Run the rules in preview, too; `urlset rules` marks them.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every example kept, with whole URLs, and the rules' sources.")
    ] = False,
    colour: ColourOption = Colour.AUTO,
    profile: ProfileOption = None,
    max_warnings: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="More warnings than this exit with 1 too.", show_default=False),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Findings in this file are known: they are not shown and do not count.",
            show_default=False,
        ),
    ] = None,
    write_baseline: Annotated[
        bool, typer.Option("--write-baseline", help="Write what is found to the baseline, and exit with 0.")
    ] = False,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="NAME",
            help="A crawler that robots.txt is asked about, where it is read (with --discover): Googlebot and Bingbot "
            "unless given. May be given several times.",
            show_default=False,
        ),
    ] = None,
    xsd: Annotated[
        Path | None,
        typer.Option(
            "--xsd",
            metavar="DIR",
            help="Also hold XML documents against the official schemas in DIR, sitemap.xsd and siteindex.xsd, with "
            "libxml2; one that is not valid exits with 1 unless --fail-on never.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Check sitemaps against the protocol and what search engines ask for.

    Findings are given with errors first, each with the places where it occurs, how often, and how to fix it. A fault
    that occurs 50,000 times in a file is one finding with that count.

    A target that cannot be read at all is reported on standard error, the others are still checked, and the exit code
    is 3 even if something was found in them.

    --discover searches sites for their sitemaps, asks their robots.txt, and reads what is found; --expand goes on from
    indexes to the sitemaps that they list. What of those cannot be fetched is a finding, at the line that lists it.

    --format says what standard output gets, and each --output names a file that gets the report as well, in a format
    of its own. A file is replaced whole or not at all.

    Options may also stand in urlset.toml or in [tool.urlset] of pyproject.toml, looked for from the working directory
    upwards; the command line wins. `urlset config` shows what is in force.
    """
    from urlset.cli import known
    from urlset.cli.output import Output, complain
    from urlset.cli.progress import ProgressBar
    from urlset.errors import ExitCode
    from urlset.pipeline.outputs import destinations, write_outputs
    from urlset.pipeline.validate import validate as run

    output = Output(colour)
    files = destinations(outputs or ())
    given = {
        "select": _codes(select),
        "ignore": _codes(ignore),
        "fail_on": fail_on,
        "max_examples": max_examples,
        "profile": profile,
        "max_warnings": max_warnings,
        "baseline": baseline,
        "xsd": xsd,
        "preview": preview,
    }
    settings = reading.settings(
        given_on_command_line(context, given) | ({"agents": tuple(dict.fromkeys(agent))} if agent else {})
    )
    options = settings.options
    known.check_options(settings.baseline, write_baseline)
    asked = options if settings.baseline is None else known.enough_examples(options)
    with ProgressBar() as progress:
        report = run(targets, asked, progress)
    for note in report.notes:
        complain(note)
    for unreadable in report.unreadable:
        complain(f"{unreadable.target}: {unreadable.reason}")
    if settings.baseline is not None:
        if write_baseline:
            known.write_baseline(report, settings.baseline)
            raise typer.Exit(ExitCode.CLEAN)
        report = known.without_known(report, settings.baseline, options.max_examples)
    if form is not None:
        output.write_report(report, form, fail_on=options.fail_on, verbose=verbose)
    write_outputs(report, files, fail_on=options.fail_on, verbose=verbose)
    if report.unreadable:
        raise typer.Exit(ExitCode.UNREADABLE)
    raise typer.Exit(ExitCode.FINDINGS if report.fails(options.fail_on, options.max_warnings) else ExitCode.CLEAN)


def _codes(given: list[str] | None) -> tuple[str, ...]:
    """The prefixes that were given one by one or with commas, in capitals."""
    return tuple(code.strip().upper() for text in given or () for code in text.split(",") if code.strip())
