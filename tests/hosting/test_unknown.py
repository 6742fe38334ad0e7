"""What a rule decides that is not applied is unknown, and never 404; what can be decided is decided."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from tests.cases import case_table
from tests.hosting.folders import BASE, opened, page, urlset, write
from tests.hosting.test_audit import codes, options

from urlset.cli.main import main
from urlset.hosting.patterns import Pattern, glob_pattern, regular_pattern, star_pattern, vercel_pattern
from urlset.options.publishing import HostName
from urlset.pipeline.audit import audit
from urlset.web.indexability import PageReason

FILES = {
    "index.html": "home", "a.html": "a", "blog/one.html": "one", "app/index.html": "app", "img/x.png": "x",
    "php/index.php": "<?php",
}  # fmt: skip

ENGINE = "RewriteEngine On\n"
NO_FILE = "RewriteCond %{REQUEST_FILENAME} !-f\nRewriteCond %{REQUEST_FILENAME} !-d\n"

# Answers: a status, the target of a redirect, a file, or the place of the rule that decides.
APACHE: dict[str, tuple[str, dict[str, object]]] = {
    "a front controller that is a page": (
        f"{ENGINE}RewriteBase /\n{NO_FILE}RewriteRule ^ index.html [L]\n",
        {"/trips/rome": "index.html", "/a.html": "a.html", "/app": "/app/", "/img/x.png": "img/x.png"},
    ),
    "a front controller with a file test of another kind": (
        f"{ENGINE}RewriteCond %{{REQUEST_FILENAME}} -s [OR]\nRewriteCond %{{REQUEST_FILENAME}} -d\n"
        "RewriteRule ^ - [L]\nRewriteRule . /index.html [L]\n",
        {"/trips/rome": "index.html", "/a.html": "a.html", "/app/": "app/index.html"},
    ),
    "the front controller of WordPress": (
        f"<IfModule mod_rewrite.c>\n{ENGINE}RewriteRule .* - [E=HTTP_AUTHORIZATION:%{{HTTP:Authorization}}]\n"
        f"RewriteBase /\nRewriteRule ^index\\.php$ - [L]\n{NO_FILE}RewriteRule . /index.php [L]\n</IfModule>\n",
        {"/none": ".htaccess:8", "/a.html": "a.html", "/": "index.html"},
    ),
    "FallbackResource": ("FallbackResource /index.html\n", {"/none": "index.html", "/a.html": "a.html"}),
    "FallbackResource to a program": ("FallbackResource /index.php\n", {"/none": ".htaccess", "/a.html": "a.html"}),
    "https, www, and an extension": (
        f"{ENGINE}RewriteCond %{{HTTPS}} off [OR]\nRewriteCond %{{HTTP_HOST}} ^www\\. [NC]\n"
        "RewriteRule ^(.*)$ https://example.com/$1 [R=301,L]\n"
        "RewriteCond %{REQUEST_FILENAME} !-d\nRewriteCond %{REQUEST_FILENAME}.html -f\nRewriteRule ^(.*)$ $1.html\n",
        {"/none": 404, "/a": "a.html", "/blog/one": "blog/one.html", "/app": "/app/"},
    ),
    "a rule that only changes the host hides no missing file": (
        f"{ENGINE}RewriteCond %{{HTTP_HOST}} !^www\\.\nRewriteRule ^(.*)$ https://www.%{{HTTP_HOST}}/$1 [R=301,L]\n",
        {"/none": 404, "/a.html": "https://www.example.com/a.html"},
    ),
    "a rule that only changes the scheme, with a header of a proxy": (
        f"{ENGINE}RewriteCond %{{HTTP:CF-Visitor}} '\"scheme\":\"http\"'\n"
        "RewriteRule .* https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]\n",
        {"/none": 404, "/a.html": "a.html"},
    ),
    "agents that are refused": (
        f"{ENGINE}RewriteCond %{{HTTP_USER_AGENT}} (bot|spider) [NC]\nRewriteRule .* - [F,L]\n",
        {"/none": 404, "/a.html": "a.html"},
    ),
    "another page for some agents": (
        f"{ENGINE}RewriteCond %{{HTTP_USER_AGENT}} mobile\nRewriteRule ^m/(.*)$ /render/$1 [L]\n",
        {"/m/x": ".htaccess:3", "/none": 404, "/a.html": "a.html"},
    ),
    "an expression that cannot be matched": (
        f"{ENGINE}{NO_FILE}RewriteRule ^(?!api/)(.*)$ /index.html [L]\n", {"/none": ".htaccess:4", "/a.html": "a.html"},
    ),
    "the name of the address and its query": (
        f"{ENGINE}RewriteCond %{{REQUEST_URI}} ^/old/(.*)$\nRewriteCond %{{QUERY_STRING}} ^id=(\\d+)$\n"
        "RewriteRule ^ /new/%1? [R=301,L]\n",
        {"/old/x?id=7": "/new/7", "/old/x": 404, "/old/x?id=a": 404},
    ),
    "an extension that is removed": (
        f"{ENGINE}RewriteCond %{{THE_REQUEST}} \\s/([^.]+)\\.html\nRewriteRule ^ /%1 [R=301,L]\n"
        "RewriteCond %{REQUEST_FILENAME}.html -f\nRewriteRule ^ %{REQUEST_URI}.html [L]\n",
        {"/a.html": "/a", "/a": "a.html", "/none": 404},
    ),
    "a chain and a skip": (
        f"{ENGINE}RewriteRule ^no x [C]\nRewriteRule ^yes /chained\nRewriteRule ^yes - [S=1]\n"
        "RewriteRule ^yes /skipped\nRewriteRule ^yes /app/ [L]\n",
        {"/yes": "app/index.html"},
    ),
    "statuses that do not exist": (
        f"{ENGINE}RewriteRule ^old$ /x [R=999]\nRewriteRule ^gone$ /x [R=abc]\nRedirect 9999 /y /x\n",
        {"/old": ".htaccess:2", "/gone": ".htaccess:3", "/y": ".htaccess:4", "/none": 404},
    ),
    "a proxy": (f"{ENGINE}RewriteRule ^shop/ http://127.0.0.1/$0 [P]\n", {"/shop/x": ".htaccess:2", "/none": 404}),
    "a loop": (f"{ENGINE}RewriteRule ^(l.*)$ l$1\n", {"/l": 500, "/none": 404}),
    "switched off": (f"RewriteEngine Off\n{NO_FILE}RewriteRule ^ index.html [L]\n", {"/none": 404}),
    "a module that hosts have": (
        "<IfModule !mod_rewrite.c>\nRedirectMatch 302 ^/$ /index.php/\n</IfModule>\n", {"/": "index.html"},
    ),
    "a section with a condition": (
        "<If \"%{HTTP_HOST} == 'x'\">\nRedirect /old /new\n</If>\n", {"/old": ".htaccess:2", "/none": 404},
    ),
    "an error page elsewhere": (
        "ErrorDocument 404 https://www.example.com/lost\n", {"/none": "https://www.example.com/lost"},
    ),
    "the program of a directory": (
        "Options -Indexes\n", {"/php/": "php/index.php", "/php": "/php/", "/": "index.html"},
    ),
    "negotiation": ("Options +MultiViews\n", {"/a": "a.html", "/none": 404}),
}  # fmt: skip


def answers(root: Path, host: HostName | None, expected: dict[str, object], base: str = BASE) -> dict[str, object]:
    """Return the response to each of some paths: a status, the target of a redirect, a file, or the deciding rule."""
    site = opened(root, base, host)
    found: dict[str, object] = {}
    for path in expected:
        answer = site.answer(base[:-1] + path)
        if answer.why:
            found[path] = answer.why.partition(" could answer it, and is not applied: ")[0]
        elif answer.status == 200 and answer.path is not None:
            found[path] = str(Path(answer.path).relative_to(root))
        else:
            found[path] = answer.headers.get("location", answer.status)
    return found


@case_table("text, expected", APACHE)
def test_conditions_of_apache_that_the_url_and_the_files_decide(
    tmp_path: Path, text: str, expected: dict[str, object]
) -> None:
    write(tmp_path, FILES | {".htaccess": text})
    assert answers(tmp_path, HostName.APACHE, expected) == expected


def test_a_directory_below_a_path_and_files_of_subdirectories(tmp_path: Path) -> None:
    base = f"{BASE}sub/"
    rules = f"{ENGINE}RewriteBase /sub/\n{NO_FILE}RewriteRule ^x index.html [L]\n"
    write(tmp_path, FILES | {".htaccess": rules, "blog/.htaccess": ENGINE, "app/.htaccess": "Redirect /sub/app/x /y"})
    expected = {
        "/sub/x": "index.html",
        "/sub/none": 404,
        "/sub/app/none": "app/.htaccess",
        "/sub/app/": "app/index.html",
        "/sub/blog/none": 404,
    }
    found = answers(tmp_path, HostName.APACHE, {path.removeprefix("/sub"): 0 for path in expected}, base)
    assert {f"/sub{path}": answer for path, answer in found.items()} == expected


SPA = {"source": "**/!(*.js|*.css)", "destination": "/index.html"}
EDGE = '[[edge_functions]]\nfunction = "f"\npath = "/story/*"\n[[edge_functions]]\nfunction="g"\npattern="^/p/(?!x)"\n'

# Files of hosts, which may be above the directory.
HOSTS: dict[str, tuple[HostName | None, str, str, dict[str, object]]] = {
    "a negated glob of firebase": (
        None, "../firebase.json", '{"hosting": {\n"public": "dist", "rewrites": [\n' + json.dumps(SPA) + "]}}",
        {"/none": "firebase.json:3", "/x/none": "firebase.json:3", "/none.js": 404, "/a.html": "a.html"},
    ),
    "globs of firebase": (
        None, "../firebase.json",
        json.dumps({"hosting": {
            "public": "dist", "ignore": ["img/**"],
            "rewrites": [{"source": "/{x,y/**}", "destination": "/a.html"},
                         {"source": "/@(p|q)+(1|2)/*.?ml", "destination": "/a.html"}],
            "redirects": [{"source": "/old/:id*", "destination": "/app/:id", "type": 301}],
        }}),
        {
            "/x": "a.html", "/y/1/2": "a.html", "/z": 404, "/p12/a.xml": "a.html", "/p3/a.xml": 404,
            "/old/1/2": "/app/1/2", "/img/x.png": 404,
        },
    ),
    "a firebase.json of several sites": (
        HostName.FIREBASE, "firebase.json", '{"hosting": [{"public": "x"},\n{"public": ".",\n"rewrites": [\n{"source": '
        '"/f/**", "run": {}}]}]}', {"/f/x": "firebase.json:4", "/none": 404},
    ),
    "a lookaround of vercel": (
        HostName.VERCEL, "vercel.json", '{"rewrites": [\n{"source": "/((?!api/).*)",\n"destination": "/index.html"}]}',
        {"/none": "vercel.json:2", "/a.html": "a.html"},
    ),
    "routes of vercel": (
        HostName.VERCEL, "vercel.json", '{"routes": [{"handle": "filesystem"},\n{"src": "/r/(.*)", "dest": "/x/$1"}]}',
        {"/r/1": "vercel.json:2", "/none": 404},
    ),
    "another host of vercel": (
        HostName.VERCEL, "vercel.json",
        json.dumps({"redirects": [{"source": "/(.*)", "destination": "https://www.example.com/$1",
                                   "missing": [{"type": "header", "key": "x"}]}]}),
        {"/none": 404, "/a.html": "a.html"},
    ),
    "edge functions of netlify": (
        HostName.NETLIFY, "netlify.toml", f'{EDGE}\n[[redirects]]\nfrom = "/*"\nto = "/index.html"\nstatus = 200\n',
        {
            "/story/1": "netlify.toml:1", "/p/1": "netlify.toml:4", "/p/x?a=1": "netlify.toml:4", "/a?b=1": "a.html",
            "/none": "index.html", "/a": "a.html"},
    ),
    "a loop of cloudflare": (
        HostName.CLOUDFLARE, "_redirects", "/* /index.html 200\n/x/* /a 200\n",
        {"/app/": "app/index.html", "/none": "index.html", "/robots.txt": "index.html", "/x/1": "a.html"},
    ),
    "functions of cloudflare": (
        None, "_routes.json", '{"version": 1,\n"include": ["/api/*", "/f"], "exclude": ["/api/static/*"]}',
        {"/api/x": "_routes.json:2", "/f": "_routes.json:2", "/api/static/x": "index.html", "/none": "index.html"},
    ),
    "a worker of cloudflare pages": (None, "_worker.js", "", {"/none": "_worker.js", "/a": "a.html"}),
    "a single-page application of wrangler": (
        None, "../wrangler.jsonc",
        '{\n// the "assets"\n"assets": {"directory": "./dist", /* x */\n"not_found_handling": '
        '"single-page-application", "html_handling": "drop-trailing-slash",},}',
        {"/none": "index.html", "/app/": "/app", "/app": "app/index.html", "/a.html": "/a"},
    ),
    "the defaults of wrangler": (
        None, "../wrangler.toml", 'name = "x"\n[assets]\ndirectory = "dist"\n',
        {"/none": 404, "/app": "/app/", "/a.html": "/a", "/a": "a.html"},
    ),
    "wrangler forces slashes": (
        None, "../wrangler.json", '{"assets": {"directory": "dist", "html_handling": "force-trailing-slash"}}',
        {"/a": "/a/", "/a/": "a.html", "/app": "/app/", "/app/": "app/index.html"},
    ),
    "wrangler handles no html": (
        None, "../wrangler.json", '{"assets": {"directory": "dist", "html_handling": "none"}}',
        {"/a": 404, "/a.html": "a.html", "/app/": 404, "/app/index.html": "app/index.html", "/": 404},
    ),
    "a worker of wrangler": (
        None, "../wrangler.toml",
        'main = "w.ts"\n[assets]\ndirectory = "dist"\nrun_worker_first = ["/api/*", "!/api/x"]\n',
        {"/none": "wrangler.toml:1", "/api/y": "wrangler.toml:4", "/a": "a.html"},
    ),
    "wrangler of cloudflare pages": (
        None, "../wrangler.toml", 'pages_build_output_dir = "dist"\n', {"/none": "index.html"},
    ),
    "a wrangler that cannot be read": (
        None, "wrangler.json", '{"assets": {"directory": ".", "html_handling": 5}}', {"/none": "wrangler.json"},
    ),
    "a fallback of azure": (
        HostName.AZURE, "staticwebapp.config.json",
        '{"navigationFallback": {"rewrite": "/index.html", "exclude": ["/images/*.{png,gif}", "/a*b*c"]}}',
        {"/none": "index.html", "/images/x.png": 404, "/a1": "staticwebapp.config.json:1"},
    ),
}  # fmt: skip


@case_table("host, name, text, expected", HOSTS)
def test_what_files_of_hosts_leave_unknown(
    tmp_path: Path, host: HostName | None, name: str, text: str, expected: dict[str, object]
) -> None:
    write(tmp_path / "dist", FILES)
    write(tmp_path / "dist", {name: text})
    assert answers(tmp_path / "dist", host, expected) == expected


ATTACKS: dict[str, tuple[Pattern, str]] = {
    "30 choices": (glob_pattern("/" + "{a,aa}" * 30 + "!"), "/" + "a" * 90),
    "60 choices": (glob_pattern("/" + "{a,aa}" * 60 + "!"), "/" + "a" * 90),
    "nested choices": (glob_pattern("/" + "{a," * 15 + "a" + "}" * 15 + "*" * 500 + "!"), "/" + "a" * 2_000),
    "stars": (glob_pattern("/" + "**/" * 1_000 + "!"), "/a" * 1_000),
    "4 MB of stars": (star_pattern("/*" * 2_000_000), "/a" * 1_000),
    "nested repetitions": (regular_pattern("^(a+)+$" * 100), "a" * 2_000 + "!"),
    "placeholders": (vercel_pattern("/" + ":a(.*)" * 30), "/" + "a" * 2_000),
}  # fmt: skip


@case_table("pattern, path", ATTACKS)
def test_hostile_patterns_end_at_once(pattern: Pattern, path: str) -> None:
    began = time.process_time()
    pattern.match(path)
    assert time.process_time() - began < 0.5


def cost(size: int) -> float:
    """Return the least time to read and match a pattern of a size."""
    times = []
    for _ in range(5):
        began = time.process_time()
        pattern = glob_pattern("/" + "{a,aa}" * size + "!")
        for _ in range(20):
            pattern.match("/" + "a" * 200)
        times.append(time.process_time() - began)
    return min(times)


def test_twice_the_pattern_takes_about_twice_the_time() -> None:
    assert cost(600) < 3.5 * cost(300)


def site_with(listed: list[str], **files: str) -> dict[str, str | bytes]:
    return {
        "index.html": page(BASE, links=["/linked", "/img.png"]),
        "robots.txt": f"Sitemap: {BASE}sitemap.xml\n",
        "sitemap.xml": urlset(*[BASE + path for path in listed]),
        **files,
    }


def test_unknown_pages_count_as_unknown_and_no_rule_calls_them_missing(tmp_path: Path) -> None:
    rules = f"{ENGINE}{NO_FILE}RewriteRule . /index.php [L]\nRedirect /moved /target\n"
    folder = write(tmp_path / "dist", site_with(["", "trip", "moved"]) | {".htaccess": rules})
    result = audit([str(folder)], options(tmp_path / "s.duckdb", select=("PGE", "LNK", "ROB", "FET")))
    assert result.pages is not None
    assert not {code for code, _ in codes(result)} & {"PGE001", "PGE004", "LNK005", "FET001", "ROB006"}
    assert result.pages.reasons == {PageReason.UNDECIDED: 2}
    assert (result.pages.unknown, result.pages.not_indexable, result.pages.good.part) == (2, 0, 1)
    assert result.report.notes[0] == (
        f"4 URLs are unknown, such as {BASE}trip: .htaccess:4 could answer it, and is not applied: "
        "/index.php is a program"
    )


def test_a_redirect_to_an_unknown_page_is_a_redirect(tmp_path: Path) -> None:
    rules = {"redirects": [{"source": "/old/:id*", "destination": "/blog/:id"}], "rewrites": [SPA]}
    folder = write(
        tmp_path / "dist",
        site_with(["", "old/a"]) | {"firebase.json": json.dumps({"hosting": {"public": ".", **rules}})},
    )
    result = audit([str(folder)], options(tmp_path / "s.duckdb", select=("PGE",)))
    assert codes(result) == [("PGE005", f"{BASE}old/a")]
    assert result.pages is not None
    assert result.pages.reasons == {PageReason.REDIRECT: 1}


def test_the_first_screen_and_json_say_how_many_are_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rules = '{"rewrites": [\n{"source": "/((?!api/).*)", "destination": "/index.html"}]}'
    write(tmp_path / "dist", site_with(["", "gone"]) | {"vercel.json": rules})
    command = ["audit", "dist", "--base-url", BASE, "--no-config", "--no-store"]
    assert main(command) == 0
    text = capsys.readouterr().out
    assert "fetched 1 of 2 listed pages, 1 unknown (see the notes on rules of the host)" in text
    assert "vercel.json:2 could answer it, and is not applied: its regular expression has a lookaround" in text
    assert main([*command, "--format", "json"]) == 0
    pages = json.loads(capsys.readouterr().out)["pages"]
    assert (pages["undecided"], pages["unknown"], pages["health"]["pages"]) == (1, 1, 1)


def test_cloudflare_pages_without_an_error_page_says_that_the_home_page_answers_every_url(tmp_path: Path) -> None:
    folder = write(tmp_path / "dist", site_with(["", "try", "install"]))
    result = audit([str(folder)], options(tmp_path / "s.duckdb", host=HostName.CLOUDFLARE, base_url=BASE))
    assert (
        "without a 404.html, Cloudflare Pages answers every URL with the home page and status 200: 6 URLs without a "
        f"file get it, such as {BASE}try" in result.report.notes
    )


DOMAINS = {
    "someone.github.io": HostName.GITHUB, "x.netlify.app": HostName.NETLIFY, "x.pages.dev": HostName.CLOUDFLARE,
    "x.me.workers.dev": HostName.CLOUDFLARE, "x.vercel.app": HostName.VERCEL, "x.web.app": HostName.FIREBASE,
    "x.firebaseapp.com": HostName.FIREBASE, "x.2.azurestaticapps.net": HostName.AZURE, "github.io.example": None,
}  # fmt: skip


@case_table("name, host", list(DOMAINS.items()))
def test_the_host_is_known_by_the_base_url(tmp_path: Path, name: str, host: HostName | None) -> None:
    site = opened(write(tmp_path, {"index.html": "x", "404.html": "lost"}), f"https://{name}/", None)
    assert site.host.name is host
    assert any(f"because of the base URL https://{name}/" in note for note in site.notes(())) is (host is not None)


def test_workers_have_no_error_page_without_a_configuration(tmp_path: Path) -> None:
    write(tmp_path, {"index.html": "x", "a.html": "a"})
    expected: dict[str, object] = {"/none": 404, "/a.html": "/a"}
    assert answers(tmp_path, None, expected, "https://x.me.workers.dev/") == expected


def test_the_base_url_is_that_of_cname_if_it_alone_says_so(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": page(None), "CNAME": "WWW.Example.org\n", "sitemap.xml": urlset("/a.html")})
    site = opened(tmp_path, None, None)
    assert (site.base, site.host.name) == ("https://www.example.org/", HostName.GITHUB)
    assert "the base URL is https://www.example.org/, as in CNAME" in next(iter(site.notes(())))


def test_an_unreadable_file_behind_a_link_is_named_by_its_own_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "dist", {"index.html": "x", "real/page.html": "x"})
    (tmp_path / "dist" / "link.html").symlink_to("real/page.html")
    site = opened(Path("dist"), BASE, HostName.PLAIN)
    for name in ("link.html", "index.html"):
        path = site.answer(BASE + name).path
        assert path is not None
        site.record_failure(path, "permission denied")
    assert "2 files could not be read, such as link.html: permission denied" in list(site.notes(()))
