"""`urlset diff`: compare two sitemaps, directories, sites, or runs."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import DASH, ColorOptions, file_or_stdout, output_option
from urlset.errors import ExitCode, InputError, UsageError
from urlset.options.comparing import DiffOptions, FailOnChange, UrlSelection
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Text, option_group, required
from urlset.report.formats import OUTPUTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.model.comparison import Gaps
    from urlset.options.resolve import ResolvedOptions


class ChangesFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    PR = "pr"
    GITHUB = "github"
    LLM = "llm"


def _side(what: str, metavar: str) -> OptionFacts:
    return OptionFacts(
        has_user=True, help=what, panel=Panel.TARGETS, metavar=metavar, faces=COMMAND_LINE, positional=True
    )


@option_group
class Options(DiffOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset diff`."""

    before: Text = required(_side("The earlier side", "BEFORE"))
    after: Text = required(_side("The later side", "AFTER"))
    fail_on: FailOnChange = output_option(
        FailOnChange.ALARM, "Lowest level that fails: alarm, warning (also new warnings), any, or never", "LEVEL"
    )
    new_only: bool = output_option(False, "Fail only on new findings and pages that are no longer indexable")
    urls: UrlSelection | None = output_option(
        None, "Only list every URL that was added, removed, or changed, or all of them", "WHICH"
    )
    redirects: Path | None = output_option(
        None,
        "Only check where old URLs lead after a migration: a CSV or Parquet file with each old and new URL",
        "FILE",
    )
    redirect_columns: Text | None = output_option(
        None, "Columns of that file with the old and the new URLs", "OLD,NEW", default_text="found by name"
    )
    format: ChangesFormat = output_option(
        ChangesFormat.TEXT,
        "Output format: text, json, llm (short, for language models), pr (Markdown for a pull request), or "
        "github (annotations of alarms and new findings); "
        "with --urls text, jsonl, csv, or parquet; "
        "with --redirects text, jsonl, or csv",
        "FORMAT",
    )
    output: Path | None = output_option(None, "Write to FILE; - for standard output", "FILE", short="o")
    verbose: bool = output_option(False, "Show all findings, including those on both sides", short="v")

    def check(self) -> None:
        """Check that the format suits what is shown.

        Raises:
            UsageError: It does not.
        """
        what, forms = self._task
        if self.format.value not in forms:
            raise UsageError(f"--format {self.format} is not possible {what}; choose from {', '.join(forms)}")
        if self.format is ChangesFormat.PARQUET and self.output in (None, DASH):
            raise UsageError("parquet is a binary format; name a file with --output FILE")
        if self.asked is not None and (self.urls is not None or self.redirects is not None or not self.rules):
            raise UsageError(
                f"{self.asked} applies to audits of directories; it cannot be combined with {self._without_rules}"
            )
        if self.new_only and (self.urls is not None or self.redirects is not None or not self.rules):
            raise UsageError(f"--new-only compares findings; it cannot be combined with {self._without_rules}")
        if self.redirects is None and self.redirect_columns is not None:
            raise UsageError("--redirect-columns needs --redirects FILE")
        if self.redirects is not None and (self.urls is not None or self.ask_removed is not None):
            raise UsageError("--redirects cannot be combined with --urls or --ask-removed")
        if self.redirect_columns is not None and len(self.redirect_columns.split(",")) != 2:
            raise UsageError(f"--redirect-columns: must be two names, OLD,NEW, not {self.redirect_columns!r}")

    @property
    def _without_rules(self) -> str:
        """The option that turns rules off."""
        return "--urls" if self.urls is not None else "--redirects" if self.redirects is not None else "--no-rules"

    @property
    def _task(self) -> tuple[str, Mapping[str, str]]:
        """What is shown, for messages, and its formats."""
        if self.redirects is not None:
            return "with --redirects", OUTPUTS["redirects"].formats
        if self.urls is not None:
            return "with --urls", {**OUTPUTS["urls"].formats, ChangesFormat.PARQUET.value: ""}
        return "without --urls", OUTPUTS["diff"].formats


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.cli.outputs import as_file
    from urlset.cli.progress_bar import ProgressBar
    from urlset.pipeline.diff import diff
    from urlset.report.formats import render
    from urlset.report.style import Style
    from urlset.stages.ruleset import check_rules

    options = configuration.options
    check_rules(configuration)
    if options.urls is not None:
        return _list_urls(options, options.urls)
    if options.redirects is not None:
        return _check_redirects(options, options.redirects)
    with ProgressBar() as progress:
        annotated = options.format is ChangesFormat.GITHUB
        comparison = diff(options.before, options.after, options, progress, with_new_findings=annotated)
    file = file_or_stdout(options.output)
    if file is None:
        screen = Output(options.color)
        screen.show("diff", options.format, comparison, replace(screen.style, verbose=options.verbose))
    else:
        from urlset.files.publish import publish

        publish(file, as_file(render("diff", options.format, comparison, Style(verbose=options.verbose))))
    gaps = comparison.before.gaps, comparison.after.gaps
    # With findings on both sides, a document that became incomplete is a new error.
    if any(side.unreadable for side in gaps) or comparison.findings is None:
        unread = _exit_code(gaps)
        if unread is not ExitCode.CLEAN:
            return unread
    if options.new_only and comparison.findings is None:
        raise InputError("--new-only", "findings were not compared, because the rules did not run on both sides")
    return ExitCode.FINDINGS if comparison.fails(options.fail_on, new_only=options.new_only) else ExitCode.CLEAN


