"""Source files of each generator, and the pages that they make."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.build.lastmod.test_git import NOW, Repository, own_settings  # noqa: F401 - a fixture
from tests.cases import case_table

import urlset
from urlset.build.layouts.layout_table import LAYOUTS
from urlset.build.layouts.page_sources import PageSources
from urlset.build.layouts.source_folder import SourceFolder
from urlset.options import HtmlFolder
from urlset.options import Site as BuiltSite
from urlset.options.sources import LastmodSource, UrlStyle

BASE = "https://example.org/"
POST = "---\ntitle: Cellar\n---\nText\n"


@dataclass(frozen=True, kw_only=True)
class Site:
    """A project, and the file of each page; a page without a file has the reason.

    Attributes:
        files: The files, with front matter if they are not in `contents`.
        contents: Files with other contents, such as the configuration.
        content: The directory to ask for.
    """

    files: Mapping[str, str | None]
    contents: Mapping[str, str] = field(default_factory=dict)
    content: str = "."
    includes: Mapping[str, str] = field(default_factory=dict)


SITES = {
    "Hugo": Site(
        contents={
            "hugo.toml": '[permalinks]\nnews = "/archive/:year/:month/:slug/"\n',
            "content/news/open.md": "+++\ntitle = 'Open on Sundays'\ndate = 2025-03-01\n+++\nText",
            "content/Old Press.md": "---\nslug: press\n---\nText",
            "content/moved.md": "---\nurl: /elsewhere/\n---\nText",
        },
        files={
            "": "content/_index.md",
            "wine/": "content/Wine/_index.md",
            "wine/red/": "content/Wine/red.md",
            "cellar/": "content/cellar/index.md",
            "archive/2025/03/open-on-sundays/": "content/news/open.md",
            "press/": "content/Old Press.md",
            "elsewhere/": "content/moved.md",
            "tags/": None,
        },
    ),
    "Hugo before 0.110": Site(
        contents={
            "config.toml": 'baseurl = "https://example.org/"\ncontentdir = "pages"\n',
            "content/x.md": "Text",
        },
        files={"": "pages/_index.md", "wine/": "pages/Wine.md"},
    ),
    "Hugo before 0.110, with a theme only": Site(
        contents={"config.yaml": "title: Cellar\n", "archetypes/default.md": "---\n---\n"},
        files={"wine/": "content/Wine/_index.md"},
    ),
    "Docusaurus": Site(
        contents={
            "docusaurus.config.js": "",
            "versions.json": '["2.0", "1.0"]',
            "docs/renamed.md": "---\nid: other\n---\nText",
            "docs/guide/slug.md": "---\nslug: /start\n---\nText",
            "blog/2025-03-02-slug.md": "---\nslug: spring\n---\nText",
        },
        files={
            "docs/next/intro": "docs/01-intro.md",
            "docs/next/guide/": "docs/02-guide/index.md",
            "docs/next/other": "docs/renamed.md",
            "docs/next/start": "docs/guide/slug.md",
            "docs/intro": "versioned_docs/version-2.0/intro.md",
            "docs/1.0/intro": "versioned_docs/version-1.0/intro.md",
            "blog/2025/03/01/open": "blog/2025-03-01-open.md",
            "blog/spring": "blog/2025-03-02-slug.md",
            "de/docs/intro": "i18n/de/docusaurus-plugin-content-docs/current/intro.md",
            "about": "src/pages/about.mdx",
            "blog/tags": None,
        },
    ),
    "Docusaurus, documents only": Site(
        contents={
            "docusaurus.config.ts": "export default {\n  url: 'https://example.org',\n  presets: [['classic', {\n"
            "    docs: {\n      // routeBasePath: 'manual',\n      editUrl: ({path}) => `https://example.com/${path}`,\n"
            "      versions: {'2.0': {label: 'x'}},\n      \"routeBasePath\": \"/\",\n    },\n"
            "    blog: {routeBasePath: 'news'},\n  }]],\n};\n",
            "versions.json": '["3.0", "2.0"]',
        },
        files={
            "intro": "docs/intro.md",
            "2.0/intro": "versioned_docs/version-2.0/intro.md",
            "de/intro": "i18n/de/docusaurus-plugin-content-docs/current/intro.md",
        },
    ),
    "MkDocs": Site(
        contents={
            "mkdocs.yml": "site_name: Cellar\ndocs_dir: pages\nplugins: !!python/name:x\n",
            "pages/cli.md": "# Commands\n\n::: mkdocs-click\n    :module: cellar\n",
        },
        files={
            "": "pages/index.md",
            "wine/": "pages/wine/README.md",
            "wine/red/": "pages/wine/red.md",
            "search/": None,
            "cli/": None,
        },
    ),
    "Jekyll": Site(
        contents={
            "_config.yml": "permalink: pretty\ncollections:\n  wines:\n    output: true\n  drafts_of_ours: {}\n",
            "about.md": "---\npermalink: /about/\n---\nText",
            "_posts/2025-03-02-spring.md": "---\ncategories: [Wine, Red]\n---\nText",
            "_wines/none.md": "Text without front matter",
        },
        files={
            "": "index.md",
            "about/": "about.md",
            "2025/03/01/open/": "_posts/2025-03-01-open.md",
            "wine/red/2025/03/02/spring/": "_posts/2025-03-02-spring.md",
            "wines/red.html": "_wines/red.md",
            "wines/none.html": None,
        },
    ),
    "Jekyll in a time zone": Site(
        contents={
            "_config.yml": "timezone: Pacific/Auckland\n",
            "_posts/2025-03-01-open.md": "---\ndate: 2025-03-01 23:30:00 +0100\n---\nText",
            "_posts/2025-03-01-late.md": "---\ndate: 2025-03-01 23:30:00\n---\nText",
            "_posts/2025-03-01-day.md": "---\ndate: 2025-03-01\n---\nText",
        },
        files={
            "2025/03/02/open.html": "_posts/2025-03-01-open.md",
            "2025/03/02/late.html": "_posts/2025-03-01-late.md",
            "2025/03/01/day.html": "_posts/2025-03-01-day.md",
        },
    ),
    "Eleventy": Site(
        contents={
            "eleventy.config.js": "",
            "src/moved.md": "---\npermalink: /elsewhere/\n---\nText",
            "src/data.njk": "---\npermalink: '/{{ page.fileSlug }}/'\n---\nText",
        },
        files={
            "": "src/index.njk",
            "posts/open/": "src/posts/2025-03-01-open.md",
            "wine/": "src/wine/wine.md",
            "elsewhere/": "src/moved.md",
            "data/": None,
        },
    ),
    "Astro": Site(
        contents={"astro.config.mjs": "", "src/pages/index.astro": "---\nconst a = { b: 1 };\n---\n<main>Text</main>"},
        files={
            "": "src/pages/index.astro",
            "about/": "src/pages/about.md",
            "guides/first-steps/": "src/content/docs/Guides/First Steps.mdx",
            "blog/open/": "src/content/blog/open.md",
            "blog/1/": None,
        },
    ),
    "Next.js": Site(
        contents={"next.config.mjs": ""},
        files={
            "": "app/page.tsx",
            "wine/red": "app/(shop)/wine/red/page.mdx",
            "about": "src/pages/about.mdx",
            "wine/white": None,
        },
    ),
    "VitePress": Site(
        contents={".vitepress/config.mts": ""},
        files={
            "": "en/index.md",
            "guide/start": "en/guide/start.md",
            "de/": "de/index.md",
            "guide/x": None,
            "de/guide/start": "de/guide/start.md",
        },
    ),
    "Sphinx": Site(
        contents={"conf.py": "", "api.rst": "API\n===\n\n.. automodule:: cellar\n"},
        files={"index.html": "index.rst", "wine/red.html": "wine/red.rst", "api.html": None, "genindex.html": None},
    ),
}


def make(site: Site, folder: Path) -> None:
    written = {file: POST for file in site.files.values() if file is not None} | dict(site.contents)
    for name, content in written.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


@case_table("site", SITES)
def test_pages_of_each_generator(site: Site, tmp_path: Path) -> None:
    make(site, tmp_path)
    sources = PageSources(SourceFolder.of(tmp_path), [BASE + page for page in site.files], BASE)
    found = {page: [Path(file).relative_to(tmp_path).as_posix() for file in sources.files(BASE + page)]
             for page in site.files}  # fmt: skip
    assert found == {page: [] if file is None else [file] for page, file in site.files.items()}
    unmapped = {unmapped.what for unmapped in sources.mapping.unmapped}
    assert {BASE + page for page, file in site.files.items() if file is None} <= unmapped
    assert sources.mapping.mapped == sum(file is not None for file in site.files.values())


def test_every_layout_has_a_case() -> None:
    assert {layout.generator for layout in LAYOUTS} <= SITES.keys()


@pytest.mark.parametrize(
    ("name", "configuration"),
    [("config.toml", 'base_url = "https://example.org"\n'), ("config.json", "{}"), ("config.yml", "x: [\n")],
    ids=["Zola", "another program", "damaged"],
)
def test_a_configuration_that_other_generators_have_is_not_of_hugo(
    name: str, configuration: str, tmp_path: Path
) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / name).write_text(configuration)
    assert SourceFolder.of(tmp_path).layout.generator == ""


def test_the_current_documents_of_docusaurus_can_be_the_newest(tmp_path: Path) -> None:
    make(SITES["Docusaurus"], tmp_path)
    (tmp_path / "docusaurus.config.js").write_text("export default { docs: { lastVersion: 'current' } }")
    mounts = SourceFolder.of(tmp_path).settings.mounts
    assert (mounts["docs"], mounts["versioned_docs/version-*"]) == ("docs", "docs/*")


_UNKNOWN = "unknown:"
_ROUTE = "docs: {routeBasePath: '/'}, "
DOCUSAURUS = {
    "a glob in a string": ("docs: {exclude: ['**/*.draft.md'], routeBasePath: '/', }, /** c */", ""),
    "an address in a string": ("url: 'https://example.org', docs: {routeBasePath: 'a'}", "a"),
    "a quote after an escape": (f"a: 'it\\'s /*', {_ROUTE}", ""),
    "a brace in a string": ("docs: {x: '{', routeBasePath: 'a'}", "a"),
    "a route in a text": ("x: \"docs: {routeBasePath: 'a'}\"", "docs"),
    "a quote in a comment": (f"// don't\n{_ROUTE}", ""),
    "a comment in a value": ("docs: {routeBasePath: /* b */ 'a'}", "a"),
    "a comment that is not closed": (f"/* {_ROUTE}", "docs"),
    "many comments that are not closed": (_ROUTE + "/* " * 20_000, ""),
    "many classes that are not closed": ("(/[" * 20_000, _UNKNOWN),
    "a regular expression": (f"test: /['\"/*]\\/*/g, {_ROUTE}", ""),
    "a division": (f"a: 4 / 2,\n{_ROUTE}", ""),
    "a regular expression or a division": (f"return /'/ {_ROUTE}", _UNKNOWN),
    "a template": (f"a: `//${{b}}/*`, {_ROUTE}", ""),
    "a template in a template": (f"a: `${{b ? `//` : ''}}`, {_ROUTE}", _UNKNOWN),
    "a string that is not closed": (f"a: ', {_ROUTE}", _UNKNOWN),
}


@case_table("configuration, route", DOCUSAURUS)
def test_the_route_of_the_documents_of_docusaurus(configuration: str, route: str, tmp_path: Path) -> None:
    make(Site(files={"": "docs/a.md"}, contents={"docusaurus.config.js": configuration}), tmp_path)
    assert SourceFolder.of(tmp_path).settings.mounts["docs"] == route


def test_documents_of_docusaurus_at_an_unknown_route_have_no_pages(tmp_path: Path) -> None:
    make(Site(files={"": "docs/a.md"}, contents={"docusaurus.config.js": "a: '"}), tmp_path)
    sources = PageSources(SourceFolder.of(tmp_path), [f"{BASE}docs/a", f"{BASE}a"], BASE)
    assert [sources.files(f"{BASE}docs/a"), sources.files(f"{BASE}a")] == [(), ()]


def test_a_version_in_a_comment_is_not_the_newest(tmp_path: Path) -> None:
    make(SITES["Docusaurus"], tmp_path)
    (tmp_path / "docusaurus.config.js").write_text("docs: {\n// lastVersion: 'current'\n}")
    assert SourceFolder.of(tmp_path).settings.mounts["docs"] == "docs/next"


@pytest.mark.parametrize(
    ("date", "zone"), [("0001-01-01 00:00:00", "America/Lima"), ("9999-12-31 23:59:59", "Pacific/Auckland")]
)
def test_a_date_that_has_no_instant_in_the_zone_is_no_date(date: str, zone: str, tmp_path: Path) -> None:
    post = "_posts/2025-03-01-open.md"
    contents = {"_config.yml": f"timezone: {zone}\n", post: f"---\ndate: {date}\n---\nText"}
    make(Site(files={}, contents=contents), tmp_path)
    page = f"{BASE}2025/03/01/open.html"
    assert len(PageSources(SourceFolder.of(tmp_path), [page], BASE).files(page)) == 1


def test_a_page_that_two_files_may_make_has_none(tmp_path: Path) -> None:
    make(Site(files={"a/": "a.md", "": "a/index.md"}), tmp_path)
    sources = PageSources(SourceFolder.of(tmp_path), [f"{BASE}a/"], BASE)
    assert sources.files(f"{BASE}a/") == ()
    reasons = [str(unmapped.reason) for unmapped in sources.mapping.unmapped]
    assert reasons == ["2 possible source files: a/index.md, a.md"]


INCLUDED = {
    "reStructuredText": ("a.rst", ".. include:: part.inc\n", "part.inc"),
    "MyST": ("a.md", "```{include} part.md\n```\n", "part.md"),
    "MyST with a longer fence": ("a.md", "````{include} part.md\n````\n", "part.md"),
    "snippets of Python-Markdown": ("a.md", '--8<-- "part.md"\n', "part.md"),
    "snippets in lines": ("a.md", "--8<--\n; other.md\npart.md:4:6\n--8<--\n", "part.md"),
    "Liquid": ("a.md", "{% include part.html %}\n", "_includes/part.html"),
    "shortcode": ("a.md", '{{% include "/part.md" %}}\n', "part.md"),
    "VitePress": ("a.md", "<!--@include: ./part.md-->\n", "part.md"),
    "table of Sphinx": ("a.rst", ".. csv-table:: Wines\n   :header-rows: 1\n   :file: part.csv\n", "part.csv"),
    "raw HTML of Sphinx": ("a.rst", ".. raw:: html\n   :file: part.html\n", "part.html"),
    "MDX": ("a.mdx", "import Part from './_part.mdx';\n\n<Part />\n", "_part.mdx"),
}

SHOWN = {
    "code of snippets": ("a.md", '```python\n--8<-- "part.py:section"\n```\n', "part.py"),
    "code of snippets in lines": (
        "a.md",
        "- item\n\n    ~~~\n    --8<--\n    part.json\n    --8<--\n    ~~~\n",
        "part.json",
    ),
    "code of Liquid": ("a.md", "```html\n{% include part.html %}\n```\n", "_includes/part.html"),
    "code of a shortcode": ("a.md", '```\n{{< readfile file="part.txt" >}}\n```\n', "part.txt"),
    "code of Kubernetes": ("a.md", '{{% code_sample file="part.yaml" %}}\n', "part.yaml"),
    "VitePress in a fence": ("a.md", "```md\n<!--@include: ./part.md-->\n```\n", "part.md"),
    "code of Docusaurus": ("a.mdx", "import Part from '!!raw-loader!./part.py';\n", "part.py"),
    "code of Astro": ("a.mdx", 'import part from "./part.astro?raw";\n', "part.astro"),
    "code of VitePress": ("a.md", "<<< ./part.js\n", "part.js"),
    "code of Sphinx": ("a.rst", ".. literalinclude:: part.json\n", "part.json"),
}
"""Files that a page shows as they are."""


@case_table("name, content, part", INCLUDED | SHOWN)
def test_included_files_are_files_of_the_page(name: str, content: str, part: str, tmp_path: Path) -> None:
    make(Site(files={}, contents={"_config.yml": "", name: f"---\n---\n{content}", part: "Text\n"}), tmp_path)
    if not name.endswith(".md"):
        (tmp_path / "_config.yml").unlink()
    page = f"{BASE}a"
    sources = PageSources(SourceFolder.of(tmp_path), [page], BASE)
    assert [Path(file).relative_to(tmp_path).as_posix() for file in sources.files(page)] == [name, part]
    shows_code = (name, content, part) in SHOWN.values()
    assert [Path(file).relative_to(tmp_path).as_posix() for file in sources.code] == [part] * shows_code


@pytest.mark.parametrize("path", ["missing.md", "../../outside.md"])
def test_a_page_with_an_unknown_part_has_no_files(tmp_path: Path, path: str) -> None:
    (tmp_path / "outside.md").write_text("Text")
    make(Site(files={}, contents={".git": "", "b/a.md": f"```{{include}} {path}\n```\n"}), tmp_path / "site")
    sources = PageSources(SourceFolder.of(tmp_path / "site"), [f"{BASE}b/a"], BASE)
    assert sources.files(f"{BASE}b/a") == ()
    assert f"it includes {path}, which was not found" in sources.mapping.unmapped[0].reason


EXAMPLE = """```
;--8<-- "part.md"
<<< ./part.js
import Part from "./part.mdx"
```
{% raw %}{% include part.md %}{% endraw %}
"""


def test_code_that_shows_an_include_includes_nothing(tmp_path: Path) -> None:
    make(Site(files={}, contents={"a.md": EXAMPLE}), tmp_path)
    assert len(PageSources(SourceFolder.of(tmp_path), [f"{BASE}a"], BASE).files(f"{BASE}a")) == 1


def test_a_build_takes_dates_from_the_sources_of_its_pages(tmp_path: Path) -> None:
    page = "<!doctype html><title>Cellar</title><main>The cellar is open on Sundays.</main>"
    built = {f"dist/{name}/index.html": page for name in ("wine", "press", "tags")}
    make(Site(files={}, contents={"hugo.toml": "", ".gitignore": "dist/\n", **built}), tmp_path)
    repository = Repository(tmp_path)
    for day, name in (("2021-01-01", "wine"), ("2022-02-02", "press")):
        make(Site(files={"": f"content/{name}.md"}), tmp_path)
        repository.run("add", "-A")
        repository.run("commit", "-q", "-m", name, day=day)
    for content in (tmp_path / "content", None):
        html = HtmlFolder(folder=tmp_path / "dist", urls=UrlStyle.SLASHES, lastmod_from=(LastmodSource.GIT_TEXT,))
        site = BuiltSite(base_url=BASE, out=str(tmp_path / "out"), sources=(html,), content=content)
        report = urlset.build_sitemaps(site, now=NOW).sites[0]
        listed = re.findall(r"<loc>([^<]*)</loc>(?:<lastmod>([^<]*))?", (tmp_path / "out/sitemap.xml").read_text())
        dates = {"wine/": "2021-01-01", "press/": "2022-02-02", "tags/": ""}
        assert dict(listed) == {BASE + name: date for name, date in dates.items()}
        (mapping,) = report.mappings
        assert (mapping.generator, mapping.pages, mapping.mapped) == ("Hugo", 3, 2)
        assert [unmapped.what for unmapped in mapping.unmapped] == [f"{BASE}tags/"]


def test_a_configuration_with_tags_is_read_in_linear_time(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text(f"site_name: 'Cellar' \na: {' ' * 3000}#\ndocs_dir: pages  \nx: !!y:z\n")
    assert SourceFolder.of(tmp_path).settings.content == "pages"


@pytest.mark.parametrize("source", ["{outside}", "../outside", "linked"])
def test_no_directory_outside_of_the_project_is_read(source: str, tmp_path: Path) -> None:
    outside, project = tmp_path / "outside", tmp_path / "project"
    for folder in (outside, project):
        folder.mkdir()
        (folder / "page.md").write_text("Text")
    (project / "linked").symlink_to(outside)
    mount = f'[[module.mounts]]\nsource = "{source.format(outside=outside.as_posix())}"\ntarget = "content"\n'
    (project / "hugo.toml").write_text(mount)
    found = SourceFolder.of(project)
    assert (found.folder, found.settings.content in ("", "content")) == (project, True)


@pytest.mark.parametrize("folder", ["go", "is"])
def test_a_directory_with_two_letters_is_no_language_without_versions_in_others(folder: str, tmp_path: Path) -> None:
    make(Site(files={"": f"content/{folder}/intro.md"}, contents={"hugo.toml": ""}), tmp_path)
    assert PageSources(SourceFolder.of(tmp_path), [f"{BASE}intro/"], BASE).files(f"{BASE}intro/") == ()
