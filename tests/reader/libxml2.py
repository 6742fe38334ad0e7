"""What libxml2 (through lxml) makes of a document: what the reader is held to where XML is well-formed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from .corpus import IMAGE, NEWS, SITEMAP, VIDEO, XHTML

Values = dict[str, Any]

RSS = (
    "http://purl.org/rss/1.0/",
    "http://my.netscape.com/rdf/simple/0.9/",
    "http://channel.netscape.com/rdf/simple/0.9/",
    "",
)
ATOM = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#", "")
DUBLIN_CORE = ("http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/")
OUTER_SPACE = "".join(ch for ch in map(chr, range(0x3001)) if ch.isspace()) + "\u200b\ufeff"

CORE = ("loc", "lastmod", "changefreq", "priority")
IMAGE_FIELDS = ("loc", "caption", "geo_location", "title", "license")
VIDEO_LISTS = {
    "tag": ("tags", {}),
    "content_segment_loc": ("content_segment_locs", {"duration": "content_segment_durations"}),
    "price": ("prices", {"currency": "price_currencies", "type": "price_types", "resolution": "price_resolutions"}),
}
VIDEO_ATTRIBUTES = {
    "player_loc": {"allow_embed": "player_loc_allow_embed", "autoplay": "player_loc_autoplay"},
    "restriction": {"relationship": "restriction_relationship"},
    "platform": {"relationship": "platform_relationship"},
    "uploader": {"info": "uploader_info"},
    "id": {"type": "id_type"},
    "gallery_loc": {"title": "gallery_loc_title"},
}
VIDEO_FIELDS = (
    *("thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration", "expiration_date", "rating"),
    *("view_count", "publication_date", "family_friendly", "restriction", "platform", "requires_subscription"),
    *("uploader", "live", "id", "category", "gallery_loc"),
)
SHOW_FIELDS = ("show_title", "video_type", "episode_title", "season_number", "episode_number", "premier_date")
VIDEO_COLUMNS = (
    *VIDEO_FIELDS,
    *(column for attributes in VIDEO_ATTRIBUTES.values() for column in attributes.values()),
    *(column for name, attributes in VIDEO_LISTS.values() for column in (name, *attributes.values())),
    *(f"tvshow_{field}" for field in SHOW_FIELDS),
)
NEWS_FIELDS = ("publication_date", "title", "access", "genres", "keywords", "stock_tickers", "geo_locations")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a document is well-formed XML with namespaces, why not, and its tree if it is."""

    well_formed: bool
    errors: tuple[str, ...]
    root: etree._Element | None


