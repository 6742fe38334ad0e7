"""The options on judging that `validate` and `audit` share, as one group: which rules, what fails, where reports go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from urlset.cli.configured import ProfileOption, given_on_command_line
from urlset.cli.groups import with_group
from urlset.cli.options import Colour, ColourOption, ReportOption
from urlset.config import FailOn, RequiredField
from urlset.report.formats import Form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.cli.fetching import Reading
    from urlset.cli.output import Output
    from urlset.cli.outputs import Destination
    from urlset.config import ValidateOptions
    from urlset.configfile.resolve import Resolved
    from urlset.errors import ExitCode
    from urlset.model.report import Report
    from urlset.model.report_page import Page

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


GROUP: dict[str, tuple[Any, Any]] = {
    "form": (
        Annotated[
            Form | None,
            typer.Option(
                "--format",
                metavar="FORMAT",
                parser=_form,
                autocompletion=lambda: list(FORMATS),
                help="What standard output gets: text for people, concise for one line an example, json, jsonl, csv, "
                "markdown, sarif, junit, github (annotations), gitlab (code quality), or none.",
            ),
        ],
        Form.TEXT,
    ),
    "outputs": (
        Annotated[
            list[str] | None,
            typer.Option(
                "--output",
                metavar="FILE",
                help="Also write the report to FILE, in the format of its ending (.sarif, .json, .jsonl, .csv, .md, "
                ".txt, .parquet, .xml for junit) or as FORMAT:FILE says. May be given several times.",
            ),
        ],
        None,
    ),
    "page": (ReportOption, None),
    "select": (
        Annotated[
            list[str] | None,
            typer.Option(
                metavar="PREFIX", help="Run only rules whose code begins so: LOC, LOC003, or several: LOC,XML."
            ),
        ],
        None,
    ),
    "ignore": (
        Annotated[list[str] | None, typer.Option(metavar="PREFIX", help="Leave out rules whose code begins so.")],
        None,
    ),
    "fail_on": (
        Annotated[
            FailOn,
            typer.Option(
                metavar="SEVERITY", help="The least severity that exits with 1: error, warning, info, hint, or never."
            ),
        ],
        FailOn.ERROR,
    ),
    "max_examples": (
        Annotated[
            int, typer.Option(metavar="N", min=0, help="Keep at most N examples of a finding; counts stay exact.")
        ],
        10,
    ),
    "preview": (
        Annotated[bool, typer.Option("--preview", help="Run the rules in preview, too; `urlset rules` marks them.")],
        False,
    ),
    # Not in the configuration file: it may come with a pull request, as the rules do.
    "rule_time": (
        Annotated[
            float,
            typer.Option(
                metavar="SECONDS", min=0, help="Stop a rule of your own after this time in all; 0 for no limit."
            ),
        ],
        60.0,
    ),
    "rule_memory": (
        Annotated[str, typer.Option(metavar="SIZE", help="Maximum memory for a rule of your own.")],
        "1GB",
    ),
    "verbose": (
        Annotated[
            bool,
            typer.Option("--verbose", "-v", help="Show every example kept, with whole URLs, and the rules' sources."),
        ],
        False,
    ),
    "colour": (
        ColourOption,
        Colour.AUTO,
    ),
    "profile": (
        ProfileOption,
        None,
    ),
    "require": (
        Annotated[
            list[RequiredField] | None,
            typer.Option(
                metavar="FIELD", help="Require an optional field of every entry: lastmod.", show_default=False
            ),
        ],
        None,
    ),
    "max_warnings": (
        Annotated[
            int | None,
            typer.Option(metavar="N", min=0, help="More warnings than this exit with 1 too.", show_default=False),
        ],
        None,
    ),
    "baseline": (
        Annotated[
            Path | None,
            typer.Option(
                metavar="FILE",
                help="Findings in this file are known: they are not shown and do not count.",
                show_default=False,
            ),
        ],
        None,
    ),
    "write_baseline": (
        Annotated[bool, typer.Option("--write-baseline", help="Write what is found to the baseline, and exit with 0.")],
        False,
    ),
    "agent": (
        Annotated[
            list[str] | None,
            typer.Option(
                "--agent",
                metavar="NAME",
                help="A crawler that robots.txt is asked about, where it is read (--discover, --robots): Googlebot and "
                "Bingbot unless given. May be given several times.",
                show_default=False,
            ),
        ],
        None,
    ),
}
"""The group: for each parameter its annotation and its default."""

SETTINGS = ("select", "ignore", "fail_on", "max_examples", "profile", "max_warnings", "baseline", "preview", "require")
"""Those that may stand in the configuration file, too."""


@dataclass(frozen=True)
class Judging:
    """What the command line says on judging.

    Attributes:
        values: The value of each option.
        given: Those that stand on it, by the names of the configuration file's settings.
        files: Where the report goes besides standard output.
    """

    values: Mapping[str, Any]
    given: Mapping[str, Any]
    files: Sequence[Destination]

    @property
    def page(self) -> Path | None:
        """Where the report page goes; None if none is wanted."""
        page: Path | None = self.values["page"]
        return page

    def settings(self, reading: Reading, more: Mapping[str, Any] | None = None) -> Resolved:
        """Everything in force.

        Args:
            reading: What it says on fetching and reading.
            more: What else it says.

        Raises:
            MisuseError: Options contradict each other, or make no sense.
            ConfigError: The file cannot be read or makes no sense.
        """
        from urlset.cli import known

        settings = reading.settings({**self.given, **(more or {})})
        known.check_options(settings.baseline, self.values["write_baseline"])
        return settings

    def asked(self, settings: Resolved) -> ValidateOptions:
        """The options of the run: a baseline wants more examples than are shown."""
        from urlset.cli import known

        bounds = {"rule_seconds": self.values["rule_time"], "rule_memory": self.values["rule_memory"]}
        options = replace(settings.options, **bounds)
        return options if settings.baseline is None else known.enough_examples(options)

    def deliver(
        self,
        report: Report,
        settings: Resolved,
        show: Callable[[Report, Output], bool] | None = None,
        page: Callable[[Report], Page] | None = None,
    ) -> ExitCode:
        """Writes the report wherever it is to go, and says how the run ended.

        Args:
            report: What was found.
            settings: What is in force.
            show: What writes standard output instead; it gives False to leave that to the form.
            page: What makes the report page of it, where one is wanted.
        """
        from urlset.cli import known
        from urlset.cli.output import Output, complain
        from urlset.cli.outputs import write_outputs, write_page
        from urlset.errors import ExitCode, exit_code_for

        values, options = self.values, settings.options
        output = Output(values["colour"])
        # The text report says the same; on one terminal once is enough.
        if not (values["form"] is Form.TEXT and output.is_terminal and sys.stderr.isatty()):
            for note in report.notes:
                complain(note)
            for unreadable in report.unreadable:
                complain(f"{unreadable.target}: {unreadable.reason}")
        if settings.baseline is not None:
            if values["write_baseline"]:
                known.write_baseline(report, settings.baseline)
                return ExitCode.CLEAN
            report = known.without_known(report, settings.baseline, options.max_examples)
        if values["form"] is not None and (show is None or not show(report, output)):
            output.write_report(report, values["form"], fail_on=options.fail_on, verbose=values["verbose"])
        write_outputs(report, self.files, fail_on=options.fail_on, verbose=values["verbose"])
        if self.page is not None and page is not None:
            write_page(page(report), self.page)
        if report.unreadable:
            return exit_code_for(one.reason for one in report.unreadable)
        return ExitCode.FINDINGS if report.fails(options.fail_on, options.max_warnings) else ExitCode.CLEAN


def with_judging_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options of the group; it gets them as one parameter, `judging`."""
    return with_group(command, "judging", GROUP, _judging, is_first=True)


def _judging(context: typer.Context, values: Mapping[str, Any]) -> Judging:
    from urlset.cli.outputs import check_place, destinations

    if values["page"] is not None:
        check_place(values["page"])
    settings = {name: values[name] for name in SETTINGS}
    settings |= {"select": _codes(values["select"]), "ignore": _codes(values["ignore"])}
    settings["require"] = tuple(values["require"] or ())
    given = given_on_command_line(context, settings)
    if values["agent"]:
        given["agents"] = tuple(dict.fromkeys(values["agent"]))
    return Judging(values, given, destinations(values["outputs"] or ()))


def _codes(given: list[str] | None) -> tuple[str, ...]:
    """The prefixes that were given one by one or with commas, in capitals."""
    return tuple(code.strip().upper() for text in given or () for code in text.split(",") if code.strip())
