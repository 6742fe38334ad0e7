"""What may stand in the configuration file: every key with its kind, its default and what it does."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from urlset.agents import DEFAULT_AGENTS
from urlset.config import (
    DEFAULT_MAX_INFLATED,
    ExpandOptions,
    FailOn,
    FetchOptions,
    Limit,
    OwnRule,
    Profile,
    RequiredField,
)

USUAL = FetchOptions()
BOUNDS = ExpandOptions()

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from urlset.options.building import BuildSpec


class Kind(StrEnum):
    """The kinds of value, in the words of TOML."""

    CODES = "list of texts"
    """Prefixes of rule codes."""
    TEXTS = "list of texts "
    """Any texts."""
    TEXT = "text"
    COUNT = "whole number, 0 or more"
    SIZE = "whole number, 1 or more"
    SECONDS = "number above 0"
    CHOICE = "one of a few words"
    SEVERITIES = "table of severities"
    IGNORES = "table of lists"
    LIMITS = "table of numbers and lists"
    FLAG = "true or false"
    CHOICES = "list of a few words"
    RULES = "list of tables"
    BUILD = "table"
    AUDIT = "table "

    @property
    def words(self) -> str:
        """The kind, as messages and pages name it."""
        return self.value.strip()


def _key(kind: Kind, about: str, example: str, *, default: object = None, choices: tuple[str, ...] = ()) -> Any:
    meta = {"kind": kind, "about": about, "example": example, "default": default, "choices": choices}
    return field(default=None, metadata=meta)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a configuration file or a command line says; None where it says nothing.

    Attributes carry the name of their key with `_` for `-`. The metadata of each field holds its kind, what it does, an
    example and the default in force where nothing is said.
    """

    select: tuple[str, ...] | None = _key(
        Kind.CODES, "Run only rules whose code begins so; of several prefixes the longest decides.",
        'select = ["LOC", "MOD"]', default=(),
    )  # fmt: skip
    ignore: tuple[str, ...] | None = _key(
        Kind.CODES, "Leave out rules whose code begins so.", 'ignore = ["HNT", "LOC006"]', default=()
    )
    preview: bool | None = _key(
        Kind.FLAG, "Run the rules in preview, too; one whose whole code is selected always runs.", "preview = true",
        default=False,
    )  # fmt: skip
    severity: dict[str, str] | None = _key(
        Kind.SEVERITIES,
        "Prefixes of rule codes and the severity that those rules get: error, warning, info or hint. The longest "
        "prefix decides; it wins over the profile. The report, its counts and the exit code go by it.",
        'severity = { MOD002 = "error", HNT = "info" }',
        default={},
    )
    profile: Profile | None = _key(
        Kind.CHOICE, "Whose eyes to look with: a named set of severities and limits.", 'profile = "google"',
        choices=tuple(Profile),
    )  # fmt: skip
    per_document_ignores: dict[str, tuple[str, ...]] | None = _key(
        Kind.IGNORES,
        "Globs and the prefixes of rule codes that do not count in the documents they match. A glob is compared with "
        "the document's URL, or its path below the folder of this file; without a slash, with its name alone. `*` "
        "stands for any characters, `/` included.",
        'per-document-ignores = { "archive/*" = ["MOD"], "*.txt" = ["LOC007"] }',
        default={},
    )
    limits: dict[str, Limit] | None = _key(
        Kind.LIMITS, "Limits and lists of names to use instead of the defaults; they win over the profile's.",
        "limits = { max-entries = 10_000, near-limit = 0.8 }", default={},
    )  # fmt: skip
    required_urls: tuple[str, ...] | None = _key(
        Kind.TEXTS, "URLs that the documents of a run must list; what is missing is a finding of COV001.",
        'required-urls = ["https://example.com/"]', default=(),
    )  # fmt: skip
    require: tuple[RequiredField, ...] | None = _key(
        Kind.CHOICES, "Optional fields that every entry must have; what is missing is an error.",
        'require = ["lastmod"]', default=(), choices=tuple(RequiredField),
    )  # fmt: skip
    fail_on: FailOn | None = _key(
        Kind.CHOICE, "The least severity that makes a run fail.", 'fail-on = "warning"',
        default=FailOn.ERROR, choices=tuple(FailOn),
    )  # fmt: skip
    max_warnings: int | None = _key(
        Kind.COUNT, "More warnings than this make a run fail; they are counted as the summary counts them, once for "
        "each rule and document. Without it, any number passes.", "max-warnings = 20",
    )  # fmt: skip
    max_examples: int | None = _key(
        Kind.COUNT, "How many examples a finding keeps; counts stay exact.", "max-examples = 10", default=10
    )
    max_bytes: int | None = _key(
        Kind.SIZE, "Read no more than this of a document, in bytes after decompression.", "max-bytes = 104_857_600",
        default=DEFAULT_MAX_INFLATED,
    )  # fmt: skip
    timeout: float | None = _key(
        Kind.SECONDS, "Give up a request after this time, its redirects and retries included, in seconds.",
        "timeout = 10", default=USUAL.timeout,
    )  # fmt: skip
    connect_timeout: float | None = _key(
        Kind.SECONDS, "Time to resolve a name, connect and agree on TLS, in seconds.", "connect-timeout = 5",
        default=USUAL.connect_timeout,
    )  # fmt: skip
    read_timeout: float | None = _key(
        Kind.SECONDS, "Time between two pieces of an answer, in seconds.", "read-timeout = 5",
        default=USUAL.read_timeout,
    )  # fmt: skip
    rate: float | None = _key(Kind.SECONDS, "Ask a host at most so many times a second.", "rate = 2")
    concurrency: int | None = _key(
        Kind.SIZE, "Make at most so many requests to a host at once.", "concurrency = 4", default=USUAL.concurrency
    )
    retries: int | None = _key(
        Kind.COUNT, "Ask again at most so many times after a fault that may pass.", "retries = 0",
        default=USUAL.retries,
    )  # fmt: skip
    user_agent: str | None = _key(
        Kind.TEXT, "The header User-Agent.", 'user-agent = "Example check/1.0"', default=USUAL.user_agent
    )
    header: tuple[str, ...] | None = _key(
        Kind.TEXTS, "Headers that are sent to the origins of the targets, and to no other.",
        'header = ["Accept-Language: de"]',
        default=(),
    )  # fmt: skip
    auth: str | None = _key(
        Kind.TEXT,
        "User and password for the origins of the targets, and no other. The variable URLSET_AUTH wins over it, "
        "and keeps it out of a file that others read.", 'auth = "user:password"',
    )  # fmt: skip
    proxy: str | None = _key(
        Kind.TEXT, "The proxy, instead of those of HTTP_PROXY and HTTPS_PROXY.", 'proxy = "http://proxy.example:3128"'
    )
    ca_bundle: str | None = _key(
        Kind.TEXT, "File of the certificates to trust, instead of the system's. Relative to the folder of this file.",
        'ca-bundle = "certificates.pem"',
    )  # fmt: skip
    insecure: bool | None = _key(Kind.FLAG, "Whether certificates are not checked.", "insecure = true", default=False)
    cache: bool | None = _key(Kind.FLAG, "Whether what was fetched is kept.", "cache = false", default=True)
    cache_dir: str | None = _key(
        Kind.TEXT, "Folder of the cache. Relative to the folder of this file.", 'cache-dir = ".cache"'
    )
    allow_private: bool | None = _key(
        Kind.FLAG, "Whether links may lead into private networks, whatever the targets are.", "allow-private = true",
        default=False,
    )  # fmt: skip
    discover: bool | None = _key(
        Kind.FLAG, "Whether targets that are sites are searched for their sitemaps, which are read in their place.",
        "discover = true", default=False,
    )  # fmt: skip
    expand: bool | None = _key(
        Kind.FLAG, "Whether the sitemaps that indexes list are read as well.", "expand = true", default=False
    )
    max_depth: int | None = _key(
        Kind.SIZE, "With `expand`: go down at most so many indexes.", "max-depth = 2", default=BOUNDS.max_depth
    )
    max_documents: int | None = _key(
        Kind.SIZE, "With `expand`: read at most so many documents in all.", "max-documents = 1_000",
        default=BOUNDS.max_documents,
    )  # fmt: skip
    max_total_bytes: int | None = _key(
        Kind.SIZE, "With `expand`: begin no further document after so many bytes in all, counted after decompression.",
        "max-total-bytes = 10_000_000_000", default=BOUNDS.max_total_bytes,
    )  # fmt: skip
    robots: bool | None = _key(
        Kind.FLAG, "Whether `urlset validate` reads robots.txt of the hosts of http(s) targets and checks listed URLs "
        "against it; audits always do.", "robots = true", default=False,
    )  # fmt: skip
    agents: tuple[str, ...] | None = _key(
        Kind.TEXTS, "Crawlers that robots.txt is asked about, where it is read; by their product tokens.",
        'agents = ["Googlebot", "GPTBot"]', default=DEFAULT_AGENTS,
    )  # fmt: skip
    baseline: str | None = _key(
        Kind.TEXT, "The baseline: findings in it do not count. Relative to the folder of this file.",
        'baseline = "urlset-baseline.json"',
    )  # fmt: skip
    xsd: str | Path | None = _key(
        Kind.TEXT, "An XML schema that documents are validated against as well, or a folder with the official ones "
        "(extra `urlset[xsd]`). Relative to the folder of this file.", 'xsd = "schemas"',
    )  # fmt: skip
    build: BuildSpec | None = _key(
        Kind.BUILD, "What `urlset build` makes sitemaps from; its keys are listed below.", "[build]"
    )
    audit: Mapping[str, object] | None = _key(
        Kind.AUDIT,
        "What `urlset audit` looks at, and where it is kept; its keys are listed below.",
        "audit = { sample = 1_000 }",
    )
    rule: tuple[OwnRule, ...] | None = _key(
        Kind.RULES, "Rules of your own, a table each: `[[rule]]`, in pyproject.toml `[[tool.urlset.rule]]`.",
        "[[rule]]", default=(),
    )  # fmt: skip


