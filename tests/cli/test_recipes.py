"""The recipes: generators of static sites build a small site, `urlset build` lists its pages, and nothing is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import urlset
from urlset.cli.main import main

BASE = "https://docs.example.com"


def listed(folder: Path) -> list[str]:
    """The paths that the sitemap lists, once everything in it was found to be right."""
    report = urlset.validate(folder / "sitemap.xml", url=f"{BASE}/sitemap.xml")
    loud = [finding for finding in report.findings if finding.severity in ("error", "warning")]
    assert [(finding.rule.code, finding.examples[0].message) for finding in loud] == []
    return sorted((entry.loc or "").removeprefix(BASE) for entry in urlset.read(folder / "sitemap.xml"))


def build(folder: Path, *arguments: str) -> None:
    assert main(["build", f"{folder}/", "--base-url", BASE, "-o", str(folder), "--no-config", *arguments]) == 0


def run(*command: str | Path, folder: Path) -> None:
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def tool(name: str) -> Path:
    """A command of this environment."""
    return Path(sys.executable).with_name(name)


def test_mkdocs(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text(f"site_name: Lamps\nsite_url: {BASE}/\ntheme: {{name: mkdocs}}\n", "utf-8")
    (tmp_path / "docs" / "guide").mkdir(parents=True)
    (tmp_path / "docs" / "index.md").write_text("# Lamps\n\nAll of them.\n", "utf-8")
    (tmp_path / "docs" / "guide" / "brass.md").write_text("# Brass\n\nHow it is polished.\n", "utf-8")
    run(sys.executable, "-m", "mkdocs", "build", "--quiet", folder=tmp_path)
    site = tmp_path / "site"
    assert b"docs.example.com" in (site / "sitemap.xml").read_bytes()
    build(site, "--urls", "slashes")
    assert listed(site) == ["/", "/guide/brass/"]


@pytest.mark.long("generators of static sites")
def test_sphinx(tmp_path: Path) -> None:
    source = tmp_path / "docs"
    source.mkdir()
    (source / "conf.py").write_text(f'project = "Lamps"\nhtml_baseurl = "{BASE}/"\nhtml_theme = "basic"\n', "utf-8")
    (source / "index.rst").write_text("Lamps\n=====\n\n.. toctree::\n\n   brass\n", "utf-8")
    (source / "brass.rst").write_text("Brass\n=====\n\nHow it is polished.\n", "utf-8")
    run(sys.executable, "-m", "sphinx", "-q", "-b", "html", source, tmp_path / "html", folder=tmp_path)
    excluded = [part for glob in ("genindex.html", "search.html", "_*/**") for part in ("--exclude", glob)]
    build(tmp_path / "html", *excluded)
    assert listed(tmp_path / "html") == ["/brass.html", "/index.html"]


@pytest.mark.long("generators of static sites")
def test_hugo(tmp_path: Path) -> None:
    (tmp_path / "hugo.toml").write_text(
        f'baseURL = "{BASE}/"\ntitle = "Lamps"\ndisableKinds = ["sitemap", "taxonomy", "term", "RSS"]\n', "utf-8"
    )
    (tmp_path / "layouts" / "_default").mkdir(parents=True)
    modified = '<meta property="article:modified_time" content="{{ .Lastmod.Format "2006-01-02T15:04:05Z07:00" }}">'
    page = (
        '<!doctype html><html lang="en"><head><title>{{ .Title }}</title><link rel="canonical" href="{{ .Permalink }}">'
        f"{{{{ if not .Lastmod.IsZero }}}}{modified}{{{{ end }}}}</head>"
        "<body><main>{{ .Content }}</main></body></html>"
    )
    links = '{{ range .Pages }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}'
    for name, content in (("single", page), ("list", page.replace("{{ .Content }}", links))):
        (tmp_path / "layouts" / "_default" / f"{name}.html").write_text(content, "utf-8")
    (tmp_path / "content" / "lamps").mkdir(parents=True)
    (tmp_path / "content" / "lamps" / "brass.md").write_text(
        '---\ntitle: Brass\ndate: 2025-11-03\nlastmod: 2026-02-04\naliases: ["/old/brass/"]\n---\nPolished.\n', "utf-8"
    )
    run(tool("hugo"), "--quiet", folder=tmp_path)
    site = tmp_path / "public"
    assert (site / "old" / "brass" / "index.html").exists()
    build(site, "--lastmod-from", "page")
    assert listed(site) == ["/", "/lamps/", "/lamps/brass/"]
    dates = {entry.loc: entry.lastmod for entry in urlset.read(site / "sitemap.xml")}
    assert dates[f"{BASE}/lamps/brass/"] == "2026-02-04"


@pytest.mark.parametrize(("directory", "urls"), [(True, ["/", "/lamps/"]), (False, ["/", "/lamps"])])
def test_a_folder_as_astro_builds_it(tmp_path: Path, directory: bool, urls: list[str]) -> None:
    # Astro comes from npm; this is how its builds look (https://docs.astro.build/en/reference/configuration-reference/).
    dist = tmp_path / "dist"
    pages = {"index.html": "/", "lamps/index.html" if directory else "lamps.html": urls[1], "404.html": None}
    for name, url in pages.items():
        path = dist / name
        path.parent.mkdir(parents=True, exist_ok=True)
        link = "" if url is None else f'<link rel="canonical" href="{BASE}{url}">'
        path.write_text(
            f'<!DOCTYPE html><html lang="en"> <head><title>Lamps</title>{link}</head> <body> Lamps </body></html>'
        )
    (dist / "_astro").mkdir()
    (dist / "_astro" / "index.B3pQ9x.css").write_text("body{}")
    build(dist, *([] if directory else ["--urls", "bare"]))
    assert listed(dist) == urls


@pytest.mark.parametrize(("slash", "urls"), [(False, ["/", "/lamps"]), (True, ["/", "/lamps/"])])
def test_a_folder_as_next_exports_it(tmp_path: Path, slash: bool, urls: list[str]) -> None:
    # https://nextjs.org/docs/app/guides/static-exports
    out = tmp_path / "out"
    for name, url in {"index.html": "/", "lamps/index.html" if slash else "lamps.html": urls[1]}.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(
            f'<!DOCTYPE html><title>Lamps</title><link rel="canonical" href="{BASE}{url}"/><p>Lamps'
        )
    (out / "404.html").write_text("<!DOCTYPE html><title>404: This page could not be found.</title><p>404")
    (out / "_next" / "static").mkdir(parents=True)
    (out / "_next" / "static" / "app.html").write_text("<p>chunk")
    assert main(["build", str(out), "--no-config"]) == 0
    assert listed(out) == urls
    build(out, *([] if slash else ["--urls", "bare"]))
    assert listed(out) == urls


def test_a_folder_as_docusaurus_builds_it(tmp_path: Path) -> None:
    # https://docusaurus.io/docs/api/docusaurus-config#url
    pages = ("", "docs/intro/", "search/", "blog/tags/brass/")
    for page in pages:
        (tmp_path / "build" / page).mkdir(parents=True, exist_ok=True)
        (tmp_path / "build" / page / "index.html").write_text(
            f'<!doctype html><html lang="en"><title data-rh="true">Lamps</title><link data-rh="true" rel="canonical" '
            f'href="{BASE}/{page}"><p>Lamps'
        )
    arguments = ("--exclude", "search/**", "--exclude", "**/tags/**", "--no-config")
    assert main(["build", str(tmp_path / "build"), *arguments]) == 0
    assert listed(tmp_path / "build") == ["/", "/docs/intro/"]


def test_a_list_as_wordpress_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # https://developer.wordpress.org/cli/commands/post/list/
    monkeypatch.chdir(tmp_path)
    Path("pages.csv").write_text(
        f'url,post_modified_gmt\n{BASE}/lamps/,"2026-02-03 22:15:00"\n{BASE}/,"2026-01-02 08:00:00"\n'
    )
    sql = "SELECT url AS loc, post_modified_gmt AS lastmod FROM 'pages.csv'"
    assert main(["build", "--query", sql, "--base-url", BASE, "-o", "public", "--no-config"]) == 0
    assert listed(Path("public")) == ["/", "/lamps/"]
    assert {entry.lastmod for entry in urlset.read("public/sitemap.xml")} == {"2026-01-02", "2026-02-03"}
