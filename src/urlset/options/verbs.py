"""The options of each verb: the groups that it takes."""

from __future__ import annotations

from dataclasses import dataclass

from urlset.options.building import BuildingOptions
from urlset.options.comparing import ComparingOptions
from urlset.options.declare import Facts, Panel, option
from urlset.options.fetching import FetchingOptions
from urlset.options.fixing import FixingOptions
from urlset.options.following import FollowingOptions
from urlset.options.judging import AgentOptions, JudgingOptions
from urlset.options.probing import ProbingOptions
from urlset.options.reading import ReadingOptions
from urlset.options.reporting import ReportingOptions
from urlset.options.searching import SearchingOptions
from urlset.options.storing import StoringOptions


@dataclass(frozen=True, kw_only=True)
class ReadOptions(ReadingOptions, FetchingOptions):
    """Options of `urlset.read` and `urlset.scan`."""


@dataclass(frozen=True, kw_only=True)
class InspectOptions(ReadOptions, FollowingOptions):
    """Options of `inspect`.

    Attributes:
        robots: Whether robots.txt of the targets' hosts is read: an option of verbs that check listed URLs.
    """

    robots: bool = False


@dataclass(frozen=True, kw_only=True)
class ValidateOptions(InspectOptions, JudgingOptions):
    """Options of `validate`."""

    robots: bool = option(
        False,
        Facts(
            help="Also check listed URLs against robots.txt of the targets' own hosts",
            panel=Panel.RULES,
            example="true",
            more="An audit always does.",
        ),
    )


@dataclass(frozen=True, kw_only=True)
class AuditOptions(ValidateOptions, ProbingOptions, StoringOptions):
    """Options of `audit`."""

    # An audit always reads robots.txt.
    robots: bool = True


@dataclass(frozen=True, kw_only=True)
class DiffOptions(ValidateOptions, ComparingOptions):
    """Options of `diff`."""

    robots: bool = False


@dataclass(frozen=True, kw_only=True)
class DiscoverOptions(ReadOptions, SearchingOptions):
    """Options of `discover`."""


@dataclass(frozen=True, kw_only=True)
class CheckOptions(ReadOptions):
    """Options of `check`."""


@dataclass(frozen=True, kw_only=True)
class RobotsOptions(ReadOptions, AgentOptions):
    """Options of `robots`."""


@dataclass(frozen=True, kw_only=True)
class FixOptions(ReadOptions, FixingOptions):
    """Options of `fix`."""


@dataclass(frozen=True, kw_only=True)
class KeyedOptions(ReportingOptions, ProbingOptions, StoringOptions, ValidateOptions):
    """Every option that the configuration file can set outside of `[build]`."""


@dataclass(frozen=True, kw_only=True)
class BuildOptions(ReadOptions, BuildingOptions):
    """Options of `build`."""
