"""py-xml-sitemap-writer: `XMLSitemap.add_url` for each row of a CSV. Usage: xml_sitemap_writer_csv.py FILE FOLDER."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from xml_sitemap_writer import XMLSitemap

SITE = "https://www.example.com"

with Path(sys.argv[1]).open(newline="") as file, XMLSitemap(sys.argv[2], SITE) as sitemap:
    rows = csv.reader(file)
    next(rows)
    for loc, lastmod in rows:
        # It prepends the site to every URL, so it must be given only the path.
        sitemap.add_url(loc[len(SITE) :], lastmod=lastmod)
