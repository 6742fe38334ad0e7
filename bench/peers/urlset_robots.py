"""urlset: `Robots.blocked_urls` over the table of URLs, for all agents at once."""

import sys
from importlib.metadata import version
from pathlib import Path

import urlset
import urlset.web.robots_txt
from urlset import _core
from worker import serve

AGENTS = ("Googlebot", "Bingbot", "GPTBot", "CCBot", "ExampleBot")
PATH = Path(sys.argv[1])
ROBOTS = urlset.web.robots_txt.Robots.parse(
    PATH.with_suffix(".robots").read_bytes(), "https://www.example.com/robots.txt"
)
URLS = _core.Table.concat([batch["urls"] for batch in _core.Reader(PATH.read_bytes()) if "urls" in batch])


def read(_: bytes) -> int:
    return ROBOTS.blocked_urls(URLS, AGENTS, 0).num_rows


serve(read, {"urlset": version("urlset")})
