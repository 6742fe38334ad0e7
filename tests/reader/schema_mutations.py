"""Mutations of values and structure that the official schemas look at; those of `corpus` break the XML."""

from __future__ import annotations

import random
import re

from .corpus import IMAGE, SITEMAP, mutate, vary

SEEDS: tuple[bytes, ...] = (
    f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="{SITEMAP}">
  <url><loc>https://www.example.com/</loc><lastmod>2024-11-05</lastmod><changefreq>daily</changefreq>
    <priority>0.8</priority></url>
  <url><loc>https://www.example.com/a?b=1&amp;c=2#d</loc><lastmod>2024-11-05T10:00:00+01:00</lastmod></url>
</urlset>
""".encode(),
    f"""<sitemapindex xmlns="{SITEMAP}"><sitemap><loc>https://www.example.com/1.xml</loc>
<lastmod>2024-11-05T10:00:00Z</lastmod></sitemap><sitemap><loc>https://www.example.com/2.xml</loc></sitemap></sitemapindex>
""".encode(),
    f"""<s:urlset xmlns:s="{SITEMAP}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:schemaLocation="{SITEMAP} {SITEMAP}/sitemap.xsd"><s:url><s:loc>https://www.example.com/p</s:loc></s:url></s:urlset>
""".encode(),
    f"""<urlset xmlns="{SITEMAP}" xmlns:image="{IMAGE}"><url><loc><![CDATA[https://www.example.com/?a&b]]></loc>
<!-- c --><priority>1</priority><?a b?></url></urlset>
""".encode(),
)
"""Documents that the official schemas accept."""

URLS = (
    "/relative/path", "/short", "https://e.com", "//example.com/path", "mailto:somebody@example.com", "x" * 12,
    "x" * 11, "https://example.com/a b", " https://example.com/ ", "https://example.com/%41%zz",
    "https://example.com/%4", "https://example.com:/", "https://example.com:80a/",
    "https://example.com:99999999999/", "https://[::1]/path", "https://[::1/path", "https://user:pass@example.com/",
    "https://us er@example.com/", "https://example.com/#a#b", "https://example.com/[a]", "https://example.com/#[a]",
    "https://example.com/?[a]", "https://example.com/a|b\\c^d`e", "https://bücher.example/ü",
    "https://example.com/{a}", "https://example.com/'a'", "::::::::::::::", "a:bcdefghijkl", "1a:bcdefghijkl",
    "path/with:colon", "pa:th/with:colon", "https://example.com/" + "é" * 2028, "https://example.com/" + "a" * 2028,
    "https://example.com/" + "a" * 2029, "https://example.com/a\nb", "https:///path/x",
    "https://example.com/\u00a0", "\u200bhttps://example.com/", "?query=string", "#fragment-only",
    "https://exa@mple@com/", "https://example.com/a?b?c/d", "https:////////////", "http:example.com",
    "http:/example.com", "https://%zz.example/", "https://e.com/&lt;a&gt;", "https://e.com/&amp;&quot;",
    "https://e.com/&#233;&#x20AC;", "https://[bad]x.com/", "@@@@@@@@@@@@",
)  # fmt: skip
DATES = (
    "2024", "2024-11", "2024-11-05", "2024-02-29", "2023-02-29", "2024-02-30", "2024-13-01", "2024-00-01",
    "2024-01-00", "2024-11-05Z", "2024-11-05+14:00", "2024-11-05+14:01", "2024-11-05-14:00", "2024-11-05+1:00",
    "2024-11-05z", "2024-11-05T10:00Z", "2024-11-05T10:00:00", "2024-11-05T10:00:00.5", "2024-11-05T10:00:00.",
    "2024-11-05T10:00:60Z", "2024-11-05T24:00:00", "2024-11-05T24:00:00.0", "2024-11-05T24:00:00.1",
    "2024-11-05T24:01:00", "2024-11-05T25:00:00", "2024-11-05 10:00:00", "2024-11-05t10:00:00", "-2024-11-05",
    "0000-01-01", "-0001-01-01", "02024-01-01", "12024-01-01", "-0004-02-29", "-0005-02-29", "-0400-02-29",
    "1900-02-29", "2000-02-29", "+2024-01-01", "2024-1-1", "20240101", "24-01-01", "2024-11-05T10:00:00+00:60",
    "2024-11-05T10:00:00+15:00", "2024-11-05T10:00:00-00:00", "2024-11-05T10:00:00 Z", "", " 2024-11-05 ",
    "\t2024-11-05\n", "2024-11-05T10:00:00.123456789012345678901234567890Z", "2024-11-05T", "T10:00:00",
    "999999999999-01-01", "99999999999999999999999-01-01", "2024-11-05T1:00:00", "2024-11-05T10:0:00",
    "2024-11-05T10:00:0", "2024-11-05T10:00:00ZZ", "2024-11-05Z ", "2024 -11-05", "2024-11-05\u00a0", "yesterday",
    "2024-11-05+13:60", "2024-04-31",
)  # fmt: skip
WORDS = (
    "always", "hourly", "daily", "weekly", "monthly", "yearly", "never", "Daily", " daily", "daily ", "",
    "sometimes",
)  # fmt: skip
NUMBERS = (
    "0", "1", "0.0", "1.0", "0.5", ".5", "1.", ".", "", "-0", "-0.0", "+1", "+-1", "1.1", "-0.1", "2", "0,5",
    "5e-1", "NaN", "INF", " 0.5 ", "0.5\n", "0 .5", "00001", "0.500000000000000000000000000000000000",
    "1.0000000000000000000000000001", "0.0000000000000000000000000000000001", "-0.00000000000000000000000000000001",
    "0000000000000000000000000000001", "+", "-", "100000000000000000000000000000000", "high", "50%", "0.5.5",
    "\u0660", "0x1", "1" * 30,
)  # fmt: skip
PIECES = (
    "<lastmod>2024-01-01</lastmod>", "<priority>0.5</priority>", "<changefreq>never</changefreq>", "<loc/>",
    "<url/>", "<loc>https://example.com/x</loc>", "<url><loc>https://example.com/x</loc></url>", "<other/>", "text",
    " ", "&#32;", '<x xmlns=""/>', '<x xmlns="urn:x">y<z/></x>', "<!-- c -->", "<?p i?>", "<![CDATA[ ]]>",
    "<![CDATA[x]]>", "<![CDATA[]]>", "&#160;", "<sitemap><loc>https://example.com/x</loc></sitemap>", "<URL/>",
    "<Loc>https://example.com/x</Loc>", "&amp;",
    f'<i:image xmlns:i="{IMAGE}"><i:loc>https://example.com/i</i:loc></i:image>',
    f'<q:lastmod xmlns:q="{SITEMAP}"/>', f'<q:priority xmlns:q="{SITEMAP}">0.5</q:priority>',
    "<lastmod>2024-01-01<b/></lastmod>", "\u200b", "&#x2028;",
)  # fmt: skip
INSTANCE = (
    'nil="true"', 'nil="false"', 'type="tUrl"', 'type="tLoc"', 'type="xs:string"', 'schemaLocation="a b c"',
    'noNamespaceSchemaLocation="x.xsd"', 'type="tLastmod"', 'type=" tPriority "', 'type="tLocSitemap"',
    'type="tSitemap"', 'other="x"',
)  # fmt: skip
WRONG_NAMESPACES = (f"{SITEMAP}/", SITEMAP.replace("http:", "https:"), SITEMAP.upper(), "urn:x")
ATTRIBUTES = (
    *('a="b"', 'xml:lang="en"', 'xml:space="preserve"', 'xmlns:y="urn:y"', 'xmlns:y="urn:y" y:a="b"', 'xmlns=""'),
    *(f'xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:{attribute}' for attribute in INSTANCE),
    *(f'xmlns="{wrong}"' for wrong in WRONG_NAMESPACES),
)
FIELDS = {b"loc": URLS, b"lastmod": DATES, b"changefreq": WORDS, b"priority": NUMBERS}

_FIELD = re.compile(rb"<(?:s:)?(loc|lastmod|changefreq|priority)>(.*?)</(?:s:)?\1>", re.DOTALL)
_TAG = re.compile(rb"</?[\w:]+[^<>]*>")
_START = re.compile(rb"<([\w:]+)([^<>/]*)>")
_ELEMENT = re.compile(rb"<([\w:]+)>[^<]*</\1>")


def _change_value(document: bytes, rng: random.Random) -> bytes:
    fields = list(_FIELD.finditer(document))
    if not fields:
        return document
    field = rng.choice(fields)
    value = rng.choice(FIELDS[field[1]])
    # The references in the table are meant as such.
    return document[: field.start(2)] + value.encode() + document[field.end(2) :]


def _change_characters(document: bytes, rng: random.Random) -> bytes:
    """One to three characters of a value, so that the grammars are tried off the beaten track."""
    fields = list(_FIELD.finditer(document))
    if not fields:
        return document
    field = rng.choice(fields)
    value = field[2].decode("utf-8", "replace")
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randint(0, len(value))
        new = rng.choice(("", *"0123456789", *"-+.:/?#[]@!$'()*,;=%", *" \t\n", *"TZabxyéß{|}\\^`~\u00a0", "%20", "//"))
        value = value[:at] + new + value[at + rng.choice((0, 0, 1, 2)) :]
    return document[: field.start(2)] + value.encode() + document[field.end(2) :]


def _add_piece(document: bytes, rng: random.Random) -> bytes:
    tags = list(_TAG.finditer(document))
    if not tags:
        return document
    at = rng.choice(tags).end()
    return document[:at] + rng.choice(PIECES).encode() + document[at:]


def _add_attribute(document: bytes, rng: random.Random) -> bytes:
    tags = list(_START.finditer(document))
    if not tags:
        return document
    tag = rng.choice(tags)
    return document[: tag.end(1)] + b" " + rng.choice(ATTRIBUTES).encode() + document[tag.end(1) :]


def _change_element(document: bytes, rng: random.Random) -> bytes:
    """Removes, repeats or moves a value, or swaps two."""
    elements = list(_ELEMENT.finditer(document))
    if not elements:
        return document
    one, other = rng.choice(elements), rng.choice(elements)
    how = rng.randrange(4)
    if how == 0:
        return document[: one.start()] + document[one.end() :]
    if how == 1:
        return document[: one.end()] + one[0] + document[one.end() :]
    if how == 2:
        return document[: other.start()] + one[0] + document[other.start() :]
    return document.replace(one[0], b"\0").replace(other[0], one[0]).replace(b"\0", other[0])


_MUTATIONS = (
    _change_value, _change_value, _change_value, _change_characters, _change_characters, _add_piece, _add_attribute,
    _change_element,
)  # fmt: skip


def case(number: int) -> bytes:
    """The mutated document of a number, always the same one."""
    rng = random.Random(f"schema {number}")
    document = rng.choice(SEEDS)
    how = rng.random()
    if how < 0.06:
        return mutate(document, rng)
    if how < 0.12:
        return vary(document, rng)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        document = rng.choice(_MUTATIONS)(document, rng)
    return document
