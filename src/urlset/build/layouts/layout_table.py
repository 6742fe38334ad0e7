"""Layouts of sites before they are built: where each generator has its source files, and which URLs it gives them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from urlset.build.layouts import layout_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from urlset.build.layouts.layout_rules import SourcePlace

MARKDOWN = (".md", ".markdown")
_SCRIPTS = (".js", ".jsx", ".ts", ".tsx")
PROGRAMS = (*_SCRIPTS, ".astro")
"""Files that are programs, whose first lines are no front matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The layout of a generator.

    Attributes:
        generator: Its name.
        documentation: Where these rules are from.
        configurations: Files in the directory of a project that tell the generator.
        shared_configurations: Such files that other generators have as well, so that `is_own` decides.
        is_own: Returns whether a project with such a file is of the generator, by the values in it.
        mounts: Directories of the project that pages are made from, with their paths below the base URL; the first
            that a file is in counts. `*` stands for one directory, whose name is part of the path.
        content: The directory of pages, if it is not that of the project.
        content_setting: Setting in its configuration that replaces `content`.
        suffixes: Files that pages are made from.
        indexes: Names, without extension, of index files.
        same_name: Whether a file named like its directory is its index.
        keys: Front matter that sets the URL of a page.
        ends_in_slash: Whether URLs end in a slash, unless the configuration says otherwise.
        is_lower: Whether URLs are lowercase, with hyphens in place of spaces.
        parts: Files that are parts of pages, or no pages.
        rule: Applies what is special about the generator: returns the file with the path and front matter that
            decide, why its URL is not known, or None if it makes no page.
        includes: Directories of files that pages include.
    """

    generator: str
    documentation: str
    configurations: tuple[str, ...] = ()
    shared_configurations: tuple[str, ...] = ()
    is_own: Callable[[Path, Mapping[str, object]], bool] | None = None
    mounts: Mapping[str, str] = field(default_factory=dict)
    content: str = ""
    content_setting: str = ""
    suffixes: tuple[str, ...] = MARKDOWN
    indexes: tuple[str, ...] = ("index",)
    same_name: bool = False
    keys: tuple[str, ...] = ()
    ends_in_slash: bool = True
    is_lower: bool = False
    parts: re.Pattern[str] | None = None
    rule: Callable[[SourcePlace], SourcePlace | str | None] | None = None
    includes: tuple[str, ...] = ()


APP = "app:"
"""Stands for the root of the site in mounts of Next.js whose pages are files of one name."""

_PRIVATE = re.compile(r"(^|/)_[^/]*(/|$)")

LAYOUTS = (
    Layout(
        generator="Hugo",
        documentation="https://gohugo.io/content-management/urls/",
        configurations=("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config/_default/hugo.toml"),
        shared_configurations=(
            "config.toml", "config.yaml", "config.yml", "config.json", "config/_default/config.toml",
            "config/_default/config.yaml",
        ),
        is_own=layout_rules.is_hugo,
        content="content",
        content_setting="contentdir",
        suffixes=(*MARKDOWN, ".html", ".htm", ".adoc", ".org", ".rst", ".pandoc"),
        indexes=("_index", "index"),
        keys=("url", "slug"),
        is_lower=True,
        rule=layout_rules.hugo,
    ),
    Layout(
        generator="Docusaurus",
        ends_in_slash=False,
        documentation="https://docusaurus.io/docs/create-doc, https://docusaurus.io/docs/blog",
        configurations=("docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs"),
        mounts={
            "versioned_docs/version-*": "docs/*",
            "i18n/*/docusaurus-plugin-content-docs/current": "*/docs",
            "i18n/*/docusaurus-plugin-content-blog": "*/blog",
            "i18n/*/docusaurus-plugin-content-pages": "*",
            "src/pages": "",
            "docs": "docs",
            "blog": "blog",
        },
        suffixes=(*MARKDOWN, ".mdx", *_SCRIPTS),
        indexes=("index", "readme"),
        same_name=True,
        keys=("slug",),
        rule=layout_rules.docusaurus,
        parts=re.compile(r"(^|/)(_[^/]*(/|$)|__tests__/|[^/]*\.test\.\w+$)"),
    ),
    Layout(
        generator="MkDocs",
        documentation="https://www.mkdocs.org/user-guide/writing-your-docs/",
        configurations=("mkdocs.yml", "mkdocs.yaml"),
        content="docs",
        content_setting="docs_dir",
        indexes=("index", "readme"),
    ),
    Layout(
        generator="VitePress",
        ends_in_slash=False,
        documentation="https://vitepress.dev/guide/routing",
        configurations=(
            ".vitepress/config.ts", ".vitepress/config.js", ".vitepress/config.mts", ".vitepress/config.mjs",
        ),
        suffixes=(".md",),
    ),
    Layout(
        generator="Astro",
        documentation="https://docs.astro.build/en/guides/routing/, https://starlight.astro.build/guides/pages/",
        configurations=("astro.config.mjs", "astro.config.ts", "astro.config.js", "astro.config.mts"),
        mounts={"src/pages": "", "src/content/docs": "", "src/content/*": "*", "content/*": "*"},
        suffixes=(*MARKDOWN, ".mdx", ".mdoc", ".astro", ".html"),
        keys=("slug",),
        is_lower=True,
        parts=_PRIVATE,
    ),
    Layout(
        generator="Next.js",
        ends_in_slash=False,
        documentation="https://nextjs.org/docs/app/api-reference/file-conventions/page, "
        "https://nextjs.org/docs/pages/building-your-application/routing",
        configurations=("next.config.js", "next.config.mjs", "next.config.ts", "next.config.mts"),
        mounts={"src/app": APP, "app": APP, "src/pages": "", "pages": ""},
        suffixes=(".md", ".mdx", *_SCRIPTS),
        indexes=("index", "page"),
        parts=re.compile(r"(^|/)(_[^/]*(/|$)|api/)"),
        rule=layout_rules.next_js,
    ),
    Layout(
        generator="Eleventy",
        documentation="https://www.11ty.dev/docs/permalinks/",
        configurations=(
            ".eleventy.js", "eleventy.config.js", "eleventy.config.mjs", "eleventy.config.cjs", "eleventy.config.ts",
        ),
        mounts={"src": "", "content": "", "": ""},
        suffixes=(*MARKDOWN, ".mdx", ".html", ".njk", ".liquid", ".webc", ".hbs", ".ejs", ".11ty.js"),
        same_name=True,
        keys=("permalink",),
        parts=re.compile(r"(^|/)(_[^/]*/|node_modules/)"),
        rule=layout_rules.eleventy,
        includes=("_includes", "src/_includes", "content/_includes"),
    ),
    Layout(
        generator="Jekyll",
        ends_in_slash=False,
        documentation="https://jekyllrb.com/docs/permalinks/",
        configurations=("_config.yml", "_config.yaml", "_config.toml"),
        suffixes=(*MARKDOWN, ".mkd", ".mkdn", ".mkdown", ".html", ".htm"),
        keys=("permalink",),
        rule=layout_rules.jekyll,
        parts=re.compile(r"(^|/)(_(includes|layouts|data|drafts|sass|site|plugins)|node_modules|vendor)/"),
        includes=("_includes",),
    ),
    Layout(
        generator="Sphinx",
        ends_in_slash=False,
        documentation="https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-source_suffix",
        configurations=("conf.py",),
        suffixes=(".rst", ".md"),
        parts=re.compile(r"(^|/)_(build|templates|static)/"),
    ),
)  # fmt: skip
"""All layouts; the configuration of the first that is in a directory decides."""

PLAIN = Layout(
    generator="",
    documentation="",
    suffixes=(*MARKDOWN, ".mdx", ".rst", ".adoc", ".html", ".htm"),
    indexes=("index", "_index", "readme"),
    keys=("url", "permalink", "slug"),
)
"""The layout of sources of unknown generators: the path of a file is that of its page."""
