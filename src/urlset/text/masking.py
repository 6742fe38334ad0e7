"""Removes user names and passwords from URLs and targets before they are shown or stored."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlset.net.urlparts import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable

MASK = "***@"
"""Replacement for the user name and password in a URL."""

# Also in URLs that are misspelled, with whitespace or with other slashes.
_USER_INFO = re.compile(r"^(\s*[A-Za-z][A-Za-z0-9+.\s-]*:[/\\\s]*+|\s*//)?[^/?#\\]*@")
_AUTHORITY = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)([^/?#\\]*)")
_MISSPELLED = re.compile(r"\s*(?:https?:|//)", re.IGNORECASE)
_SCHEMELESS = re.compile(r"^[^:/?#\\@]*:[^/?#\\]*@")
_CONTAINER = re.compile(r"^(az|abfss?)://[^/?#:@]+@", re.IGNORECASE)
"""The start of a URL in an object store of Azure, whose container is where other URLs have a user name."""


def mask_url(url: str) -> str:
    """Return a URL with `***` in place of a user name and password.

    Example:
        >>> mask_url("https://bob:hunter2@example.com/")
        'https://***@example.com/'
    """
    if "@" not in url or _CONTAINER.match(url):
        return url
    return _replace_user_info(url, MASK)


def without_user(url: str) -> str:
    """Return a URL without a user name and password."""
    return _replace_user_info(url, "") if "@" in url else url


def _replace_user_info(url: str, mask: str) -> str:
    match = _AUTHORITY.match(url)
    if match is not None and _has_half_a_password(match[2]):
        return f"{match[1]}{mask}{url.rpartition('@')[2]}"
    match = _USER_INFO.match(url)
    return url if match is None else f"{match[1] or ''}{mask}{url[match.end() :]}"


def _has_half_a_password(authority: str) -> bool:
    """Return whether a password with a slash, `?`, or `#` begins where a port would be, as in `http://bob:a/b@host/`."""
    _, colon, port = authority.partition(":")
    return bool(colon and port) and not port.isdecimal() and "@" not in authority and not authority.startswith("[")


def mask_target(target: str) -> str:
    """Return a target that is safe to show and store: with `***` for a user name and password if it is a URL.

    A file path and a run in a store (`run.duckdb@3`) can contain an `@`. Bytes of a path that are not UTF-8 are
    replaced, since a store contains text.
    """
    target = without_surrogates(target)
    is_like_a_url = "://" in target or _MISSPELLED.match(target) is not None
    return mask_url(target) if is_like_a_url else _SCHEMELESS.sub(MASK, target, count=1)


def are_same_targets(targets: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether two runs have the same targets, ignoring user names and passwords."""
    first, second = ([mask_target(target).replace(MASK, "", 1) for target in side] for side in (targets, others))
    return first == second
