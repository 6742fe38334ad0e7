"""Compare `urlset/web/agents.json` with the public documentation of crawlers, and with a public list of AI crawlers.

Usage: python scripts/refresh_crawlers.py [--write]   (--write sets the date of each crawler that its source names)

It prints the crawlers that their source no longer names, the sources that cannot be read, and the names of the list
that `agents.json` lacks. Adding or removing a crawler is left to a person, who reads what its operator says. The exit
code is 1 if it printed any.
"""

from __future__ import annotations

import json
import re
import sys
import urllib.request
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent
AGENTS = ROOT / "src" / "urlset" / "web" / "agents.json"

LIST = "https://raw.githubusercontent.com/ai-robots-txt/ai.robots.txt/main/robots.json"
"""Names of AI crawlers, gathered by volunteers. Also read for crawlers whose source is the repository itself."""
REPOSITORY = "https://github.com/ai-robots-txt/ai.robots.txt"

MAX_BYTES = 8 * 1024 * 1024
TIMEOUT_SECONDS = 30
TOKEN = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(slots=True)
class Comparison:
    """What the sources say.

    Attributes:
        named: Crawlers that their source names.
        unnamed: Crawlers that it does not name, with the source.
        unread: Sources that cannot be read, with the reason.
        missing: Names of the list that `agents.json` lacks.
    """

    named: list[str] = field(default_factory=list)
    unnamed: list[tuple[str, str]] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def compare(agents: Sequence[Mapping[str, Any]], get: Callable[[str], str]) -> Comparison:
    """Return what the sources say about the crawlers; `get` returns the text at a URL or raises OSError."""
    result = Comparison()
    by_source: defaultdict[str, list[str]] = defaultdict(list)
    for agent in agents:
        by_source[agent["source"]].append(agent["name"])
    by_source.setdefault(REPOSITORY, [])
    for source, names in by_source.items():
        try:
            text = get(LIST if source == REPOSITORY else source)
            listed = json.loads(text) if source == REPOSITORY else {}
        except (OSError, ValueError) as error:
            result.unread.append((source, str(error)))
            continue
        for name in names:
            if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE):
                result.named.append(name)
            else:
                result.unnamed.append((name, source))
        known = {agent["name"].lower() for agent in agents}
        tokens = {name.partition("/")[0] for name in listed}
        result.missing += sorted(name for name in tokens if TOKEN.fullmatch(name) and name.lower() not in known)
    return result


def dated(text: str, named: Sequence[str], today: str) -> str:
    """Return the file, which has one crawler per line, with today as the date of some crawlers."""
    lines = []
    for line in text.splitlines(keepends=True):
        name = re.search(r'"name": "([^"]+)"', line)
        is_named = name is not None and name[1] in named
        lines.append(re.sub(r'"date": "[^"]*"', f'"date": "{today}"', line) if is_named else line)
    return "".join(lines)


def _get(url: str) -> str:
    request = urllib.request.Request(url, headers={"User-Agent": "urlset (refresh_crawlers.py)"})
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
        content: bytes = answer.read(MAX_BYTES)
    return content.decode("utf-8", "replace")


def main(arguments: Sequence[str], get: Callable[[str], str] = _get, path: Path = AGENTS) -> int:
    """Print the comparison; with `--write`, also write the dates."""
    text = path.read_text(encoding="utf-8")
    agents = json.loads(text)
    result = compare(agents, get)
    for source, reason in result.unread:
        print(f"cannot be read: {source}: {reason}")
    for name, source in result.unnamed:
        print(f"not named by its source: {name}: {source}")
    for name in result.missing:
        print(f"not in agents.json: {name}")
    print(f"{len(result.named)} of {len(agents)} crawlers are named by their source")
    if "--write" in arguments:
        path.write_text(dated(text, result.named, f"{datetime.now(UTC):%Y-%m-%d}"), encoding="utf-8")
    return 1 if result.unread or result.unnamed or result.missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
