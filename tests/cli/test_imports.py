"""What only one command needs is imported by it alone, and a missing extra is named with what installs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from tests.cases import case_table

from urlset.errors import MissingExtraError, requiring_extra

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
    # A directory answers without HTTP.
    "audit html --base-url https://example.com --store s.duckdb": RULES,
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

NOT_NEEDED = {
    # Only what fetches runs an event loop.
    "asyncio": ("validate", "diff", "fix", "inspect", "sql", "robots", "build", "ignore", "rules", "explain", "config"),
    # The relations of DuckDB.
    "duckdb._relation": ("validate", "diff", "fix", "audit"),
    # A directory answers without HTTP, and without a search for all places of sitemaps.
    "yarl": ("validate", "diff", "fix", "audit"),
    "urlset.pipeline.check": ("validate", "diff", "fix", "audit"),
}
"""Modules that take long to import, compared with what a small sitemap takes, and commands that do without them."""

SITEMAP = (
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>https://a.example/</loc></url></urlset>"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(tmp_path)
    return tmp_path


def fill(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(SITEMAP)
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /x\n")
    (tmp_path / "known.json").write_text('{"version": 1, "entries": []}')
    (tmp_path / "monitor.toml").write_text('[[site]]\nurl = "a.example"\n[apprise]\nurls = ["json://a.example"]\n')
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "index.html").write_text("<title>a</title>")
    (tmp_path / ".git").mkdir()


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
    assert [name for name, commands in NOT_NEEDED.items() if line.startswith(commands) and name in modules] == []


MODULES = {
    "xsd": ["lxml"],
    "http2": ["h2"],
    "sign": ["cryptography"],
    "fsspec": ["fsspec"],
    "postgres": ["adbc_driver_manager", "adbc_driver_postgresql"],
    "google": ["google"],
    "mcp": ["mcp", "mcp_types"],
    "serve": ["starlette", "uvicorn", "python_multipart", "xlsxwriter"],
    "monitor": ["apprise"],
    "scrapy": ["scrapy"],
    "spark": ["pyarrow", "pyspark", "sqlglot", "py4j"],
}
"""The modules that each extra installs."""

SITE = "http://127.0.0.1:9/"
BUILD = "--base-url https://a.example --out out"

REACHING = {
    "xsd": ["validate a.xml --xsd .", "validate html --xsd ."],
    "sign": [
        *(
            f"{command} {SITE} --sign a.key"
            for command in ("validate", "inspect", "discover", "check", "robots", "lastmod")
        ),
        f"audit {SITE} --sign a.key --no-store",
        f"diff {SITE} a.xml --sign a.key",
        f"fix {SITE}a.xml --sign a.key",
        f"sql 'from urls' {SITE} --sign a.key",
        "key new b.key --agent https://bot.example.com",
    ],
    "fsspec": [
        *(
            f"{command} s3://b/a.xml"
            for command in ("validate", "inspect", "lastmod", "audit --no-store", "sql 'from urls'")
        ),
        "validate s3://b/",
        "validate abfs://b/a.xml",
        "diff s3://b/a.xml a.xml",
        "fix s3://b/a.xml",
        "logs s3://b/a.gz --site https://a.example",
        "logs 's3://b/*.gz' --site https://a.example",
        "build html --base-url https://a.example --out memory://out",
        "build html --base-url https://a.example --out s3://b/out/",
    ],
    "postgres": [f"build --query 'select 1' --database postgresql://h/d {BUILD}"],
    "google": [
        "coverage inspect --property sc-domain:a.example --credentials known.json",
        "coverage impressions --property sc-domain:a.example --credentials known.json",
        "coverage sitemaps --property sc-domain:a.example --credentials known.json",
    ],
    "mcp": ["mcp"],
    "serve": ["serve --port 0"],
    "monitor": ["monitor monitor.toml", "monitor"],
    "spark": [
        "validate a.xml --engine spark",
        "validate 's3a://b/*.xml' --engine spark",
        "audit a.xml --engine spark",
        f"build list:urls.txt --engine spark {BUILD}",
    ],
}
"""The commands that reach an extra, which are not only those whose topic it is."""

FROM_PYTHON = {
    "http2": "import asyncio\nfrom urlset.clients.http2 import ask\nasyncio.run(ask(None, {}, None, True, None, 0))",
    "scrapy": "import urlset.adapters.scrapy",
    "serve": "from urlset.serve.worksheet import write_xlsx\nwrite_xlsx(None, None)",
    "spark": "import urlset.spark\nurlset.spark.read(None, 'a.xml', 'out')",
    "xsd": "import urlset\nurlset.validate('a.xml', xsd='.')",
    "sign": "import urlset\nurlset.validate('http://127.0.0.1:9/', sign='a.key')",
    "fsspec": "import urlset\nurlset.read('s3://b/a.xml')",
}
"""Extras that Python reaches; `check --clients` says in its report that it did not try HTTP/2."""

WITHOUT = f"""
import sys
for name in {[name for names in MODULES.values() for name in names]}:
    sys.modules[name] = None
