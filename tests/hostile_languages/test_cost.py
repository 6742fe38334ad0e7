"""Each small language that urlset reads takes time in proportion to its text, whatever the text is.

Each shape is read at a size and at four times the size, which takes four times as long, or sixteen times in quadratic
time. The sizes are small, so that all shapes together take seconds: in quadratic time, most would take minutes.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from tests.cases import case_table

from urlset.build.sources import front_matter
from urlset.build.sources.paths import matcher
from urlset.build.sources.source_urls import has_template
from urlset.clients.rsl import parse_rsl
from urlset.files.structured import decode_toml
from urlset.hosting import base_url, generators
from urlset.hosting import htaccess as hosting_htaccess
from urlset.hosting import routes as hosting_routes
from urlset.hosting.htaccess import read_htaccess
from urlset.hosting.json_files import read_azure, read_firebase, read_vercel
from urlset.hosting.redirects_file import read_netlify_toml, read_redirects
from urlset.hosting.regular import Regular
from urlset.hosting.routes import HostRules
from urlset.hosting.wrangler import read_routes
from urlset.options.publishing import HostName
from urlset.text import ci_log
from urlset.web.robots_txt import Robots

Read = Callable[[str], object]
Shape = tuple[Read, Callable[[int], str], int]


def rsl(text: str) -> object:
    return parse_rsl(f'<rsl xmlns="https://rslstandard.org/rsl">{text}</rsl>'.encode())


def license_with(text: str) -> str:
    return f'<content url="/"><license><permits type="usage">search</permits>{text}</license></content>'


def vercel(text: str) -> HostRules:
    rules = HostRules()
    read_vercel(text.encode(), rules, "example.com")
    return rules


def firebase(text: str) -> HostRules:
    rules = HostRules()
    read_firebase(f'{{"hosting": {text}}}'.encode(), rules, Path("public"), Path())
    return rules


def azure(text: str) -> HostRules:
    rules = HostRules()
    read_azure(text.encode(), rules)
    return rules


def redirects(text: str) -> HostRules:
    rules = HostRules()
    read_redirects(text, rules, HostName.NETLIFY, "https://example.com")
    return rules


def netlify(text: str) -> HostRules:
    rules = HostRules()
    read_netlify_toml(text, rules, "https://example.com")
    return rules


def routes(text: str) -> HostRules:
    rules = HostRules()
    read_routes(text.encode(), rules)
    return rules


def htaccess(text: str) -> HostRules:
    rules = HostRules()
    read_htaccess(text, rules, "/")
    return rules


def applied_to_a_long_path(read: Callable[[str], HostRules]) -> Read:
    """Return what reads rules and finds those of a path that each of them nearly matches."""
    return lambda text: list(read(text).table.of("/" + "a" * 2_000))


def in_bytes(pattern: re.Pattern[bytes]) -> Read:
    return lambda text: pattern.findall(text.encode())


def robots(text: str) -> object:
    return Robots.parse(text.encode()).is_allowed("urlset", "https://example.com/" + "a" * 2_000)


def yaml(text: str) -> object:
    return front_matter.parse(f"---\n{text}\n---\n")


SHAPES: dict[str, Shape] = {
    "RSL: line feeds": (rsl, lambda n: license_with("<payment>" + "\n" * n + "</payment>"), 20_000),
    "RSL: references": (rsl, lambda n: license_with("<payment>" + "&#65;" * n + "</payment>"), 8_000),
    "RSL: amounts": (rsl, lambda n: license_with("<payment>" + "<amount>1</amount>" * n + "</payment>"), 4_000),
    "RSL: a long namespace": (rsl, lambda n: f'<a xmlns="{"x" * n}">{"<b/>" * n}</a>', 10_000),
    "RSL: licenses": (rsl, lambda n: f'<content url="/{"a" * n}">{"<license/>" * n}</content>', 2_000),
    "RSL: nesting": (rsl, lambda n: "<a>" * n + "</a>" * n, 5_000),
    "Firebase: choices": (
        applied_to_a_long_path(firebase),
        lambda n: json.dumps({"rewrites": [{"source": "/" + "{a,aa}" * n + "!", "destination": "/x"}]}),
        100,
    ),
    "Firebase: wildcards": (
        applied_to_a_long_path(firebase),
        lambda n: json.dumps({"rewrites": [{"source": "/*" * n, "destination": "/x"}]}),
        400,
    ),
    "Firebase: ignored files": (firebase, lambda n: json.dumps({"ignore": ["!(a)"] * n}), 500),
    "Vercel: unknown keys": (vercel, lambda n: json.dumps({f"key{number}": 1 for number in range(n)}), 5_000),
    "Vercel: places": (
        applied_to_a_long_path(vercel),
        lambda n: json.dumps({"redirects": [{"source": "/(a*)*" * n, "destination": "/"}]}),
        200,
    ),
    "Azure: excluded": (
        azure,
        lambda n: json.dumps({"navigationFallback": {"rewrite": "/", "exclude": [f"/{i}/*" for i in range(n)]}}),
        200,
    ),
    "globs of files": (lambda text: matcher([text])("a" * 250), lambda n: "*a" * n + "*b", 2_000),
    "globs of files with exceptions": (lambda text: matcher([text, "!x"])("a" * 250), lambda n: "*a" * n + "*b", 2_000),
    "titles with tags of templates": (has_template, lambda n: "{{" * n, 200_000),
    "_redirects: stars": (applied_to_a_long_path(redirects), lambda n: "/*" * n + "! /b", 400),
    "_redirects: words": (redirects, lambda n: "/a " + "a=b " * n + "/b", 10_000),
    "netlify.toml: edge functions": (
        netlify,
        lambda n: (
            "[[edge_functions]]\n" + "".join(f"{key}={json.dumps(_paths(n))}\n" for key in ("path", "excludedPath"))
        ),
        200,
    ),
    "_routes.json": (routes, lambda n: json.dumps({"include": _paths(n), "exclude": _paths(n)}), 200),
    ".htaccess: sections": (htaccess, lambda n: "<IfModule x>\nHeader set a b\n" * n, 500),
    ".htaccess: a quote": (htaccess, lambda n: 'Redirect "' + "a" * n, 20_000),
    ".htaccess: lines": (htaccess, lambda n: "a\\\n" * n, 20_000),
    "base URL: a location": (base_url._LOC.findall, lambda n: "<loc>" + " " * n, 2_000),
    "base URL: robots.txt": (base_url._ROBOTS_LINE.findall, lambda n: "\n" * n, 5_000),
    "output for CI systems": (ci_log._AT_START.findall, lambda n: "\n" * n, 5_000),
    "generators: tags": (in_bytes(generators._GENERATOR), lambda n: "<meta " * n, 2_000),
    "generators: names": (in_bytes(generators._PKGDOWN), lambda n: "pkgdown" * n, 2_000),
    "generators: links": (in_bytes(generators._PKGDOWN), lambda n: "Site built with <a" * n, 1_000),
    "robots.txt: stars": (robots, lambda n: "User-agent: *\nDisallow: /" + "*a" * n + "b", 200),
    "TOML: dots": (decode_toml, lambda n: ".".join("a" * n) + "=1", 20_000),
    "TOML: quoted dots": (decode_toml, lambda n: ".".join(['"a"'] * n) + "=1", 10_000),
    "TOML: dots of a table": (decode_toml, lambda n: f"[{' . '.join('a' * n)}]", 20_000),
    "TOML: short keys": (decode_toml, lambda n: "".join(f"a.b.c.d{i}=1\n" for i in range(n)), 400),
    "TOML: tables": (decode_toml, lambda n: "[[a]]\n" * n, 1_000),
    "TOML: quotes": (decode_toml, lambda n: '"' * n, 20_000),
    "TOML: backslashes": (decode_toml, lambda n: 'a="' + "\\" * n, 5_000),
    "TOML: nesting": (decode_toml, lambda n: "a=" + "[" * n, 20_000),
    "TOML: digits": (decode_toml, lambda n: "a=" + "9" * n, 20_000),
    "YAML: merges": (yaml, lambda n: "a0: &a0 {x: 1}\n" + "".join(_merge(i) for i in range(1, n)), 40),
    "YAML: aliases": (yaml, lambda n: "a0: &a0 [x]\n" + "".join(_alias(i) for i in range(1, n)), 40),
    "YAML: one merge of many": (yaml, lambda n: f"a: &a {_flow(n)}\nb:\n  <<: [{'*a,' * n}]", 300),
}


def _paths(size: int) -> list[str]:
    return [f"/{number}/*" for number in range(size)]


def _merge(number: int) -> str:
    return f"a{number}: &a{number}\n  <<: [*a{number - 1}, *a{number - 1}]\n"


def _alias(number: int) -> str:
    return f"a{number}: &a{number} [*a{number - 1}, *a{number - 1}]\n"


def _flow(size: int) -> str:
    return "{" + ", ".join(f"k{number}: 1" for number in range(size)) + "}"


def seconds(read: Read, text: str) -> float:
    """Return the least time of three, since the machine may have other work."""
    took = []
    for _ in range(3):
        began = time.process_time()
        with suppress(ValueError):
            read(text)
        took.append(time.process_time() - began)
    return min(took)


@case_table("read,shape,size", SHAPES)
def test_time_grows_with_the_text(read: Read, shape: Callable[[int], str], size: int) -> None:
    small, large = seconds(read, shape(size)), seconds(read, shape(4 * size))
    # Below some milliseconds, the clock decides.
    assert large < 8 * small + 0.02, f"{small * 1000:.1f} ms, and {large * 1000:.1f} ms for four times the text"


def test_no_patterns_are_made_once_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real: Callable[..., Regular] = Regular.of.__func__  # type: ignore[attr-defined]

    def of(cls: type[Regular], text: str, *, ignore_case: bool = False) -> Regular:
        made.append(text)
        return real(cls, text, ignore_case=ignore_case)

    monkeypatch.setattr(Regular, "of", classmethod(of))
    monkeypatch.setattr(hosting_routes, "MAX_COST", 1024 * 1024)
    monkeypatch.setattr(hosting_htaccess, "MAX_COST", 1024 * 1024)
    large = "(a{5}){5}"
    condition = [{"type": "host", "value": large}]
    files: dict[str, tuple[Callable[[str], HostRules], str]] = {
        "conditions": (
            vercel,
            json.dumps({"redirects": [{"source": "/x", "destination": "/", "has": condition}] * 100}),
        ),
        "routes": (vercel, json.dumps({"routes": [{"src": large, "dest": "/"}] * 100})),
        "regex": (firebase, json.dumps({"rewrites": [{"regex": large, "destination": "/"}] * 100})),
        "rewrite rules": (htaccess, f"RewriteRule {large} /b\n" * 100),
        "rewrite conditions": (htaccess, f"RewriteCond %{{X}} {large}\n" * 100 + "RewriteRule a b"),
        "redirects": (htaccess, f"RedirectMatch {large} /b\n" * 100),
    }
    for name, (read, text) in files.items():
        made.clear()
        rules = read(text)
        assert len(made) < 12, name
        # What is left out could answer any path.
        assert any(route.why and route.pattern.match("/any") is not None for route in rules.routes), name
