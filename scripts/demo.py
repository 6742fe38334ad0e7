"""Shows what urlset says of the examples: of three on disk, and of two sites that are served on the loopback network.

`make demo` runs it. Some are meant to fail; the demo fails when an example does not end as it should. At its end it
names the report page of the audit.
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
    ("A sitemap with the common faults", ("validate", "examples/faulty/sitemap.xml"), ExitCode.FINDINGS),
    ("A folder with an index and its gzip children", ("validate", "examples/index"), ExitCode.CLEAN),
)
SITE = (
    ("The sitemaps of a site", ("discover", "{site}"), ExitCode.CLEAN),
    ("All that the site lists", ("inspect", "--discover", "--expand", "{site}"), ExitCode.CLEAN),
    ("What is wrong with it", ("validate", "--discover", "--expand", "{site}"), ExitCode.FINDINGS),
    ("The score of the site", ("check", "{site}"), ExitCode.CLEAN),
)
"""Commands on the example site, whose origin stands for `{site}`."""

AUDIT = (
    (
        "A site with every fault planted that an audit finds",
        # Every address there is one of this machine, and so no public one.
        (
            *("audit", "{site}", "--store", "{folder}/demo.duckdb", "--report", "{report}"),
            *("--ignore", "LOC024", "--preview", "--images", "--retries", "0"),
        ),
        ExitCode.FINDINGS,
    ),
    ("The runs that are kept", ("history", "{folder}/demo.duckdb"), ExitCode.CLEAN),
)
"""Commands on the second one; `{folder}` is one that is gone afterwards, and `{report}` a page that stays."""

REPORT = Path("build") / "demo" / "report.html"


def main() -> int:
    """Runs the examples in turn; 0 when each ended as it should."""
    (ROOT / REPORT).parent.mkdir(parents=True, exist_ok=True)
    unexpected = [title for title, arguments, expected in FILES if not _ends(title, arguments, expected)]
    for script, commands in (("serve_site.py", SITE), ("audit/serve.py", AUDIT)):
        serving = runpy.run_path(str(ROOT / "examples" / script))["serving"]
        with serving() as site, tempfile.TemporaryDirectory() as folder:
            for title, arguments, expected in commands:
                places = {"site": site, "folder": folder, "report": REPORT}
                filled = tuple(one.format(**places) for one in arguments)
                if not _ends(title, filled, expected):
                    unexpected.append(title)
    if unexpected:
        return 1
    print(f"\nThe report page of the audit, to open in a browser: {ROOT / REPORT}")
    return 0


def _ends(title: str, arguments: tuple[str, ...], expected: ExitCode) -> bool:
    """Runs one command; whether it ended as it should."""
    print(f"\n== {title} ==\n$ urlset {' '.join(arguments)}", flush=True)
    status = subprocess.run([URLSET, *arguments], cwd=ROOT, check=False).returncode
    as_it_should = status == expected
    words = "as it should be" if as_it_should else f"where {int(expected)} was expected"
    print(f"(exit code {status}, {words})", flush=True)
    return as_it_should


if __name__ == "__main__":
    sys.exit(main())
