"""Create a site of pages like those of shops and magazines, with its sitemaps and robots.txt, for nginx to serve."""

from __future__ import annotations

import json
import random
from pathlib import Path

PORT = 18_999
"""The port is fixed, because the URL of the site is in every page and sitemap."""

ORIGIN = f"http://127.0.0.1:{PORT}"
LISTED = 5_000
"""Entries per sitemap."""

LINKS = "links.html"
"""A page that no sitemap lists and that links to all others."""

_VERSION = 1
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_SECTIONS = ("garden", "kitchen", "lighting", "bathroom", "bedroom", "outdoor", "office", "storage", "textiles", "toys")
_WORDS = (
    "about", "after", "against", "air", "along", "amber", "and", "any", "ash", "at", "autumn", "bed", "before",
    "below", "bench", "between", "bloom", "branch", "brass", "bright", "brown", "by", "can", "cedar", "clay",
    "clean", "clear", "cold", "colour", "copper", "corner", "cotton", "cover", "dark", "day", "deep", "door",
    "double", "drain", "dry", "early", "earth", "edge", "evening", "every", "fine", "first", "flat", "floor",
    "for", "frame", "fresh", "from", "frost", "garden", "give", "glass", "good", "grain", "green", "ground",
    "grow", "hand", "harbour", "heat", "heavy", "high", "hold", "in", "iron", "it", "keep", "kettle", "lamp",
    "large", "late", "lay", "leaf", "light", "linen", "little", "long", "low", "maple", "matt", "moss", "narrow",
    "near", "needs", "new", "north", "oak", "of", "often", "oil", "old", "on", "open", "or", "outside", "over",
    "paint", "paper", "pine", "place", "plant", "plate", "pot", "rain", "river", "room", "root", "round", "salt",
    "sand", "season", "seed", "shade", "shelf", "short", "side", "silver", "slate", "small", "soft", "some",
    "soil", "spring", "steel", "stone", "sun", "table", "tall", "the", "then", "thin", "this", "time", "to",
    "tray", "tree", "turn", "twice", "under", "velvet", "wall", "warm", "water", "weather", "well", "white",
    "wide", "wind", "window", "winter", "with", "wood", "work", "year", "you",
)  # fmt: skip


def make_site(folder: Path, pages: int) -> Path:
    """Return the site as files, created once: pages of 10 to 30 kB in sections, four sitemaps or more, robots.txt."""
    place = folder / f"site-{pages}-v{_VERSION}"
    if place.exists():
        return place
    making = place.with_suffix(".part")
    for section in _SECTIONS:
        (making / section).mkdir(parents=True, exist_ok=True)
    rng = random.Random("site")
    frame = _Frame(rng)
    paths = [f"/{rng.choice(_SECTIONS)}/{_slug(rng, number)}.html" for number in range(pages)]
    days = [f"2025-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}" for _ in paths]
    for number, path in enumerate(paths):
        (making / path[1:]).write_text(frame.page(rng, number, paths, days[number]), encoding="utf-8")
    _write_sitemaps(making, list(zip(paths, days, strict=True)))
    making.rename(place)
    return place


def lists_of(folder: Path, pages: int) -> tuple[str, str]:
    """Return the paths of two files of URLs, one per line: as listed, and with the fragment of the main element."""
    return str(folder / f"site-{pages}-v{_VERSION}.txt"), str(folder / f"site-{pages}-v{_VERSION}-anchored.txt")


def write_lists(folder: Path, place: Path) -> None:
    """Write the URLs of a site in the order of its sitemaps, as the input of link checkers: files and a page."""
    plain, anchored = map(Path, lists_of(folder, int(place.name.split("-")[1])))
    if anchored.exists():
        return
    urls = [
        line.removeprefix("<loc>").removesuffix("</loc>")
        for document in sorted(place.glob("sitemap-*.xml"))
        for line in document.read_text("utf-8").splitlines()
        if line.startswith("<loc>")
    ]
    links = "".join(f'<li><a href="{url}">{url}</a></li>\n' for url in urls)
    (place / LINKS).write_text(f"<!DOCTYPE html>\n<title>All pages</title>\n<ul>\n{links}</ul>\n", "utf-8")
    plain.write_text("".join(f"{url}\n" for url in urls), "utf-8")
    anchored.write_text("".join(f"{url}#content\n" for url in urls), "utf-8")