KEYS: dict[str, dataclasses.Field[Any]] = {each.name.replace("_", "-"): each for each in dataclasses.fields(Settings)}
"""Every key of the file, as it is written there."""

RULE_KEYS: dict[str, tuple[Kind, str]] = {
    "code": (Kind.TEXT, "Required. Two to eight capital letters that no family of urlset has, and three digits."),
    "message": (Kind.TEXT, "Required. What is wrong, as one sentence without a full stop."),
    "severity": (Kind.TEXT, "error, warning, info or hint; warning unless given."),
    "name": (Kind.TEXT, "The fault in lower case with hyphens; the code in lower case unless given."),
    "table": (Kind.TEXT, "The table whose rows `where` is asked of; urls unless given."),
    "where": (Kind.TEXT, "A predicate in SQL, true of a row that breaks the rule. Either this or `query`."),
    "query": (Kind.TEXT, "A SELECT with a row for each place that breaks the rule. It yields document_id and, where "
              "they make sense, ordinal, line, col, url and value."),
    "span": (Kind.TEXT, "For a query: document (each document by itself; the default) or run (all of them at once)."),
    "field": (Kind.TEXT, "For `where`: the column at fault, whose value and place are shown."),
    "example": (Kind.TEXT, "Template for one place: `{value}` and the columns of the row may stand in it."),
    "fix": (Kind.TEXT, "What to do about it."),
    "sources": (Kind.TEXTS, "Links to where it is agreed."),
}  # fmt: skip
"""Every key of a rule of one's own: its kind, and what it means."""


def key_of(name: str) -> str:
    """A field's name as it is written in the file."""
    return name.replace("_", "-")


def default_of(key: str) -> object:
    """The value in force where nothing is said."""
    return KEYS[key].metadata["default"]
