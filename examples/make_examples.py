"""Generates the examples that are not plain text: gzip files, other encodings, and a truncated gzip file.

Usage: python examples/make_examples.py [FOLDER]   (default: the directory of this file)
"""

from __future__ import annotations

import codecs
import struct
import sys
import zlib
from pathlib import Path

PAGES = ("", "about", "contact", "lamps", "lamps/brass", "chairs")
ARTICLES = (
    ("new-lamps", "Brass lamps are back", "2026-02-04T09:30:00+00:00"),
    ("opening-hours", "Open on Sundays from March", "2026-02-03T07:15:00+00:00"),
    ("winter-sale", "The winter sale begins", "2026-02-02T18:00:00+00:00"),
)
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
NEWS_NAMESPACE = "http://www.google.com/schemas/sitemap-news/0.9"


def gzip(data: bytes) -> bytes:
    """Returns a gzip member without name, time, and system, so that the same data always gives the same file."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = deflate.compress(data) + deflate.flush()
    header = struct.pack("<4BI2B", 0x1F, 0x8B, 8, 0, 0, 2, 255)
    return header + body + struct.pack("<2I", zlib.crc32(data), len(data))


def sitemap_of_pages(host: str, encoding: str = "UTF-8") -> str:
    """Returns a urlset of the pages of a small shop."""
    entries = "".join(
        f"  <url>\n    <loc>https://{host}/{page}</loc>\n"
        f"    <lastmod>2026-02-{day:02}T08:00:00+00:00</lastmod>\n  </url>\n"
        for day, page in enumerate(PAGES, start=1)
    )
    return f'<?xml version="1.0" encoding="{encoding}"?>\n<urlset xmlns="{NAMESPACE}">\n{entries}</urlset>\n'


def sitemap_of_news(host: str) -> str:
    """Returns a news sitemap with three articles."""
    entries = "".join(
        f"  <url>\n    <loc>https://{host}/news/{name}</loc>\n    <news:news>\n"
        "      <news:publication>\n        <news:name>Example Shop Journal</news:name>\n"
        "        <news:language>en</news:language>\n      </news:publication>\n"
        f"      <news:publication_date>{date}</news:publication_date>\n"
        f"      <news:title>{title}</news:title>\n    </news:news>\n  </url>\n"
        for name, title, date in ARTICLES
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}" xmlns:news="{NEWS_NAMESPACE}">\n'
        f"{entries}</urlset>\n"
    )


def sitemap_index(host: str) -> str:
    """Returns the index of the two gzip files next to it."""
    entries = "".join(
        f"  <sitemap>\n    <loc>https://{host}/{name}</loc>\n"
        "    <lastmod>2026-02-06T08:00:00+00:00</lastmod>\n  </sitemap>\n"
        for name in ("sitemap-pages.xml.gz", "sitemap-news.xml.gz")
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{NAMESPACE}">\n{entries}</sitemapindex>\n'


def examples() -> dict[str, bytes]:
    """Returns the bytes of every generated file by its path below the directory."""
    host = "www.example.com"
    pages = sitemap_of_pages(host).encode()
    whole = gzip(pages)
    # A non-ASCII letter reveals a wrong encoding.
    french = sitemap_of_pages(host, "ISO-8859-1").replace("/contact<", "/café<")
    return {
        "index/sitemap-index.xml": sitemap_index(host).encode(),
        "index/sitemap-pages.xml.gz": whole,
        "index/sitemap-news.xml.gz": gzip(sitemap_of_news(host).encode()),
        "encodings/utf-16.xml": codecs.BOM_UTF16_LE
        + sitemap_of_pages(host, "UTF-16").replace("/contact<", "/café<").encode("utf-16-le"),
        "encodings/iso-8859-1.xml": french.encode("iso-8859-1"),
        "broken/truncated.xml.gz": whole[:-32],
    }


def main() -> None:
    """Writes every file that has changed."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, data in examples().items():
        path = folder / name
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            print(f"wrote {name}, {len(data):,} bytes")


if __name__ == "__main__":
    main()
