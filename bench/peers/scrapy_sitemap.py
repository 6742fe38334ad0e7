"""Scrapy's reader: `scrapy.utils.sitemap.Sitemap`, all entries consumed."""

from importlib.metadata import version

from scrapy.utils.sitemap import Sitemap

from worker import serve


def read(data: bytes) -> int:
    return sum(1 for _ in Sitemap(data))


serve(read, {"Scrapy": version("scrapy"), "lxml": version("lxml")})
