"""Generators of sites: which one made a directory, where its configuration has the URL of the site, and its sources."""

from __future__ import annotations

import heapq
import re
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.hosting.not_pages import NotAPage
from urlset.hosting.published_files import is_page
from urlset.text.sizes import quantity
from urlset.web.html_page import read_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlset.hosting.published_files import PublishedFolder
    from urlset.web.html_page import PageFacts

SETTINGS = {
    "jekyll": ("Jekyll", "`url` and `baseurl` in _config.yml"),
    "hugo": ("Hugo", "`baseURL` in hugo.toml"),
    "hexo": ("Hexo", "`url` in _config.yml"),
    "docusaurus": ("Docusaurus", "`url` and `baseUrl` in docusaurus.config.js"),
    "quarto": ("Quarto", "`site-url` in _quarto.yml"),
    "antora": ("Antora", "`site.url` in the playbook"),
    "mkdocs": ("MkDocs", "`site_url` in mkdocs.yml"),
    "pkgdown": ("pkgdown", "`url` in _pkgdown.yml"),
    "astro": ("Astro", "`site` and `base` in astro.config.mjs"),
    "gatsby": ("Gatsby", "`siteMetadata.siteUrl` in gatsby-config.js"),
    "vitepress": ("VitePress", "`sitemap.hostname` in .vitepress/config.js"),
    "eleventy": ("Eleventy", "the URL of the site in its data files"),
    "pelican": ("Pelican", "`SITEURL` in publishconf.py"),
    "zola": ("Zola", "`base_url` in config.toml"),
    "publii": ("Publii", "the website URL in the settings of the server"),
    "staatic": ("Staatic", "the destination URL in the settings of the plugin"),
    "simply static": ("Simply Static", "the destination URL in the settings of the plugin"),
    "wordpress": ("WordPress", "the site address in its settings, or the destination URL of the export"),
}
"""The name of each generator, and the setting with the URL of the site, by the first word of its `meta generator`."""

OUTPUTS = {"Jekyll": "_site/", "Hugo": "public/", "Eleventy": "_site/"}
"""Directories that the generators write, by their default settings."""

BUILT = ("_site/", "public/", "dist/", "build/", "out/")
"""Directories in which a build may be, in the directory of its sources."""

SETTING = "the site's URL in the configuration of its generator"
"""The setting of an unknown generator."""

MAX_PAGES = 50
"""Number of pages that are read, those near the home page first."""

MIN_SOURCES = 0.5
"""Share of templates among the pages of a directory from which it is the source of a site."""

_GENERATOR = re.compile(rb"<meta\b[^<>]*\bname\s*=\s*[\"']?generator\b[^<>]*>", re.IGNORECASE)
_CONTENT = re.compile(rb"\bcontent\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)
_PKGDOWN = re.compile(rb"pkgdown[-.\w]{0,40}[.]js|Site built with\s{1,20}<a[^<>]{0,300}pkgdown", re.IGNORECASE)
_LIQUID = re.compile(
    rb"\{%-?\s*(include|assign|for|if|unless|capture)\b|\|\s*(absolute|relative)_url|\{\{-?\s*(page|site|post)[.]"
)
_GO = re.compile(rb"\{\{-?\s*(define|block|partial|template|range|with|end|[.]\w|\$[.]|if)\b")
_ELEVENTY = re.compile(rb"\bcollections[.]|\{%-?\s*(extends|set|macro)\b|\|\s*safe\b|\beleventy\w*[.:]")


class SampledPage(Struct, frozen=True):
    """A page near the home page: its name, its first bytes, and what it says about itself."""

    name: str
    start: bytes
    facts: PageFacts


class UnbuiltSite(Struct, frozen=True):
    """The source of a site instead of its build.

    Attributes:
        generator: The name of its generator; None if it is unknown.
        output: The directory that a build is in, or would be in, with a trailing slash; None if it is unknown.
        is_built: Whether there is a build in it.
        evidence: What shows that it is a source, as a clause.
    """

    generator: str | None
    output: str | None
    is_built: bool
    evidence: str

    def __str__(self) -> str:
        return f"the source of a {self.generator} site" if self.generator else "the source of a site"

    def instead(self, verb: str) -> str:
        """Return what to do instead, in the imperative; the verb is what to do with the build."""
        if self.is_built:
            return f"{verb} `{self.output}`"
        return f"build the site, and {verb} {f'`{self.output}`' if self.output else 'its output directory'}"


def sample_pages(folder: PublishedFolder, limit: int, is_wanted: Callable[[str], bool]) -> Iterator[SampledPage]:
    """Yield some pages of a directory, those near the home page first.

    Args:
        is_wanted: Whether a file is a page of the site.
    """
    pages = (name for name in folder.files if is_page(name) and is_wanted(name))
    for name in heapq.nsmallest(limit, pages, key=lambda name: (name.count("/"), name)):
        start = folder.start(name)
        yield SampledPage(name, start, read_page(start))


def setting_of(pages: list[SampledPage]) -> str:
    """Return where the configuration of the generator that made the pages has the URL of the site."""
    for page in pages:
        known = SETTINGS.get(_generator_of(page.start))
        if known is not None:
            generator, setting = known
            return f"{setting} ({generator})"
    return SETTING


def _generator_of(start: bytes) -> str:
    """Return the generator that a page names, as in `SETTINGS`; empty if it names none."""
    for tag in _GENERATOR.findall(start):
        if (content := _CONTENT.search(tag)) is not None:
            text = next(group for group in content.groups() if group is not None).decode("utf-8", "replace").lower()
            found = next((name for name in SETTINGS if text.startswith(name)), None)
            if found is not None:
                return found
    return "pkgdown" if _PKGDOWN.search(start) else ""


def unbuilt_site(folder: PublishedFolder, pages: list[SampledPage]) -> UnbuiltSite | None:
    """Return that a directory is the source of a site instead of its build; None if it is not.

    Its pages say so, by front matter or by tags of a template language. A build may have the configuration as well.
    """
    own = [page for page in pages if not page.name.startswith(BUILT)]
    sources = [page for page in own if page.facts.kind == NotAPage.TEMPLATE]
    if len(sources) < MIN_SOURCES * len(own) or not sources:
        return None
    generator = _generator_of_source(folder, sources)
    there = next((name for name in BUILT if f"{name}index.html" in folder.files), None)
    output = there or OUTPUTS.get(generator or "")
    evidence = f"{len(sources):,} of {quantity(len(own), 'page')} read begin with front matter or have template tags"
    return UnbuiltSite(generator, output, there is not None, f"{evidence}, such as {sources[0].name}")


def _generator_of_source(folder: PublishedFolder, sources: list[SampledPage]) -> str | None:
    """Return the generator of a source, by its directories and the tags in its pages; None if neither tells."""
    names = folder.files
    if (folder.root / ".eleventy.js").is_file() or any(name.startswith("eleventy.config.") for name in names):
        return "Eleventy"
    text = b"\n".join(page.start for page in sources)
    if _ELEVENTY.search(text) and not any(name.startswith("_layouts/") for name in names):
        return "Eleventy"
    if _LIQUID.search(text) or "_config.yml" in names or any(name.startswith("_layouts/") for name in names):
        return "Jekyll"
    if _GO.search(text):
        return "Hugo"
    return None
