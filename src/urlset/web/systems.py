"""The systems that make sites, what in a page shows that one made it, and where its owner sets what. No I/O.

A system is named only with evidence in the pages of the site: the generator that a page states, a comment that a plugin
writes, the paths of its scripts and styles, or a header of the response. The names come from here, never from a page.
"""

from __future__ import annotations

import re
from datetime import date  # noqa: TC003 - msgspec reads the annotation
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Struct

from urlset.files.structured import decode_toml
from urlset.model.fields import PositiveInt, about
from urlset.net.urlparts import host_of
from urlset.web.indexability import PageReason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MAX_READ = 65_536
"""Bytes of a page in which to look for the end of its head. Our choice."""

MAX_WITHOUT_HEAD = 8_192
"""Bytes of a page in which to look if its head does not end in them. Our choice."""


class SettingKind(StrEnum):
    """What a setting decides."""

    NOINDEX = "noindex"
    ROBOTS = "robots"
    CANONICAL = "canonical"
    REDIRECTS = "redirects"
    SITEMAP = "sitemap"
    LASTMOD = "lastmod"

    @property
    def words(self) -> str:
        """What to call it in a sentence."""
        return {"robots": "robots.txt", "canonical": "the canonical URL", "sitemap": "the sitemap"}.get(self, self)


