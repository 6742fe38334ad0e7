"""Describe the machine that the benchmark ran on, because numbers mean nothing without it."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path


def _first_value(path: str, key: str) -> str | None:
    """Return the value of the first `key: value` line of a file under /proc; None without such a file or line."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() == key:
            return value.strip()
    return None


def _sysctl(name: str) -> str | None:
    try:
        done = subprocess.run(["sysctl", "-n", name], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _memory() -> str:
    kibibytes = _first_value("/proc/meminfo", "MemTotal")
    if kibibytes is not None:
        return f"{int(kibibytes.split()[0]) / 2**20:.1f} GiB"
    total = _sysctl("hw.memsize")
    return f"{int(total) / 2**30:.1f} GiB" if total else "unknown"


def _system() -> str:
    try:
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.system()} {platform.release()}"
    except OSError:
        return platform.platform()


def usable_cores() -> int:
    """Return the number of cores that this process may use, which in a container may be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def describe() -> dict[str, str]:
    """Return facts about the machine as label and value, in the order to print."""
    cpu = _first_value("/proc/cpuinfo", "model name") or _sysctl("machdep.cpu.brand_string") or platform.processor()
    return {
        "CPU": cpu or platform.machine(),
        "Cores": str(usable_cores()),
        "Memory": _memory(),
        "System": _system(),
        "Load before the run": f"{os.getloadavg()[0]:.2f}",
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
    }
