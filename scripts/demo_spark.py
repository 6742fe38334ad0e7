"""Validate and build the same URLs with DuckDB and with Spark on this machine, and print the results side by side.

`make demo-spark` runs it. It fails if the two engines do not agree.

Usage: python scripts/demo_spark.py [URLS]
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

URLSET = Path(sys.executable).with_name("urlset")
MASTER = "local[2]"
URLS = 1_000_000
PER_FILE = 50_000
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
BASE = "https://example.com/"


def entry(number: int) -> str:
    """Return an entry; one in a thousand has a problem, and one in ten thousand is in the next file, too."""
    loc, lastmod = f"{BASE}p/{number}", f"2025-01-{number % 28 + 1:02}"
    match number % 4_000:
        case 1_000:
            loc = loc.replace("https", "ftp")
        case 2_000:
            lastmod = "yesterday"
        case 3_000:
            loc += "?utm_source=mail"
    if number % 10_000 == PER_FILE % 10_000 and number >= PER_FILE:
        loc = f"{BASE}p/{number - PER_FILE + 1}"
    return f"<url><loc>{loc}</loc><lastmod>{lastmod}</lastmod></url>\n"


def write_sitemaps(folder: Path, urls: int) -> None:
    """Write sitemaps of 50,000 URLs each."""
    for first in range(0, urls, PER_FILE):
        body = "".join(map(entry, range(first, min(first + PER_FILE, urls))))
        content = f"{HEAD}{body}</urlset>\n".encode()
        (folder / f"sitemap-{first // PER_FILE:05}.xml.gz").write_bytes(gzip.compress(content, 1, mtime=0))


def run(*arguments: str) -> tuple[str, float]:
    """Run urlset, and return its output and the time that it took, in seconds."""
    began = time.perf_counter()
    done = subprocess.run([URLSET, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode > 1:
        sys.exit(done.returncode)
    return done.stdout, time.perf_counter() - began


def findings(*arguments: str) -> tuple[Counter[str], float]:
    """Validate, and return the number of places by rule, and the time."""
    output, seconds = run("validate", "--format", "json", "--max-examples", "1", *arguments)
    counts: Counter[str] = Counter()
    for finding in json.loads(output)["findings"]:
        counts[finding["code"]] += finding["count"]
    return counts, seconds


def built(folder: Path, data: Path, *arguments: str) -> tuple[Counter[str], float]:
    """Build, and return the numbers of URLs by what became of them, and the time."""
    output, seconds = run("build", str(data), "--base-url", BASE, "-o", str(folder), "--format", "json", *arguments)
    [site] = json.loads(output)["sites"]
    counts = Counter({f"refused: {reason}": count for reason, count in site["refused"].items()})
    counts["written"] = site["written"]
    counts["parts"] = sum(file["kind"] == "urlset" for file in site["files"])
    return counts, seconds


def show(title: str, duckdb: tuple[Counter[str], float], spark: tuple[Counter[str], float]) -> bool:
    """Print two results side by side, and return whether they agree."""
    print(f"\n{title:<24}{'DuckDB':>12}{'Spark':>12}")
    for name in sorted(duckdb[0] | spark[0]):
        print(f"{name:<24}{duckdb[0][name]:>12,}{spark[0][name]:>12,}")
    print(f"{'time':<24}{duckdb[1]:>10.1f} s{spark[1]:>10.1f} s")
    return duckdb[0] == spark[0]


def main() -> int:
    """Run both engines on the same data; return 0 if they agree."""
    urls = int(sys.argv[1]) if len(sys.argv) > 1 else URLS
    on_spark = ("--engine", "spark", "--master", MASTER)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sitemaps = folder / "sitemaps"
        sitemaps.mkdir()
        write_sitemaps(sitemaps, urls)
        pattern, files = f"{sitemaps}/*.xml.gz", sorted(map(str, sitemaps.iterdir()))
        agree = show(f"validate {urls:,} URLs", findings(*files), findings(*on_spark, pattern))
        data = folder / "urls.parquet"
        run("sql", "SELECT loc, lastmod FROM urls WHERE loc_problem IS NULL", str(sitemaps), "-o", str(data))
        agree &= show("build", built(folder / "a", data), built(folder / "b", data, *on_spark))
    print("\nThe engines agree." if agree else "\nThe engines disagree.")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
