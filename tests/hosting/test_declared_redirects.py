"""The redirects that files of hosts declare: which of them have an effect, and how they are shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cases import case_table
from tests.hosting.folders import opened, page, write

from urlset.cli.main import main
from urlset.hosting.declared_redirects import declared_redirects, sources_among
from urlset.options.publishing import HostName
from urlset.stages.host_redirects import redirects_of_target

BASE = "https://www.example.com/"

PAGES = {name: page(None) for name in ("index.html", "about.html", "docs/index.html")}

REDIRECTS = """\
/about.html /about 301
/about /us 301!
/old /about
/old /us
/docs /manual 302
/blog/* /news/:splat
/same /same
/there /about Country=de
https://other.example/x /y
"""

EFFECTS: dict[HostName, dict[str, tuple[str, str]]] = {
    HostName.NETLIFY: {
        "1": ("no", "about.html comes first; 301! would redirect"),
        "2": ("yes", ""),
        "3": ("yes", ""),
        "4": ("no", "_redirects:3 comes first"),
        "5": ("no", "a redirect to /docs/ comes first; 302! would redirect"),
        "6": ("yes", "for paths without a file"),
        "7": ("no", "it leads to itself"),
        "8": ("unknown", "it depends on a condition such as Country or Role"),
    },
    HostName.CLOUDFLARE: {
        "1": ("yes", ""),
        "2": ("yes", ""),
        "3": ("yes", ""),
        "4": ("no", "_redirects:3 comes first"),
        "5": ("yes", ""),
        "6": ("yes", ""),
        "7": ("no", "it leads to itself"),
        "8": ("unknown", "it depends on a condition such as Country or Role"),
    },
}


@pytest.mark.parametrize("host", EFFECTS)
def test_which_redirects_have_an_effect(host: HostName, tmp_path: Path) -> None:
    site = opened(write(tmp_path, {**PAGES, "_redirects": REDIRECTS}), BASE, host)
    found = {one.place.partition(":")[2]: (one.effect.value, one.why) for one in declared_redirects(site)}
    assert found == EFFECTS[host]
    assert "_redirects: 1 rule not applied at line 9: its source is on another site" in site.rules.notes()
    urls = [f"{BASE}{path}" for path in ("", "about", "about.html", "blog/a", "docs/")]
    # Netlify ignores a trailing slash of a source.
    assert sources_among(site, urls) == (4 if host is HostName.NETLIFY else 3)


# Lines of `_redirects`, and what is known of the last one on Netlify and on Cloudflare: effect and reason.
ORDERS: dict[str, tuple[str, tuple[str, str], tuple[str, str]]] = {
    "a larger wildcard": ("/blog/* /a\n/blog/old/* /b", ("no", ":1 comes first"), ("no", ":1 comes first")),
    "the same wildcard": ("/blog/* /a\n/blog/* /b", ("no", ":1 comes first"), ("no", ":1 comes first")),
    "a placeholder after a wildcard": ("/blog/* /a\n/blog/:x/y /b", ("no", ":1 comes first"), ("no", ":1 comes first")),
    "a placeholder with another name": ("/:a/x /a\n/:b/x /b", ("no", ":1 comes first"), ("no", ":1 comes first")),
    "everything is rewritten before": ("/* /index.html 200\n/a/* /b", ("no", ":1 comes first"), ("yes", "")),
    "of several, the first": ("/* /a\n/b/* /c\n/b/d/* /e", ("no", ":1 comes first"), ("no", ":1 comes first")),
    "a smaller wildcard": ("/blog/old/* /a\n/blog/* /b", ("yes", "for paths without a file"), ("yes", "")),
    "a wildcard after a placeholder": ("/blog/:x /a\n/blog/* /b", ("yes", "for paths without a file"), ("yes", "")),
    "a placeholder before the wildcard": ("/:x/* /a\n/* /b", ("yes", "for paths without a file"), ("yes", "")),
    "two segments after one": ("/:x /a\n/:x/:y /b", ("yes", "for paths without a file"), ("yes", "")),
    "another start": ("/blog/* /a\n/blogs/* /b", ("yes", "for paths without a file"), ("yes", "")),
    "a condition": (
        "/blog/* /a Country=de\n/blog/x/* /b", ("unknown", ":1 comes first"), ("unknown", ":1 comes first"),
    ),
    "only the later one is forced": (
        "/blog/* /a\n/blog/x/* /b 301!",
        ("yes", "for paths with a file; :1 comes first for others"),
        ("no", ":1 comes first"),
    ),
    "both forced": ("/blog/* /a 301!\n/blog/x/* /b 301!", ("no", ":1 comes first"), ("no", ":1 comes first")),
    "several wildcards": ("/* /a\n/a*/b* /c", ("yes", "for paths without a file"), ("yes", "")),
}  # fmt: skip


