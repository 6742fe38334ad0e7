"""urlset: `urlset.read` over the bytes, an object for each entry, and the usual fields of all of them taken."""

from importlib.metadata import version

import urlset
from worker import serve


def read(data: bytes) -> int:
    entries = 0
    for entry in urlset.read(data):
        if isinstance(entry, urlset.Url):
            _ = (entry.loc, entry.lastmod, entry.changefreq, entry.priority)
        entries += 1
    return entries


serve(read, {"urlset": version("urlset")})
