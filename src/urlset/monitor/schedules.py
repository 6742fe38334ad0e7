"""Writes what starts the rounds: a systemd timer, and a workflow of GitHub Actions."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from urlset.options.monitoring import VARIABLE_PREFIX
from urlset.processes.children import SAFE_PATH, module_command
from urlset.text.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.options.monitoring import Monitor

REQUIREMENT = "urlset @ git+https://github.com/OWNER/urlset@v0.1.0"
"""What a workflow installs; scripts/release.py sets it."""

_REPLACE = "      # Replace OWNER with the owner of the repository of urlset, and the tag with a release or commit."
_TO_REPLACE = (_REPLACE,) if "OWNER" in REQUIREMENT else ()

HOUR = 3600.0


def timer(plan: Monitor) -> Iterator[str]:
    """Yield the lines of a service and a timer, which starts as often as the most frequent site needs it."""
    every = min(site.spec.seconds for site in plan.sites)
    path = plan.path.resolve()
    command = f"{' '.join(map(_quote, module_command('urlset')))} monitor {_quote(str(path))}{_allowing(plan)}"
    yield from (
        "# ~/.config/systemd/user/urlset-monitor.service",
        "[Unit]",
        "Description=Check sitemaps with urlset",
        "",
        "[Service]",
        "Type=oneshot",
        *(f"Environment={name}={value}" for name, value in SAFE_PATH.items()),
        f"WorkingDirectory={_escape(str(path.parent))}",
        f"ExecStart={command}",
        "# 1: an alarm was opened, which is not a failure of the service",
        "SuccessExitStatus=1",
        "",
        "# ~/.config/systemd/user/urlset-monitor.timer",
        "[Unit]",
        "Description=Check sitemaps with urlset",
        "",
        "[Timer]",
        f"OnCalendar={_calendar(every)}",
        "RandomizedDelaySec=60",
        "Persistent=true",
        "",
        "[Install]",
        "WantedBy=timers.target",
        "",
        "# systemctl --user daemon-reload && systemctl --user enable --now urlset-monitor.timer",
    )


def workflow(plan: Monitor) -> Iterator[str]:
    """Yield the lines of a workflow. Its cache keeps the store between rounds."""
    every = min(site.spec.seconds for site in plan.sites)
    hours = int(every // HOUR)
    cron = "17 3 * * *" if hours >= 24 else f"17 */{hours} * * *" if hours > 1 else "17 * * * *"
    extra = "[monitor]" if plan.apprise is not None else ""
    store = plan.file.store
    secrets = sorted({name for _, name in plan.variables})
    yield from (
        "name: urlset monitor",
        "on:",
        "  schedule:",
        f'    - cron: "{cron}"',
        "  workflow_dispatch:",
        "concurrency: urlset-monitor",
        "permissions:",
        "  contents: read",
        "jobs:",
        "  monitor:",
        "    runs-on: ubuntu-latest",
        "    steps:",
        "      - uses: actions/checkout@v4",
        "      - uses: actions/setup-python@v5",
        "        with:",
        '          python-version: "3.13"',
        *_TO_REPLACE,
        f"      - run: pip install '{REQUIREMENT.replace('urlset', f'urlset{extra}', 1)}'",
        "      - uses: actions/cache/restore@v4",
        "        with:",
        f"          path: {_yaml(str(store))}",
        "          key: urlset-monitor-${{ github.run_id }}",
        "          restore-keys: urlset-monitor-",
        f"      - run: urlset monitor {_yaml_word(str(plan.path))}{_allowing(plan)}",
    )
    if secrets:
        yield "        env:"
        yield from (f"          {name}: ${{{{ secrets.{name} }}}}" for name in secrets)
    yield from (
        "      - uses: actions/cache/save@v4",
        "        if: always()",
        "        with:",
        f"          path: {_yaml(str(store))}",
        "          key: urlset-monitor-${{ github.run_id }}",
    )


def _allowing(plan: Monitor) -> str:
    """Return the options for environment variables that the file cannot name, or send to a host, by itself."""
    names = {name for _, name in plan.variables if not name.startswith(VARIABLE_PREFIX)}
    if plan.issue is not None and plan.issue.is_self_hosted:
        names.add(plan.issue.token_env)
    return "".join(f" --env {name}" for name in sorted(names))


def _calendar(every: float) -> str:
    """Return how often a timer starts: https://www.freedesktop.org/software/systemd/man/latest/systemd.time.html."""
    minutes = int(every // 60)
    if minutes < 60:
        return f"*:0/{minutes}"
    hours = minutes // 60
    return "*-*-* 03:17:00" if hours >= 24 else f"*-*-* 0/{hours}:17:00"


def _escape(text: str) -> str:
    """Return text for a unit file, in which % starts a specifier and $ a variable."""
    return safe(text).replace("%", "%%")


def _quote(text: str) -> str:
    text = _escape(text).replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{text}"' if any(char in text for char in " '\";") else text


def _yaml(text: str) -> str:
    return (
        "'" + safe(text).replace("'", "''") + "'" if any(char in text for char in " '\"#:{}[]&*!|>%@`") else safe(text)
    )


def _yaml_word(text: str) -> str:
    return shlex.quote(safe(text))
