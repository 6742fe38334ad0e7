"""The options of the writer as the core takes them, and the base URL of a set."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from urlset.errors import UsageError
from urlset.net.origin import ascii_host, in_url, origin_of
from urlset.net.urlparts import split_url

if TYPE_CHECKING:
    from urlset.options.writing import WriteOptions

FUTURE_TOLERANCE = timedelta(days=1)
"""How far ahead of now a lastmod may be, for the zones that are; as rule MOD005 has it."""


def for_core(options: WriteOptions, base: BaseUrl | None, *, index: bool = False) -> dict[str, Any]:
    """The options as the core takes them, for parts or for indexes, of sitemaps that lie at the base URL."""
    compressed = options.gzip == "all" or (options.gzip == "parts" and not index)
    hosts = [] if base is None or "*" in options.hosts else [base.host, *(_ascii_host(host) for host in options.hosts)]
    latest = (options.now or datetime.now(UTC)) + FUTURE_TOLERANCE
    return {
        "max_entries": options.max_entries,
        "max_bytes": options.max_bytes,
        "max_news": options.max_news,
        "base": None if base is None else base.text,
        "bare_paths": options.bare_paths,
        "hosts": hosts,
        "dates": options.lastmod,
        "require_lastmod": options.require_lastmod,
        "latest": (latest - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1),
        "strip": options.forbidden == "strip",
        "drop_fields": options.bad_fields == "drop",
        "doubtful": options.doubtful == "keep",
        "sensitive": None if options.sensitive_parameters is None else list(options.sensitive_parameters),
        "unique": options.duplicates == "refuse",
        "pretty": options.pretty,
        "stylesheet": options.stylesheet,
        "gzip": options.gzip_level if compressed else None,
        "namespaces": list(options.namespaces.items()),
        "newest": 0 if options.feed is None or index else options.feed_entries,
    }


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
            UsageError: It is no absolute http or https URL of a folder.

        Example:
            >>> BaseUrl.of("https://example.com/shop")
            BaseUrl(text='https://example.com/shop/', host='example.com')
        """
        parts, origin = split_url(given.strip()), origin_of(given)
        if origin is None or parts.query or parts.fragment:
            raise UsageError(
                f"the base URL is the address that the sitemaps will have, such as https://example.com/, not {given!r}"
            )
        userinfo, at, _ = parts.netloc.rpartition("@")
        host, port = in_url(origin.host), "" if parts.port is None else f":{parts.port}"
        text = parts._replace(netloc=f"{userinfo}{at}{host}{port}").geturl()
        return cls(text if text.endswith("/") else text + "/", host)

    def url(self, name: str) -> str:
        """The address of a file of that name."""
        return self.text + name


def _ascii_host(host: str) -> str:
    try:
        return in_url(ascii_host(host))
    except ValueError:
        raise UsageError(f"{host!r} is no host") from None
