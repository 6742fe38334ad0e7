"""Scrapy's reader: `scrapy.utils.sitemap.Sitemap`, the usual fields of all entries taken."""

from importlib.metadata import version

from scrapy.utils.sitemap import Sitemap

from worker import serve


def read(data: bytes) -> int:
    entries = 0
    for entry in Sitemap(data):
        _ = (entry["loc"], entry.get("lastmod"), entry.get("changefreq"), entry.get("priority"))
        entries += 1
    return entries


serve(read, {"Scrapy": version("scrapy"), "lxml": version("lxml")})