class System(Struct, frozen=True):
    """A content management system, a shop, a plugin for search engines, or a static site generator.

    Attributes:
        name: What its vendor calls it.
        generators: The beginnings of its `<meta name=generator>`, in lowercase.
        text: Bytes that only the heads of its pages have, and what to call them.
        paths: Parts of the paths of its scripts and styles, on the site's own host.
        headers: Response headers that only it sends, each with the beginning of its value, in lowercase.
        extends: The system that it is a plugin of.
    """

    name: str
    generators: tuple[str, ...] = ()
    text: tuple[tuple[bytes, str], ...] = ()
    paths: tuple[bytes, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    extends: str | None = None


COMMENT = "a comment in its pages"

SYSTEMS = (
    System("WordPress", ("wordpress",), paths=(b"/wp-content/themes/", b"/wp-content/plugins/", b"/wp-includes/")),
    System("Yoast SEO", text=((b"<!-- This site is optimized with the Yoast SEO ", COMMENT),), extends="WordPress"),
    System("Rank Math", text=((b"by Rank Math - https://rankmath.com/ -->", COMMENT),
                              (b"by Rank Math PRO - https://rankmath.com/ -->", COMMENT)), extends="WordPress"),
    System("All in One SEO", ("all in one seo",), text=((b"<!-- All in One SEO ", COMMENT),), extends="WordPress"),
    System("Shopify", text=((b"Shopify.shop = \"", "a script of Shopify"),), headers=(("x-shopid", ""),)),
    System("Wix", ("wix.com",), headers=(("x-wix-request-id", ""),)),
    System("Squarespace", ("squarespace",), text=((b"<!-- This is Squarespace. -->", COMMENT),),
           headers=(("server", "squarespace"),)),
    System("Webflow", ("webflow",)),
    System("Ghost", ("ghost ",)),
    System("Drupal", ("drupal ",), headers=(("x-generator", "drupal "),)),
    System("TYPO3", ("typo3",), text=((b"This website is powered by TYPO3", COMMENT),)),
    System("Magento", text=((b"text/x-magento-init", "a script of Magento"),), headers=(("x-magento-vary", ""),)),
    System("Jekyll", ("jekyll",)),
    System("Hugo", ("hugo ",)),
    System("Hexo", ("hexo",)),
    System("Docusaurus", ("docusaurus",)),
    System("MkDocs", ("mkdocs",)),
    System("Zensical", ("zensical",)),
    System("Astro", ("astro",)),
    System("VitePress", ("vitepress",)),
    System("Eleventy", ("eleventy",)),
    System("Pelican", ("pelican",)),
    System("Sphinx", ("sphinx",), paths=(b"_static/documentation_options.js",)),
    System("Next.js", ("next.js",), paths=(b"/_next/static/",)),
    System("Nuxt", ("nuxt",), paths=(b"/_nuxt/",)),
)  # fmt: skip

_BY_NAME = {system.name: system for system in SYSTEMS}
_BY_GENERATOR = [(start, system.name) for system in SYSTEMS for start in system.generators]
_BY_TEXT = [(needle, words, system.name) for system in SYSTEMS for needle, words in system.text]
_BY_PATH = [(path, system.name) for system in SYSTEMS for path in system.paths]
_BY_HEADER = [(*header, system.name) for system in SYSTEMS for header in system.headers]

# Bounded, since a tag can be as long as the page.
_META = re.compile(rb"<meta\b[^<>]{0,1000}>", re.IGNORECASE)
_GENERATOR = re.compile(rb"\bname\s*=\s*[\"']?generator\b", re.IGNORECASE)
_CONTENT = re.compile(rb"\bcontent\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)
_TARGET = re.compile(
    rb"<(?:link|script)\b[^<>]*\b(?:href|src)\s*=\s*[\"']?(?:(?:https?:)?//([^/\"'\s<>]+))?[^\"'\s<>]*\Z", re.IGNORECASE
)

MAX_BEFORE = 500
"""Bytes before a path in which its element begins. Our choice."""

MAX_PATHS = 5
"""Places of a path to look at: a page may quote the path of another site. Our choice."""

GENERATOR = "its generator tag"
PATHS = "the paths of its scripts and styles"
HEADER = "a header of its responses"
EVIDENCE = frozenset({GENERATOR, PATHS, HEADER, *(words for system in SYSTEMS for _, words in system.text)})
"""Everything that shows a system."""


class SeenSystem(Struct, frozen=True):
    """A system that pages of a site show."""

    name: Annotated[str, about("Its name, from the list of systems that urlset knows.")]
    evidence: Annotated[str, about("What shows it, such as `a comment in its pages`.")]
    origin: Annotated[str, about("The site, as scheme and host.")]
    pages: Annotated[PositiveInt, about("Number of pages that show it.")]


class Setting(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a system has a setting, according to its vendor.

    Attributes:
        where: What to open or edit.
        source: Where its vendor says so.
        date: The day on which the source was read.
        always: Whether it applies even if a plugin of the system has the same setting.
    """

    where: str
    source: str
    date: date
    always: bool = False


def generators(start: bytes) -> Iterator[str]:
    """Yield what a page states as its generators, in lowercase.

    Example:
        >>> list(generators(b'<meta content="Hugo 0.164" name=generator>'))
        ['hugo 0.164']
    """
    for tag in _META.findall(start):
        if _GENERATOR.search(tag) is not None and (content := _CONTENT.search(tag)) is not None:
            yield next(group for group in content.groups() if group is not None).decode("utf-8", "replace").lower()


def systems_of(content: bytes, headers: Mapping[str, str], url: str) -> list[str]:
    """Return the systems that made a page, each as `NAME: evidence`, in the order of `SYSTEMS`.

    Args:
        content: Its HTML.
        headers: The headers of its response, with lowercase names.
        url: Its URL: a script of another host shows nothing.

    Example:
        >>> systems_of(b'<meta name="generator" content="WordPress 6.9">', {}, "https://example.com/")
        ['WordPress: its generator tag']
    """
    end = content.find(b"</head", 0, MAX_READ)
    start = content[: MAX_WITHOUT_HEAD if end < 0 else end]
    stated = [*generators(start)] if b"enerator" in start else []
    found = {name: GENERATOR for text in stated for prefix, name in _BY_GENERATOR if text.startswith(prefix)}
    found |= {name: words for needle, words, name in _BY_TEXT if needle in start and name not in found}
    for path, name in _BY_PATH:
        if path in start and name not in found and _is_of_site(path, start, url):
            found[name] = PATHS
    for header, value, name in _BY_HEADER:
        if header in headers and name not in found and headers[header].lower().startswith(value):
            found[name] = HEADER
    return [f"{name}: {found[name]}" for name in _BY_NAME if name in found] if found else []


def _is_of_site(path: bytes, start: bytes, url: str) -> bool:
    """Return whether a script or style of the page's own host has the path."""
    own = (host_of(url) or "").encode()
    place = -1
    for _ in range(MAX_PATHS):
        if (place := start.find(path, place + 1)) < 0:
            return False
        begin = start.rfind(b"<", max(0, place - MAX_BEFORE), place)
        target = None if begin < 0 else _TARGET.search(start, begin, place)
        if target is not None and (target[1] or own).lower() == own:
            return True
    return False


def seen_system(seen: str, origin: str, pages: int) -> SeenSystem | None:
    """Return a system as a store has it; None if this urlset does not know it."""
    name, _, evidence = seen.partition(": ")
    return SeenSystem(name, evidence, origin, pages) if name in _BY_NAME and evidence in EVIDENCE else None


@cache
def settings() -> Mapping[SettingKind, Mapping[str, Setting]]:
    """Return where each system has each setting, by the name of the system."""
    text = Path(__file__).with_name("settings.toml").read_text(encoding="utf-8")
    return msgspec.convert(decode_toml(text), type=dict[SettingKind, dict[str, Setting]])


def settings_for(kind: SettingKind, names: Iterable[str]) -> list[tuple[str, Setting]]:
    """Return where to change a setting on a site made with these systems, by their names, plugins first.

    A plugin replaces the setting of its system, unless the latter always applies.
    """
    known = settings().get(kind, {})
    mine = [(_BY_NAME[name], known[name]) for name in dict.fromkeys(names) if name in known and name in _BY_NAME]
    replaced = {system.extends for system, _ in mine if system.extends is not None}
    kept = [(system, setting) for system, setting in mine if system.name not in replaced or setting.always]
    kept.sort(key=lambda one: one[0].extends is None)
    return [(system.name, setting) for system, setting in kept]


KINDS_OF_REASON: Mapping[PageReason, tuple[SettingKind, ...]] = {
    PageReason.BLOCKED_BY_ROBOTS: (SettingKind.ROBOTS,),
    PageReason.ROBOTS_UNREACHABLE: (SettingKind.ROBOTS,),
    PageReason.NOT_FOUND: (SettingKind.SITEMAP,),
    PageReason.REDIRECT: (SettingKind.REDIRECTS,),
    PageReason.CLIENT_REDIRECT: (SettingKind.REDIRECTS,),
    PageReason.REDIRECT_ERROR: (SettingKind.REDIRECTS,),
    PageReason.NOINDEX: (SettingKind.NOINDEX, SettingKind.SITEMAP),
    PageReason.NOINDEX_IN_BODY: (SettingKind.NOINDEX,),
    PageReason.CANONICAL_ELSEWHERE: (SettingKind.CANONICAL,),
    PageReason.DUPLICATE: (SettingKind.SITEMAP, SettingKind.CANONICAL),
    PageReason.NOT_HTML: (SettingKind.SITEMAP,),
}
"""The settings that keep a page from being indexed, or with which to stop listing it."""
