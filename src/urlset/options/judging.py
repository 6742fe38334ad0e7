"""Options for the rules: which of them run, with which severities and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import Meta

from urlset.errors import UsageError
from urlset.options.declare import (
    PER_RUN,
    SETTING,
    Names,
    NaturalNumber,
    OptionFacts,
    OptionGroup,
    Panel,
    Positive,
    Resume,
    Text,
    option,
    option_from,
    option_group,
    required,
)
from urlset.web.agents import DEFAULT_AGENTS

MAX_EXAMPLES = 999_999
"""Maximum number of examples per finding; DuckDB collects at most as many values of a group."""

Limit: TypeAlias = int | float | tuple[str, ...]
"""The value of a limit: a number, or a list of names."""


class RequiredField(StrEnum):
    """An optional field that can be required of every entry."""

    LASTMOD = "lastmod"


class Profile(StrEnum):
    """A search engine's requirements: a named set of severities and limits."""

    PROTOCOL = "protocol"
    """The text of sitemaps.org: its requirements are errors; rules of single search engines do not run."""
    GOOGLE = "google"
    """Google: ignores changefreq and priority, and rejects times without a time zone."""
    BING = "bing"
    """Bing: ignores changefreq and priority, and rejects dates in the future."""
    YANDEX = "yandex"
    """Yandex: accepts XML and text sitemaps only, and URLs of at most 1,024 characters."""