"""

EACH = """
import contextlib, io, json, shlex
from urlset.cli.main import main

def ran(function):
    printed = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(printed):
        code = function()
    return int(code), printed.getvalue()

def script(text):
    from urlset.errors import MissingExtraError
    try:
        exec(text, {})
    except MissingExtraError as error:
        print(f"urlset: {error}", file=sys.stderr)
        return 2
    return 0

lines, scripts = json.loads(sys.argv[1])
results = [ran(lambda: main(shlex.split(line))) for line in lines] + [ran(lambda: script(text)) for text in scripts]
print(json.dumps(results))
"""


def test_every_extra_has_a_case() -> None:
    assert MODULES.keys() == EXTRAS.keys() == REACHING.keys() | FROM_PYTHON.keys()


@pytest.fixture(scope="module")
def without_extras(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """Exit code and standard error of each command and script, in one process that has no extra."""
    folder = tmp_path_factory.mktemp("without")
    fill(folder)
    lines = [line for several in REACHING.values() for line in several]
    scripts = list(FROM_PYTHON.values())
    done = run(WITHOUT + EACH, folder, json.dumps([lines, scripts]))
    assert done.returncode == 0, done.stderr
    return dict(zip([*lines, *scripts], json.loads(done.stdout.splitlines()[-1]), strict=True))


@case_table(
    "extra, what",
    {
        f"{extra}: {what}": (extra, what)
        for extra in MODULES
        for what in [*REACHING.get(extra, ()), *([FROM_PYTHON[extra]] if extra in FROM_PYTHON else ())]
    },
)
def test_a_missing_extra_is_named_with_what_installs_it(
    extra: str, what: str, without_extras: dict[str, tuple[int, str]]
) -> None:
    code, printed = without_extras[what]
    assert (code, len(printed.splitlines())) == (2, 1), printed
    assert printed.startswith("urlset: ")
    assert f"pip install 'urlset[{extra}]'" in printed


def test_a_broken_package_is_not_called_missing() -> None:
    """Installing the extra again would not repair it, and an import of urlset itself is a bug."""
    message = r"pip install 'urlset\[x\]' \(libfoo.so: cannot open\)$"
    with pytest.raises(MissingExtraError, match=message), requiring_extra("x", "this requires"):
        raise ImportError("libfoo.so: cannot open", name="foo")
    with pytest.raises(ModuleNotFoundError), requiring_extra("x", "this requires"):
        raise ModuleNotFoundError("No module named 'urlset.x'", name="urlset.x")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("line", NEEDED)
def test_no_extra_is_needed_by_another_command(line: str, folder: Path) -> None:
    script = f"import shlex\nfrom urlset.cli.main import run\nsys.argv = ['urlset', *shlex.split({line!r})]\nrun()"
    done = run(WITHOUT + script, folder)
    assert done.returncode in (0, 1), done.stderr
