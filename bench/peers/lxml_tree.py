"""libxml2 through lxml: the whole tree, then loc and lastmod of every url as text; nothing is validated."""

from importlib.metadata import version

from lxml import etree

from worker import serve

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def read(data: bytes) -> int:
    entries = 0
    for url in etree.fromstring(data).iterchildren(f"{NAMESPACE}url"):
        fields = {field.tag: field.text for field in url}
        entries += f"{NAMESPACE}loc" in fields
    return entries


serve(read, {"lxml": version("lxml"), "libxml2": ".".join(map(str, etree.LIBXML_VERSION))})
