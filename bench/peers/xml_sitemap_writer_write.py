"""py-xml-sitemap-writer: `XMLSitemap.add_url` for each page of the generator. It always compresses, at level 9."""

from __future__ import annotations

from importlib.metadata import version

from xml_sitemap_writer import XMLSitemap

from writing import COUNT, SITE, Prepared, serve

prepared = Prepared(COUNT)


def write(folder: str) -> int:
    with XMLSitemap(folder, SITE) as sitemap:
        for page in prepared.pages():
            # It prepends the site to every URL, so it must be given only the path.
            sitemap.add_url(page["loc"][len(SITE) :], lastmod=page["lastmod"])
    return int(sitemap.total_urls_counter)


serve(write, {"xml-sitemap-writer": version("xml-sitemap-writer")})
