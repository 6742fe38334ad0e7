"""Measure the workbench: each kind of page for one user, and then 50 users who click on what they see.

Usage: python -m bench.workbench STORE [--users N] [--seconds S] [--quick]
"""

from __future__ import annotations

import argparse
import html
import os
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections import defaultdict
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KINDS = {
    "start": r"/$",
    "runs": r"/runs$",
    "report": r"/runs/\d+$",
    "findings": r"/runs/\d+/findings",
    "pages": r"/runs/\d+/pages$",
    "pages, filtered": r"/runs/\d+/pages\?(?!.*after)",
    "pages, next": r"/runs/\d+/pages\?.*after",
    "url": r"/runs/\d+/url",
    "compare": r"/compare",
    "tables": r"/explore(\?|$)",
    "table": r"/explore/\w+\?run=\d+$",
    "table, sorted": r"/explore/\w+\?(?!.*begin).*sort=",
    "table, next": r"/explore/\w+\?.*begin=",
}
"""What users click on: the kinds of links, each as likely as the others that a page has."""

GOAL_MS, GOAL_MB = 500, 700
MAX_WAITED = 60
"""Seconds to wait for a page that is being prepared."""

THINKING = (1.0, 3.0)
"""Seconds between two clicks of a user."""


class User:
    """Somebody who clicks; the random numbers are the same in each run."""

    def __init__(self, port: int, number: int) -> None:
        self.random = random.Random(number)
        self.connection = HTTPConnection("127.0.0.1", port, timeout=120)
        self.cookie = ""
        self.links: dict[str, list[str]] = {"start": ["/"]}

    def get(self, address: str) -> tuple[int, float]:
        """Request a page, and return its status, and the seconds until its first byte."""
        began = time.perf_counter()
        self.connection.request("GET", address, headers={"Cookie": self.cookie})
        response = self.connection.getresponse()
        seconds = time.perf_counter() - began
        self.cookie = (response.getheader("Set-Cookie") or self.cookie).partition(";")[0]
        found = defaultdict(list)
        for link in re.findall(r'href="(/[^"#]*)', response.read().decode()):
            for kind, pattern in KINDS.items():
                if re.match(pattern, link):
                    found[kind].append(html.unescape(link))
        if response.status == 200:
            self.links = found
        return response.status, seconds

    def click(self) -> tuple[str, str, int, float]:
        """Follow a link of the page."""
        kind = self.random.choice(sorted(self.links) or ["start"])
        address = self.random.choice(self.links.get(kind) or ["/"])
        return kind, address, *self.get(address)


class Watch:
    """The CPU time and the memory of a process and of those that it started."""

    def __init__(self, process: int) -> None:
        self.process, self.peak = process, 0
        threading.Thread(target=self._follow, daemon=True).start()

    def cpu(self) -> float:
        """Return its CPU seconds."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(") ")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def _follow(self) -> None:
        while True:
            used = 0
            for one in (self.process, *_children(self.process)):
                try:
                    text = Path(f"/proc/{one}/smaps_rollup").read_text()
                    used += int(re.findall(r"^Pss_Anon: +(\d+)", text, re.MULTILINE)[0]) * 1024
                except (OSError, IndexError):
                    continue
            self.peak = max(self.peak, used)
            time.sleep(1)


def _children(process: int) -> Iterator[int]:
    for place in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found = [int(one) for one in place.read_text().split()]
        except OSError:
            continue
        for one in found:
            yield one
            yield from _children(one)


def alone(user: User, watch: Watch) -> None:
    """Measure each kind of page for one user, at first and again."""
    seen: dict[str, str] = {}
    queue = ["/"]
    while queue:
        address = queue.pop(0)
        before, began = watch.cpu(), time.perf_counter()
        status, first = user.get(address)
        while status == 202 and time.perf_counter() - began < MAX_WAITED:
            time.sleep(0.5)
            status, _ = user.get(address)
        ready, busy = time.perf_counter() - began, watch.cpu() - before
        _, again = user.get(address)
        print(
            f"{first * 1000:7.0f} ms, ready {ready * 1000:7.0f} ms, CPU {busy * 1000:7.0f} ms, "
            f"again {again * 1000:5.0f} ms  {status} {address}",
            flush=True,
        )
        for kind, links in user.links.items():
            if kind not in seen:
                seen[kind] = links[-1]
                queue.append(links[-1])


def together(port: int, count: int, seconds: float) -> list[tuple[str, str, int, float]]:
    """Let users click for some seconds, and return what each click was, its status, and its time."""
    end, clicks = time.monotonic() + seconds, []

    def act(user: User) -> None:
        time.sleep(user.random.uniform(0, THINKING[1]))
        while time.monotonic() < end:
            clicks.append(user.click())
            time.sleep(user.random.uniform(*THINKING))

    threads = [threading.Thread(target=act, args=(User(port, number),)) for number in range(count)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return clicks


def _shown(name: str, times: Sequence[float]) -> str:
    places = statistics.quantiles(times, n=20, method="inclusive") if len(times) > 1 else [times[0]] * 19
    middle, late, last = (f"{one * 1000:6.0f}" for one in (places[9], places[18], max(times)))
    return f"{name:16} {len(times):5}  p50 {middle}  p95 {late}  max {last} ms"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="Measure the workbench on a store.")
    parser.add_argument("store", type=Path)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--quick", action="store_true", help="5 users, 5 seconds")
    given = parser.parse_args(arguments)
    users, seconds = (5, 5.0) if given.quick else (given.users, given.seconds)
    command = [sys.executable, "-m", "urlset", "serve", str(given.store), "--no-config", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = urlsplit(server.stdout.readline().strip()).port or 0
            watch = Watch(server.pid)
            alone(User(port, 0), watch)
            before = watch.cpu()
            clicks = together(port, users, seconds)
            busy = watch.cpu() - before
        finally:
            server.terminate()
    for kind in (*KINDS, ""):
        if times := [taken for each, _, _, taken in clicks if not kind or each == kind]:
            print(_shown(kind or "all", times))
    for _, address, status, taken in sorted(clicks, key=lambda one: -one[3])[:10]:
        print(f"  {taken * 1000:6.0f} ms  {status} {address[:150]}")
    waits = sum(status == 202 for _, _, status, _ in clicks)
    print(
        f"{users} users, {len(clicks)} clicks, {waits} not ready, {busy / len(clicks) * 1000:.0f} ms of CPU per click, "
        f"{watch.peak / 1e6:.0f} MB; goals: p95 {GOAL_MS} ms, {GOAL_MB} MB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
