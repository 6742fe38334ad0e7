"""`urlset ignore`: ignore the findings of a rule until a date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.errors import ExitCode, UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import option_group
from urlset.options.ignoring import ALL_DOCUMENTS, IgnoreOptions
from urlset.options.reporting import BaselineOptions
from urlset.options.verbs import ValidateOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.reference import IgnoredRule
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(BaselineOptions, IgnoreOptions, ConfiguringOptions):
    """Options of `urlset ignore`."""


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from datetime import UTC, datetime

    from urlset.cli.output import Output
    from urlset.pipeline.ignore import ignore

    options = configuration.options
    if options.baseline is None:
        raise UsageError("no baseline given; add --baseline FILE, or set baseline in the configuration file")
    ignored = ignore(options, options.baseline, configuration.of(ValidateOptions), datetime.now(UTC).date())
    Output().write(_lines(ignored))
    return ExitCode.CLEAN


def _lines(ignored: IgnoredRule) -> Iterator[str]:
    from urlset.text.safe import safe
    from urlset.text.sizes import quantity

    where = "all documents" if ignored.document == ALL_DOCUMENTS else safe(ignored.document)
    yield f"{ignored.code} ({ignored.name}) is ignored in {where} until {ignored.until}"
    yield f"  reason: {safe(ignored.reason)}"
    before = f"; replaced the entry until {ignored.replaced_until}" if ignored.replaced_until is not None else ""
    yield f"  baseline: {safe(str(ignored.baseline))}, {quantity(ignored.entries, 'entry', 'entries')}{before}"


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Ignore the findings of a rule until a date.

    This adds an entry to the baseline, which `urlset validate` and `urlset audit` then apply. Without a DOCUMENT, the
    rule is ignored in all documents. In a pattern, * matches any characters, including slashes; a pattern without a
    slash is matched with the name of the document only.""",
    details="""The baseline is created if it does not exist. A file or a pattern with a slash is recorded relative to
    the directory of the baseline. If the baseline already ignores the rule in the same DOCUMENT, the reason and the
    date are replaced. To record single findings instead of a whole rule, use `urlset validate --write-baseline`.""",
    examples=(
        'urlset ignore LOC003 --reason "until the relaunch" --until 2027-01-31 --baseline known.json',
        'urlset ignore MOD002 "archive/*" --reason "old dates stay" --until 2027-12-31',
    ),
    exit_status="0 the entry was written, 2 usage or configuration error, 3 the baseline could not be written, "
    "4 internal error.",
)
