"""urlset: finds, reads, validates, scores and writes sitemaps.

    urlset.read(target)       a document: facts, tables as Arrow, typed entries
    urlset.scan(target)       the same, batch by batch, in constant memory
    urlset.validate(targets)  a report: what is wrong, where, and how to fix it
    urlset.discover(origin)   the sitemaps of a site, and how each was found
    urlset.check(origin)      a score from 0 to 1, with its steps and their evidence
    urlset.audit(targets)     the listed pages as well, all of it kept in a store; `history` lists its runs
    urlset.inspect(targets)   what documents are, judged by nobody
    urlset.diff(before, after)
                              what changed between two sides
    urlset.fix(targets)       what has one right answer repaired, the rest listed
    urlset.report_page(store) the page of an audit that a store keeps, as HTML
    urlset.write(entries, base_url, out_dir)
                              a published set of sitemaps; `Writer` for one entry at a time
    urlset.build_sitemaps(config)
                              the sitemaps of sites from folders, lists, queries, other sitemaps
    urlset.stream(entries)    one sitemap as bytes, for an answer that is streamed; `astream` for async iterables

A target is a path, an http(s) URL, `-` for standard input, bytes, or a file open for reading bytes; `validate` takes
several, and folders. Nothing heavy is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlset._core import Table, __version__
    from urlset.api import (
        audit,
        build_sitemaps,
        check,
        diff,
        discover,
        fix,
        history,
        inspect,
        read,
        report_page,
        scan,
        validate,
    )
    from urlset.build.options import WriteOptions
    from urlset.build.stream import astream, stream
    from urlset.build.writer import Writer, write
    from urlset.buildspec import (
        BuildSpec,
        FileFolder,
        HtmlFolder,
        IndexSpec,
        Query,
        RemoteSitemap,
        Site,
        Sitemaps,
        UrlList,
    )
    from urlset.buildwords import LastmodSource, ListFormat, UrlStyle
    from urlset.config import ExpandOptions, FetchOptions
    from urlset.documents import Batch, Document
    from urlset.errors import (
        ConfigError,
        EntryRefusedError,
        InputError,
        MissingExtraError,
        MisuseError,
        OutputError,
        QueryError,
        ShrinkError,
        UrlsetError,
    )
    from urlset.model.audit import AgentAccess, Audited, Inventory, MediaSeen, PagesSeen, Share
    from urlset.model.build import (
        BuildReport,
        File,
        IndexReport,
        Lastmod,
        Refused,
        RobotsReport,
        Said,
        SiteReport,
        Summary,
    )
    from urlset.model.check import CheckResult, Evidence, StepResult
    from urlset.model.comparison import Comparison
    from urlset.model.discovery import Candidate, Discovery
    from urlset.model.document import InspectedDocument, InspectReport
    from urlset.model.entry import Alternate, Child, Entry, Image, News, Url, Video
    from urlset.model.finding import Example, Finding
    from urlset.model.fix import FixedDocument, FixReport
    from urlset.model.report import Report
    from urlset.model.run import RunRow
    from urlset.model.specification import Status
    from urlset.robots import Robots
    from urlset.rules.rule import Rule, RuleInfo, Severity

_HOMES = {
    "AgentAccess": "urlset.model.audit",
    "Alternate": "urlset.model.entry",
    "Audited": "urlset.model.audit",
    "Batch": "urlset.documents",
    "BuildReport": "urlset.model.build",
    "BuildSpec": "urlset.buildspec",
    "Candidate": "urlset.model.discovery",
    "CheckResult": "urlset.model.check",
    "Child": "urlset.model.entry",
    "Comparison": "urlset.model.comparison",
    "ConfigError": "urlset.errors",
    "Discovery": "urlset.model.discovery",
    "Document": "urlset.documents",
    "Entry": "urlset.model.entry",
    "EntryRefusedError": "urlset.errors",
    "Evidence": "urlset.model.check",
    "Example": "urlset.model.finding",
    "ExpandOptions": "urlset.config",
    "FetchOptions": "urlset.config",
    "File": "urlset.model.build",
    "FileFolder": "urlset.buildspec",
    "Finding": "urlset.model.finding",
    "FixReport": "urlset.model.fix",
    "FixedDocument": "urlset.model.fix",
    "HtmlFolder": "urlset.buildspec",
    "Image": "urlset.model.entry",
    "IndexReport": "urlset.model.build",
    "IndexSpec": "urlset.buildspec",
    "InputError": "urlset.errors",
    "InspectReport": "urlset.model.document",
    "InspectedDocument": "urlset.model.document",
    "Inventory": "urlset.model.audit",
    "Lastmod": "urlset.model.build",
    "LastmodSource": "urlset.buildwords",
    "ListFormat": "urlset.buildwords",
    "MediaSeen": "urlset.model.audit",
    "MissingExtraError": "urlset.errors",
    "MisuseError": "urlset.errors",
    "News": "urlset.model.entry",
    "OutputError": "urlset.errors",
    "PagesSeen": "urlset.model.audit",
    "Query": "urlset.buildspec",
    "QueryError": "urlset.errors",
    "Refused": "urlset.model.build",
    "RemoteSitemap": "urlset.buildspec",
    "Report": "urlset.model.report",
    "Robots": "urlset.robots",
    "RobotsReport": "urlset.model.build",
    "Rule": "urlset.rules.rule",
    "RuleInfo": "urlset.rules.rule",
    "RunRow": "urlset.model.run",
    "Said": "urlset.model.build",
    "Severity": "urlset.rules.rule",
    "Share": "urlset.model.audit",
    "ShrinkError": "urlset.errors",
    "Site": "urlset.buildspec",
    "SiteReport": "urlset.model.build",
    "Sitemaps": "urlset.buildspec",
    "Status": "urlset.model.specification",
    "StepResult": "urlset.model.check",
    "Summary": "urlset.model.build",
    "Table": "urlset._core",
    "Url": "urlset.model.entry",
    "UrlList": "urlset.buildspec",
    "UrlStyle": "urlset.buildwords",
    "UrlsetError": "urlset.errors",
    "Video": "urlset.model.entry",
    "WriteOptions": "urlset.build.options",
    "Writer": "urlset.build.writer",
    "__version__": "urlset._core",
    "astream": "urlset.build.stream",
    "audit": "urlset.api",
    "build_sitemaps": "urlset.api",
    "check": "urlset.api",
    "diff": "urlset.api",
    "discover": "urlset.api",
    "fix": "urlset.api",
    "history": "urlset.api",
    "inspect": "urlset.api",
    "read": "urlset.api",
    "report_page": "urlset.api",
    "scan": "urlset.api",
    "stream": "urlset.build.stream",
    "validate": "urlset.api",
    "write": "urlset.build.writer",
}

__all__ = [
    "AgentAccess",
    "Alternate",
    "Audited",
    "Batch",
    "BuildReport",
    "BuildSpec",
    "Candidate",
    "CheckResult",
    "Child",
    "Comparison",
    "ConfigError",
    "Discovery",
    "Document",
    "Entry",
    "EntryRefusedError",
    "Evidence",
    "Example",
    "ExpandOptions",
    "FetchOptions",
    "File",
    "FileFolder",
    "Finding",
    "FixReport",
    "FixedDocument",
    "HtmlFolder",
    "Image",
    "IndexReport",
    "IndexSpec",
    "InputError",
    "InspectReport",
    "InspectedDocument",
    "Inventory",
    "Lastmod",
    "LastmodSource",
    "ListFormat",
    "MediaSeen",
    "MissingExtraError",
    "MisuseError",
    "News",
    "OutputError",
    "PagesSeen",
    "Query",
    "QueryError",
    "Refused",
    "RemoteSitemap",
    "Report",
    "Robots",
    "RobotsReport",
    "Rule",
    "RuleInfo",
    "RunRow",
    "Said",
    "Severity",
    "Share",
    "ShrinkError",
    "Site",
    "SiteReport",
    "Sitemaps",
    "Status",
    "StepResult",
    "Summary",
    "Table",
    "Url",
    "UrlList",
    "UrlStyle",
    "UrlsetError",
    "Video",
    "WriteOptions",
    "Writer",
    "__version__",
    "astream",
    "audit",
    "build_sitemaps",
    "check",
    "diff",
    "discover",
    "fix",
    "history",
    "inspect",
    "read",
    "report_page",
    "scan",
    "stream",
    "validate",
    "write",
]


def __getattr__(name: str) -> object:
    """Imports a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'urlset' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
