"""The table `[audit]`: every key, what is wrong with it, and that the command line wins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from urlset.cli.main import main
from urlset.errors import ConfigError
from urlset.options.auditing import AuditOptions, KeyedOptions
from urlset.options.configuration_file import load
from urlset.options.declare import Face, options_of
from urlset.options.probing import ProbeMethod
from urlset.options.resolve import ResolvedOptions, resolve

AUDIT_KEYS = {
    each.key: each for each in options_of(KeyedOptions) if each.group.TABLE == "audit" and Face.FILE in each.facts.faces
}

WHOLE = """
[audit]
base-url = "https://example.com/"
store = "kept/audits.duckdb"
pages = false
images = true
score = false
method = "head"
sample = 10
max-pages = 20
include = ["*/a/*"]
exclude = ["*?*", "*/b"]
max-page-bytes = 1_000
max-traffic = 2_000
max-time = 30
ask-forbidden = true
robots-agent = "Bingbot"
links = false
crawl = false
external = false
crawl-depth = 3
inventory = "urls.txt"
inventory-column = "Address"
trust-index-lastmod = true
"""


def resolved(folder: Path, text: str, **given: object) -> ResolvedOptions[AuditOptions]:
    path = folder / "urlset.toml"
    path.write_text(text, "utf-8")
    return resolve(AuditOptions, load(path), given)


def test_every_key_is_read(tmp_path: Path) -> None:
    settings = resolved(tmp_path, WHOLE)
    assert settings.options == AuditOptions(
        globs_from=tmp_path,
        base_url="https://example.com/",
        is_base_configured=True,
        store=tmp_path / "kept" / "audits.duckdb",
        pages=False,
        images=True,
        score=False,
        method=ProbeMethod.HEAD,
        ask_forbidden=True,
        max_page_bytes=1_000,
        max_traffic=2_000,
        max_time=30.0,
        robots_agent="Bingbot",
        include=("*/a/*",),
        exclude=("*?*", "*/b"),
        sample=10,
        max_pages=20,
        crawl_depth=3,
        inventory=tmp_path / "urls.txt",
        inventory_column="Address",
        trust_index_lastmod=True,
    )
    assert [key for key in AUDIT_KEYS if f"{key} = " not in WHOLE] == []
    assert {f"audit.{key}" for key in AUDIT_KEYS} <= {one.option.path for one in settings.in_force}


def test_without_it_the_usual_holds() -> None:
    settings = resolve(AuditOptions, None, {})
    assert settings.options == AuditOptions()
    assert {one.origin for one in settings.in_force} == {"default"}


def test_the_command_line_wins(tmp_path: Path) -> None:
    settings = resolved(tmp_path, WHOLE, sample=5, images=False)
    assert (settings.options.sample, settings.options.images, settings.options.max_pages) == (5, False, 20)
    origins = {one.option.path: one.origin for one in settings.in_force}
    assert origins["audit.sample"] == "--sample"
    assert origins["audit.max-pages"].endswith("urlset.toml")


@pytest.mark.parametrize("key", AUDIT_KEYS)
def test_examples_work(key: str, tmp_path: Path) -> None:
    option = AUDIT_KEYS[key]
    settings = resolved(tmp_path, f"[audit]\n{key} = {option.facts.example}\n")
    assert getattr(settings.options, option.name) != option.default
    assert settings.origin(option.name).endswith("urlset.toml")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sampel = 3", "audit: unknown key 'sampel'; did you mean 'sample'?"),
        ("sample = 0", "audit.sample: must be an integer of at least 1, not 0"),
        ("pages = 1", "audit.pages: must be true or false, not 1"),
        ('method = "gte"', "audit.method: must be one of auto, head, get, not 'gte'; did you mean 'get'?"),
        ("max-time = 0", "audit.max-time: must be a number above 0, not 0"),
        ('include = "*"', "audit.include: must be a list of strings, not '*'"),
        ("store = 3", "audit.store: must be a path, not 3"),
    ],
)
def test_what_is_wrong_is_named(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        resolved(tmp_path, f"[audit]\n{line}\n")
    assert str(caught.value).endswith(message)


def test_the_commands_go_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sitemap.xml").write_text("<urlset><url><loc>https://example.com/</loc></url></urlset>", "utf-8")
    Path("urlset.toml").write_text('[audit]\nstore = "mine.duckdb"\npages = false\n', "utf-8")
    assert main(["audit", "sitemap.xml", "--fail-on", "never", "--format", "json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert (values["pages"], Path(values["store"]).name) == (None, "mine.duckdb")
    assert Path("mine.duckdb").exists()
    assert main(["config"]) == 0
    assert "audit.store" in capsys.readouterr().out
