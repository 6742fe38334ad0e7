"""Targets without a scheme that name a host, such as `example.com/sitemap.xml`. No other module decides this."""

from __future__ import annotations

import os
import re

from urlset.net import origin as net

SITEMAP_SUFFIXES = (".xml", ".txt", ".rss", ".atom", ".rdf")
"""Extensions of sitemap files that a directory is searched for; each can be followed by that of a compression."""

COMPRESSED_SUFFIXES = (".gz", ".zst", ".br")
"""Extensions of compressed files."""

FILE_SUFFIXES = (
    *SITEMAP_SUFFIXES,
    *(f"{suffix}.br" for suffix in SITEMAP_SUFFIXES),
    *(".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".bak", ".tmp", ".log"),
    *(".html", ".htm", ".xhtml", ".md", ".mdx", ".markdown", ".rst", ".adoc", ".pdf", ".xsd", ".xsl"),
    *(".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".toml", ".yaml", ".yml"),
    *(".duckdb", ".db", ".sqlite", ".sqlite3", ".sql"),
)
"""Ends of names that are files rather than hosts."""

_START = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s/?#:@\[\]\\\"<>%|^`{}*]+)(:[0-9]{1,5})?(?=([/?#]?))")
_LABEL = re.compile(r"[^\W_](?:[\w-]*[^\W_])?")
_LAST_LABEL = re.compile(r"(?:[^\W\d_]{2,}|xn--[a-z0-9-]+)", re.IGNORECASE)


def uncompressed_name(name: str) -> str:
    """Return a file name in lowercase, without the extension of a compression.

    Example:
        >>> uncompressed_name("Sitemap.xml.GZ"), uncompressed_name("sitemap.xml")
        ('sitemap.xml', 'sitemap.xml')
    """
    lower = name.lower()
    for suffix in COMPRESSED_SUFFIXES:
        if lower.endswith(suffix):
            return lower.removesuffix(suffix)
    return lower


def is_url(text: str) -> bool:
    """Return whether a target is an http(s) URL with its scheme."""
    return text[:8].lower().startswith(("http://", "https://"))


def url_of(target: str) -> str | None:
    """Return the URL that a target names; None if it names a file, a directory, or standard input.

    A URL without a scheme is recognized if it starts with a domain name, an IP address, `localhost`, or a host with a
    port, and if there is no such file. The scheme is then https, and http for `localhost` and IP addresses, which
    rarely have a certificate.

    Example:
        >>> url_of("example.com/sitemap.xml"), url_of("localhost:8000")
        ('https://example.com/sitemap.xml', 'http://localhost:8000')
        >>> url_of("sitemap.xml"), url_of("public/sitemap.xml"), url_of("-")
        (None, None, None)
    """
    if is_url(target):
        return target
    start = _START.match(target)
    if start is None or (start[3] == "" and start.end() != len(target)):
        return None
    host, port, delimiter = start.groups()
    if not _is_host(host, has_port=port is not None, has_path=delimiter == "/") or _exists(target, host):
        return None
    plain = host.strip("[]")
    scheme = "http" if net.is_localhost(plain) or net.is_address(plain) else "https"
    return f"{scheme}://{target}"


def _is_host(host: str, *, has_port: bool, has_path: bool) -> bool:
    name = host.strip("[]").rstrip(".").lower()
    if net.is_localhost(name) or net.is_address(name):
        return True
    suffixes = (*SITEMAP_SUFFIXES, ".gz", ".zst") if has_path or has_port else FILE_SUFFIXES
    labels = name.split(".")
    if name.endswith(suffixes) or not all(map(_LABEL.fullmatch, labels)):
        return False
    return has_port or (len(labels) > 1 and _LAST_LABEL.fullmatch(labels[-1]) is not None)


def _exists(target: str, host: str) -> bool:
    """Return whether there is such a file, or a directory that could be meant, as `wget --mirror` names it."""
    return any(map(os.path.exists, (target, host)))
