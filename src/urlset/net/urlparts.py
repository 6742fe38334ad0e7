"""Splits and joins untrusted URLs: total functions, which never raise an exception.

`urllib.parse` raises ValueError for `http://[`, `http://a℀b/`, and others. Such a URL in a sitemap must not end a run,
so other modules do not call it; a test has the list of exceptions.
"""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urljoin, urlsplit

from urlset import _core

_SURROGATE = re.compile("[\ud800-\udfff]")


def split_url(url: str) -> SplitResult:
    """Split a URL; an invalid URL has no scheme and no host, and all of it is the path.

    Example:
        >>> split_url("http://[")
        SplitResult(scheme='', netloc='', path='http://[', query='', fragment='')
    """
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def join_url(base: str, reference: str) -> str:
    """Resolve a reference against the URL of its document; an invalid reference is returned unchanged.

    Example:
        >>> join_url("https://example.com/a/b", "../c")
        'https://example.com/c'
        >>> join_url("https://example.com/a/b", "http://[")
        'http://['
    """
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def host_of(url: str) -> str | None:
    """Return the host of a URL as in each column `host`: ASCII in lowercase, no trailing dot, IPv6 in brackets.

    A host that cannot be converted is returned as written.

    Example:
        >>> host_of("http://user@[::1]:8080/"), host_of("https://BÜCHER.example./")
        ('[::1]', 'xn--bcher-kva.example')
    """
    return _core.url_host(without_surrogates(url))


def url_hash(url: str) -> int:
    """Return the hash by which URLs are compared, also of text that UTF-8 does not support."""
    return _core.url_hash(without_surrogates(url))


def published_at(url: str) -> dict[str, object]:
    """Return the columns of `urlset.tables.DOCUMENTS` about the final URL of a document.

    Example:
        >>> facts = published_at("https://example.com/s.xml")
        >>> facts["host"], facts["site_path"]
        ('example.com', '/s.xml')
    """
    host = host_of(url)
    path = "" if host is None else split_url(url).path
    return {"final_url": url, "final_url_hash": url_hash(url), "host": host, "site_path": path}


def requested_at(url: str) -> dict[str, object]:
    """Return the columns of `urlset.tables.DOCUMENTS` about the requested URL of a document."""
    return {"url_hash": url_hash(url), "requested_host": host_of(url)}


def site_of(url: str) -> str:
    """Return scheme and authority of a URL as written, `https://example.com:8443`; an empty string if it has no host.

    Example:
        >>> site_of("https://example.com:8443/a?b")
        'https://example.com:8443'
        >>> site_of("http://[")
        ''
    """
    parts = split_url(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def without_surrogates(text: str) -> str:
    """Return the text with each lone surrogate replaced by U+FFFD, since UTF-8 and the core do not support surrogates.

    Python uses them for bytes that are not UTF-8, in command lines and headers.
    """
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
