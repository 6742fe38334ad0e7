"""The options of every command and function: one frozen dataclass for each group of them.

The options of a verb inherit the groups that it takes, so that a function that needs the network alone asks for
`FetchingOptions` and takes the options of any verb.
"""

from urlset.options.comparing import ComparingOptions, FailOnChange
from urlset.options.fetching import FetchingOptions
from urlset.options.fixing import FixingOptions
from urlset.options.following import FollowingOptions
from urlset.options.judging import JudgingOptions, OwnRule, Profile, RequiredField, SeverityName
from urlset.options.probing import ProbeMethod, ProbingOptions
from urlset.options.reading import ReadingOptions
from urlset.options.reporting import FailOn, ReportingOptions
from urlset.options.searching import SearchingOptions
from urlset.options.storing import StoringOptions
from urlset.options.verbs import (
    AuditOptions,
    BuildOptions,
    CheckOptions,
    DiffOptions,
    DiscoverOptions,
    FixOptions,
    InspectOptions,
    ReadOptions,
    RobotsOptions,
    ValidateOptions,
)
from urlset.options.writing import WriteOptions

__all__ = [
    "AuditOptions",
    "BuildOptions",
    "CheckOptions",
    "ComparingOptions",
    "DiffOptions",
    "DiscoverOptions",
    "FailOn",
    "FailOnChange",
    "FetchingOptions",
    "FixOptions",
    "FixingOptions",
    "FollowingOptions",
    "InspectOptions",
    "JudgingOptions",
    "OwnRule",
    "ProbeMethod",
    "ProbingOptions",
    "Profile",
    "ReadOptions",
    "ReadingOptions",
    "ReportingOptions",
    "RequiredField",
    "RobotsOptions",
    "SearchingOptions",
    "SeverityName",
    "StoringOptions",
    "ValidateOptions",
    "WriteOptions",
]
