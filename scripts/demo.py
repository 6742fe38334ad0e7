"""Run urlset on the examples: on three on disk, and on two sites that are served on the loopback network.

`make demo` runs it. Some commands are meant to fail; the demo fails if one ends with an unexpected exit code. The last
line shows where the HTML report of the audit is.
"""

import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

from urlset.errors import ExitCode

ROOT = Path(__file__).resolve().parent.parent
URLSET = Path(sys.executable).with_name("urlset")
FILES = (
    ("A good sitemap", ("validate", "examples/good/sitemap.xml"), ExitCode.CLEAN),
    ("A sitemap with common errors", ("validate", "examples/faulty/sitemap.xml"), ExitCode.FINDINGS),
    ("A folder with a sitemap index and its compressed child sitemaps", ("validate", "examples/index"), ExitCode.CLEAN),
)
SITE = (
    ("The sitemaps of a site", ("discover", "{site}"), ExitCode.CLEAN),
    ("All that the site lists", ("inspect", "--discover", "--expand", "{site}"), ExitCode.CLEAN),
    ("What is wrong with it", ("validate", "--discover", "--expand", "{site}"), ExitCode.FINDINGS),
    ("The score of the site", ("check", "{site}"), ExitCode.CLEAN),
)
"""Commands on the example site; `{site}` is its origin."""

AUDIT = (
    (
        "A site with every kind of problem that an audit finds",
        # Every URL there leads to this machine, so no host is public.
        (
            *("audit", "{site}", "--store", "{folder}/demo.duckdb", "--report", "{report}"),
            *("--ignore", "LOC024", "--preview", "--images", "--retries", "0"),
        ),
        ExitCode.FINDINGS,
    ),
    ("The runs that are kept", ("history", "{folder}/demo.duckdb"), ExitCode.CLEAN),
    (
        "What Search Console reports, in three languages",
        ("coverage", "import", "{exports}", "--store", "{folder}/demo.duckdb"),
        ExitCode.CLEAN,
    ),
    ("How far the listed URLs get", ("coverage", "--by", "section", "--store", "{folder}/demo.duckdb"), ExitCode.CLEAN),
    ("The report with the funnel", ("report", "{folder}/demo.duckdb", "-o", "{report}"), ExitCode.CLEAN),
)
"""Commands on the second one; `{folder}` is a temporary folder, `{exports}` the files of `audit/exports.py` in it, and
`{report}` a page that is kept."""

REPORT = Path("build") / "demo" / "report.html"


def main() -> int:
    """Run the examples in order; return 0 if each ended with the expected exit code."""
    (ROOT / REPORT).parent.mkdir(parents=True, exist_ok=True)
    unexpected = [title for title, arguments, expected in FILES if not _ends(title, arguments, expected)]
    for script, commands in (("serve_site.py", SITE), ("audit/serve.py", AUDIT)):
        serving = runpy.run_path(str(ROOT / "examples" / script))["serving"]
        with serving() as site, tempfile.TemporaryDirectory() as folder:
            exports = _exports(site, Path(folder))
            for title, arguments, expected in commands:
                places = {"site": site, "folder": folder, "report": REPORT}
                filled = tuple(
                    text for one in arguments for text in (exports if one == "{exports}" else (one.format(**places),))
                )
                if not _ends(title, filled, expected):
                    unexpected.append(title)
    if unexpected:
        return 1
    print(f"\nThe HTML report of the audit: {ROOT / REPORT}")
    return 0


def _exports(site: str, folder: Path) -> tuple[str, ...]:
    """Write the exports of the listed pages of the site with planted problems; return their paths."""
    pages = runpy.run_path(str(ROOT / "examples" / "audit" / "serve.py"))["SITE"]["page"]
    urls = [f"{site}{page['path']}" for page in pages]
    write = runpy.run_path(str(ROOT / "examples" / "audit" / "exports.py"))["write"]
    return tuple(str(path) for path in write(folder, urls))


def _ends(title: str, arguments: tuple[str, ...], expected: ExitCode) -> bool:
    """Run one command; return whether it ended with the expected exit code."""
    print(f"\n== {title} ==\n$ urlset {' '.join(arguments)}", flush=True)
    status = subprocess.run([URLSET, *arguments], cwd=ROOT, check=False).returncode
    as_it_should = status == expected
    words = "as it should be" if as_it_should else f"where {int(expected)} was expected"
    print(f"(exit code {status}, {words})", flush=True)
    return as_it_should


if __name__ == "__main__":
    sys.exit(main())