class SeverityName(StrEnum):
    """The severities of findings."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    HINT = "hint"


def _of_rule(what: str, example: str = "") -> OptionFacts:
    return OptionFacts(help=what, panel=Panel.RULES, example=example, faces=SETTING)


class Span(StrEnum):
    """The rows that the query of a rule sees."""

    DOCUMENT = "document"
    RUN = "run"


@option_group
class CustomRule(OptionGroup):
    """A custom rule. Its SQL is checked when the rules are loaded.

    Attributes:
        origin: The place of its declaration in messages: `urlset.toml, [[rule]] 2`.
    """

    code: Text = required(
        _of_rule(
            "Two to eight uppercase letters that no built-in rule family uses, followed by three digits", '"SHOP001"'
        )
    )
    message: Text = required(_of_rule("Title of a finding, without a full stop", '"Product page without a price list"'))
    name: str = option("", _of_rule("Name in lowercase with hyphens; by default the code", '"no-price-list"'))
    severity: SeverityName = option(SeverityName.WARNING, _of_rule("Severity of the findings", '"error"'))
    table: Text | None = option(None, _of_rule("Table whose rows `where` checks; by default urls", '"images"'))
    where: Text | None = option(
        None,
        _of_rule(
            "SQL predicate that is true for rows that break the rule; either this or `query`",
            "\"path like '/shop/%'\"",
        ),
    )
    query: Text | None = option(
        None,
        _of_rule(
            "Query that returns a row for each place that breaks the rule: document_id and, if they apply, "
            "ordinal, line, col, url, and value",
            '"SELECT document_id FROM documents WHERE entries = 0"',
        ),
    )
    span: Span = option(
        Span.DOCUMENT,
        _of_rule("Rows that a query sees: one document at a time (document), or all documents (run)", '"run"'),
    )
    field: Text | None = option(None, _of_rule("Column whose value and position are shown, with `where`", '"lastmod"'))
    example: Text | None = option(
        None, _of_rule("Template for an example; can use `{value}` and the columns of the row", '"{value}"')
    )
    fix: Text | None = option(None, _of_rule("How to fix the problem", '"Add the price list."'))
    sources: tuple[Text, ...] = option((), _of_rule("Links to a specification", '["https://wiki.example/sitemaps"]'))
    origin: str = ""

    @classmethod
    def placed(cls, where: str) -> dict[str, str]:
        return {"origin": where}

    @property
    def label(self) -> str:
        """The name of the rule in messages: the place of its declaration, if that is a file, and its code."""
        return f"{self.origin} ({self.code})" if self.origin else f"rule {self.code}"

    def check(self) -> None:
        """Check that the rule has either a predicate or a query."""
        if (self.where is None) == (self.query is None):
            raise UsageError(f"rule {self.code} requires either where or query")


@option_group
class AgentOptions(OptionGroup):
    """The crawlers that robots.txt is checked for."""

    agents: tuple[Text, ...] = option(
        DEFAULT_AGENTS,
        OptionFacts(
            resume=Resume.KEPT,
            help="Crawlers to check robots.txt for",
            panel=Panel.RULES,
            metavar="NAME",
            example='["Googlebot", "GPTBot"]',
            commas=True,
            more="Can be repeated. Has an effect only if robots.txt is read.",
        ),
    )


@option_group
class ProfileOptions(OptionGroup):
    """The profile to apply."""

    profile: Profile | None = option(
        None,
        OptionFacts(
            resume=Resume.KEPT,
            help="Validation profile: protocol, google, bing, or yandex",
            panel=Panel.RULES,
            metavar="NAME",
            example='"google"',
            removed={
                "strict-xsd": "use --xsd DIR, or xsd in the configuration file, with the schemas from "
                "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd and "
                "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd"
            },
        ),
    )


@option_group(panel=Panel.RULES, resume=Resume.KEPT)
class SelectionOptions(OptionGroup):
    """Options that choose rules, and change their severities."""

    select: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Run only rules whose code starts with PREFIX",
            metavar="PREFIX",
            example='["LOC", "MOD"]',
            commas=True,
            names=Names.RULES,
            more="If several prefixes match, the longest decides.",
        ),
    )
    ignore: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Skip rules whose code starts with PREFIX",
            metavar="PREFIX",
            example='["HNT", "LOC006"]',
            commas=True,
            names=Names.RULES,
        ),
    )
    severity: Mapping[Text, SeverityName] = option_from(
        dict,
        OptionFacts(
            help="Change the severity of rules; can be repeated",
            metavar="PREFIX=LEVEL",
            example='{ MOD002 = "error", HNT = "info" }',
            more="The longest prefix decides, and takes precedence over the profile. It applies to the report, its "
            "counts, and the exit code.",
        ),
    )


@option_group
class RuleOptions(SelectionOptions):
    """Which rules run, with which severity, and how many examples are kept."""

    max_examples: Annotated[int, Meta(ge=0, le=MAX_EXAMPLES)] = option(
        10,
        OptionFacts(
            rare=True,
            resume=Resume.NEW,
            help="Examples to keep per finding, which text shows with -v; counts stay exact",
            panel=Panel.REPORT,
            metavar="N",
            example="3",
        ),
    )

    def check(self) -> None:
        """Write codes in uppercase."""
        for name in ("select", "ignore"):
            object.__setattr__(self, name, tuple(code.strip().upper() for code in getattr(self, name)))
        object.__setattr__(self, "severity", {code.strip().upper(): value for code, value in self.severity.items()})


@option_group(panel=Panel.RULES, faces=SETTING, resume=Resume.KEPT)
class AdjustedRuleOptions(RuleOptions, ProfileOptions):
    """Which rules run, with which limits, and for which documents.

    Attributes:
        globs_from: The directory that paths are relative to when they are matched with a glob; by default the working
            directory.
        is_select_configured: Whether `select` is that of the configuration file, which is for all commands.
    """

    per_document_ignores: Mapping[str, tuple[Text, ...]] = option_from(
        dict,
        OptionFacts(
            help="Skip rules for documents that match a glob; can be repeated",
            metavar="GLOB=PREFIX",
            example='{ "archive/*" = ["MOD"], "*.txt" = ["LOC007"] }',
            more="A glob is matched with the URL of the document, or with its path below the directory of the "
            "configuration file; a glob without a slash is matched with the name only. `*` matches any characters, "
            "including `/`.",
        ),
    )
    limits: Mapping[str, Limit] = option_from(
        dict,
        OptionFacts(
            help="Change a limit; can be repeated",
            metavar="NAME=VALUE",
            example="{ max-entries = 10_000, near-limit = 0.8 }",
            more="A limit is a number, or a list of names. It takes precedence over the limit of the profile.",
        ),
    )
    threads: Positive | None = option(
        None,
        OptionFacts(
            resume=Resume.NEW,
            help="Threads of the rule engine",
            metavar="N",
            example="2",
            default_text="one per core, at most 4",
        ),
    )
    globs_from: Path | None = field(default=None)
    is_select_configured: bool = field(default=False)

    def check(self) -> None:
        """Normalize the names of limits and the codes."""
        object.__setattr__(
            self, "limits", {name.replace("-", "_"): _lower(value) for name, value in self.limits.items()}
        )
        ignores = {glob: tuple(code.upper() for code in codes) for glob, codes in self.per_document_ignores.items()}
        object.__setattr__(self, "per_document_ignores", ignores)


@option_group(panel=Panel.RULES)
class JudgingOptions(AdjustedRuleOptions, AgentOptions):
    """Which rules run on documents, and how they run."""

    preview: bool = option(
        False,
        OptionFacts(
            rare=True,
            resume=Resume.KEPT,
            help="Include preview rules",
            example="true",
            more="A preview rule that is selected by its full code always runs.",
        ),
    )
    required_urls: tuple[Text, ...] = option(
        (),
        OptionFacts(
            faces=SETTING,
            resume=Resume.KEPT,
            help="Report URL if no document lists it; can be repeated",
            metavar="URL",
            example='["https://example.com/"]',
            more="Rule COV001 reports a missing URL.",
        ),
    )
    require: tuple[RequiredField, ...] = option(
        (),
        OptionFacts(
            rare=True,
            resume=Resume.KEPT,
            help="Require an optional field in every entry: lastmod",
            metavar="FIELD",
            example='["lastmod"]',
            commas=True,
        ),
    )
    xsd: Path | None = option(
        None,
        OptionFacts(
            rare=True,
            help="Also validate against an XML schema with libxml2",
            metavar="PATH",
            example='"schemas"',
            is_place=True,
            more="PATH is a file, or a directory with sitemap.xsd and siteindex.xsd. Requires the extra `urlset[xsd]`.",
        ),
    )
    rule: tuple[CustomRule, ...] = option(
        (),
        OptionFacts(
            resume=Resume.NEW,
            help="Custom rules",
            example="[[rule]]",
            faces=SETTING,
        ),
    )
    # Not in the configuration file, which can be part of an untrusted pull request, like the rules.
    rule_time: NaturalNumber = option(
        60.0,
        OptionFacts(
            resume=Resume.NEW,
            rare=True,
            help="Stop a custom rule after SECONDS in total; 0 for no limit",
            metavar="SECONDS",
            faces=PER_RUN,
        ),
    )
    rule_memory: Text = option(
        "1GB",
        OptionFacts(
            resume=Resume.NEW,
            rare=True,
            help="Maximum memory for a custom rule",
            metavar="SIZE",
            faces=PER_RUN,
        ),
    )
    now: datetime | None = option(
        None,
        OptionFacts(
            resume=Resume.KEPT,
            rare=True,
            help="Current time, to detect dates in the future",
            metavar="TIME",
            example="2026-01-01T00:00:00Z",
            default_text="the start of the run",
            faces=PER_RUN,
        ),
    )

    def check(self) -> None:
        if self.now is not None and self.now.tzinfo is None:
            raise UsageError("now: requires a time zone, as in 2026-01-01T00:00:00Z")


def _lower(limit: Limit) -> Limit:
    return tuple(name.lower() for name in limit) if isinstance(limit, tuple) else limit
