"""The options of an audit, and those that the configuration file can set."""

from __future__ import annotations

from pathlib import Path

from urlset.options.declare import PER_RUN, OptionFacts, Panel, Resume, option, option_group
from urlset.options.intent import IntentOptions
from urlset.options.notifying import IndexNowOptions
from urlset.options.probing import ProbingOptions
from urlset.options.reading_logs import LogOptions
from urlset.options.reporting import ReportingOptions
from urlset.options.storing import StoringOptions
from urlset.options.verbs import ValidateOptions


@option_group
class AuditOptions(ValidateOptions, ProbingOptions, StoringOptions, IntentOptions):
    """Options of `audit`.

    Attributes:
        is_stable_sample: Whether the sample depends on the URLs instead of their places, as `monitor` needs it.
    """

    # An audit always reads robots.txt, and only `validate` asks libxml2.
    robots: bool = True
    xsd: Path | None = None
    is_stable_sample: bool = False
    against: Path | None = option(
        None,
        OptionFacts(
            help="Compare lastmod with the history of the source files of the pages, which are in this directory, or "
            "with the proofs in the state file of their build",
            panel=Panel.PAGES,
            metavar="DIR|FILE",
            example='"content"',
            faces=PER_RUN,
            rare=True,
            is_place=True,
            resume=Resume.GIVEN_AGAIN,
        ),
    )


@option_group
class KeyedOptions(
    ReportingOptions, ProbingOptions, StoringOptions, IndexNowOptions, IntentOptions, LogOptions, ValidateOptions
):
    """Every option that the configuration file can set outside of `[build]`."""
