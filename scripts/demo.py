"""Validates three examples and shows what comes out: a good one, a faulty one, an index with gzip children.

`make demo` runs it. The faulty one is meant to fail; the demo fails when an example does not end as it should.
"""

import subprocess
import sys
from pathlib import Path

from urlset.errors import ExitCode

URLSET = Path(sys.executable).with_name("urlset")
EXAMPLES = (
    ("A good sitemap", "examples/good/sitemap.xml", ExitCode.CLEAN),
    ("A sitemap with the common faults", "examples/faulty/sitemap.xml", ExitCode.FINDINGS),
    ("A folder with an index and its gzip children", "examples/index", ExitCode.CLEAN),
)


def main() -> int:
    """Runs the examples in turn; 0 when each ended as it should."""
    unexpected = 0
    for title, target, expected in EXAMPLES:
        print(f"\n== {title} ==\n$ urlset validate {target}", flush=True)
        status = subprocess.run([URLSET, "validate", target], check=False).returncode
        if status == expected:
            print(f"(exit code {status}, as it should be)", flush=True)
        else:
            unexpected += 1
            print(f"(exit code {status}, where {int(expected)} was expected)", flush=True)
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
