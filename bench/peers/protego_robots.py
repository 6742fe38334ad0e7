"""Protego, Scrapy's parser of robots.txt: `can_fetch` for each URL and agent."""

import sys
from importlib.metadata import version
from pathlib import Path

from protego import Protego

from worker import serve

AGENTS = ("Googlebot", "Bingbot", "GPTBot", "CCBot", "ExampleBot")
PATH = Path(sys.argv[1])
ROBOTS = Protego.parse(PATH.with_suffix(".robots").read_text())
URLS = PATH.read_text().splitlines()


def read(_: bytes) -> int:
    return sum(not ROBOTS.can_fetch(url, agent) for url in URLS for agent in AGENTS)


serve(read, {"Protego": version("protego")})
