"""What to look at: targets as users give them, sorted into sources. Nothing is opened but folders, to list them."""

from urlset.sources.given import BinaryFile, Source, SourceKind, Target, as_targets, sources_of
from urlset.sources.hosts import SITEMAP_SUFFIXES, is_url, url_of

__all__ = [
    "SITEMAP_SUFFIXES",
    "BinaryFile",
    "Source",
    "SourceKind",
    "Target",
    "as_targets",
    "is_url",
    "sources_of",
    "url_of",
]
