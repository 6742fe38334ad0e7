"""Runs one entry of `runs.RUNS` in a network of its own, and says in JSON what came of it.

Usage: python -m tests.network.inside NAME   (without a name: says whether this machine allows it)
"""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.network import world
from tests.network.namespace import NotAllowedError, enter
from tests.network.runs import RUNS, USUAL, Run

SCHEMA = (
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:import namespace="urn:a" '
    'schemaLocation="http://10.0.0.5/v/schema/file.xsd"/><xs:element name="urlset"/></xs:schema>'
)
MAIN = """
import json, sys
from urlset.cli.main import main
codes = []
for arguments in json.load(open("commands.json")):
    codes.append(int(main(arguments)))
json.dump(codes, open("codes.json", "w"))
"""


def main() -> int:
    """Prints what came of a run; exits with 3 where namespaces are not allowed, and says why."""
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    with tempfile.TemporaryDirectory(prefix="urlset-network-") as name:
        folder = Path(name)
        try:
            has_six = enter(folder, world.PUBLIC)
        except NotAllowedError as error:
            sys.stdout.write(f"{error}\n")
            return 3
        if len(sys.argv) == 1:
            sys.stdout.write("allowed\n" if has_six else "allowed, without IPv6\n")
            return 0
        from tests.network.names import NameServer

        names = NameServer(world.VECTORS)
        world.FOLDER = str(folder / "own")
        everything = world.World(has_six, _tls(folder))
        outcome = _outcome(RUNS[sys.argv[1]], folder, everything, names)
        sys.stdout.write(json.dumps({"six": has_six, **outcome}))
    return 0


def _tls(folder: Path) -> ssl.SSLContext:
    import trustme

    authority = trustme.CA()
    (folder / "own").mkdir()
    authority.cert_pem.write_to_path(str(folder / "own" / "ca.pem"))
    hosts = [*world.VECTORS["names"], *world.VECTORS["turns"], "*.r.test", "*.w.test", "127.0.0.1", "10.0.0.5"]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*hosts).configure_cert(context)
    return context


def _outcome(run: Run, folder: Path, everything: world.World, names: Any) -> dict[str, object]:
    own = folder / "own"
    _write_files(own)
    commands = [list(one) for one in run.commands]
    began = time.perf_counter()
    environment = {
        name: value for name, value in os.environ.items() if "proxy" not in name.lower() and name != "URLSET_AUTH"
    }
    environment |= {"HOME": str(own), "XDG_CACHE_HOME": str(own / "cache"), "PYTHONUTF8": "1"}
    if commands[0][0] == "python":
        started = [sys.executable, *commands[0][1:]]
    else:
        usual = [[one[0], *USUAL, *one[1:]] for one in commands]
        (own / "commands.json").write_text(json.dumps(usual), "utf-8")
        started = [sys.executable, "-c", MAIN]
    done = subprocess.run(
        started, cwd=own, env=environment, input=run.stdin, capture_output=True, encoding="utf-8", errors="replace",
        timeout=300, check=False,
    )  # fmt: skip
    codes = json.loads((own / "codes.json").read_text()) if (own / "codes.json").exists() else [done.returncode]
    record = everything.record
    published = "".join(path.read_text("utf-8", "replace") for path in own.glob("out/*/*.xml"))
    return {
        "codes": codes,
        "crashed": done.returncode not in (0, 1),
        "seconds": time.perf_counter() - began,
        "stderr": done.stderr[-4000:],
        "stdout": done.stdout[-1000:],
        "connections": record.connections,
        "victims": record.victims,
        "asked": record.asked,
        "repeated": [one for one, count in Counter(record.requests).items() if count > 1],
        "told": record.told,
        "lookups": names.asked,
        "published": [word for word in ("build.secret/file", "build.secret/stdin") if word in published],
    }


def _write_files(own: Path) -> None:
    (own / "secret.txt").write_text("http://build.secret/file\n")
    (own / "local.xml").write_text(world.index(world.SITE), "utf-8")
    (own / "before.xml").write_text(world.listed(world.SITE), "utf-8")
    ways = ("page", "page-redirect", "other")
    mapped = [f"{world.SITE}/{way}/{number},{world.SITE}/new" for number in range(len(world.TARGETS)) for way in ways]
    victims = (world.victim("mapped", name) for name in world.TARGETS)
    # A map with anything else than http(s) URLs is refused.
    mapped += [f"{url},{world.SITE}/new" for url in victims if url.startswith(("http://", "https://"))]
    (own / "map.csv").write_text("\n".join(["old,new", *mapped, ""]), "utf-8")
    (own / "schema.xsd").write_text(SCHEMA)
    (own / "web").mkdir()
    pages = [world.victim("by-path", name) for name in world.TARGETS] + ["http://web/page", "http://web:8080/page"]
    pages += [f"{world.SITE}/page/0", f"{world.SITE}/page-redirect/0"]
    (own / "web" / "pages.xml").write_text(world.urlset(pages), "utf-8")


if __name__ == "__main__":
    # As a program it has one thread until it has entered the network.
    sys.exit(main())
