"""The traits of a document that its hreflang links give it, which decide what rules are run."""

from __future__ import annotations

import pytest

import urlset
from urlset import _core

OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
PAGE = "<loc>https://example.com/{}</loc>"
LINK = '<xhtml:link rel="alternate" hreflang="{}" href="https://example.com/{}"/>'


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([PAGE.format("de") + LINK.format("de", "de") + LINK.format("x-default", "en")], set()),
        ([PAGE.format("de") + LINK.format("de", "de"), PAGE.format("en") + LINK.format("en", "en")], set()),
        ([PAGE.format("de") + LINK.format("en", "en"), PAGE.format("en")], {"link-within"}),
        ([PAGE.format("en"), PAGE.format("de") + LINK.format("en", "en")], {"link-within"}),
        # Which of the two a link points to is unclear.
        ([PAGE.format("de") + LINK.format("de", "de")] * 2, {"link-within"}),
        ([PAGE.format("se") + LINK.format("SE", "se")], {"country-code"}),
        ([PAGE.format("ch") + LINK.format("de-CH", "ch")], {"regional-code"}),
        ([PAGE.format("de") + LINK.format("de", "de").replace('rel="alternate"', "")], {"link-problem"}),
        ([PAGE.format("de") + LINK.format("de", "de").replace("alternate", "ALTERNATE")], set()),
        ([PAGE.format("de") + LINK.format("de", "de").replace("https:", "")], {"link-problem"}),
        ([PAGE.format("de") + LINK.format("d", "de")], {"link-problem"}),
        ([PAGE.format("de") + '<xhtml:link rel="alternate" href="https://example.com/de"/>'], {"link-problem"}),
        # Links of an entry without a URL count, too.
        ([LINK.format("se", "se")], {"country-code"}),
    ],
)
def test_links_have_traits(entries: list[str], expected: set[str]) -> None:
    body = "".join(f"<url>{entry}</url>" for entry in entries)
    traits = urlset.read(f"{OPEN}{body}</urlset>".encode()).facts["traits"]
    known = _core.vocabularies()["traits"]
    found = {name for name, (_, bit) in known.items() if traits & bit}
    assert found - {"home-page", "loc-problem"} == expected
