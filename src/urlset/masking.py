"""Removes user names and passwords from URLs and targets before they are shown or stored."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlset.net.urlparts import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable

MASK = "***@"
"""Replacement for the user name and password in a URL."""

_USER_INFO = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*:)?(//)?[^/?#\\]*@")
_CONTAINER = re.compile(r"^(az|abfss?)://[^/?#:@]+@", re.IGNORECASE)
"""The start of a URL in an object store of Azure, whose container is where other URLs have a user name."""
_SCHEMELESS = re.compile(r"^[^/?#\\@]*:[^/?#\\]*@")


def masked(url: str) -> str:
    """Return a URL with `***` in place of a user name and password.

    Example:
        >>> masked("https://bob:hunter2@example.com/")
        'https://***@example.com/'
    """
    if "@" in url and _CONTAINER.match(url):
        return url
    return _USER_INFO.sub(rf"\1\2{MASK}", url, count=1) if "@" in url else url


def without_user(url: str) -> str:
    """Return a URL without a user name and password."""
    return _USER_INFO.sub(r"\1\2", url, count=1) if "@" in url else url


def shown_target(target: str) -> str:
    """Return a target that is safe to show and store: with `***` for a user name and password if it is a URL.

    A file path and a run in a store (`run.duckdb@3`) can contain an `@`. Bytes of a path that are not UTF-8 are
    replaced, since a store contains text.
    """
    target = without_surrogates(target)
    return masked(target) if "://" in target else _SCHEMELESS.sub(MASK, target, count=1)


def same_targets(one: Iterable[str], other: Iterable[str]) -> bool:
    """Return whether two runs have the same targets, ignoring user names and passwords."""
    first, second = ([shown_target(target).replace(MASK, "", 1) for target in targets] for targets in (one, other))
    return first == second
