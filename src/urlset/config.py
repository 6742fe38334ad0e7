"""The options of a run: frozen values that the command line and the Python API fill in and the pipeline reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from urlset.agents import DEFAULT_AGENTS
from urlset.errors import MisuseError
from urlset.net.urlparts import without_surrogates

if TYPE_CHECKING:
    from datetime import datetime

USER_AGENT = "urlset/0.1"
"""What a server is told about who asks."""

Limit: TypeAlias = float | tuple[str, ...]
"""What a profile or a configuration may set for a rule: a number, or a list of names."""

DEFAULT_MAX_INFLATED = 200 * 1024 * 1024
"""Bound on the inflated size of a document, in bytes: `DEFAULT_MAX_INFLATED` of `core/src/limits.rs`."""

MOST_INFLATED = 512 * 1024 * 1024
"""Largest such bound, in bytes: `MOST_INFLATED` of `core/src/limits.rs`."""


@dataclass(frozen=True, slots=True)
class Progressed:
    """How far a run is.

    Attributes:
        done: Documents, or sites, done.
        known: How many are known of; more may come to light.
        name: The one just done.
        urls: URLs of pages read in all; None where they are not counted.
        bytes: Bytes read in all, after decompression; None as `urls`.
    """

    done: int
    known: int
    name: str
    urls: int | None = None
    bytes: int | None = None


Progress: TypeAlias = Callable[[Progressed], None]
"""Told after each document."""


USUAL_STORE = "urlset.duckdb"
"""The store of an audit, in the working directory, unless another is named."""


class FailOn(StrEnum):
    """The least severity of a finding that makes a run fail."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    HINT = "hint"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """How URLs are fetched.

    Attributes:
        timeout: Bound on one answer with its redirects and retries, in seconds; waiting for one's turn does not count.
        connect_timeout: Bound on resolving the name, connecting and TLS, in seconds.
        read_timeout: Bound on the time between two pieces of an answer, in seconds.
        max_bytes: Bound on a body, in bytes, after its Content-Encoding is undone.
        max_redirects: Redirects followed, at most.
        max_header_bytes: Bound on the headers of an answer, in bytes.
        retries: How often a request is made again after a fault that may pass.
        rate: Requests a second to one host, at most; None for no fixed interval between them.
        concurrency: Requests to one host at once, at most.
        user_agent: What servers are told about who asks.
        headers: More headers, as pairs of name and value. But for those that say nothing about the user they go only to
            the origins that the user named.
        auth: `user:password` for those origins.
        proxy: URL of the proxy for every request; None for what HTTP_PROXY, HTTPS_PROXY and NO_PROXY say.
        ca_bundle: File of the certificates to trust instead of the system's.
        insecure: Whether certificates are not checked.
        cache_dir: Folder of the cache; None for the platform's.
        cache: Whether there is a cache.
        allow_private: Whether private addresses may be connected to, whoever links there.
    """

    timeout: float = 30.0
    connect_timeout: float = 10.0
    read_timeout: float = 15.0
    max_bytes: int = DEFAULT_MAX_INFLATED
    max_redirects: int = 10
    max_header_bytes: int = 64 * 1024
    retries: int = 2
    rate: float | None = None
    concurrency: int = 8
    user_agent: str = USER_AGENT
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    auth: str | None = field(default=None, repr=False)
    proxy: str | None = field(default=None, repr=False)
    ca_bundle: Path | None = None
    insecure: bool = False
    cache_dir: Path | None = None
    cache: bool = True
    allow_private: bool = False

    def __post_init__(self) -> None:
        for name in ("timeout", "connect_timeout", "read_timeout", "rate"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                unit = "requests a second" if name == "rate" else "seconds"
                raise MisuseError(f"{name} must be more than 0 {unit}, not {value}")
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise MisuseError(f"{name} must be at least {least}, not {getattr(self, name)}")
        # What is wrong is said without the value: it may be a secret.
        if self.auth is not None and ":" not in self.auth:
            raise MisuseError("auth must be user:password")
        for header, value in (("User-Agent", self.user_agent), *self.headers):
            if not _HEADER_NAME.fullmatch(header):
                raise MisuseError(f"{header!r} is not the name of a header")
            if not _HEADER_VALUE.fullmatch(value):
                raise MisuseError(f"the value of the header {header} must be one line")


MASK = "***@"
"""What is shown for a user and password in a URL."""

_USER_INFO = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*:)?(//)?[^/?#\\]*@")


def masked(url: str) -> str:
    """The URL with `***` for a user and password, to be shown."""
    return _USER_INFO.sub(rf"\1\2{MASK}", url, count=1) if "@" in url else url


def without_user(url: str) -> str:
    """Return the URL without a user and password."""
    return _USER_INFO.sub(r"\1\2", url, count=1) if "@" in url else url


_SCHEMELESS = re.compile(r"^[^/?#\\@]*:[^/?#\\]*@")


def shown_target(target: str) -> str:
    """Return a target as it may be shown and kept: with `***` for a user and password, if it is an address.

    The path of a file, and a run of a store (`run.duckdb@3`), may have an `@` of its own. Bytes of a path that are not
    UTF-8 are replaced, since a store holds text.
    """
    target = without_surrogates(target)
    return masked(target) if "://" in target else _SCHEMELESS.sub(MASK, target, count=1)


def same_targets(one: Iterable[str], other: Iterable[str]) -> bool:
    """Return whether two runs are on the same targets, with whatever user and password."""
    first, second = ([shown_target(target).replace(MASK, "", 1) for target in targets] for targets in (one, other))
    return first == second


def header_of(text: str) -> tuple[str, str]:
    """Name and value of a header written as `Name: value`.

    Raises:
        MisuseError: It is not; the text is not shown, for it may hold a secret.
    """
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise MisuseError("a header is written as 'Name: value'")
    return name.strip(), value.strip()


_LEAST = {"max_bytes": 1, "max_redirects": 0, "max_header_bytes": 1024, "retries": 0, "concurrency": 1}
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandOptions:
    """How far the documents that indexes list are followed. What lies beyond is not read, and is a finding.

    Attributes:
        max_depth: Indexes above a document, at most; the protocol allows one.
        max_documents: Documents of a run, at most, those given counted.
        max_total_bytes: Bytes of all documents after decompression; when they are reached no further one is begun.
    """

    max_depth: int = 5
    max_documents: int = 100_000
    max_total_bytes: int = 1024**4

    def __post_init__(self) -> None:
        for name in ("max_depth", "max_documents", "max_total_bytes"):
            if getattr(self, name) < 1:
                raise MisuseError(f"{name} must be at least 1, not {getattr(self, name)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How targets are fetched and read.

    Attributes:
        max_inflated: Bound on a document's size after decompression, in bytes; 512 MiB at most.
        fetch: How URLs are fetched.
        schema_view: Whether to note what breaks the official schemas, too; it makes reading slower.
        discover: Whether targets that are sites are searched for their sitemaps, which are read in their place.
        expand: How far what indexes list is read as well; None to read nothing of it.
        robots: Whether robots.txt of the hosts of http(s) targets is read, to check listed URLs against it.
    """

    max_inflated: int = DEFAULT_MAX_INFLATED
    fetch: FetchOptions = field(default_factory=FetchOptions)
    schema_view: bool = False
    discover: bool = False
    expand: ExpandOptions | None = None
    robots: bool = False

    def __post_init__(self) -> None:
        if self.max_inflated < 1:
            raise MisuseError(f"max_inflated must be at least 1 byte, not {self.max_inflated}")
        if self.max_inflated > MOST_INFLATED:
            raise MisuseError(f"max_inflated (max-bytes) must be at most {MOST_INFLATED:,}, not {self.max_inflated:,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoverOptions:
    """How a site is searched for sitemaps.

    Attributes:
        read: How what is found is fetched and read.
        paths: Well-known paths to ask for, with a slash at their beginning; None for all of `sources.well_known`.
        more_paths: Paths of the user's own, which are asked for before those.
        look_at_home: Whether to look at the home page for links, and below its folder for well-known paths.
        only_full_urls: Whether a `Sitemap:` line counts only if it is a full URL, as it should be.
        ask_declared: Whether what the site itself names is asked for; if not it counts as found, and nothing is known
            of it.
        max_candidates: URLs that are asked for, at most; what goes beyond is listed as not asked for.
    """

    read: ReadOptions = field(default_factory=ReadOptions)
    paths: tuple[str, ...] | None = None
    more_paths: tuple[str, ...] = ()
    look_at_home: bool = True
    only_full_urls: bool = False
    ask_declared: bool = True
    max_candidates: int = 1_000

    def __post_init__(self) -> None:
        if self.max_candidates < 1:
            raise MisuseError(f"max_candidates must be at least 1, not {self.max_candidates}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FixOptions:
    """How documents are repaired.

    Attributes:
        output: File of the result, or folder of the results; None where they are handed back, or with `in_place`.
        in_place: Whether each file is replaced by its result.
        dry_run: Whether nothing is written.
        diff: Whether the differences are told, line by line.
        base_url: What relative URLs are taken from, and what the parts of a document that is split stand beside.
        max_entries: Entries of one document, at most; what has more is split.
        max_bytes: Bytes of one document, at most; what is larger is split.
        read: How targets are fetched and read.
    """

    output: Path | None = None
    in_place: bool = False
    dry_run: bool = False
    diff: bool = False
    base_url: str | None = None
    max_entries: int = 50_000
    max_bytes: int = 52_428_800
    read: ReadOptions = field(default_factory=ReadOptions)

    def __post_init__(self) -> None:
        if self.base_url is not None and not re.match(
            r"https?://[^/?#\s]+(?:[/?#]\S*)?$", self.base_url, re.IGNORECASE
        ):
            raise MisuseError(f"the base URL must be an absolute http(s) URL, not {self.base_url!r}")


class RequiredField(StrEnum):
    """An optional field that a user may require of every entry."""

    LASTMOD = "lastmod"


class Profile(StrEnum):
    """Whose eyes a sitemap is looked at with: a named set of severities and limits."""

    PROTOCOL = "protocol"
    """The prose of sitemaps.org alone: what it demands is an error, what is particular to an engine is left out."""
    GOOGLE = "google"
    """Google: it ignores changefreq and priority, and times without timezone are rejected."""
    BING = "bing"
    """Bing: it ignores changefreq and priority, and rejects dates in the future."""
    YANDEX = "yandex"
    """Yandex: XML and text sitemaps only, and URLs of at most 1,024 characters."""
    STRICT_XSD = "strict-xsd"
    """The two official schemas as libxml2 applies them, and nothing else: what they reject is an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRule:
    """A rule of the user's own, as it stands in the configuration; nothing of it has been checked yet.

    Attributes:
        code: Letters in capitals and three digits, with letters that no family of urlset has: `SHOP001`.
        message: What is wrong, as one sentence.
        origin: Where it is written, for messages about it: `urlset.toml, [[rule]] 2`.
        name: The fault in lower case with hyphens; empty for the code in lower case.
        severity: error, warning, info or hint.
        table: The table whose rows `where` is asked of; for a query, the table that it yields rows of.
        where: A predicate in SQL, true of a row that breaks the rule; None if there is a query.
        query: A query in SQL with a row for each place that breaks the rule; None if there is a predicate.
        span: document or run: whether the query sees some whole documents or all at once.
        field: The column at fault, whose value and place are shown.
        example: Template for one place; `{value}` and the columns of the row may stand in it. None for the message.
        fix: What to do about it.
        sources: Where that is agreed: links.
    """

    code: str
    message: str
    origin: str
    name: str = ""
    severity: str = "warning"
    table: str | None = None
    where: str | None = None
    query: str | None = None
    span: str = "document"
    field: str | None = None
    example: str | None = None
    fix: str | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidateOptions:
    """What is checked, how, and what counts as failing.

    Attributes:
        select: Prefixes of rule codes to run; empty for every rule that runs by default.
        ignore: Prefixes of rule codes to leave out; a longer prefix wins over a shorter one of `select`.
        fail_on: The least severity that makes the run fail.
        max_examples: How many examples a finding keeps; its count is exact whatever this is.
        now: The moment that "in the future" is measured from; None for the moment the run starts.
        read: How targets are fetched and read.
        threads: How many threads the engine uses; None for one per core, at most four.
        profile: Whose eyes to look with; None for urlset's own.
        severity: Prefixes of rule codes and the severity (error, warning, info, hint) that those rules get; the longest
            prefix decides, and it wins over the profile.
        document_ignores: Globs of documents, and the prefixes of rule codes that do not count there. A glob is compared
            with the URL or the path; one without a slash with the name alone.
        globs_from: The folder that paths are taken from when compared with a glob; None for the working directory.
        limits: Values of `rule.PARAMETERS` other than the usual, by name; they win over the profile's.
        required_urls: URLs that some document must list.
        require: Optional fields that every entry must have.
        rules: Rules of the user's own.
        max_warnings: How many warnings do not make the run fail yet; None for any number.
        preview: Whether rules in preview run, too; one whose whole code is selected always does.
        xsd: An XML schema that documents are validated against as well, or a folder with the official ones; None for
            none.
        agents: Crawlers that robots.txt is asked about, where it is known.
        rule_seconds: How long each rule of the user's own may run, in all documents together; 0 for no bound.
        rule_memory: How much memory each of them may use, as DuckDB writes it (`1GB`).
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: FailOn = FailOn.ERROR
    max_examples: int = 10
    now: datetime | None = None
    read: ReadOptions = field(default_factory=ReadOptions)
    threads: int | None = None
    profile: Profile | None = None
    severity: Mapping[str, str] = field(default_factory=dict)
    document_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    globs_from: Path | None = None
    limits: Mapping[str, Limit] = field(default_factory=dict)
    required_urls: tuple[str, ...] = ()
    require: tuple[RequiredField, ...] = ()
    rules: tuple[OwnRule, ...] = ()
    max_warnings: int | None = None
    preview: bool = False
    xsd: Path | None = None
    agents: tuple[str, ...] = DEFAULT_AGENTS
    rule_seconds: float = 60.0
    rule_memory: str = "1GB"

    def __post_init__(self) -> None:
        if self.rule_seconds < 0:
            raise MisuseError(f"rule_seconds must be 0 or more, not {self.rule_seconds}")
        if self.max_examples < 0:
            raise MisuseError(f"max_examples must be 0 or more, not {self.max_examples}")
        if self.threads is not None and self.threads < 1:
            raise MisuseError(f"threads must be 1 or more, not {self.threads}")
        if self.max_warnings is not None and self.max_warnings < 0:
            raise MisuseError(f"max_warnings must be 0 or more, not {self.max_warnings}")


class FailOnChange(StrEnum):
    """Which changes make `diff` fail."""

    ALARM = "alarm"
    """What nobody does on purpose without knowing of it: URLs or sitemaps that vanish, new errors."""
    ANY = "any"
    """Any change."""
    NEVER = "never"
    """None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffOptions:
    """What two sides are compared by.

    Attributes:
        validate: How a side that is no store is read, and which rules are run on it.
        judge: Whether rules are run on a side that is no store.
        max_examples: How many examples each kind of change keeps; counts are exact whatever this is.
        max_drop: The share of URLs that may go without an alarm, in percent.
        ask_removed: How many URLs that are no longer listed are asked what they answer now; None for none.
    """

    validate: ValidateOptions = field(default_factory=ValidateOptions)
    judge: bool = True
    max_examples: int = 10
    max_drop: float = 10.0
    ask_removed: int | None = None

    def __post_init__(self) -> None:
        if self.max_examples < 0:
            raise MisuseError(f"max_examples must be 0 or more, not {self.max_examples}")
        if self.ask_removed is not None and self.ask_removed < 1:
            raise MisuseError(f"ask_removed must be at least 1, not {self.ask_removed}")
        if not 0 <= self.max_drop <= 100:
            raise MisuseError(f"max_drop must be between 0 and 100 percent, not {self.max_drop}")


class ProbeMethod(StrEnum):
    """How listed pages are asked for."""

    AUTO = "auto"
    """By GET where a page says something of itself. By HEAD where its name is that of a file that is no HTML, and after
    it by GET where HEAD is not understood or the file turns out to be HTML."""
    HEAD = "head"
    """By HEAD, and by GET where HEAD is not understood: what pages say of themselves stays unknown for the rest."""
    GET = "get"
    """By GET."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeOptions:
    """How listed pages are looked at.

    Attributes:
        method: How they are asked for.
        ask_forbidden: Whether pages that robots.txt forbids are asked for nevertheless.
        robots_agent: The product token that robots.txt is asked about for that.
        max_page_bytes: Bytes of one page that are read, at most.
        max_total_bytes: Bytes of all pages after which none is begun any more; None for no bound.
        max_seconds: Seconds after which none is begun any more; None for no bound.
    """

    method: ProbeMethod = ProbeMethod.AUTO
    ask_forbidden: bool = False
    robots_agent: str = "urlset"
    max_page_bytes: int = 2 * 1024 * 1024
    max_total_bytes: int | None = None
    max_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """What an audit looks at, and where it keeps what it saw.

    Attributes:
        validate: How sitemaps are found and read, and which rules are run.
        store: The file that keeps everything; made if it is not there.
        look: Whether listed pages are looked at.
        images: Whether listed images and thumbnails are looked at as well, and videos asked about in robots.txt.
        probe: How they are looked at.
        include: Globs of URLs; only pages that match one are looked at, if there are any.
        exclude: Globs of URLs of pages that are not looked at.
        sample: How many pages, spaced evenly over all that are listed; None for all.
        max_pages: How many pages at most, the first ones; None for no bound.
        inventory: A list of URLs that are there, to hold what is listed against; None for none.
        score: Whether sites are scored, too, as by `check`: a few requests more.
        resume: Whether to go on with the last run of the store that did not come to its end.
    """

    validate: ValidateOptions = field(default_factory=ValidateOptions)
    store: Path = field(default_factory=lambda: Path(USUAL_STORE))
    look: bool = True
    images: bool = False
    probe: ProbeOptions = field(default_factory=ProbeOptions)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    sample: int | None = None
    max_pages: int | None = None
    inventory: Path | None = None
    score: bool = True
    resume: bool = False

    def __post_init__(self) -> None:
        for name in ("sample", "max_pages"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise MisuseError(f"{name} must be at least 1, not {value}")