class _Frame:
    """Return what all pages of the site have in common: styles, scripts, navigation, footer."""

    def __init__(self, rng: random.Random) -> None:
        rules = (
            f".{rng.choice(_WORDS)}-{number}{{margin:{rng.randint(0, 9)}px {rng.randint(0, 9)}px;color:"
            f"#{rng.randrange(1 << 24):06x};padding:{rng.randint(1, 40)}px}}"
            for number in range(45)
        )
        self._style = "".join(rules)
        items = "".join(
            f'<li class="menu-item item-{number}"><a href="/{section}/" data-track="menu">{section.title()}</a><ul>'
            + "".join(f'<li><a href="/{section}/{word}/">{word.title()}</a></li>' for word in rng.sample(_WORDS, 3))
            + "</ul></li>"
            for number, section in enumerate(_SECTIONS)
        )
        self._top = f'<header class="site"><a class="logo" href="/">Example</a><nav><ul>{items}</ul></nav></header>'
        links = "".join(f'<li><a href="/about/{word}/">{word.title()}</a></li>' for word in rng.sample(_WORDS, 24))
        self._foot = (
            f'<footer class="site"><ul>{links}</ul><form action="/letter" method="post"><input type="email" name="m">'
            "<button>Subscribe</button></form><p>&copy; 2025 Example. All rights reserved.</p></footer>"
            "<script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}</script>"
            '<script src="/assets/app.4f2a91c0.js" defer></script>'
        )

    def page(self, rng: random.Random, number: int, paths: list[str], day: str) -> str:
        """Return a page."""
        url = ORIGIN + paths[number]
        title = " ".join(rng.choices(_WORDS, k=6)).capitalize()
        about = _sentence(rng, 24)
        related = "".join(
            f'<li class="card"><a href="{rng.choice(paths)}"><img src="/images/{rng.randrange(9999)}.webp" '
            f'alt="{rng.choice(_WORDS)}" width="320" height="240" loading="lazy"><h3>{_sentence(rng, 5)}</h3></a></li>'
            for _ in range(12)
        )
        parts = "".join(_part(rng) for _ in range(rng.randint(3, 24)))
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{_head(rng, url, title, about, day)}\n'
            f"<style>{self._style}</style>\n</head>\n<body>\n{self._top}\n"
            f'<main id="content">\n<article>\n<h1>{title}</h1>\n'
            f"{parts}</article>\n<aside><ul>{related}</ul></aside>\n</main>\n{self._foot}\n</body>\n</html>\n"
        )


def _head(rng: random.Random, url: str, title: str, about: str, day: str) -> str:
    changed = f"{day}T{rng.randint(0, 23):02}:15:00+00:00"
    image = f"{ORIGIN}/images/{rng.randrange(9999)}.webp"
    data = {
        "@context": "https://schema.org", "@type": "Article", "headline": title, "dateModified": changed,
        "mainEntityOfPage": url, "image": [image], "author": {"@type": "Organization", "name": "Example"},
    }  # fmt: skip
    lines = [
        '<meta charset="utf-8">',
        f"<title>{title} | Example</title>",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta name="description" content="{about}">',
        '<meta name="robots" content="index, follow, max-image-preview:large">',
        f'<link rel="canonical" href="{url}">',
        f'<meta property="og:title" content="{title}">',
        f'<meta property="og:description" content="{about}">',
        f'<meta property="og:url" content="{url}">',
        f'<meta property="og:image" content="{image}">',
        f'<meta property="article:modified_time" content="{changed}">',
        '<meta name="twitter:card" content="summary_large_image">',
        '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
        '<link rel="preload" href="/assets/text.woff2" as="font" type="font/woff2" crossorigin>',
        '<link rel="stylesheet" href="/assets/site.1b22c7d0.css">',
        f'<script type="application/ld+json">{json.dumps(data)}</script>',
    ]
    return "\n".join(lines)


def _part(rng: random.Random) -> str:
    """Return a heading, two paragraphs, and sometimes an image."""
    picture = (
        f'<figure><img src="/images/{rng.randrange(9999)}.webp" alt="{_sentence(rng, 6)}" width="960" height="640">'
        f"<figcaption>{_sentence(rng, 8)}</figcaption></figure>\n"
        if rng.random() < 0.3
        else ""
    )
    paragraphs = "".join(
        f'<p>{_sentence(rng, 14)} <a href="/{rng.choice(_SECTIONS)}/">{rng.choice(_WORDS)}</a> {_sentence(rng, 22)} '
        f"<em>{rng.choice(_WORDS)}</em> {_sentence(rng, 12)}</p>\n"
        for _ in range(2)
    )
    return f"<h2>{_sentence(rng, 4)}</h2>\n{picture}{paragraphs}"


def _sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_WORDS, k=words)).capitalize() + "."


def _slug(rng: random.Random, number: int) -> str:
    return "-".join((*rng.choices(_WORDS, k=4), str(number)))


def _write_sitemaps(folder: Path, listed: list[tuple[str, str]]) -> None:
    names = []
    for first in range(0, len(listed), LISTED):
        names.append(f"sitemap-{first // LISTED:04}.xml")
        entries = "".join(
            f"<url>\n<loc>{ORIGIN}{path}</loc>\n<lastmod>{day}</lastmod>\n</url>\n"
            for path, day in listed[first : first + LISTED]
        )
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_SITEMAP}">\n{entries}</urlset>\n'
        (folder / names[-1]).write_text(text, encoding="utf-8")
    children = "".join(f"<sitemap>\n<loc>{ORIGIN}/{name}</loc>\n</sitemap>\n" for name in names)
    (folder / "sitemap.xml").write_text(
        f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{_SITEMAP}">\n{children}</sitemapindex>\n',
        encoding="utf-8",
    )
    (folder / "robots.txt").write_text(
        f"User-agent: *\nDisallow: /search\nDisallow: /*?sort=\nDisallow: /basket/\n\nSitemap: {ORIGIN}/sitemap.xml\n"
    )
