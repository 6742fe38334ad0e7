"""Schemas of our own making, in the shape of the official ones, which are not ours to ship."""

from __future__ import annotations

from pathlib import Path

import pytest

HEAD = (
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="{0}" targetNamespace="{0}"'
    ' elementFormDefault="qualified">'
)
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
ANY = '<xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded" processContents="strict"/>'


def list_of(root: str, entry: str) -> str:
    return (
        HEAD.format(SITEMAP)
        + f'<xs:element name="{root}"><xs:complexType><xs:sequence>'
        + f'<xs:element name="{entry}" maxOccurs="unbounded"><xs:complexType><xs:sequence>'
        + '<xs:element name="loc" type="xs:anyURI"/><xs:element name="priority" type="xs:decimal" minOccurs="0"/>'
        + f"{ANY}</xs:sequence></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element></xs:schema>"
    )


IMAGE = HEAD.format("http://www.google.com/schemas/sitemap-image/1.1") + '<xs:element name="image"/></xs:schema>'


@pytest.fixture
def schemas(tmp_path: Path) -> Path:
    folder = tmp_path / "schemas"
    folder.mkdir()
    (folder / "sitemap.xsd").write_text(list_of("urlset", "url"))
    (folder / "siteindex.xsd").write_text(list_of("sitemapindex", "sitemap"))
    return folder
