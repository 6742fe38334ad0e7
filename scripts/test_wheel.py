"""Install the wheel of a folder into an empty environment, and run every command and the Python API in it.

This requires only a Python with venv and pip: no cargo, no compiler, and no checkout on the path of the installed
urlset. It prints the size and duration of the installation.

    python scripts/test_wheel.py dist [--find-links FOLDER]

`--find-links` installs the dependencies from a folder of wheels, without a package index.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
MIB = 1024 * 1024
MAX_WHEEL_BYTES = 5 * MIB

LICENSES = ("LICENSE", "THIRD-PARTY-LICENSES.txt")
JUNK = (".rs", ".c", ".h", ".pyc", ".orig", ".xml", ".gz")

# Tools that build packages from source. An installation that needs one of them must fail here.
BUILD_TOOLS = ("cargo", "rustc", "cc", "gcc", "g++", "clang", "c++", "zig")

FILES: tuple[tuple[tuple[str, ...], int, str], ...] = (
    (("--version",), 0, "urlset"),
    (("--help",), 0, "validate"),
    (("validate", "good/sitemap.xml"), 0, ""),
    (("validate", "faulty/sitemap.xml"), 1, "LOC001"),
    (("validate", "index", "--format", "json"), 0, '"findings"'),
    (("validate", "faulty/sitemap.xml", "--output", "sarif:{folder}/out.sarif"), 1, ""),
    (("validate", "faulty/sitemap.xml", "--report", "{folder}/report.html"), 1, ""),
    (("validate", "missing.xml"), 3, "missing.xml"),
    (("inspect", "feeds/rss.xml"), 0, "rss"),
    (("fix", "faulty/sitemap.xml", "--diff"), 1, "+++"),
    (("build", "--config", "{folder}/three-hosts/urlset.toml"), 0, ""),
    (("diff", "good/sitemap.xml", "faulty/sitemap.xml"), 1, ""),
    (("sql", "SELECT count(*) AS urls FROM urls", "good/sitemap.xml"), 0, "urls"),
    (("robots", "site/robots.txt"), 0, ""),
    (
        ("logs", "logs/access.log", "--site", "https://example.com", "--store", "{folder}/logs.duckdb"),
        0,
        "Googlebot",
    ),
    (("rules",), 0, "LOC001"),
    (("explain", "LOC001"), 0, "LOC001"),
    (("config",), 0, "fail-on"),
    (("cache", "info"), 0, ""),
    (("--version", "--verbose"), 0, "DuckDB"),
    (("help", "validate"), 0, "--select"),
    (
        ("ignore", "LOC003", "--reason", "why", "--until", "9999-12-31", "--baseline", "{folder}/known.json"),
        0,
        "LOC003",
    ),
)
"""Commands on the example files, the exit code of each, and what is in its output."""

SITE: tuple[tuple[tuple[str, ...], int, str], ...] = (
    (("discover", "{site}"), 0, "{site}"),
    (("check", "{site}"), 0, ""),
    (("validate", "--discover", "--expand", "{site}"), 1, ""),
    (("audit", "{site}", "--store", "{folder}/store.duckdb"), 1, ""),
    (("pages", "{folder}/store.duckdb"), 0, ""),
    (("history", "{folder}/store.duckdb"), 0, ""),
    (("lastmod", "{folder}/store.duckdb"), 0, "not enough to tell"),
    (("sql", "SELECT count(*) AS pages FROM pages", "{folder}/store.duckdb"), 0, "pages"),
    (("coverage", "--store", "{folder}/store.duckdb"), 0, "indexable"),
    (("report", "{folder}/store.duckdb", "-o", "{folder}/audit.html"), 0, ""),
)
"""Commands on the example site, which is served on the loopback network."""

API = """
import sys, time
started = time.perf_counter()
import urlset
imported = time.perf_counter() - started
entries = list(urlset.read("good/sitemap.xml"))
assert entries and entries[0].loc.startswith("https://"), entries[:1]
report = urlset.validate("faulty/sitemap.xml")
assert any(finding.rule.code == "LOC001" for finding in report.findings)
urlset.write(["/chairs"], "https://example.com/", sys.argv[1] + "/written")
assert [entry.loc for entry in urlset.read(sys.argv[1] + "/written/sitemap.xml")] == ["https://example.com/chairs"]
print(f"{imported * 1000:.0f}")
"""
"""The Python API on the example files; prints the milliseconds that the import takes."""


class SmokeError(Exception):
    """Something does not work in the installed package."""


def main() -> int:
    """Install and run everything; return 0 if all of it works."""
    parser = argparse.ArgumentParser(description="Test a built wheel in an empty environment.")
    parser.add_argument("dist", type=Path, help="folder that contains the wheel")
    parser.add_argument("--find-links", type=Path, help="folder with the wheels of all dependencies")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(given.dist.resolve(), given.find_links and given.find_links.resolve(), Path(folder))
        except SmokeError as error:
            print(f"test_wheel: {error}", file=sys.stderr)
            return 1
    return 0


def check(dist: Path, find_links: Path | None, folder: Path) -> None:
    """Install the wheel in a separate environment, and run everything in it.

    Args:
        dist: The folder with the one wheel.
        find_links: A folder with the dependencies; None to download them from the package index.
        folder: An empty folder to work in.

    Raises:
        SmokeError: Something does not work.
    """
    wheels = sorted(dist.glob("urlset-*.whl"))
    if len(wheels) != 1:
        raise SmokeError(f"{dist}: expected one wheel of urlset, found {len(wheels)}")
    [wheel] = wheels
    if wheel.stat().st_size > MAX_WHEEL_BYTES:
        raise SmokeError(
            f"{wheel.name}: {wheel.stat().st_size / MIB:.2f} MiB, more than {MAX_WHEEL_BYTES / MIB:.2f} MiB"
        )
    check_contents(wheel)
    environment = clean_environment(folder)
    programs = install(wheel, find_links, folder, environment)
    shutil.copytree(EXAMPLES, folder / "examples")
    shutil.copytree(EXAMPLES / "three-hosts", folder / "three-hosts")
    run_all(FILES, programs, folder, environment, {})
    serving = runpy.run_path(str(EXAMPLES / "serve_site.py"))["serving"]
    with serving() as site:
        run_all(SITE, programs, folder, environment, {"site": site})
    command = [str(programs / "python"), "-I", "-c", API, str(folder)]
    print(f"import urlset: {output_of(command, folder, environment, 0)[0].strip()} ms")


def check_contents(wheel: Path) -> None:
    """Check that the wheel contains the license texts and the SBOM of all compiled crates, and nothing unexpected.

    Raises:
        SmokeError: Something is missing, or does not belong in the wheel.
    """
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [info] = {name.partition("/")[0] for name in names} - {"urlset"}
        for name in LICENSES:
            if f"{info}/licenses/{name}" not in names:
                raise SmokeError(f"{wheel.name}: {name} is missing")
        texts = archive.read(f"{info}/licenses/{LICENSES[-1]}").decode()
        boms = [name for name in names if name.startswith(f"{info}/sboms/") and name.endswith(".cyclonedx.json")]
        if len(boms) != 1:
            raise SmokeError(f"{wheel.name}: expected one SBOM, found {len(boms)}")
        components = json.loads(archive.read(boms[0]))["components"]
    # Crates of crates differ between platforms, and the texts cover all of them.
    direct = tomllib.loads((ROOT / "core" / "Cargo.toml").read_text(encoding="utf-8"))["dependencies"].keys()
    for place, crates in (
        (boms[0], {each["name"] for each in components}),
        (LICENSES[-1], set(re.findall(r"^  (\S+) \S+: ", texts, re.MULTILINE))),
    ):
        if direct - crates:
            raise SmokeError(f"{wheel.name}: {place} lacks {', '.join(sorted(direct - crates))}")
    strange = [name for name in names if name.endswith(JUNK) or "/tests/" in name or "__pycache__" in name]
    if strange:
        raise SmokeError(f"{wheel.name}: does not belong in the wheel: {', '.join(strange)}")


def clean_environment(folder: Path) -> dict[str, str]:
    """Return environment variables without those that lead to a checkout, and without build tools in PATH."""
    tools = folder / "bin"
    tools.mkdir()
    path = os.environ.get("PATH", "").split(os.pathsep)
    without = [place for place in path if not any(shutil.which(tool, path=place) for tool in BUILD_TOOLS)]
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "CARGO", "RUST", "VIRTUAL_ENV", "URLSET"))
    }
    home = folder / "home"
    home.mkdir()
    return {**kept, "PATH": os.pathsep.join([str(tools), *without]), "HOME": str(home), "XDG_CACHE_HOME": str(home)}


def install(wheel: Path, find_links: Path | None, folder: Path, environment: dict[str, str]) -> Path:
    """Create an environment, install the wheel in it without building anything, and return its folder of programs."""
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    before = size_of(folder / "venv")
    source = ["--no-index", "--find-links", str(find_links)] if find_links else []
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    started = time.perf_counter()
    output_of([*pip, "--only-binary", ":all:", *source, str(wheel)], folder, environment, 0)
    print(f"wheel: {wheel.stat().st_size / MIB:.2f} MiB ({wheel.name})")
    print(f"pip install: {time.perf_counter() - started:.1f} s")
    print(f"installed, with all dependencies: {(size_of(folder / 'venv') - before) / MIB:.0f} MiB")
    return programs


def run_all(
    commands: tuple[tuple[tuple[str, ...], int, str], ...],
    programs: Path,
    folder: Path,
    environment: dict[str, str],
    places: dict[str, str],
) -> None:
    """Run commands in turn, with the examples as the working directory."""
    filled = {"folder": str(folder), **places}
    for arguments, expected, part in commands:
        words = [argument.format(**filled) for argument in arguments]
        started = time.perf_counter()
        command = [str(programs / "urlset"), *words]
        out, errors = output_of(command, folder, environment, expected)
        if part.format(**filled) not in out + errors:
            raise SmokeError(f"urlset {' '.join(words)}: no {part!r} in its output:\n{out}{errors}")
        print(f"urlset {' '.join(arguments)}: exit code {expected}, {(time.perf_counter() - started) * 1000:.0f} ms")


def output_of(command: list[str], folder: Path, environment: dict[str, str], expected: int) -> tuple[str, str]:
    """Run a command among the examples, and return its standard output and standard error.

    Raises:
        SmokeError: It ends with another exit code.
    """
    where = folder / "examples" if (folder / "examples").is_dir() else folder
    done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != expected:
        said = " ".join(command[:6])
        raise SmokeError(f"{said}: exit code {done.returncode}, not {expected}:\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def size_of(folder: Path) -> int:
    """Return the total size of the files in a folder, in bytes."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


if __name__ == "__main__":
    sys.exit(main())
