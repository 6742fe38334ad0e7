"""What a wrong command line is answered with: what is wrong, and what to do."""

from __future__ import annotations

import pytest

from urlset.cli.main import main
from urlset.errors import ExitCode
from urlset.report.formats import Form

CASES = {
    "validat": "no such command 'validat'; did you mean 'validate'?",
    "validate": "missing argument 'TARGET...'",
    "sql --store a.duckdb x": (
        "no such option '--store'; name the store after the query: urlset sql QUERY FILE.duckdb"
    ),
    "validate --ignor LOC a.xml": "no such option '--ignor'; did you mean '--ignore'?",
    "validate --format": "option '--format' requires an argument",
    "validate --format jsn a.xml": f"--format: must be one of {', '.join(Form)}, not 'jsn'; did you mean 'json'?",
    "validate --max-depth 0 a.xml": "--max-depth: must be an integer of at least 1, not '0'",
    "validate --timeout x a.xml": "--timeout: must be a number above 0, not 'x'",
    "validate --now 2025 a.xml": (
        "--now: must be a date and time with a time zone, such as 2027-01-31T12:00:00Z, not '2025'"
    ),
    "validate --severity MOD003 a.xml": "--severity: must be written as PREFIX=LEVEL, not 'MOD003'",
    "validate --severity MOD003=bad a.xml": "--severity.MOD003: must be one of error, warning, info, hint, not 'bad'",
    "validate --select XYZ a.xml": "--select: no rule has a code that starts with 'XYZ'",
    "validate --set limits.near-limit=3 a.xml": "--set limits: near-limit must be a number greater "
    "than 0 and at most 1, not 3",
    "validate --config a --no-config a.xml": "--config and --no-config cannot be combined",
    "validate --write-baseline a.xml": "--write-baseline requires a file; add --baseline FILE, or set "
    "baseline in the configuration file",
    "audit --no-store --resume": "--no-store cannot be combined with --store or --resume",
    "cache empty": "no such command 'cache empty'; commands: info, clear",
    "help networks": "no such command or topic 'networks'; did you mean 'network'?",
    "help valdate": "no such command or topic 'valdate'; did you mean 'validate'?",
    "help ci": "no such command or topic 'ci'; in CI, use 'audit FOLDER --fail-on warning' for a build, "
    "'diff' for two, and 'validate' for sitemaps",
    "help lint": "no such command or topic 'lint'; did you mean 'validate'?",
    "help xyzzy": "no such command or topic 'xyzzy'; `urlset help` lists the commands and topics",
}


@pytest.mark.parametrize("line", CASES)
def test_the_message(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == ExitCode.USAGE
    first, *more = capsys.readouterr().err.splitlines()
    assert first == f"urlset: {CASES[line]}"
    assert all(each.startswith("Try `urlset") for each in more)