def _exit_code(gaps: Sequence[Gaps]) -> ExitCode:
    """Return the exit code for sides that may lack URLs: 4 for an internal error, 3 for another reason, else 0."""
    from urlset.errors import exit_code_for

    unread = exit_code_for(document.reason for side in gaps for document in side.unreadable)
    if unread is ExitCode.CLEAN and any(side.may_lack_urls for side in gaps):
        return ExitCode.UNREADABLE
    return unread


def _complain_of(gaps: Sequence[Gaps]) -> None:
    from urlset.cli.output import complain
    from urlset.report.formats import part

    for name, side in zip(("before", "after"), gaps, strict=True):
        for line in part("diff.gap_lines")(side):
            complain(f"{name}: {line}")


def _list_urls(options: Options, selection: UrlSelection) -> ExitCode:
    """List every URL that differs, as it is found."""
    from urlset.cli.output import Output
    from urlset.cli.progress_bar import ProgressBar
    from urlset.files.publish import replacing
    from urlset.pipeline.diff import changed_urls
    from urlset.report.formats import render

    place = file_or_stdout(options.output)
    screen = Output(options.color)
    with (
        ProgressBar() as progress,
        nullcontext() if place is None else replacing(place) as file,
        changed_urls(
            options.before,
            options.after,
            selection,
            options,
            progress,
            file if options.format is ChangesFormat.PARQUET else None,
        ) as (result, gaps),
    ):
        _complain_of(gaps)
        if file is None:
            screen.show("urls", options.format, result, screen.style)
        elif options.format is not ChangesFormat.PARQUET:
            with file.open("w", encoding="utf-8", newline="\n") as stream:
                stream.writelines(f"{line}\n" for line in render("urls", options.format, result))
    return _exit_code(gaps)


def _check_redirects(options: Options, path: Path) -> ExitCode:
    """Show where each old URL leads, in the order of the map."""
    from urlset.cli.output import Output
    from urlset.cli.progress_bar import ProgressBar
    from urlset.comparison.redirects import checked_redirects
    from urlset.files.publish import replacing
    from urlset.model.redirects import RedirectOutcome
    from urlset.report.formats import render
    from urlset.report.style import Style

    place = file_or_stdout(options.output)
    screen = Output(options.color)
    columns = None if options.redirect_columns is None else options.redirect_columns.split(",")
    with (
        ProgressBar() as progress,
        nullcontext() if place is None else replacing(place) as file,
        checked_redirects(options.before, options.after, path, columns, options, progress) as result,
    ):
        _complain_of(result.gaps)
        if file is None:
            screen.show("redirects", options.format, result, replace(screen.style, verbose=options.verbose))
        else:
            with file.open("w", encoding="utf-8", newline="\n") as stream:
                lines = render("redirects", options.format, result, Style(verbose=options.verbose))
                stream.writelines(f"{line}\n" for line in lines)
    unread = _exit_code(result.gaps)
    if unread is not ExitCode.CLEAN:
        return unread
    if result.counts.fails(options.fail_on):
        return ExitCode.FINDINGS
    return ExitCode.UNREADABLE if result.counts.outcomes.get(RedirectOutcome.UNKNOWN) else ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show what changed: URLs added and removed, lastmod, children of indexes, and findings.

    BEFORE and AFTER are files, directories, sites, http(s) URLs, - for standard input, or runs of a store:
    FILE.duckdb for its newest complete run, FILE.duckdb@3 for run 3. For URLs, sites are searched and sitemap indexes
    followed. Directories of pages are audited as their host would serve them, like with `urlset audit`; with
    --no-rules, only their sitemaps are read.

    An alarm is a change that is rarely intended: more than --max-drop percent of URLs removed, a sitemap that no index
    lists anymore, a listed page that is no longer indexable, a new error, or a lastmod that moved back. After a
    migration, --ask-removed requests the URLs that are no longer listed; each should redirect. With --new-only, only
    pages count that are no longer indexable, and findings that are new or in more places than before: errors, with
    --fail-on warning also warnings, with --fail-on any all.

    With --urls, only the URLs are compared, and every one that differs is listed: + added, - removed, ~ with another
    lastmod.

    With --format pr, the changes are Markdown for a comment on a pull request, which is empty if nothing changed. With
    --format github, alarms and new findings are written as annotations of GitHub Actions; the findings are placed at
    the files of AFTER if it is a directory.

    With --redirects, each old URL of a redirect map is requested; it should lead to exactly its new URL, with one
    permanent redirect. URLs that only BEFORE lists and that the map does not have are listed as unmapped.""",
    examples=(
        "urlset diff old/sitemap.xml new/sitemap.xml",
        "urlset diff https://example.com/sitemap.xml public/",
        "urlset diff urlset.duckdb@1 urlset.duckdb@2",
        "urlset diff urlset.duckdb public/ --max-drop 5 --format json",
        "urlset diff base/ dist/ --format pr --new-only --output comment.md",
        "urlset diff old/ public/ --urls removed --format csv",
        "urlset diff old/ https://example.com --redirects map.csv",
    ),
    exit_status="0 no alarm, or with --urls; 1 an alarm (see --fail-on), or a redirect that does not arrive; 2 usage "
    "or configuration error; 3 a side could not be read, or not completely and rules did not run on both sides, or an "
    "old URL gave no answer; 4 internal error.",
)
