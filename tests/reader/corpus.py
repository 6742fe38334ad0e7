"""The documents that the reader's property tests begin with, and the mutations that break them.

Every seed is well-formed. Together they hold what sitemaps and feeds are written with: all extensions, CDATA, comments,
processing instructions, prefixes, references, characters outside ASCII, several line ends and encodings, DOCTYPEs.
"""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import dataclass

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
XHTML = "http://www.w3.org/1999/xhtml"

PLAIN = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="{SITEMAP}">
  <url>
    <loc>https://www.example.com/</loc>
    <lastmod>2024-11-05</lastmod>
    <changefreq>daily</changefreq>
    <priority>0.8</priority>
  </url>
  <url><loc>https://www.example.com/a?b=1&amp;c=2#d</loc><lastmod>2024-11-05T10:00:00+01:00</lastmod></url>
</urlset>
"""

CDATA = f"""<?xml version='1.0' encoding='utf-8'?>
<?xml-stylesheet type="text/xsl" href="/sitemap.xsl"?>
<!-- made by hand - with care -->
<urlset xmlns="{SITEMAP}">
  <url>
    <loc><![CDATA[https://www.example.com/?a=1&b=2]]></loc>
    <lastmod> 2024-11-05T10:00Z </lastmod>
  </url>
  <url>
    <!-- one -->
    <loc>https://www.example.com/<![CDATA[?x=<y>]]>&amp;z&#x3D;&#49;</loc>
    <priority><!-- none -->0.5<?php echo 1 ?></priority>
  </url>
  <url><loc/><lastmod></lastmod></url>
</urlset>
<!-- end -->
"""

EXTENSIONS = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="{SITEMAP}" xmlns:image="{IMAGE}"
        xmlns:video="{VIDEO}" xmlns:news='{NEWS}'
        xmlns:xhtml="{XHTML}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
        xsi:schemaLocation="{SITEMAP} http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd">
  <url>
    <loc>https://www.example.com/v</loc>
    <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de?a=1&amp;b=2"/>
    <xhtml:link rel='alternate' hreflang='x-default' href='https://www.example.com/v'></xhtml:link>
    <image:image><image:loc>https://img.example.com/1.jpg</image:loc><image:caption>A "c"</image:caption></image:image>
    <image:image>
      <image:loc>https://img.example.com/2.jpg</image:loc>
      <image:title>Zw&#246;lf &lt;b&gt;</image:title>
    </image:image>
    <video:video>
      <video:thumbnail_loc>https://img.example.com/t.jpg</video:thumbnail_loc>
      <video:title>Title &amp; more</video:title>
      <video:description><![CDATA[A <b>description</b>]]></video:description>
      <video:player_loc allow_embed="yes" autoplay="ap=1">https://www.example.com/p?v=1</video:player_loc>
      <video:duration>600</video:duration>
      <video:restriction relationship="allow">IE GB US CA</video:restriction>
      <video:price currency="EUR">1.99</video:price>
      <video:price currency="USD" type="rent">2.99</video:price>
      <video:tag>one</video:tag>
      <video:tag>two</video:tag>
      <video:uploader info="https://www.example.com/u">Somebody</video:uploader>
      <video:live>no</video:live>
    </video:video>
    <news:news>
      <news:publication><news:name>The Example</news:name><news:language>en</news:language></news:publication>
      <news:publication_date>2024-11-05</news:publication_date>
      <news:title>Example's news</news:title>
      <news:keywords>a, b</news:keywords>
    </news:news>
  </url>
</urlset>
"""

INDEX = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<sitemapindex xmlns="{SITEMAP}">
\t<sitemap>
\t\t<loc>https://www.example.com/sitemap-1.xml.gz</loc>
\t\t<lastmod>2024-11-05T10:00:00.5Z</lastmod>
\t</sitemap>
\t<sitemap><loc>https://www.example.com/sitemap-2.xml.gz</loc></sitemap>
</sitemapindex>
"""

PREFIXED = f"""<s:urlset xmlns:s="{SITEMAP}" xmlns:i="{IMAGE}" xmlns="urn:other">
  <s:url>
    <s:loc>https://www.example.com/p</s:loc>
    <other a="1" b='2'><deeper xmlns="">text</deeper></other>
    <i:image><i:loc>https://img.example.com/3.jpg</i:loc></i:image>
    <s:priority xml:lang="en" xml:space="preserve">1.0</s:priority>
    <a:x xmlns:a="urn:a"><a:y a:z="1" z="2"/></a:x>
  </s:url>
</s:urlset>"""

FOREIGN_LETTERS = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="{SITEMAP}">
<url><loc>https://bücher.example/straße/日本語?q=ü&amp;r=😀</loc><lastmod>2024-11-05</lastmod></url>
<url><loc>https://пример.example/путь</loc><größe>x</größe></url>
</urlset>"""

RSS = """<?xml version="1.0"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel>
    <title>Example</title>
    <link>https://www.example.com/</link>
    <atom:link href="https://www.example.com/feed" rel="self" type="application/rss+xml"/>
    <item>
      <title>One &amp; only</title>
      <link>https://www.example.com/1?a=1&amp;b=2</link>
      <pubDate>Tue, 05 Nov 2024 10:00:00 GMT</pubDate>
      <description><![CDATA[<p>Hello</p>]]></description>
    </item>
    <item><guid isPermaLink="true">https://www.example.com/2</guid><dc:date>2024-11-05</dc:date></item>
    <item><guid isPermaLink="false">tag:3</guid><link>https://www.example.com/3</link></item>
  </channel>
</rss>
"""

RDF = """<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
         xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel rdf:about="https://www.example.com/"><link>https://www.example.com/</link></channel>
  <item rdf:about="https://www.example.com/1">
    <title>One</title><link>https://www.example.com/1</link><dc:date>2024-11-05T10:00:00Z</dc:date>
  </item>
  <item rdf:about="https://www.example.com/2"><title>Two</title></item>
</rdf:RDF>
"""

ATOM = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>Example</title>
  <link href="https://www.example.com/"/>
  <updated>2024-11-05T10:00:00Z</updated>
  <entry>
    <link rel="self" href="https://www.example.com/1.atom"/>
    <link rel="alternate" href="https://www.example.com/1?a=1&amp;b=2"/>
    <published>2024-11-04T10:00:00Z</published>
    <updated>2024-11-05T10:00:00Z</updated>
    <source><link href="https://www.example.org/"/><updated>2001-01-01</updated></source>
  </entry>
  <entry><link href='https://www.example.com/2'/><published>2024-11-03</published></entry>
  <entry><link rel="self" href="https://www.example.com/3"/></entry>
</feed>
"""

DOCTYPE = f"""<?xml version="1.0"?>
<!DOCTYPE urlset [
  <!ELEMENT urlset ANY>
  <!ENTITY host "www.example.com">
  <!-- a comment with "quotes' -->
]>
<urlset xmlns="{SITEMAP}"><url><loc>https://&host;/x</loc></url></urlset>
"""

EXTERNAL_DOCTYPE = f"""<!DOCTYPE urlset PUBLIC "-//X//DTD X//EN" 'https://www.example.com/x.dtd'>
<urlset xmlns="{SITEMAP}"><url><loc>https://www.example.com/x</loc></url></urlset>
"""

LATIN_1 = f"""<?xml version="1.0" encoding="ISO-8859-1"?>
<urlset xmlns="{SITEMAP}"><url><loc>https://www.example.com/straße/é</loc></url></urlset>
"""

CYRILLIC = f"""<?xml version="1.0" encoding="windows-1251"?>
<urlset xmlns="{SITEMAP}"><url><loc>https://www.example.com/путь</loc></url></urlset>
"""

UTF_16 = f"""<?xml version="1.0" encoding="UTF-16"?>
<urlset xmlns="{SITEMAP}"><url><loc>https://www.example.com/ü?a&amp;b</loc></url></urlset>
"""


@dataclass(frozen=True, slots=True)
class Seed:
    """A well-formed document."""

    name: str
    document: bytes


SEEDS: tuple[Seed, ...] = (
    Seed("plain", PLAIN.encode()),
    Seed("one-line", PLAIN.replace("\n", "").replace("  ", "").encode()),
    Seed("crlf", CDATA.replace("\n", "\r\n").encode()),
    Seed("cdata", CDATA.encode()),
    Seed("extensions", EXTENSIONS.encode()),
    Seed("index", INDEX.encode()),
    Seed("prefixed", PREFIXED.encode()),
    Seed("foreign-letters", FOREIGN_LETTERS.encode()),
    Seed("bom", FOREIGN_LETTERS.encode("utf-8-sig")),
    Seed("rss", RSS.encode()),
    Seed("rdf", RDF.encode()),
    Seed("atom", ATOM.encode()),
    Seed("doctype", DOCTYPE.encode()),
    Seed("external-doctype", EXTERNAL_DOCTYPE.encode()),
    Seed("latin-1", LATIN_1.encode("iso-8859-1")),
    Seed("windows-1251", CYRILLIC.encode("windows-1251")),
    Seed("utf-16", UTF_16.encode("utf-16")),
    Seed("utf-16-be", b"\xfe\xff" + UTF_16.encode("utf-16-be")),
)


def _table(text: str) -> list[bytes]:
    """The cells of a table: two spaces or a line end stand between them."""
    return [cell.encode() for cell in re.split(r" {2,}|\n", text.strip())]


REFERENCES = _table("""
&  &amp;  &nbsp;  &eacute;  &unknown;  &amp  &;  &#  &#0;  &#1;  &#x9;  &#xD800;  &#x110000;  &#65;  &#x41  &#xFFFE;
&lt;  &a b;  &host;  %host;  &apos;  &#65 ;  &#X41;
""")
TAGS = _table("""
<  >  <<  </  />  <>  </>  <a  <a/>  <a></a>  <a b>  <a b=c/>  <a b='1' b='2'/>  <a b='<'/>  <a b='1'c='2'/>  <a / >
</a >  </ a>  <url>  </url>  <loc>  </loc>  </LOC>  <urlset>  </urlset>  <b:c/>  <:c/>  <b:/>  <b:c:d/>  <xmlns:a/>
""")
MARKUP = _table("""
]]>  ]]  ]  --  -->  <!--  <!-- x -->  <!-- -- -->  <!---->  <!-->  <!--->  --->  <![CDATA[  <![CDATA[]]>
<![CDATA[x]]>  <![cdata[x]]>  <![  <!  <!>  <!x>  <!DOCTYPE x>  <!DOCTYPE x [  <!doctype x>  <!ENTITY a 'b'>  <?xml
<?  ?>  <?a?>  <?a b?>  <??>  <? a?>  <?xml version="1.0"?>  <?XML x?>  <?a:b c?>  <?a\x01?>  <?xml version='1.1'?>
<?xml-x y?>
""")
BYTES = (
    *(
        b"\x00",
        b"\x01",
        b"\x08",
        b"\x0b",
        b"\x0c",
        b"\x1f",
        b"\x7f",
        b"\x80",
        b"\x9f",
        b"\xa0",
        b"\xc3",
        b"\xe9",
        b"\xff",
    ),
    *(
        b"\xc0\x80",
        b"\xfe\xff",
        b"\xef\xbb\xbf",
        b"\xef\xbf\xbe",
        b"\xef\xbf\xbf",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
    ),
    *(text.encode() for text in ("é", "\x85", "\u2028", "·", "😀", "\u037e", "×", "\u0300")),
    *(b" ", b"\t", b"\n", b"\r", b"\r\n", b"\r\r", b"\n\n", b"< ", b"<a ", b"<a\n>"),
)
ATTRIBUTES = [
    b" " + attribute
    for attribute in _table("""
a="b"  a='b'  a=b  a="b" a="b"  a  =  a="<"  a="&"  a="&amp;"  a="&nbsp;"  xmlns=""  xmlns:a=""  xmlns:a="urn:a"
xmlns:b="urn:a" xmlns:a="urn:a"  a:b="1"  a:b="1" c:b="2"  xmlns:xml="urn:x"  xmlns:xmlns="urn:x"
xmlns="http://www.w3.org/2000/xmlns/"  xmlns:xml="http://www.w3.org/XML/1998/namespace"  xmlns:='u'
xmlns:p="http://www.w3.org/XML/1998/namespace"  xml:lang="en"  xml:lang="en" xml:lang="de"  xmlns:a:b='u'  :a="1"
a:="1"  xmlnsx="u"  xmlnsx:a='1'
""")
]
PIECES = _table("""
"  '  ''  ""  =  ==  /  \\  #  ;  :  -  .  1  a  A  _  %  1.1  2.0  UTF-8  encoding='UTF-8'  encoding='utf-16'
encoding='x'  standalone='no'  version='1.0'
""")
SNIPPETS: tuple[bytes, ...] = (*REFERENCES, *TAGS, *MARKUP, *BYTES, *ATTRIBUTES, *PIECES)
"""What people and programs put where it does not belong."""


def mutate(document: bytes, rng: random.Random) -> bytes:
    """Breaks a document in one to four places, or leaves it well-formed by luck."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        document = rng.choice(_MUTATIONS)(document, rng)
    return document


def _place(document: bytes, rng: random.Random) -> int:
    """An offset: anywhere, or at a character that means something, or near the beginning."""
    how = rng.random()
    if how < 0.4:
        return rng.randint(0, len(document))
    if how < 0.5:
        return rng.randint(0, min(len(document), 120))
    places = [at for at, byte in enumerate(document) if byte in b"<>&/=\"'?!;:]-"]
    return min(len(document), rng.choice(places) + rng.randint(0, 1)) if places else 0


def _span(document: bytes, rng: random.Random) -> tuple[int, int]:
    begin = _place(document, rng)
    length = rng.choice((1, 1, 1, 2, 3, 5, 8, rng.randint(1, 60), rng.randint(1, 400)))
    return begin, min(len(document), begin + length)


def _delete(document: bytes, rng: random.Random) -> bytes:
    begin, end = _span(document, rng)
    return document[:begin] + document[end:]


def _insert(document: bytes, rng: random.Random) -> bytes:
    at = _place(document, rng)
    return document[:at] + rng.choice(SNIPPETS) + document[at:]


def _replace(document: bytes, rng: random.Random) -> bytes:
    begin, end = _span(document, rng)
    return document[:begin] + rng.choice(SNIPPETS) + document[end:]


def _duplicate(document: bytes, rng: random.Random) -> bytes:
    begin, end = _span(document, rng)
    at = rng.choice((end, _place(document, rng)))
    return document[:at] + document[begin:end] + document[at:]


def _swap(document: bytes, rng: random.Random) -> bytes:
    a, b, c, d = sorted((*_span(document, rng), *_span(document, rng)))
    return document[:a] + document[c:d] + document[b:c] + document[a:b] + document[d:]


def _change_byte(document: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(document)) if document else 0
    byte = rng.choice(
        (rng.randrange(256), rng.randrange(0x20, 0x7F), (document[at] ^ 1 << rng.randrange(8)) if document else 0)
    )
    return document[:at] + bytes((byte,)) + document[at + 1 :]


def _truncate(document: bytes, rng: random.Random) -> bytes:
    return document[: rng.randint(0, len(document))] if rng.random() < 0.5 else document[rng.randint(0, 40) :]


def _tags(document: bytes) -> list[tuple[int, int]]:
    """Bounds of what looks like a tag."""
    tags, at = [], document.find(b"<")
    while at >= 0:
        end = document.find(b">", at) + 1
        if end <= 0:
            break
        tags.append((at, end))
        at = document.find(b"<", end)
    return tags


def _change_tag(document: bytes, rng: random.Random) -> bytes:
    """Removes, repeats, upper-cases or moves a whole tag."""
    tags = _tags(document)
    if not tags:
        return document
    begin, end = rng.choice(tags)
    tag = document[begin:end]
    to, _ = rng.choice(tags)
    how = rng.randrange(5)
    if how == 0:
        return document[:begin] + document[end:]
    if how == 1:
        return document[:begin] + tag + document[begin:]
    if how == 2:
        return document[:begin] + tag.swapcase() + document[end:]
    if how == 3:
        return document[:to] + tag + document[to:]
    return document[:begin] + tag.replace(b":", rng.choice((b"", b"::", b"_")), 1) + document[end:]


def _insert_in_tag(document: bytes, rng: random.Random) -> bytes:
    """Puts a snippet where attributes stand."""
    tags = _tags(document)
    if not tags:
        return document
    begin, end = rng.choice(tags)
    at = end - (2 if document[end - 2 : end - 1] in b"/?" and end - begin > 2 else 1)
    return document[:at] + rng.choice(SNIPPETS) + document[at:]


_MUTATIONS = (
    _delete,
    _insert,
    _insert,
    _insert,
    _replace,
    _replace,
    _duplicate,
    _swap,
    _change_byte,
    _change_byte,
    _truncate,
    _change_tag,
    _change_tag,
    _insert_in_tag,
    _insert_in_tag,
)

GENTLE: tuple[bytes, ...] = (
    *_table("""
<!-- x -->  <!---->  <?a b?>  <![CDATA[]]>  <![CDATA[ x ]]>  <![CDATA[&amp;<b>]]>  <![CDATA[]]]]>  &amp;  &lt;  &gt;
&quot;  &apos;  &#65;  &#x41;  &#x20;  &#10;  &#160;  &#x1F600;  x  >  ]  ]]  é
<a/>  <a>x</a>  <a b='c'>x<d/>y</a>  <a:a xmlns:a='urn:a' a:b="1"/>  <a xmlns=''>x</a>
<loc>https://www.example.com/l</loc>  <lastmod/>  <lastmod>2001</lastmod>  <priority> 0.1 </priority>
<url><loc>https://www.example.com/u</loc></url>  <sitemap><loc>https://www.example.com/s</loc></sitemap>
<item><link>https://www.example.com/i</link></item>  <entry><link href='https://www.example.com/e'/></entry>
<link>https://www.example.com/k</link>  <link rel='self' href='https://www.example.com/k'/>  <guid>https://g/</guid>
<updated>2001-01-01</updated>  <pubDate>Mon, 01 Jan 2001 00:00:00 GMT</pubDate>  <title>x &amp; y</title>
"""),
    *(text.encode() for text in (" ", "\n", "\t", "\r\n", "\r", "\u00a0", "\u200b")),
)
"""What may stand in well-formed documents, too."""


def vary(document: bytes, rng: random.Random) -> bytes:
    """Puts pieces between tags, or removes or repeats an element without others inside it: mostly well-formed."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        tags = _tags(document)
        if not tags:
            break
        how = rng.random()
        at = rng.choice(tags)[rng.randrange(2)]
        if how < 0.2:
            at = rng.randint(at, len(document))
        if how < 0.8:
            document = document[:at] + rng.choice(GENTLE) + document[at:]
            continue
        pairs = [(a, d) for (a, b), (_, d) in itertools.pairwise(tags) if _closes(document, a, b, d)]
        if pairs:
            begin, end = rng.choice(pairs)
            element = document[begin:end]
            document = document[:begin] + element * rng.choice((0, 2, 3)) + document[end:]
    return document


def _closes(document: bytes, begin: int, end: int, end_of_next: int) -> bool:
    name = document[begin + 1 : end - 1].split()[:1]
    return bool(name) and document[:end_of_next].endswith(b"</" + name[0] + b">")


def case(number: int) -> tuple[str, bytes]:
    """The mutated document of a number, always the same one, and the name of its seed."""
    rng = random.Random(number)
    seed = rng.choice(SEEDS)
    return seed.name, (vary if number % 3 == 0 else mutate)(seed.document, rng)
