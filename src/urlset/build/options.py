"""The options of the writer in the form of the core, and the base URL of a set."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from urlset.errors import UsageError
from urlset.net.origin import ascii_host, in_url, origin_of
from urlset.net.urlparts import split_url

if TYPE_CHECKING:
    from urlset.options.writing import WriteOptions

FUTURE_TOLERANCE = timedelta(days=1)
"""Maximum time that a lastmod may be in the future, to allow for time zones; as in rule MOD005."""


def for_core(options: WriteOptions, base: BaseUrl | None, *, index: bool = False) -> dict[str, object]:
    """Return the options in the form of the core, for parts or indexes of a set at a base URL."""
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
        "merges": options.max_moves if options.layout == "stable" and base is not None and not index else None,
    }


@dataclass(frozen=True, slots=True)
class BaseUrl:
    """The URL at which the files of a set are published.

    Attributes:
        text: The URL of their directory, with a trailing slash.
        host: Its host in lowercase, in ASCII.
    """

    text: str
    host: str

    @classmethod
    def of(cls, url: str) -> BaseUrl:
        """Validate a base URL.

        Raises:
            UsageError: It is not an absolute http or https URL of a directory.

        Example:
            >>> BaseUrl.of("https://example.com/shop")
            BaseUrl(text='https://example.com/shop/', host='example.com')
        """
        parts, origin = split_url(url.strip()), origin_of(url)
        if origin is None or parts.query or parts.fragment:
            raise UsageError(
                f"the base URL must be the URL of the sitemaps' directory, such as https://example.com/, not {url!r}"
            )
        userinfo, at, _ = parts.netloc.rpartition("@")
        host, port = in_url(origin.host), "" if parts.port is None else f":{parts.port}"
        text = parts._replace(netloc=f"{userinfo}{at}{host}{port}").geturl()
        return cls(text if text.endswith("/") else text + "/", host)

    def url(self, name: str) -> str:
        return self.text + name


def _ascii_host(host: str) -> str:
    try:
        return in_url(ascii_host(host))
    except ValueError:
        raise UsageError(f"{host!r} is not a host") from None