@case_table("lines, netlify, cloudflare", ORDERS)
def test_the_first_of_wildcards_decides(
    lines: str, netlify: tuple[str, str], cloudflare: tuple[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = write(tmp_path_factory.mktemp("site"), {**PAGES, "_redirects": lines})
    for host, wanted in ((HostName.NETLIFY, netlify), (HostName.CLOUDFLARE, cloudflare)):
        last = declared_redirects(opened(folder, BASE, host))[-1]
        assert (last.effect.value, last.why.replace("_redirects", "")) == wanted


def test_redirects_after_a_wildcard_are_dynamic_on_cloudflare(tmp_path: Path) -> None:
    lines = ["/a /b", "/old/* /new/:splat", *(f"/page{number} /x" for number in range(101))]
    site = opened(write(tmp_path, {**PAGES, "_redirects": "\n".join(lines)}), BASE, HostName.CLOUDFLARE)
    assert len(declared_redirects(site)) == 101
    assert any(note.startswith("_redirects: 2 rules not applied, the first at line 102") for note in site.rules.notes())


OTHERS = {
    "vercel.json": ('{"redirects": [\n{"source": "/about.html", "destination": "/x"}]}', "vercel.json:2", "308"),
    "netlify.toml": ('[[redirects]]\nfrom = "/old"\nto = "/x"\n', "netlify.toml:1", "301"),
    "firebase.json": (
        '{"hosting": {"public": ".", "redirects": [\n{"source": "/old", "destination": "/x", "type": 302}]}}',
        "firebase.json:2",
        "302",
    ),
    "staticwebapp.config.json": (
        '{"routes": [\n{"route": "/old", "redirect": "/x"}]}',
        "staticwebapp.config.json:2",
        "302",
    ),
    ".htaccess": ("Redirect permanent /old /x\nRedirect gone /gone\n", ".htaccess:1", "301"),
}


@pytest.mark.parametrize("file", OTHERS)
def test_inspect_lists_the_redirects_of_each_host(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, place, status = OTHERS[file]
    write(tmp_path, {**PAGES, file: content})
    assert main(["inspect", str(tmp_path / file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("  1 redirect of ")
    assert lines[-1].split()[1:] == ["/x", status, place, "yes"]


def test_a_file_without_pages_has_unknown_effects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"_redirects": "/a /b\n"})
    assert main(["inspect", str(tmp_path / "_redirects")]) == 0
    assert "1 redirect of netlify, 1 with an unknown effect" in capsys.readouterr().out


def test_an_audit_counts_redirects_and_those_without_effect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        **PAGES,
        "_redirects": "/about.html /about 301\n/old /about\n",
        "sitemap.xml": f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{BASE}about.html</loc>'
        "</url></urlset>",
    }
    folder = write(tmp_path / "site", files)
    store = str(tmp_path / "s.duckdb")
    main(["audit", str(folder), "--base-url", BASE, "--no-config", "--store", store, "--select", "PGE001"])
    out = capsys.readouterr().out
    note = (
        "_redirects declares 2 redirects; 1 has no effect, such as /about.html (_redirects:1): about.html comes first; "
        "301! would redirect; on cloudflare, 2 of 2 have an effect, also where there is a file; `urlset inspect "
    )
    assert note in out
    assert "1 of 1 listed URL is among the sources of these redirects" in out


BY_THEMSELVES = {
    "vercel.json": (
        '{\n"cleanUrls": true, "trailingSlash": false, "redirects": [\n'
        '{"source": "/about.html", "destination": "/about"}]}',
        "vercel also redirects other spellings of URLs, because of cleanUrls and trailingSlash: of a.html, /a.html and "
        "/a/ to /a; of a/index.html, /a/index.html and /a/ to /a",
        "cleanUrls (vercel.json:2) comes first, and redirects to /about",
    ),
    "firebase.json": (
        '{"hosting": {"public": ".", "cleanUrls": true, "redirects": [{"source": "/old", "destination": "/x"}]}}',
        "firebase also redirects other spellings of URLs, because of cleanUrls: of a.html, /a.html and /a/ to /a; of "
        "a/index.html, /a/index.html and /a to /a/",
        "",
    ),
    "staticwebapp.config.json": (
        '{"trailingSlash": "always", "routes": [{"route": "/old", "redirect": "/x"}]}',
        "azure also redirects other spellings of URLs, because of trailingSlash: of a.html, /a.html and /a to /a/; of "
        "a/index.html, /a/index.html and /a to /a/",
        "",
    ),
    "_redirects": (
        "/old /x\n",
        "netlify also redirects other spellings of URLs: of a.html, /a/ to /a; of a/index.html, /a to /a/",
        "",
    ),
}


@case_table("content, note, why", BY_THEMSELVES)
def test_inspect_says_what_a_host_redirects_by_itself(
    content: str, note: str, why: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = next(name for name, case in BY_THEMSELVES.items() if case[0] == content)
    found = redirects_of_target(write(tmp_path_factory.mktemp("site"), {**PAGES, file: content}) / file)
    assert found is not None
    assert note in found.notes
    assert found.redirects[-1].why == why


def test_a_host_without_such_redirects_is_said_to_have_none(tmp_path: Path) -> None:
    found = redirects_of_target(write(tmp_path, {**PAGES, "vercel.json": OTHERS["vercel.json"][0]}) / "vercel.json")
    assert found is not None
    assert not found.notes
