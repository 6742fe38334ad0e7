"""Targets of the user, and the sources that they stand for. Folders are listed; no files are opened."""

from urlset.sources.bare_hosts import SITEMAP_SUFFIXES, is_url, uncompressed_name, url_of
from urlset.sources.targets import BinaryFile, Source, SourceKind, Target, as_targets, sources_of

__all__ = [
    "SITEMAP_SUFFIXES",
    "BinaryFile",
    "Source",
    "SourceKind",
    "Target",
    "as_targets",
    "is_url",
    "sources_of",
    "uncompressed_name",
    "url_of",
]
