"""Find and install Java, which the tests of the engine on Spark need.

Usage: python scripts/java.py   (installs it if it is missing; `make test` runs this)
"""

from __future__ import annotations

import os
import sys

from debian import ensure
from urlset.cluster.spark_session import java_problem

PACKAGES = ("openjdk-17-jre-headless",)
"""Debian packages; any newer Java will do, too."""


def main() -> int:
    """Install Java if it is missing; return 0 if it is installed."""
    missing = f"{java_problem()} (Debian: apt-get install {PACKAGES[0]}). Without it, the tests of Spark fail."
    return ensure("Java", PACKAGES, missing, lambda: java_problem() is None, named="JAVA_HOME" in os.environ)


if __name__ == "__main__":
    sys.exit(main())
