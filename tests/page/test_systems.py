"""Which systems a page shows to be made with, and where their settings are."""

from __future__ import annotations

import re

import pytest

from urlset.rules.registry import all_rules
from urlset.rules.setting_kinds import setting_kinds
from urlset.web.indexability import PageReason
from urlset.web.systems import (
    EVIDENCE,
    KINDS_OF_REASON,
    MAX_READ,
    SYSTEMS,
    SettingKind,
    seen_system,
    settings,
    settings_for,
    systems_of,
)

PAGE = "https://example.com/page"
THEME = b'<link rel="stylesheet" href="%s/wp-content/themes/x/style.css">'
YOAST = b"<!-- This site is optimized with the Yoast SEO plugin v25.8 - https://yoast.com/wordpress/plugins/seo/ -->"

SHOWN = {
    "a generator": (b'<meta name="generator" content="WordPress 6.9">', {}, ["WordPress: its generator tag"]),
    "content first, another case": (b"<META CONTENT='Webflow' NAME=Generator>", {}, ["Webflow: its generator tag"]),
    "two generators": (
        b'<meta name=generator content="WordPress 6.9"><meta name=generator content="All in One SEO (AIOSEO) 4.5">',
        {},
        ["WordPress: its generator tag", "All in One SEO: its generator tag"],
    ),
    "a comment": (YOAST, {}, ["Yoast SEO: a comment in its pages"]),
    "a path": (THEME % b"", {}, ["WordPress: the paths of its scripts and styles"]),
    "a path with its own host": (
        THEME % b"https://EXAMPLE.com",
        {},
        ["WordPress: the paths of its scripts and styles"],
    ),
    "a path of another host, then its own": (
        THEME % b"//other.example" + THEME % b"/blog",
        {},
        ["WordPress: the paths of its scripts and styles"],
    ),
    "a header": (b"", {"x-generator": "Drupal 10 (https://www.drupal.org)"}, ["Drupal: a header of its responses"]),
    "a header without a value": (b"", {"x-shopid": "1"}, ["Shopify: a header of its responses"]),
}

NOT_SHOWN = {
    "the path of another host": (THEME % b"https://other.example", {}),
    "the path in text": (b'<p>&lt;link href="/wp-content/themes/x/style.css"&gt;', {}),
    "the path of an image": (b'<img src="/wp-content/themes/x/logo.png">', {}),
    "a comment that is quoted": (YOAST.replace(b"<", b"&lt;"), {}),
    "a generator that is not known": (b'<meta name="generator" content="Something 1.0">', {}),
    "a name that another starts with": (b'<meta name="generator" content="Ghostwriter">', {}),
    "a description": (b'<meta name="description" content="WordPress">', {}),
    "another value of the header": (b"", {"server": "nginx"}),
    "a comment after the head": (b"</head>" + YOAST, {}),
    "a comment far below": (b" " * MAX_READ + YOAST, {}),
}


@pytest.mark.parametrize(("html", "headers", "expected"), SHOWN.values(), ids=SHOWN)
def test_systems_are_shown(html: bytes, headers: dict[str, str], expected: list[str]) -> None:
    assert systems_of(html, headers, PAGE) == expected


@pytest.mark.parametrize(("html", "headers"), NOT_SHOWN.values(), ids=NOT_SHOWN)
def test_systems_are_not_shown(html: bytes, headers: dict[str, str]) -> None:
    assert systems_of(html, headers, PAGE) == []


def test_names_come_from_the_list_only() -> None:
    """A hostile store or page can name nothing else."""
    assert seen_system("Hugo: its generator tag", "https://example.com", 3) is not None
    for hostile in ("Hugo", "Hugo: <script>", "\x1b[31mHugo: its generator tag", "Evil: its generator tag", ""):
        assert seen_system(hostile, "https://example.com", 3) is None


def test_every_setting_names_a_known_system_and_its_source() -> None:
    names = {system.name for system in SYSTEMS}
    assert settings().keys() == set(SettingKind)
    for kind, rows in settings().items():
        assert rows.keys() <= names, kind
        for name, setting in rows.items():
            assert re.fullmatch(r"https://[!-~]+", setting.source), (kind, name)
            assert setting.where.isprintable(), (kind, name)
            assert not setting.where.endswith("."), (kind, name)
    assert {system.extends for system in SYSTEMS} <= {*names, None}


def test_plugins_come_before_their_system() -> None:
    both = settings_for(SettingKind.NOINDEX, ["WordPress", "Yoast SEO"])
    assert [name for name, _ in both] == ["Yoast SEO", "WordPress"]
    assert [name for name, _ in settings_for(SettingKind.CANONICAL, ["WordPress", "Yoast SEO"])] == ["Yoast SEO"]
    assert settings_for(SettingKind.NOINDEX, ["Hugo", "Unknown"]) == []


def test_rules_and_reasons_have_settings() -> None:
    assert KINDS_OF_REASON.keys() <= set(PageReason)
    kinds = {rule.code: setting_kinds(rule) for rule in all_rules()}
    assert kinds["PGE008"] == (SettingKind.NOINDEX, SettingKind.SITEMAP)
    assert kinds["ROB009"] == (SettingKind.ROBOTS,)
    assert kinds["MOD008"] == (SettingKind.LASTMOD,)
    assert kinds["PGE010"] == (SettingKind.CANONICAL,)
    assert kinds["ROB016"] == kinds["IMG001"] == ()
    assert all(evidence.isprintable() for evidence in EVIDENCE)


@pytest.mark.parametrize(
    "html",
    [
        b"<link href=//" + b"a" * 60_000 + b'"' + b'/_nuxt/ "' * 4 + b"/_nuxt/</head>",
        b"<meta" + b" name=generator" * 4_300 + b"</head>",
        b"<meta name=generator " + b"content=" * 8_000 + b"></head>",
        b"<meta " * 10_000 + b"</head>",
    ],
    ids=["a long host", "names without an end", "contents", "tags without an end"],
)
def test_the_tags_of_a_hostile_page_are_bounded(html: bytes) -> None:
    """Expressions see only the start of an element, however long it is: these pages took minutes."""
    assert systems_of(html, {}, PAGE) == []
