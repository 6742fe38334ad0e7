"""The JSON of commands: what `--format json` writes. The classes of results say which members it has (`urlset.model`).

`json_schema` makes the schemas of the same objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET

from urlset.model.fields import VERSION, Flat
from urlset.model.json_values import as_json, members_of, reader_of
from urlset.model.specification import SPECIFICATION
from urlset.report.style import Style
from urlset.text.safe import json_pieces, json_text


@dataclass(frozen=True, slots=True)
class Output:
    """JSON that a command writes. The method `json` is a renderer.

    Attributes:
        command: The command, with the option that asks for it.
        about: What it has, as a sentence.
        listed: The member with the results, if there are several.
        name: The name of its schema, if not the command.
        of: The class that it shows, if not that of the result of the command (`CommandOutput.of`).
        members: Its members in the form of `Flat`, if not those of the class.
    """

    command: str
    about: str
    listed: str = ""
    name: str = ""
    of: str = ""
    members: tuple[str, ...] = ()

    def json(self, result: Any, style: Style = Style()) -> Iterator[str]:
        yield from json_pieces(self.content(result), ascii_only=style.ascii_only)

    def content(self, result: Any) -> dict[str, object]:
        """Return the object; what is an iterator in the result is an iterator of JSON values."""
        if self.listed:
            return {"version": VERSION, self.listed: as_json(result)}
        read = reader_of(self.members_of(type(result)))
        return {"version": VERSION} | {
            name: map(as_json, part) if isinstance(part, Iterator) else as_json(part)
            for name, part in read(result).items()
            if part is not UNSET
        }

    def members_of(self, cls: type[Any]) -> Mapping[str, str]:
        """Return the attribute of each member, like `urlset.model.json_values.members_of`."""
        return Flat(*self.members).members if self.members else members_of(cls)


@dataclass(frozen=True, slots=True)
class OneOrMore(Output):
    """JSON of a single result, or an array if there may be several, without a version of its own."""

    def json(self, result: Sequence[object], style: Style = Style()) -> Iterator[str]:
        values = as_json(result)
        yield json_text(values if style.several else values[0], ascii_only=style.ascii_only)


VALIDATE = Output("validate", "The documents that were read, and their findings.")
STATISTICS = Output(
    "validate --statistics",
    "Counts per rule.",
    name="statistics",
    members=("tool", "unreadable", "summary=finding_counts", "statistics"),
)
AUDIT = Output("audit", "Findings, the listed pages in numbers, and crawler access.")
PAGE = Output("audit page", "What is known about one page.")
CHECK = OneOrMore(
    "check",
    f"The scored check `{SPECIFICATION.id}` {SPECIFICATION.version}: a result for a single origin, or an array of "
    "results for several origins or a file of origins.",
)
DISCOVERY = Output("discover", "The sitemaps of sites, and how each was found.", listed="origins")
CLIENTS = Output("check --clients", "What an address answers to crawlers, and what stops them.")
POLICY = Output("robots --policy", "What a site declares to crawlers, and what it answers to them.")
POLICY_FILE = Output("robots --write-policy", "The lines written into a robots.txt, and the verdicts that change.")
SIGNING_KEY = Output("key new", "The key that was made, without its private part.")
INSPECT = Output("inspect", "Facts about each document, without running rules.")
ROBOTS = Output("robots", "What robots.txt says, and the verdict for each tested URL and crawler.")
DIFF = Output("diff", "Changes between two sides.")
DATES = Output("lastmod", "How many dates of each sitemap are true.")
BUILD = Output("build", "The built files, and what was left out and why.", of="model.build_result:BuildResult")
FIX = Output("fix", "What was repaired, and what was left out.")
NOTIFY = Output("notify", "What changed, what was sent with IndexNow, and what was not.")
KEY = Output("notify key", "The key for IndexNow, and its file.")
DEPLOY_CHECK = Output("deploy-check", "What differs between a directory and what its site serves.")
LOGS = Output("logs", "What crawlers requested according to access logs.")
COVERAGE = Output(
    "coverage",
    "How many listed URLs are fetched by crawlers, indexable, and indexed, and the findings of the rules on coverage.",
)
CLOCK = Output(
    "coverage --clock", "How long pages take to be crawled, indexed, and shown in results, and which ones wait longest."
)
COVERAGE_DIFF = Output(
    "coverage diff", "Which URLs fell out of an index or entered it, and what changed on their pages."
)
IMPORT = Output("coverage import", "What each imported file was, and what could not be used.")
INSPECTION = Output("coverage inspect", "The share of indexed URLs in a sample, and the reasons.")
IMPRESSIONS = Output("coverage impressions", "The days of Search Analytics that were added to the store.")
REPORTED = Output("coverage sitemaps", "What search engines say about submitted sitemaps.")
MONITOR = Output("monitor", "What is new on the sites that were due.")
RULES = Output("rules", "The rules.", listed="rules")
CONFIG = Output("config", "The effective configuration.")
CACHE = Output("cache", "The size of the HTTP cache.")
HISTORY = Output("history", "The runs of a store, oldest first.", listed="runs")
AGENTS = Output("robots --agents", "The known crawlers.", listed="agents")
