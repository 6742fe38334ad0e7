"""`make demo`: the first thing that somebody with a checkout runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_command_ends_as_it_should() -> None:
    done = subprocess.run([sys.executable, "scripts/demo.py"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert done.stdout.rstrip().endswith("report.html")
