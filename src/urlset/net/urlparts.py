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
