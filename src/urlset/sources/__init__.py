"""What to look at: targets as users give them, sorted into sources. Nothing is opened but folders, to list them."""

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
