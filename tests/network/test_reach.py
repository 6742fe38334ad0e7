"""No document of a stranger leads urlset into a private network, and the user's secrets go to the named origins alone.

Every command that fetches runs in a network of its own, where every address of the world is local: a few are public and
serve the lures, at all others wait victims that record each connection. A vector is a place that can hold a URL (a line
of robots.txt, a child of an index, a redirect, …) with a target of `vectors.toml`; the path of the URL names both.

The logs of the servers also show that a run requests no URL twice with the same method.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.network.runs import RUNS, Run
from tests.network.world import TARGETS, victim

from urlset.fetch.replies import MAX_REPLIES

ROOT = Path(__file__).parents[2]
PLACES = (
    "robots-line", "robots-redirect", "home", "home-header", "home-redirect", "anchor", "well-known-redirect", "child",
    "nested", "redirect", "hop", "listed", "hreflang", "image", "thumbnail", "video", "page-link", "page-redirect",
    "image-redirect", "build-child", "by-path", "feed-item", "feed-guid", "enclosure", "atom-link", "atom-id",
    "atom-entry", "text-line", "outside",
)  # fmt: skip

SHORT = ("validate", "audit, resumed", "robots by TLS", "build", "allowed pages")
"""The runs of `make test`: documents, pages, TLS, sources of a build, and what an option allows."""


def inside(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.network.inside", *arguments],
        cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace", timeout=400, check=False,
    )  # fmt: skip


@pytest.fixture(scope="session")
def _allowed() -> None:
    if sys.platform != "linux":
        pytest.skip("network namespaces are of Linux")
    if (answer := inside()).returncode == 3:
        pytest.skip(f"this machine makes no network namespace: {answer.stdout.strip()}")


def outcome_of(name: str) -> dict[str, Any]:
    done = inside(name)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_there_are_enough_vectors() -> None:
    assert len(TARGETS) >= 70
    assert len({victim(place, name) for place in PLACES for name in TARGETS}) >= 20 * 70
    world = (Path(__file__).parent / "world.py").read_text("utf-8")
    # A place is one that a document of the world, or of the user, has.
    absent = {place for place in PLACES if not re.search(f"[\"']{place}[\"' ]", world)}
    assert absent == {"by-path"}, absent


@pytest.mark.sampled(2)
@pytest.mark.usefixtures("_allowed")
@pytest.mark.parametrize(
    "name",
    [name if name in SHORT else pytest.param(name, marks=pytest.mark.long("tables of slow cases")) for name in RUNS],
)
def test_what_a_run_reaches(name: str) -> None:
    run, found = RUNS[name], outcome_of(name)
    about = f"exit codes {found['codes']}\n{found['stderr']}"
    assert not found["crashed"], about
    # Documents are unreadable, options are not wrong, and nothing fails.
    assert not {2, 4} & set(found["codes"]) or name == "sql", about
    missing = _missing(run.lures, found["asked"])
    assert not missing, f"{len(missing)} lures were not taken, so that nothing was tried: {missing[:5]}\n{about}"
    if run.reaches:
        lost = [place for place in _control(run) if not any(place in one for one in found["victims"])]
        assert not lost, f"what --allow-private allows was not reached: {lost}"
    else:
        assert _hits(run, found) == []
    assert _leaks(run, found["told"]) == []
    # The replies of a larger run do not all fit.
    if len(run.commands) == 1 and run.commands[0][0] != "python" and len(found["asked"]) < MAX_REPLIES:
        assert found["repeated"] == []
    untold = _missing(run.told, found["told"])
    assert not untold, f"the user's headers did not get to {untold[:5]}"
    assert found["published"] == []


def _missing(wanted: Sequence[str], got: Sequence[str]) -> list[str]:
    return [one for one in wanted if one not in set(got)]


def _control(run: Run) -> list[str]:
    return [f"/v/{place}/{name}" for place in run.reaches for name, about in TARGETS.items() if about.get("reachable")]


def _hits(run: Run, found: dict[str, Any]) -> list[str]:
    """Requests to victims that nothing allows; and connections without a request, of which no path tells the vector."""
    hits = [one for one in found["victims"] if one not in run.own and one.partition(": ")[0] not in run.own]
    own = {one.partition(": ")[0] for one in run.own}
    silent = [one for one in found["connections"] if one.partition(" ")[0] not in own]
    if run.only_link:
        hits = [one for one in hits if re.match(r"169\.254|100\.100\.100\.200|168\.63|fe80|fd00:ec2", one)]
        silent = [one for one in silent if re.match(r"169\.254|100\.100\.100\.200|168\.63|fe80|fd00:ec2", one)]
    return sorted(set(hits or silent))


def _leaks(run: Run, told: Sequence[str]) -> list[str]:
    """Requests with the user's secrets to an origin that the user did not name."""

    def origin(url: str) -> str:
        scheme, _, rest = url.partition("://")
        host = rest.partition("/")[0]
        return f"{scheme}://{host}".removesuffix(":443" if scheme == "https" else ":80")

    safe = set(run.trusted)
    # The same host by TLS is as safe.
    safe |= {one.replace("http://", "https://") for one in run.trusted if one.count(":") == 1}
    return sorted({one for one in told if origin(one) not in safe})
