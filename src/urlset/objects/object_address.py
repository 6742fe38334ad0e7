"""Addresses of objects, such as `s3://bucket/sitemap.xml`. No other module decides what is one."""

from __future__ import annotations

import re

from urlset.errors import UsageError
from urlset.text.masking import mask_url

PACKAGES = {
    "s3": "s3fs",
    "s3a": "s3fs",
    "gs": "gcsfs",
    "gcs": "gcsfs",
    "az": "adlfs",
    "abfs": "adlfs",
    "abfss": "adlfs",
    "memory": "",
}
"""The schemes, and the package that fsspec needs for each; empty for one that fsspec supports itself."""

AZURE = frozenset({"az", "abfs", "abfss"})
"""Schemes whose URLs have a container before an `@`, where other URLs have a user name."""

_START = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):/")
_GLOB = re.compile(r"[*?[]")


def is_object(target: str) -> bool:
    """Return whether a target is the URL of an object, a prefix, or a glob in an object store.

    Example:
        >>> is_object("s3://bucket/sitemap.xml"), is_object("https://example.com/"), is_object("sitemap.xml")
        (True, False, False)
    """
    scheme, mark, _ = target.partition("://")
    return bool(mark) and scheme.lower() in PACKAGES


def original_url(path: str) -> str | None:
    """Return the URL of an object that was converted to a path, which drops a slash; None for any other path.

    Example:
        >>> original_url("s3:/bucket/runs.duckdb"), original_url("runs.duckdb")
        ('s3://bucket/runs.duckdb', None)
    """
    start = _START.match(path)
    if start is None or start[1].lower() not in PACKAGES:
        return None
    return f"{start[1]}://{path[start.end() :].lstrip('/')}"


def scheme_of(url: str) -> str:
    """Return the scheme of an object's URL, in lowercase."""
    return url.partition("://")[0].lower()


def parts_of(url: str) -> tuple[str, str]:
    """Return the root of a URL and the key below it: `s3://bucket/` and `a/sitemap.xml`.

    Raises:
        UsageError: The URL contains credentials, or names no bucket.
    """
    scheme, _, rest = url.partition("://")
    bucket, _, key = rest.partition("/")
    if "@" in bucket and (scheme.lower() not in AZURE or ":" in bucket):
        raise UsageError(f"{mask_url(url)}: remove the credentials from the URL and set them in the environment")
    if not bucket:
        raise UsageError(f"{url}: the bucket is missing; write {scheme}://BUCKET/KEY")
    return f"{scheme}://{bucket}/", key


def is_glob(key: str) -> bool:
    """Return whether a key is a pattern, such as `*.xml.gz`."""
    return _GLOB.search(key) is not None


def literal_prefix(key: str) -> str:
    """Return the part of a pattern before its first special character: `a/2026-` of `a/2026-*.xml`."""
    return _GLOB.split(key, maxsplit=1)[0]


def name_of(url: str) -> str:
    """Return the last part of a key: `sitemap.xml`."""
    return url.rpartition("/")[2]
