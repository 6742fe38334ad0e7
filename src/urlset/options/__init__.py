"""The options of every command and function: one frozen dataclass for each group of them.

The options of a verb inherit the groups that it takes, so that a function that needs the network alone asks for
`FetchingOptions` and takes the options of any verb. Each name is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlset.options.auditing import AuditOptions
    from urlset.options.building import BuildOptions, BuildSpec, IndexSpec, RemoteSitemap, Site
    from urlset.options.comparing import DiffOptions, FailOnChange
    from urlset.options.fetching import FetchingOptions
    from urlset.options.fixing import FixOptions
    from urlset.options.following import FollowingOptions
    from urlset.options.judging import JudgingOptions, OwnRule, Profile, RequiredField, SeverityName
    from urlset.options.probing import ProbeMethod, ProbingOptions
    from urlset.options.reading import ReadingOptions
    from urlset.options.reporting import FailOn, ReportingOptions
    from urlset.options.searching import DiscoverOptions
    from urlset.options.sources import (
        FileFolder,
        HtmlFolder,
        LastmodSource,
        ListFormat,
        Query,
        Sitemaps,
        UrlList,
        UrlStyle,
    )
    from urlset.options.storing import StoringOptions
    from urlset.options.verbs import CheckOptions, InspectOptions, ReadOptions, RobotsOptions, ValidateOptions
    from urlset.options.writing import WriteOptions

_HOMES = {
    "AuditOptions": "auditing",
    "BuildOptions": "building",
    "BuildSpec": "building",
    "CheckOptions": "verbs",
    "DiffOptions": "comparing",
    "DiscoverOptions": "searching",
    "FailOn": "reporting",
    "FailOnChange": "comparing",
    "FetchingOptions": "fetching",
    "FileFolder": "sources",
    "FixOptions": "fixing",
    "FollowingOptions": "following",
    "HtmlFolder": "sources",
    "IndexSpec": "building",
    "InspectOptions": "verbs",
    "JudgingOptions": "judging",
    "LastmodSource": "sources",
    "ListFormat": "sources",
    "OwnRule": "judging",
    "ProbeMethod": "probing",
    "ProbingOptions": "probing",
    "Profile": "judging",
    "Query": "sources",
    "ReadOptions": "verbs",
    "ReadingOptions": "reading",
    "RemoteSitemap": "building",
    "ReportingOptions": "reporting",
    "RequiredField": "judging",
    "RobotsOptions": "verbs",
    "SeverityName": "judging",
    "Site": "building",
    "Sitemaps": "sources",
    "StoringOptions": "storing",
    "UrlList": "sources",
    "UrlStyle": "sources",
    "ValidateOptions": "verbs",
    "WriteOptions": "writing",
}

__all__ = [
    "AuditOptions",
    "BuildOptions",
    "BuildSpec",
    "CheckOptions",
    "DiffOptions",
    "DiscoverOptions",
    "FailOn",
    "FailOnChange",
    "FetchingOptions",
    "FileFolder",
    "FixOptions",
    "FollowingOptions",
    "HtmlFolder",
    "IndexSpec",
    "InspectOptions",
    "JudgingOptions",
    "LastmodSource",
    "ListFormat",
    "OwnRule",
    "ProbeMethod",
    "ProbingOptions",
    "Profile",
    "Query",
    "ReadOptions",
    "ReadingOptions",
    "RemoteSitemap",
    "ReportingOptions",
    "RequiredField",
    "RobotsOptions",
    "SeverityName",
    "Site",
    "Sitemaps",
    "StoringOptions",
    "UrlList",
    "UrlStyle",
    "ValidateOptions",
    "WriteOptions",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
