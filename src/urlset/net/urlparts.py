"""Splitting and joining of URLs that strangers wrote: total functions, which raise nothing whatever they are given.

`urllib.parse` raises ValueError for `http://[`, `http://a℀b/` and others. One such URL in a sitemap must not end a run,
so nothing else in the package calls it without a reason; a test keeps the list of the exceptions.
"""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urljoin, urlsplit

_SURROGATE = re.compile("[\ud800-\udfff]")


def split_url(url: str) -> SplitResult:
    """Splits a URL; one that cannot be split has no scheme and no host, and all of it is the path.

    Example:
        >>> split_url("http://[")
        SplitResult(scheme='', netloc='', path='http://[', query='', fragment='')
    """
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def join_url(base: str, reference: str) -> str:
    """Resolves a reference against the URL of its document; one that cannot be resolved is returned as written.

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
    """Returns the host of a URL as the column `host` has it: in lower case, an IPv6 address in its brackets.

    Example:
        >>> host_of("http://user@[::1]:8080/")
        '[::1]'
    """
    host = (split_url(url).hostname or "").lower()
    return (f"[{host}]" if ":" in host else host) or None


def site_of(url: str) -> str:
    """Returns scheme and authority of a URL as written, `https://example.com:8443`; the empty string if it has no host.

    Example:
        >>> site_of("https://example.com:8443/a?b")
        'https://example.com:8443'
        >>> site_of("http://[")
        ''
    """
    parts = split_url(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def without_surrogates(text: str) -> str:
    """Returns the text with each lone surrogate replaced by U+FFFD, as UTF-8, and so the core, cannot carry it.

    Python makes them of bytes that are not UTF-8, in a command line as in a header.
    """
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
