"""How each host maps URLs to files, as its documentation and https://github.com/slorber/trailing-slash-guide say."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.cases import case_table
from tests.hosting.folders import BASE, opened, write

from urlset.errors import InputError, UsageError
from urlset.fetch.fetcher import Fetcher
from urlset.fetch.response import FetchError
from urlset.hosting.hosts import HOSTS
from urlset.options.publishing import HostName
from urlset.options.verbs import ReadOptions
from urlset.stages.named import trust_in_folder

FILES = {
    "index.html": "home", "file.html": "file", "folder/index.html": "folder", "both.html": "file of both",
    "both/index.html": "folder of both",
}  # fmt: skip

PATHS = (
    "/file", "/file/", "/file.html", "/folder", "/folder/", "/folder/index.html", "/both", "/both/", "/both.html",
    "/both/index.html",
)  # fmt: skip
"""The columns of the guide."""

VERCEL, FIREBASE, AZURE = "vercel.json", "firebase.json", "staticwebapp.config.json"


HOST_FILES = {
    HostName.VERCEL: VERCEL, HostName.FIREBASE: FIREBASE, HostName.AZURE: AZURE, HostName.NETLIFY: "_redirects",
    HostName.APACHE: ".htaccess",
}  # fmt: skip


def config(name: str, **values: object) -> tuple[str, str]:
    return name, json.dumps({"hosting": {"public": ".", **values}} if name == FIREBASE else values)


# ok: served; 404: not found; a path: a redirect there.
TABLE: dict[str, tuple[HostName, tuple[str, str] | None, str]] = {
    "github": (HostName.GITHUB, None, "ok 404 ok /folder/ ok ok ok ok ok ok"),
    "netlify": (HostName.NETLIFY, None, "ok /file ok /folder/ ok ok ok /both ok ok"),
    "vercel": (HostName.VERCEL, None, "404 404 ok ok ok ok ok ok ok ok"),
    "vercel without slashes": (
        HostName.VERCEL, config(VERCEL, trailingSlash=False), "404 404 ok ok /folder ok ok /both ok ok",
    ),
    "vercel with slashes": (
        HostName.VERCEL, config(VERCEL, trailingSlash=True), "404 404 ok /folder/ ok ok /both/ ok ok ok",
    ),
    "vercel with clean URLs": (
        HostName.VERCEL, config(VERCEL, cleanUrls=True), "ok ok /file ok ok /folder ok ok /both /both",
    ),
    "vercel with clean URLs without slashes": (
        HostName.VERCEL, config(VERCEL, cleanUrls=True, trailingSlash=False),
        "ok /file /file ok /folder /folder ok /both /both /both",
    ),
    "vercel with clean URLs and slashes": (
        HostName.VERCEL, config(VERCEL, cleanUrls=True, trailingSlash=True),
        "/file/ ok /file/ /folder/ ok /folder/ /both/ ok /both/ /both/",
    ),
    "cloudflare": (HostName.CLOUDFLARE, None, "ok /file /file /folder/ ok /folder/ ok ok /both /both/"),
    "azure": (HostName.AZURE, None, "ok /file ok ok ok ok ok /both ok ok"),
    "azure auto": (
        HostName.AZURE, config(AZURE, trailingSlash="auto"), "ok /file /file /folder/ ok /folder/ ok ok /both /both/",
    ),
    "azure always": (
        HostName.AZURE, config(AZURE, trailingSlash="always"),
        "/file/ ok /file/ /folder/ ok /folder/ /both/ ok /both/ /both/",
    ),
    "azure never": (
        HostName.AZURE, config(AZURE, trailingSlash="never"),
        "ok /file /file ok /folder /folder ok /both /both /both",
    ),
    "firebase": (HostName.FIREBASE, None, "404 404 ok /folder/ ok ok /both/ ok ok ok"),
    "firebase with clean URLs": (
        HostName.FIREBASE, config(FIREBASE, cleanUrls=True, trailingSlash=False),
        "ok /file /file ok /folder /folder ok /both /both /both",
    ),
    "apache": (HostName.APACHE, None, "404 404 ok /folder/ ok ok /both/ ok ok ok"),
    "plain": (HostName.PLAIN, None, "404 404 ok /folder/ ok ok /both/ ok ok ok"),
}  # fmt: skip


@case_table("host, file, expected", TABLE)
def test_each_host_maps_urls_to_files_as_documented(
    tmp_path: Path, host: HostName, file: tuple[str, str] | None, expected: str
) -> None:
    write(tmp_path, FILES | {"404.html": "none"} | ({file[0]: file[1]} if file else {}))
    site = opened(tmp_path, BASE, host)
    answers = []
    for path in PATHS:
        answer = site.answer(BASE[:-1] + path)
        answers.append({200: "ok", 404: "404"}.get(answer.status) or answer.headers["location"])
        assert answer.status in (200, 404, HOSTS[host].status)
    assert " ".join(answers) == expected


def test_every_host_is_in_the_table_with_its_documentation() -> None:
    assert set(HOSTS) == set(HostName)
    assert all(source.startswith("https://") for host in HOSTS.values() for source in host.sources)
    assert all(host.sources for host in HOSTS.values())


UNKNOWN = 0
"""The status of a response that a rule decides that is not applied, whose place follows."""

# Files of a host: path and the expected status, header, or target.
RULES: dict[str, tuple[HostName, dict[str, str], dict[str, tuple[int, str]], str]] = {
    "redirects of netlify": (
        HostName.NETLIFY,
        {
            "_redirects": "# comment\n/old /new\n/blog/* /news/:splat 302\n/y/:year/:slug /p/:slug-:year 301\n"
            "/file /forced 301!\n/file.html /shadowed\n/spa/* /index.html 200\n/gone /404.html 410\n"
            "/slash/ /to\nhttps://example.com/abs /there\nhttps://other.example/abs /nowhere\n"
        },
        {
            "/old": (301, "/new"), "/blog/a/b": (302, "/news/a/b"), "/y/2024/x": (301, "/p/x-2024"),
            "/file": (301, "/forced"), "/file.html": (200, "file.html"), "/spa/a/b": (200, "index.html"),
            "/gone": (410, "404.html"), "/slash": (301, "/to"), "/abs": (301, "/there"), "/none": (404, "404.html"),
        },
        "_redirects: 1 rule not applied at line 11: its source is on another site",
    ),
    "what netlify decides by the request": (
        HostName.NETLIFY,
        {
            "_redirects": "/a id=:id /b\n/c /d 302 Country=de,at\n/e https://api.example/x 200\nnonsense\n/f\n"
            "/g /.netlify/functions/g 200\n/h /i 301 Role=admin\n"
        },
        {
            "/a": (UNKNOWN, "_redirects:1"), "/c": (UNKNOWN, "_redirects:2"), "/g": (UNKNOWN, "_redirects:6"),
            "/f": (404, ""),
        },
        "_redirects: 1 rule not applied at line 1: it depends on the query|"
        "_redirects: 2 rules not applied, the first at line 2: it depends on a condition such as Country or Role|"
        "_redirects: 1 rule not applied at line 3: it sends requests to another site|"
        "_redirects: 2 rules not applied, the first at line 4: it has no target|"
        "_redirects: 1 rule not applied at line 6: it runs a function",
    ),
    "headers of netlify": (
        HostName.NETLIFY,
        {"_headers": "/*\n  X-Robots-Tag: noindex\n/file\n  x-robots-tag: nofollow\n  nonsense\n"},
        {"/file": (200, "x-robots-tag: noindex, nofollow"), "/": (200, "x-robots-tag: noindex")},
        "_headers: 1 rule not applied at line 5: it is not a header",
    ),
    "redirects of cloudflare": (
        HostName.CLOUDFLARE,
        {"_redirects": "/old /new\n/file /always 301\n/b /c 418\n" + "x" * 2_000 + " /d\n"},
        {"/old": (302, "/new"), "/file": (301, "/always"), "/b": (404, "")},
        "_redirects: 1 rule not applied at line 3: Cloudflare does not support status 418|"
        "_redirects: 1 rule not applied at line 4: it is longer than 1,000 characters",
    ),
    "headers of cloudflare": (
        HostName.CLOUDFLARE,
        {
            "_headers": "/*\n  X-Robots-Tag: noindex\n/file\n  ! X-Robots-Tag\n"
            "https://x.pages.dev/*\n  X-Robots-Tag: none\n"
        },
        {"/file": (200, ""), "/": (200, "x-robots-tag: noindex")},
        "",
    ),
    "the error page of cloudflare is the nearest one": (
        HostName.CLOUDFLARE,
        {"a/404.html": "near"},
        {"/a/b/c": (404, "a/404.html"), "/b/c": (404, "404.html")},
        "",
    ),
    "vercel": (
        HostName.VERCEL,
        {
            VERCEL: json.dumps({
                "redirects": [
                    {"source": "/me", "destination": "/profile"},
                    {"source": "/temp", "destination": "/x", "permanent": False},
                    {"source": "/code", "destination": "/x", "statusCode": 301},
                    {"source": "/blog/:path*", "destination": "/news/:path*"},
                    {"source": "/q/(.*)", "destination": "/r/$1"},
                    {"source": "/n/:id(\\d+)", "destination": "/o/:id"},
                    {"source": "/here", "destination": "/x", "has": [{"type": "host", "value": "example[.]com"}]},
                    {"source": "/h", "destination": "/x", "has": [{"type": "host", "value": "a"}]},
                    {"source": "/:path((?!uk/).*)", "destination": "/uk/:path*"},
                ],
                "rewrites": [
                    {"source": "/app/:rest*", "destination": "/index.html"},
                    {"source": "/api/x", "destination": "/api/y"},
                ],
                "headers": [{"source": "/(.*)", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}],
                "surprise": 1,
            })
        },
        {
            "/me": (308, "/profile"), "/temp": (307, "/x"), "/code": (301, "/x"), "/blog": (308, "/news/"),
            "/blog/a/b": (308, "/news/a/b"), "/q/z": (308, "/r/z"), "/n/5": (308, "/o/5"),
            "/here": (308, "/x"), "/h": (UNKNOWN, "vercel.json:1"), "/app/a/b": (UNKNOWN, "vercel.json:1"),
            "/": (200, "x-robots-tag: noindex"),
        },
        "vercel.json: 1 rule not applied at line 1: its regular expression has a lookaround|"
        "vercel.json: 1 rule not applied at line 1: it runs a function|"
        "vercel.json: 1 rule not applied at line 1: the key surprise is not known",
    ),
    "firebase": (
        HostName.FIREBASE,
        {
            FIREBASE: json.dumps({
                "hosting": {
                    "public": ".", "ignore": ["firebase.json", "**/.*"],
                    "redirects": [
                        {"source": "/foo", "destination": "/bar", "type": 301},
                        {"source": "/firebase/**", "destination": "https://firebase.google.com/", "type": 302},
                        {"source": "/blog/:slug", "destination": "/news/:slug", "type": 301},
                        {"regex": "^/x$", "destination": "/y", "type": 301},
                        {"regex": "^/r/(?P<year>\\d+)/(\\w)$", "destination": "/s/:2-:year", "type": 301},
                    ],
                    "rewrites": [
                        {"source": "/api/**", "function": "f"}, {"source": "/app/**", "destination": "/index.html"},
                    ],
                    "headers": [
                        {"source": "**/*.@(pdf|html)", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]},
                    ],
                }
            })
        },
        {
            "/foo": (301, "/bar"), "/firebase/a/b": (302, "https://firebase.google.com/"), "/blog/a": (301, "/news/a"),
            "/file.html": (200, "x-robots-tag: noindex"), "/folder/": (200, ""), "/app/x": (200, "index.html"),
            "/x": (301, "/y"), "/r/2024/a": (301, "/s/a-2024"), "/api/x": (UNKNOWN, "firebase.json:1"),
        },
        "firebase.json: 1 rule not applied at line 1: it runs a function",
    ),
    "azure": (
        HostName.AZURE,
        {
            AZURE: json.dumps({
                "routes": [
                    {"route": "/specials", "redirect": "/deals", "statusCode": 301},
                    {"route": "/logout", "redirect": "/bye"},
                    {"route": "/secret*", "allowedRoles": ["admin"]},
                    {"route": "/calendar*", "rewrite": "/file.html"},
                    {"route": "/images/*.{png,jpg}", "headers": {"X-Robots-Tag": "noindex"}},
                    {"route": "/post", "methods": ["POST"], "redirect": "/no"},
                    {"route": "/a*b", "redirect": "/no"},
                ],
                "globalHeaders": {"X-Robots-Tag": "nofollow"},
                "responseOverrides": {"404": {"rewrite": "/404.html"}},
            })
        },
        {
            "/specials": (301, "/deals"), "/logout": (302, "/bye"), "/secret/x": (401, ""),
            "/calendar/1": (200, "file.html"),
            "/none": (404, "404.html"), "/": (200, "x-robots-tag: nofollow"), "/post": (404, "404.html"),
            "/ax": (UNKNOWN, "staticwebapp.config.json:1"),
        },
        "staticwebapp.config.json: 1 rule not applied at line 1: its route has a wildcard that is not at the end",
    ),
    "the fallback of azure": (
        HostName.AZURE,
        {AZURE: json.dumps({"navigationFallback": {"rewrite": "/index.html", "exclude": ["/css/*"]}})},
        {"/any": (200, "index.html"), "/css/x.css": (404, "")},
        "",
    ),
    "apache": (
        HostName.APACHE,
        {
            ".htaccess": "# comment\nRedirect permanent /old https://example.com/new\nRedirect /dir/ /to/\n"
            "RedirectPermanent /p /q\nRedirect gone /gone\nErrorDocument 404 /404.html\nOptions -Indexes\n"
            "<IfModule mod_headers.c>\nHeader always set X-Robots-Tag \"noindex, nofollow\"\n</IfModule>\n"
            "RewriteEngine On\nRewriteRule ^literal/?$ /to [R=301,L]\nRewriteCond %{HTTPS} off\n"
            "RewriteRule ^(.*)$ https://%{HTTP_HOST}/$1 [R=301,L]\nRedirectMatch ^/x(.*)$ /y$1\n"
            "<FilesMatch \"\\.(html|htm)$\">\nHeader append X-Robots-Tag \"noarchive\"\n</FilesMatch>\n"
        },
        {
            "/old": (301, "https://example.com/new"), "/dir/a/b": (302, "/to/a/b"), "/p/x": (301, "/q/x"),
            "/gone": (410, ""), "/none": (404, "404.html"), "/": (200, "x-robots-tag: noindex, nofollow"),
            "/literal/": (301, "/to"), "/file.html": (200, "x-robots-tag: noindex, nofollow, noarchive"),
            "/x1": (302, "/y1"),
        },
        "",
    ),
    "file names with clean URLs of vercel, also of files that do not exist": (
        HostName.VERCEL,
        {
            VERCEL: json.dumps({
                "cleanUrls": True,
                "rewrites": [{"source": "/moved", "destination": "/folder/moved"}],
                "redirects": [{"source": "/old.html", "destination": "/new"}],
            }),
            "folder/moved.html": "x",
        },
        {
            "/moved.html": (308, "/moved"), "/moved": (200, "folder/moved.html"), "/none.html": (308, "/none"),
            "/none": (404, "404.html"), "/none/index.html": (308, "/none"), "/index": (308, "/"),
            "/old.html": (308, "/old"),
        },
        "",
    ),
    "github without .nojekyll": (
        HostName.GITHUB, {"_private.html": "x", "_d/index.html": "x"}, {"/_private": (404, ""), "/_d/": (404, "")}, "",
    ),
    "github with .nojekyll": (
        HostName.GITHUB, {".nojekyll": "", "_d/index.html": "x"}, {"/_d/": (200, "_d/index.html")}, "",
    ),
}  # fmt: skip


@case_table("host, files, expected, notes", RULES)
def test_files_of_hosts_add_redirects_and_headers(
    tmp_path: Path, host: HostName, files: dict[str, str], expected: dict[str, tuple[int, str]], notes: str
) -> None:
    site = opened(write(tmp_path, FILES | {"404.html": "none"} | files), BASE, host)
    for path, (status, what) in expected.items():
        answer = site.answer(BASE[:-1] + path)
        assert (path, answer.status) == (path, status)
        if status == UNKNOWN:
            assert answer.why.startswith(f"{what} could answer it, and is not applied: ")
        elif status in (301, 302, 307, 308):
            assert answer.headers["location"] == what
        elif ": " in what:
            name, _, value = what.partition(": ")
            assert answer.headers.get(name) == value
        elif what:
            assert answer.path == str(tmp_path / what)
        elif status == 200:
            assert "x-robots-tag" not in answer.headers
    assert "|".join(site.rules.notes()) == notes


def test_a_rewrite_out_of_the_directory_has_no_known_response(tmp_path: Path) -> None:
    rewrites = "/repo/a /other/index.html 200\n/repo/b /repo/file.html 200\n"
    folder = write(tmp_path, FILES | {"404.html": "none", "_redirects": rewrites})
    site = opened(folder, f"{BASE}repo/", HostName.NETLIFY)
    paths = {path: site.answer(f"{BASE}repo/{path}") for path in ("a", "b")}
    assert {path: (answer.status, Path(answer.path or "").name) for path, answer in paths.items()} == {
        "a": (UNKNOWN, ""),
        "b": (200, "file.html"),
    }
    assert (
        paths["a"].why == "_redirects:1 could answer it, and is not applied: /other/index.html is not in the directory"
    )


DETECTED: dict[str, tuple[dict[str, str], HostName | None]] = {
    "_redirects": ({"_redirects": ""}, HostName.NETLIFY),
    "_headers and a worker": ({"_headers": "", "_worker.js": ""}, HostName.CLOUDFLARE),
    "vercel.json": ({"vercel.json": "{}"}, HostName.VERCEL),
    "vercel.json above": ({"../vercel.json": '{"outputDirectory": "dist"}'}, HostName.VERCEL),
    "vercel.json above for another directory": ({"../vercel.json": '{"outputDirectory": "out"}'}, None),
    "firebase.json above": ({"../firebase.json": '{"hosting": {"public": "dist"}}'}, HostName.FIREBASE),
    "netlify.toml above": ({"../netlify.toml": '[build]\npublish = "dist"\n'}, HostName.NETLIFY),
    "azure": ({"staticwebapp.config.json": "{}"}, HostName.AZURE),
    ".htaccess": ({".htaccess": ""}, HostName.APACHE),
    ".nojekyll": ({".nojekyll": ""}, HostName.GITHUB),
    "nothing": ({}, None),
}


@case_table("files, host", DETECTED)
def test_the_host_is_recognized_by_its_files(tmp_path: Path, files: dict[str, str], host: HostName | None) -> None:
    folder = tmp_path / "dist"
    site = opened(write(folder, {"index.html": "x"} | files), BASE, None)
    assert site.host.name is host
    assert any((host.value if host else "unknown") in note for note in site.notes(()))


HUGE = "9" * 5_000

# The file, a note, and whether it could answer /old.
HOSTILE: dict[str, tuple[HostName, str, str, bool]] = {
    "not JSON": (HostName.VERCEL, "{", "it is not valid JSON", True),
    "deep JSON": (HostName.FIREBASE, "[" * 100_000, "it is not a JSON object", True),
    "a list": (HostName.AZURE, "[]", "it is not a JSON object", True),
    "an item that is a number": (HostName.VERCEL, '{"redirects": [1]}', "(expected `object`, got `int`)", False),
    "a source that is a number": (
        HostName.VERCEL, '{"redirects": [{"source": 1, "destination": "/"}]}', "(expected `str`, got `int`", False,
    ),
    "an object instead of a list": (HostName.VERCEL, '{"headers": {}}', "headers is not as documented", False),
    "large": (HostName.NETLIFY, "#" * (5 * 1024 * 1024), "larger than 4", True),
    "many wildcards": (HostName.NETLIFY, "/*" * 2_000_000 + " /y", "its source is longer than 4,096 characters", True),
    "not UTF-8": (HostName.APACHE, "Redirect \udcff", "it is not a redirect", False),
    "a status of vercel": (
        HostName.VERCEL, '{"redirects": [{"source": "/old", "destination": "/", "statusCode": 99999999999999}]}',
        "expected `int` <= 599", True,
    ),
    "a huge status of vercel": (
        HostName.VERCEL, f'{{"redirects": [{{"source": "/old", "destination": "/", "statusCode": {HUGE}}}]}}',
        "it is not as documented", True,
    ),
    "a status of firebase": (
        HostName.FIREBASE, '{"hosting": {"redirects": [{"source": "/old", "destination": "/", "type": 4294967297}]}}',
        "expected `int` <= 599", True,
    ),
    "a status of azure": (
        HostName.AZURE, f'{{"routes": [{{"route": "/old", "redirect": "/", "statusCode": {HUGE}}}]}}',
        "it is not as documented", True,
    ),
    "what azure excludes": (
        HostName.AZURE, '{"navigationFallback": {"rewrite": "/index.html", "exclude": 5}}', "expected `array`", True,
    ),
    "a status of netlify": (
        HostName.NETLIFY, '[[redirects]]\nfrom = "/old"\nto = "/"\nstatus = 99999999999\n',
        "netlify.toml: 1 rule not applied at line 1: it is not as documented (expected `int` <= 599", True,
    ),
    "a huge status of netlify": (HostName.NETLIFY, f"status = {HUGE}", "the file is not valid TOML", True),
    "a status of apache": (HostName.APACHE, "Redirect 99999999999 /old /", "its status code is not a number", True),
    "a huge status of apache": (HostName.APACHE, f"Redirect {HUGE} /old /", "its status code is not a number", True),
    "a flag of apache": (HostName.APACHE, f"RewriteRule ^old / [R={HUGE}]", "its status code is not a number", True),
}  # fmt: skip


@case_table("host, text, reason, is_unknown", HOSTILE)
def test_hostile_files_are_named(tmp_path: Path, host: HostName, text: str, reason: str, is_unknown: bool) -> None:
    name = "netlify.toml" if "status" in text and host is HostName.NETLIFY else HOST_FILES[host]
    write(tmp_path, {"index.html": b"x", name: text.encode("utf-8", "surrogateescape")})
    site = opened(tmp_path, BASE, host)
    assert reason in "|".join(site.notes(()))
    assert site.answer(BASE + "old").status == (UNKNOWN if is_unknown else 404)
    assert site.answer(BASE).status == 200


REFUSED = (
    "../secret.html",
    "%2e%2e/secret.html",
    "a/../../secret.html",
    "..%2fsecret.html",
    "%00",
    "a//b",
    "./file.html",
)


@case_table("path", REFUSED)
def test_paths_do_not_leave_the_directory(tmp_path: Path, path: str) -> None:
    write(tmp_path, {"secret.html": "x", "dist/index.html": "x", "dist/file.html": "x", "dist/a/index.html": "x"})
    assert opened(tmp_path / "dist", BASE, HostName.GITHUB).answer(BASE + path).status == 404


def test_links_out_of_the_directory_are_refused_and_counted(tmp_path: Path) -> None:
    write(tmp_path, {"secret.html": "x", "dist/index.html": "x", "other/a.html": "x"})
    (tmp_path / "dist" / "out.html").symlink_to(tmp_path / "secret.html")
    (tmp_path / "dist" / "in.html").symlink_to("index.html")
    (tmp_path / "dist" / "folder").symlink_to(tmp_path / "other")
    (tmp_path / "dist" / "loop").symlink_to(tmp_path / "dist")
    (tmp_path / "dist" / "_redirects").symlink_to(tmp_path / "secret.html")
    site = opened(tmp_path / "dist", BASE, HostName.NETLIFY)
    statuses = {
        path: site.answer(BASE + path).status for path in ("out.html", "in.html", "folder/a.html", "loop/in.html")
    }
    # What the refused _redirects says of URLs without a file is unknown.
    assert statuses == {"out.html": UNKNOWN, "in.html": 200, "folder/a.html": UNKNOWN, "loop/in.html": UNKNOWN}
    notes = "|".join(site.notes(()))
    assert "3 symbolic links out of the directory not followed" in notes
    assert "1 symbolic link to a directory not followed" in notes
    assert "_redirects: 1 rule not applied at its start: it is a link out of the directory" in notes


BASES: dict[str, tuple[dict[str, str], str]] = {
    "both agree": (
        {"sitemap.xml": "<loc>https://a.example/x/</loc>", "x/index.html": "<link rel=canonical href=https://a.example/x/>"},
        "https://a.example/",
    ),
    "below a path": (
        {"sitemap.xml": "<loc>https://a.example/repo/x/</loc><loc>https://a.example/repo/</loc>", "x/index.html": "x"},
        "https://a.example/repo/",
    ),
    "canonical links alone": ({"x.html": "<link rel=canonical href=https://a.example/x>"}, "https://a.example/"),
    "an index": (
        {"sitemap-index.xml": "<loc>https://a.example/sitemap-0.xml</loc>", "sitemap-0.xml": ""}, "https://a.example/",
    ),
}  # fmt: skip


@case_table("files, base", BASES)
def test_the_base_url_is_inferred_and_said(tmp_path: Path, files: dict[str, str], base: str) -> None:
    site = opened(write(tmp_path, {"index.html": "home"} | files), None, None)
    assert site.base == base
    assert any(f"the base URL is {base}" in note for note in site.notes(()))


def test_an_invalid_base_url_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"index.html": "home"})
    for wrong in ("example.com", "ftp://example.com/", "https://example.com/?a", "https://u:p@example.com/"):
        with pytest.raises(UsageError, match="--base-url must"):
            opened(tmp_path, wrong, None)


def test_a_directory_without_pages_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": "<loc>https://a.example/</loc>"})
    with pytest.raises(InputError, match=r"no file in this directory ends in \.html"):
        opened(tmp_path, BASE, None)


SPELLINGS = {
    "HTTPS://Example.COM/file.html": True, "https://example.com:443/file.html": True, "https://example.com": True,
    "https://example.com.evil.example/": False,
}  # fmt: skip


@case_table("url, is_served", list(SPELLINGS.items()))
def test_spellings_of_the_base_url_are_one(tmp_path: Path, url: str, is_served: bool) -> None:
    site = opened(write(tmp_path, FILES), BASE, HostName.PLAIN)
    assert (site.serves(url), site.answer(url).status if is_served else 200) == (is_served, 200)


@case_table(
    "url", ["http://example.com/file.html", "https://www.example.com/file.html", "http://www.example.com/file.html"]
)
def test_the_other_scheme_and_www_redirect_to_the_base_url(tmp_path: Path, url: str) -> None:
    site = opened(write(tmp_path, FILES), BASE, HostName.PLAIN)
    answer = site.answer(url)
    assert (site.serves(url), answer.status, answer.headers["location"]) == (True, 301, f"{BASE}file.html")


def test_names_that_are_not_utf8_can_be_reported(tmp_path: Path) -> None:
    write(tmp_path, FILES | {"_headers": "/*\n  X-Robots-Tag: no\x00in\x1bdex\n"})
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.html")).write_text("x")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff-out.html")).symlink_to("/etc/hostname")
    site = opened(tmp_path, BASE, HostName.NETLIFY)
    assert site.answer(f"{BASE}%FF.html").status == 200
    assert site.answer(BASE).headers["x-robots-tag"] == "noindex"
    assert f"{BASE}%FF.html" in site.unrequested_pages() or site.answer(f"{BASE}%FF").status == 200
    assert "\n".join(site.notes(())).encode()


def test_a_file_that_cannot_be_read_is_an_error_of_its_url_and_named(tmp_path: Path) -> None:
    site = opened(write(tmp_path, FILES), BASE, HostName.PLAIN)
    (tmp_path / "file.html").unlink()
    with Fetcher(ReadOptions(cache=False, retries=0), trust_in_folder(site)) as fetcher:
        lost = fetcher.get(f"{BASE}file.html", via=None)
        elsewhere = fetcher.get("https://other.example/", via=None)
        cut = fetcher.get(f"{BASE}both.html", via=None, max_bytes=4)
    assert (lost.error_kind, lost.reason) == (
        FetchError.UNREADABLE,
        "the file cannot be read: no such file or directory",
    )
    assert (elsewhere.error_kind, elsewhere.status) == (FetchError.OUTSIDE, None)
    assert (cut.error_kind, cut.content) == (FetchError.TOO_LARGE, b"file")
    assert any(
        "1 file could not be read, such as file.html: no such file or directory" in note for note in site.notes(())
    )


def test_the_base_url_without_its_slash_redirects_and_nothing_else_above_it_exists(tmp_path: Path) -> None:
    site = opened(write(tmp_path, {"index.html": "<title>Home</title>"}), f"{BASE}docs/", None)
    answers = {path: site.answer(BASE + path) for path in ("docs/", "docs", "doc", "other")}
    assert [answer.status for answer in answers.values()] == [200, 301, 404, 404]
    assert answers["docs"].headers["location"] == "/docs/"
