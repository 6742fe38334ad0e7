"""What only one command needs is imported by it alone, and a missing extra is named with what installs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def names_of(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!~\[ ;]", each)[0] for each in requirements}


KNOWN = names_of([*PROJECT["dependencies"], *(each for extra in EXTRAS.values() for each in extra)]) | {"pyarrow"}

COMMAND_LINE = {"click", "msgspec"}
"""Every command: click parses the command line, msgspec checks the options."""

RULES = COMMAND_LINE | {"duckdb"}
"""The rules are SQL, which DuckDB runs."""

NEEDED = {
    "validate a.xml": RULES,
    "validate a.xml --baseline known.json --format sarif --output junit:a.junit": RULES,
    # The report page is a template.
    "validate a.xml --report a.html": RULES | {"jinja2", "markupsafe"},
    "diff a.xml a.xml": RULES,
    # The widths of characters in the table.
    "sql 'from urls' a.xml": RULES | {"rich"},
    "sql 'from urls' a.xml --format csv": RULES,
    "inspect a.xml": COMMAND_LINE,
    # The result is validated, to say which errors remain.
    "fix a.xml --diff": RULES,
    "robots robots.txt /a": COMMAND_LINE,
    # The patterns of files to leave out, and the lock of the output directory.
    "build html --base-url https://example.com -o out": COMMAND_LINE | {"filelock", "pathspec", "platformdirs"},
    "ignore LOC003 --reason why --until 9999-01-01 --baseline new.json": COMMAND_LINE | {"filelock"},
    "rules": COMMAND_LINE,
    "explain LOC003": COMMAND_LINE,
    "config": COMMAND_LINE,
    # The directory of the cache.
    "cache info": COMMAND_LINE | {"platformdirs"},
    "help network": COMMAND_LINE,
}
"""Commands on local files, and the dependencies that each imports, with the reason."""

SITEMAP = (
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>https://a.example/</loc></url></urlset>"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.xml").write_text(SITEMAP)
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /x\n")
    (tmp_path / "known.json").write_text('{"version": 1, "entries": []}')
    (tmp_path / "monitor.toml").write_text('[[site]]\nurl = "a.example"\n[apprise]\nurls = ["json://a.example"]\n')
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "index.html").write_text("<title>a</title>")
    (tmp_path / ".git").mkdir()
    return tmp_path


def run(script: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Otherwise the cache would not be where it usually is, which platformdirs finds out.
    environment = {name: value for name, value in os.environ.items() if name != "URLSET_CACHE_DIR"}
    environment["XDG_CACHE_HOME"] = str(folder / "cache")
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)


@cache
def homes_of_modules() -> dict[str, set[str]]:
    """The distributions of each module; namespace packages, such as `backports`, have several."""
    return {name.lower(): set(map(str.lower, found)) for name, found in packages_distributions().items()}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("line", NEEDED)
def test_a_command_imports_what_it_needs_and_nothing_else(line: str, folder: Path) -> None:
    done = run(
        f"""
import os, shlex, sys
from urlset.cli.start import run
sys.argv = ["urlset", *shlex.split({line!r})]
os._exit = lambda code: print("\\n", code, *sys.modules, file=sys.stderr)
run()
""",
        folder,
    )
    code, *modules = done.stderr.splitlines()[-1].split()
    assert code in ("0", "1"), done.stderr
    homes = homes_of_modules()
    imported = {name.partition(".")[0].lower() for name in modules}
    used = {home for name in imported for home in homes.get(name, ()) if len(homes[name]) == 1}
    used |= {"backports-zstd"} if "backports.zstd" in modules else set()
    assert used & KNOWN == NEEDED[line]


WITHOUT = """
import sys
for name in {blocked}:
    sys.modules[name] = None
"""
MAIN = "from urlset.cli.main import run\nsys.argv = ['urlset', *{arguments}]\nrun()"

BUILD = ["--base-url", "https://a.example", "--out"]

USES = {
    "xsd": (["lxml"], MAIN.format(arguments=["validate", "a.xml", "--xsd", "."])),
    "postgres": (
        ["adbc_driver_manager", "adbc_driver_postgresql"],
        MAIN.format(arguments=["build", "--query", "select 1", "--database", "postgresql://h/d", *BUILD, "out"]),
    ),
    "fsspec": (
        ["fsspec"],
        MAIN.format(arguments=["build", "html", *BUILD, "memory://out"]),
    ),
    "google": (
        ["google.auth", "google.oauth2"],
        MAIN.format(
            arguments=["coverage", "inspect", "--property", "sc-domain:a.example", "--credentials", "known.json"]
        ),
    ),
    "http2": (
        ["h2"],
        "import asyncio\nfrom urlset.clients.http2 import ask\nasyncio.run(ask(None, {}, None, True, None, 0))",
    ),
    "mcp": (["mcp", "mcp_types"], MAIN.format(arguments=["mcp"])),
    "monitor": (["apprise"], MAIN.format(arguments=["monitor", "monitor.toml"])),
    "serve": (["starlette", "uvicorn"], MAIN.format(arguments=["serve", "--port", "0"])),
    "sign": (["cryptography"], MAIN.format(arguments=["key", "new", "a.key", "--agent", "https://bot.example.com"])),
    "scrapy": (["scrapy"], "import urlset.adapters.scrapy"),
    "spark": (["pyspark"], MAIN.format(arguments=["validate", "--engine", "spark", "*.xml"])),
}
"""For each extra: its modules, and a script that uses them."""


def test_every_extra_has_a_case() -> None:
    assert USES.keys() == EXTRAS.keys()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("extra", USES)
def test_a_missing_extra_is_named_with_what_installs_it(extra: str, folder: Path) -> None:
    blocked, script = USES[extra]
    done = run(WITHOUT.format(blocked=blocked) + script, folder)
    last = done.stderr.splitlines()[-1]
    assert f"pip install 'urlset[{extra}]'" in last
    if "cli.main" in script:
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
        assert last.startswith("urlset: ")
    else:
        assert "MissingExtraError" in last


@pytest.mark.sampled(3)
@pytest.mark.parametrize("line", NEEDED)
def test_no_extra_is_needed_by_another_command(line: str, folder: Path) -> None:
    blocked = [name for names, _ in USES.values() for name in names]
    script = f"import shlex\nfrom urlset.cli.main import run\nsys.argv = ['urlset', *shlex.split({line!r})]\nrun()"
    done = run(WITHOUT.format(blocked=blocked) + script, folder)
    assert done.returncode in (0, 1), done.stderr
