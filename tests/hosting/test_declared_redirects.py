"""The redirects that files of hosts declare: which of them have an effect, and how they are shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hosting.folders import opened, page, write

from urlset.cli.main import main
from urlset.hosting.declared_redirects import declared_redirects, sources_among
from urlset.options.publishing import HostName

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
