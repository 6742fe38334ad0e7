"""Targets of the user, and the sources that they stand for. Folders are listed; no files are opened."""

from urlset.sources.given import (
    SITEMAP_SUFFIXES,
    BinaryFile,
    Source,
    SourceKind,
    Target,
    as_targets,
    is_url,
    sources_of,
)

__all__ = [
    "SITEMAP_SUFFIXES",
    "BinaryFile",
    "Source",
    "SourceKind",
    "Target",
    "as_targets",
    "is_url",
    "sources_of",
]
