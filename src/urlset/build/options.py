"""The options of the writer: what may be said, what is meant when nothing is, and what cannot be meant."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from urlset import _core
from urlset.errors import MisuseError
from urlset.net.urlparts import split_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Gzip = Literal["none", "parts", "all"]
"""Which files are compressed: none, all but the indexes, or all."""
DateForm = Literal["date", "local-date", "datetime"]
"""How a lastmod is written: the day in UTC, the day as it is in the offset given, or with its time and offset."""
IndexDateForm = Literal["date", "datetime", "none"]
"""How an index writes each part's newest lastmod; `none` leaves it out."""

LIMITS = _core.protocol_limits()
MAX_ENTRIES = int(LIMITS["max_entries"])
MAX_BYTES = int(LIMITS["max_bytes"])
MAX_NEWS = int(LIMITS["max_news_per_file"])

MAX_FEED_ENTRIES = 10_000
"""Entries of a feed, at most: consumers read the newest few."""

FUTURE_TOLERANCE = timedelta(days=1)
"""How far ahead of now a lastmod may be, for the zones that are; as rule MOD005 has it."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PREFIX = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_BUILT_IN = frozenset({"xhtml", "image", "video", "news", "xml", "xmlns"})
_MAX_NAMESPACES = 28


class WriteArguments(TypedDict, total=False):
    """The keyword arguments of `Writer`, `write`, `stream` and `astream`; `WriteOptions` says what each means."""

    name: str
    strict: bool
    require_lastmod: bool
    lastmod: DateForm
    index_lastmod: IndexDateForm
    index: Literal["auto", "always"]
    gzip: Gzip
    gzip_level: int
    pretty: bool
    stylesheet: str | None
    namespaces: Mapping[str, str]
    max_entries: int
    max_bytes: int
    max_news: int
    doubtful: Literal["refuse", "keep"]
    sensitive_parameters: Iterable[str] | None
    duplicates: Literal["refuse", "keep"]
    bad_fields: Literal["refuse", "drop"]
    forbidden: Literal["refuse", "strip"]
    hosts: Iterable[str]
    bare_paths: bool
    feed: str | os.PathLike[str] | None
    feed_entries: int
    publish: Literal["rename", "atomic"]
    allow_shrink: bool
    empty: Literal["write", "none"]
    refused_to: str | os.PathLike[str] | None
    now: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """How entries are judged, written and put into files.

    Attributes:
        name: Name of the index, or of the one sitemap, without its ending; parts are called after it.
        strict: Whether a bad entry stops everything, instead of being logged, counted and left out.
        require_lastmod: Whether an entry without lastmod is a bad entry.
        lastmod: How pages' lastmod is written: `date`, the day in UTC; `local-date`, the day in the offset that a time
            was given with, so that `2025-11-14T19:30-08:00` is the 14th; or `datetime` where a time was given.
        index_lastmod: How the index writes each part's newest lastmod: `datetime`, `date` or `none`.
        index: When there is an index: `auto`, for several parts; or `always`.
        gzip: Which files are compressed: `none`, `parts` (all but the indexes) or `all`.
        gzip_level: How hard, from 1 to 9.
        pretty: Whether every element stands on a line of its own, indented.
        stylesheet: Address of an XSL style sheet that every file refers to.
        namespaces: Namespaces of your own: prefix -> address. Fields of entries are then called `prefix:name`.
        max_entries: Entries in one file, 50,000 at most; for indexes, too.
        max_bytes: Uncompressed size of one file in bytes, 52,428,800 at most; for indexes, too.
        max_news: News records in one file, 1,000 at most.
        doubtful: What becomes of what `urlset validate` would warn of, though a sitemap may hold it: a URL with a
            fragment, a user, a parameter of a campaign or session, a sensitive parameter such as `token` or `email`, a
            path encoded twice or with empty or dot segments; a lastmod before 1990. `refuse` leaves it out, `keep`
            writes it as it is.
        sensitive_parameters: Names of the parameters that are sensitive; None for those of the rules LOC022 and LOC023.
        duplicates: What becomes of a URL that was written before: `refuse` leaves it out, `keep` does not look.
        bad_fields: What becomes of an entry with a bad field that it can do without: `refuse` leaves the entry out,
            `drop` the field alone.
        forbidden: What becomes of characters that XML forbids: `refuse` makes the field bad, `strip` leaves them out.
        hosts: Further hosts that entries may be on; `*` stands for any. The host of the base URL always may.
        bare_paths: Whether URLs such as `about/team` are paths. Otherwise a path begins with `/` or `./`, and anything
            else without a scheme is refused.
        feed: A file that gets a feed of the entries with the newest lastmod: Atom if its name is `atom.xml` or ends
            with `.atom`, else RSS.
        feed_entries: Maximum number of entries in the feed.
        publish: `rename` puts one file after the other in its place. `atomic` makes the files symbolic links into a
            folder that holds the whole set, and replaces the set by replacing one link: a build that is killed leaves
            the old set or the new one. For local folders whose file system, web server and deployment keep links.
        allow_shrink: Whether a published set may be replaced with nothing, or with less than half of its URLs.
        empty: What is made of no entries: `write` an empty sitemap, or `none`.
        refused_to: A file that gets a line of JSON for each entry and field left out.
        now: The moment that "in the future" is measured from; the present unless given.
    """

    name: str = "sitemap"
    strict: bool = False
    require_lastmod: bool = False
    lastmod: DateForm = "date"
    index_lastmod: IndexDateForm = "datetime"
    index: Literal["auto", "always"] = "auto"
    gzip: Gzip = "none"
    gzip_level: int = 6
    pretty: bool = False
    stylesheet: str | None = None
    namespaces: Mapping[str, str] = field(default_factory=dict)
    max_entries: int = MAX_ENTRIES
    max_bytes: int = MAX_BYTES
    max_news: int = MAX_NEWS
    doubtful: Literal["refuse", "keep"] = "refuse"
    sensitive_parameters: tuple[str, ...] | None = None
    duplicates: Literal["refuse", "keep"] = "refuse"
    bad_fields: Literal["refuse", "drop"] = "refuse"
    forbidden: Literal["refuse", "strip"] = "refuse"
    hosts: tuple[str, ...] = ()
    bare_paths: bool = False
    feed: str | os.PathLike[str] | None = None
    feed_entries: int = 100
    publish: Literal["rename", "atomic"] = "rename"
    allow_shrink: bool = False
    empty: Literal["write", "none"] = "write"
    refused_to: str | os.PathLike[str] | None = None
    now: datetime | None = None

    def __post_init__(self) -> None:
        hosts: object = self.hosts
        if isinstance(hosts, str):
            raise MisuseError(f"hosts are several: give a list, such as [{hosts!r}]")
        object.__setattr__(self, "hosts", tuple(self.hosts))
        names: object = self.sensitive_parameters
        if isinstance(names, str):
            raise MisuseError(f"sensitive_parameters must be a list, such as [{names!r}]")
        if self.sensitive_parameters is not None:
            object.__setattr__(self, "sensitive_parameters", tuple(self.sensitive_parameters))
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise MisuseError(f"{name} is one of {', '.join(known)}, not {getattr(self, name)!r}")
        _within("max_entries", self.max_entries, MAX_ENTRIES)
        _within("max_bytes", self.max_bytes, MAX_BYTES)
        _within("max_news", self.max_news, MAX_NEWS)
        _within("gzip_level", self.gzip_level, 9)
        _within("feed_entries", self.feed_entries, MAX_FEED_ENTRIES)
        if self.feed is not None and os.fspath(self.feed) == "-":
            raise MisuseError("a feed cannot be written to standard output; give the name of a file")
        if not _NAME.fullmatch(self.name):
            raise MisuseError(f"name is made of letters, digits, dots, hyphens and underscores, not {self.name!r}")
        _check_namespaces(self.namespaces)
        if self.stylesheet is not None and not (self.stylesheet.strip() and self.stylesheet.isprintable()):
            raise MisuseError(f"stylesheet is the address of a style sheet, not {self.stylesheet!r}")
        if self.now is not None and self.now.tzinfo is None:
            raise MisuseError("now needs a time zone: datetime.now(UTC)")

    @classmethod
    def of(cls, given: WriteArguments) -> WriteOptions:
        """The options that keyword arguments stand for.

        Raises:
            MisuseError: There is no such option, or its value cannot be meant.
        """
        known = {one.name for one in fields(cls)}
        for name in given:
            if name not in known:
                raise MisuseError(f"there is no option {name!r}; there are: {', '.join(sorted(known))}")
        return cls(**given)  # type: ignore[arg-type]

    def for_core(self, base: BaseUrl | None, *, index: bool = False) -> dict[str, Any]:
        """The options as the core takes them, for parts or for indexes, of sitemaps that lie at the base URL."""
        compressed = self.gzip == "all" or (self.gzip == "parts" and not index)
        hosts = [] if base is None or "*" in self.hosts else [base.host, *(ascii_host(host) for host in self.hosts)]
        latest = (self.now or datetime.now(UTC)) + FUTURE_TOLERANCE
        return {
            "max_entries": self.max_entries,
            "max_bytes": self.max_bytes,
            "max_news": self.max_news,
            "base": None if base is None else base.text,
            "bare_paths": self.bare_paths,
            "hosts": hosts,
            "dates": self.lastmod,
            "require_lastmod": self.require_lastmod,
            "latest": (latest - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1),
            "strip": self.forbidden == "strip",
            "drop_fields": self.bad_fields == "drop",
            "doubtful": self.doubtful == "keep",
            "sensitive": None if self.sensitive_parameters is None else list(self.sensitive_parameters),
            "unique": self.duplicates == "refuse",
            "pretty": self.pretty,
            "stylesheet": self.stylesheet,
            "gzip": self.gzip_level if compressed else None,
            "namespaces": list(self.namespaces.items()),
            "newest": 0 if self.feed is None or index else self.feed_entries,
        }


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "lastmod": ("date", "local-date", "datetime"),
    "index_lastmod": ("date", "datetime", "none"),
    "index": ("auto", "always"),
    "gzip": ("none", "parts", "all"),
    "doubtful": ("refuse", "keep"),
    "duplicates": ("refuse", "keep"),
    "bad_fields": ("refuse", "drop"),
    "forbidden": ("refuse", "strip"),
    "publish": ("rename", "atomic"),
    "empty": ("write", "none"),
}


def _within(name: str, value: object, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise MisuseError(f"{name} is a whole number from 1 to {most:,}, not {value!r}")


def _check_namespaces(namespaces: Mapping[str, str]) -> None:
    for prefix, uri in namespaces.items():
        if not _PREFIX.fullmatch(prefix) or prefix.lower().startswith("xml") or prefix in _BUILT_IN:
            raise MisuseError(f"{prefix!r} cannot be the prefix of a namespace of your own")
        if not uri.strip() or not uri.isprintable():
            raise MisuseError(f"the namespace {prefix!r} needs an address, not {uri!r}")
    if len(namespaces) > _MAX_NAMESPACES:
        raise MisuseError(f"there may be {_MAX_NAMESPACES} namespaces of your own, not {len(namespaces)}")


@dataclass(frozen=True, slots=True)
class BaseUrl:
    """Where the files of a set are published.

    Attributes:
        text: The address of their folder, with a slash at its end.
        host: Its host in lower case, in ASCII.
    """

    text: str
    host: str

    @classmethod
    def of(cls, given: str) -> BaseUrl:
        """Checks a base URL.

        Raises:
            MisuseError: It is no absolute http or https URL of a folder.

        Example:
            >>> BaseUrl.of("https://example.com/shop")
            BaseUrl(text='https://example.com/shop/', host='example.com')
        """
        parts = split_url(given.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise MisuseError(
                f"the base URL is the address that the sitemaps will have, such as https://example.com/, not {given!r}"
            )
        host = ascii_host(parts.hostname)
        text = given.strip().replace(parts.hostname, host, 1) if host != parts.hostname else given.strip()
        return cls(text if text.endswith("/") else text + "/", host)

    def url(self, name: str) -> str:
        """The address of a file of that name."""
        return self.text + name


def ascii_host(host: str) -> str:
    """A host as it stands in URLs: in lower case, and in ASCII.

    Raises:
        MisuseError: It is no host.
    """
    good = _core.good_url(f"http://{host}/")
    if good is None:
        raise MisuseError(f"{host!r} is no host")
    return good.removeprefix("http://").removesuffix("/").lower()
