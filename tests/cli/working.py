"""Arguments with which every command works, and the files that they name; a new command needs a line here."""

from __future__ import annotations

from pathlib import Path

import duckdb

from urlset.cli.main import main
from urlset.monitor.store import MonitorStore
from urlset.options.declare import Option
from urlset.store.file import Store

SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/{}</loc></url></urlset>'
)


def spelled(option: Option, value: str) -> tuple[str, ...]:
    """How a command line gives a value to an option that is not positional."""
    return ("--set", f"{option.setting}={value}") if option.is_setting else (f"--{option.key}", value)


ARGUMENTS: dict[str, tuple[str, ...]] = {
    "inspect": ("a.xml",),
    "validate": ("a.xml",),
    "check": ("--from", "sites.txt"),
    "audit": ("a.xml", "--no-pages", "--no-score"),
    "discover": ("--from", "sites.txt"),
    "robots": ("robots.txt",),
    "deploy-check": ("built", "http://127.0.0.1:9/", "--store", "run.duckdb"),
    "logs": ("access.log", "--site", "https://example.com"),
    "build": ("urls.txt", "--base-url", "https://example.com", "-o", "out"),
    "fix": ("a.xml", "--dry-run"),
    "notify": ("a.xml", "b.xml", "--dry-run"),
    "pages": ("run.duckdb",),
    "history": ("run.duckdb",),
    "diff": ("a.xml", "b.xml"),
    "lastmod": ("run.duckdb",),
    "report": ("run.duckdb",),
    "coverage": ("--store", "run.duckdb"),
    "monitor": ("monitor.toml",),
    "metrics": ("run.duckdb",),
    "prune": ("run.duckdb", "--keep", "2"),
    "ignore": ("LOC001", "a.xml"),
    "sql": ("select 1", "a.xml"),
    # Without it, it serves until it is stopped.
    "serve": ("--help",),
    "rules": (),
    "explain": ("LOC001",),
    "config": (),
    "cache": (),
    "skill": (),
    # Without it, it serves until standard input ends.
    "mcp": ("--help",),
    "key": ("new", "new.key", "--agent", "https://bot.example.com"),
    "help": (),
}
"""Arguments with which a command works; a positional option replaces the first one."""


def write_files(folder: Path) -> None:
    (folder / "a.xml").write_text(SITEMAP.format("a"))
    (folder / "b.xml").write_text(SITEMAP.format("b"))
    (folder / "urls.txt").write_text("https://example.com/\n")
    (folder / "built").mkdir()
    (folder / "built" / "index.html").write_text("<title>Home</title><p>Home")
    # Nothing listens on port 9.
    (folder / "sites.txt").write_text("http://127.0.0.1:9\n")
    (folder / "monitor.toml").write_text('store = "monitor.duckdb"\n[[site]]\nurl = "http://127.0.0.1:9"\n')
    (folder / "robots.txt").write_text("User-agent: *\n")
    (folder / "access.log").write_text("")
    audit = ("audit", str(folder / "a.xml"), "--no-pages", "--no-score", "--format", "none", "--no-config")
    for _ in range(2):
        assert main((*audit, "--store", str(folder / "run.duckdb"))) == 0
    with Store.create(folder / "run.duckdb") as store:
        MonitorStore(store)
    with duckdb.connect(str(folder / "run.duckdb")) as connection:
        connection.execute(
            "INSERT INTO pages (run_id, document_id, ordinal, url) VALUES (2, 0, 0, 'https://a.example')"
        )