def parse(document: bytes) -> Verdict:
    """Parses a document as strictly as libxml2 does; nothing is fetched or expanded."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    try:
        root = etree.fromstring(document, parser)
    except etree.XMLSyntaxError:
        root = None
    # lxml raises for the last error alone: a warning behind an error of namespaces would hide it.
    errors = tuple(f"{entry.type_name}: {entry.message}" for entry in parser.error_log if entry.level_name != "WARNING")
    return Verdict(root is not None and not errors, errors, root)


def name_of(element: etree._Element) -> tuple[str, str]:
    """Namespace ("" for none) and local name."""
    name = etree.QName(element)
    return name.namespace or "", name.localname


def elements(parent: etree._Element) -> Iterator[etree._Element]:
    """The child elements: no comments, processing instructions or entity references."""
    # The type stubs know no other children.
    nodes: list[Any] = list(parent)
    return (node for node in nodes if isinstance(node.tag, str))


def text_of(element: etree._Element) -> str:
    """The text inside an element and the elements in it, trimmed; references to entities stand as written."""
    return _inner_text(element).strip(OUTER_SPACE)


def _inner_text(element: etree._Element) -> str:
    parts = [element.text or ""]
    nodes: list[Any] = list(element)
    for node in nodes:
        if isinstance(node.tag, str):
            parts.append(_inner_text(node))
        elif node.tag is etree.Entity:
            parts.append(node.text or "")
        parts.append(node.tail or "")
    return "".join(parts)


def attribute(element: etree._Element, name: str) -> str | None:
    """The value of an attribute, trimmed; None where there is none."""
    value = element.get(name)
    return None if value is None else str(value).strip(OUTER_SPACE)


def _first(values: Values, column: str, value: str | None) -> None:
    """Sets a field that was not given before, or only empty."""
    if value is not None and not values.get(column):
        values[column] = value


def sitemap_entries(root: etree._Element) -> list[Values]:
    """The entries of a urlset or sitemapindex with their extensions, each as the columns that urlset gives them."""
    own = {SITEMAP, "", name_of(root)[0]}
    entries = []
    for one in root.iter("{*}url", "{*}sitemap"):
        if not one.prefix:
            # An entry without prefix is one in any namespace, and what comes behind it may be in that one, too.
            own.add(name_of(one)[0])
        if name_of(one)[0] in own:
            entries.extend(_entries(one, own))
    return entries


def _entries(element: etree._Element, own: set[str]) -> list[Values]:
    """What one element holds: each further URL begins an entry of its own."""
    values: Values = {"alternates": [], "images": [], "videos": [], "news": []}
    entries = [values]
    core = CORE if name_of(element)[1] == "url" else CORE[:2]
    for child in elements(element):
        namespace, local = name_of(child)
        is_loc = namespace in own and local == "loc"
        if is_loc and values.get("loc") and text_of(child) not in ("", values["loc"]):
            values = {"alternates": [], "images": [], "videos": [], "news": []}
            entries.append(values)
        if namespace in own and local in core:
            _first(values, local, text_of(child))
        elif (namespace, local) == (XHTML, "link"):
            values["alternates"].append(_link(child))
        elif (namespace, local) == (IMAGE, "image"):
            values["images"].append(_record(child, IMAGE, IMAGE_FIELDS))
        elif (namespace, local) == (VIDEO, "video"):
            values["videos"].append(_video(child))
        elif (namespace, local) == (NEWS, "news"):
            values["news"].append(_news(child))
        if namespace in (IMAGE, VIDEO, NEWS, XHTML):
            # A field or a link of the entry inside a record is the entry's all the same.
            for inner in _inside_record(child):
                if name_of(inner) == (XHTML, "link"):
                    values["alternates"].append(_link(inner))
                elif name_of(inner)[0] in own and name_of(inner)[1] in core:
                    _first(values, name_of(inner)[1], text_of(inner))
    return entries


def _link(element: etree._Element) -> Values:
    link = {name: attribute(element, name) for name in ("rel", "hreflang", "href")}
    return {name: value for name, value in link.items() if value is not None}


def _inside_record(element: etree._Element) -> Iterator[etree._Element]:
    for child in elements(element):
        yield child
        if name_of(child)[0] in (IMAGE, VIDEO, NEWS):
            yield from _inside_record(child)


def _record(element: etree._Element, namespace: str, fields: tuple[str, ...]) -> Values:
    values: Values = {}
    for child in elements(element):
        if name_of(child)[0] == namespace and name_of(child)[1] in fields:
            _first(values, name_of(child)[1], text_of(child))
    return values


def _video(element: etree._Element) -> Values:
    values = _record(element, VIDEO, VIDEO_FIELDS)
    for child in elements(element):
        namespace, local = name_of(child)
        if namespace != VIDEO:
            continue
        for name, column in VIDEO_ATTRIBUTES.get(local, {}).items():
            _first(values, column, attribute(child, name))
        if local in VIDEO_LISTS:
            column, attributes = VIDEO_LISTS[local]
            values.setdefault(column, []).append(text_of(child))
            for name, list_column in attributes.items():
                values.setdefault(list_column, []).append(child.get(name))
        if local == "tvshow":
            values |= {f"tvshow_{field}": value for field, value in _record(child, VIDEO, SHOW_FIELDS).items()}
    return values


def _news(element: etree._Element) -> Values:
    values = _record(element, NEWS, NEWS_FIELDS)
    for child in elements(element):
        if name_of(child) == (NEWS, "publication"):
            publication = _record(child, NEWS, ("name", "language"))
            values |= {f"publication_{field}": value for field, value in publication.items()}
    return values


def feed_entries(root: etree._Element) -> list[Values]:
    """The items of a feed: the address, and the date that tells best when it was modified."""
    if name_of(root)[1] == "feed":
        own = {*ATOM, name_of(root)[0]}
        entries = (one for one in _descendants(root) if name_of(one)[1] == "entry" and name_of(one)[0] in own)
        return [_atom_entry(one, own) for one in entries]
    return [_rss_item(one) for one in root.iter("{*}item") if name_of(one)[0] in RSS]


def _rss_item(item: etree._Element) -> Values:
    values: Values = {}
    about = next((str(name) for name in item.attrib if str(name).endswith("}about")), None)
    fallback = attribute(item, about) if about else None
    ranks = [_Date("pubDate", 2, lambda namespace: namespace in RSS)]
    ranks += [_Date(name, 1, lambda namespace: namespace in DUBLIN_CORE) for name in ("date", "modified")]
    for child in _descendants(item):
        namespace, local = name_of(child)
        if namespace in RSS and local == "link":
            _first(values, "loc", text_of(child))
        elif namespace in RSS and local == "guid" and attribute(child, "isPermaLink") != "false":
            guid = text_of(child)
            if fallback is None and re.fullmatch(r"https?://\S*", guid, re.IGNORECASE):
                fallback = guid
    return _with_date(values, item, ranks, fallback)


def _atom_entry(entry: etree._Element, own: set[str]) -> Values:
    values: Values = {}
    fallback = None
    ranks = [_Date(name, 2, lambda namespace: namespace in own) for name in ("updated", "modified")]
    ranks += [_Date(name, 1, lambda namespace: namespace in own) for name in ("published", "issued")]
    ranks += [_Date(name, 1, lambda namespace: namespace in DUBLIN_CORE) for name in ("date", "modified")]
    ranks += [_Date("created", 0, lambda namespace: namespace in own)]
    for child in _descendants(entry):
        namespace, local = name_of(child)
        href = attribute(child, "href")
        if namespace in own and local == "link" and href is not None:
            if child.get("rel", "alternate") == "alternate":
                _first(values, "loc", href)
            elif child.get("rel") == "self" and fallback is None:
                fallback = href
    return _with_date(values, entry, ranks, fallback)


def _descendants(item: etree._Element) -> Iterator[etree._Element]:
    """All elements inside an item, but for those of an Atom source, which describes another feed."""
    for child in elements(item):
        yield child
        if name_of(child)[1] != "source" or name_of(child)[0] in RSS[:-1]:
            yield from _descendants(child)


@dataclass(frozen=True, slots=True)
class _Date:
    name: str
    rank: int
    is_in: Callable[[str], bool]


def _with_date(values: Values, item: etree._Element, dates: list[_Date], fallback: str | None) -> Values:
    """Adds the first date of the highest rank, and the address to take where there is no link."""
    best = -1
    for child in _descendants(item):
        namespace, local = name_of(child)
        rank = max((date.rank for date in dates if date.name == local and date.is_in(namespace)), default=-1)
        if rank > best:
            best = rank
            values["lastmod"] = text_of(child)
    if not values.get("loc") and fallback is not None:
        values["loc"] = fallback
    return values
