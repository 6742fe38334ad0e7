"""Rules of generators for the URLs of source files that their paths and front matter do not say alone."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from urlset.build.layouts.site_settings import UNKNOWN_ROUTE, SiteSettings
from urlset.build.sources import front_matter

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePlace:
    """A source file below the base URL.

    Attributes:
        name: Its path below its mount, as far as it is the path of its page.
        below: The path of its mount, with a trailing slash or empty.
        front: The front matter that sets its URL.
        has_front: Whether it has front matter.
        settings: What the configuration of the site says about URLs.
    """

    name: str
    below: str = ""
    front: Mapping[str, object] = field(default_factory=dict)
    has_front: bool = False
    settings: SiteSettings = field(default_factory=SiteSettings)

    def at(self, name: str, front: Mapping[str, object] | None = None, below: str | None = None) -> SourcePlace:
        return SourcePlace(
            name=name, below=self.below if below is None else below, front=self.front if front is None else front
        )


_DATED = re.compile(r"(?P<folder>(?:.*/)?)(?P<year>\d{4})[-/](?P<month>\d\d?)[-/](?P<day>\d\d?)[-/](?P<title>[^/].*)")
_NUMBER = re.compile(r"(?!\d+[-_.]\d)\d+\s*[-_.]+\s*(?=[^-_.\s])")
_ROUTE_GROUP = re.compile(r"\([^/.()]+\)/|@[^/]+/")
_SPACE_BEFORE_ZONE = re.compile(r"[ ](?=(?:[+-]\d\d:?\d\d|Z|UTC)$)")
_PLACEHOLDER = re.compile(r":([a-z_]+)")

STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
"""Permalinks of Jekyll's built-in styles: https://jekyllrb.com/docs/permalinks/#built-in-formats"""


def _without_extension(name: str) -> str:
    folder, slash, file = name.rpartition("/")
    return f"{folder}{slash}{file.partition('.')[0] if file.endswith('.11ty.js') else file.rpartition('.')[0] or file}"


def is_hugo(project: Path, values: Mapping[str, object]) -> bool:
    """Return whether the project with a configuration of a name before Hugo 0.110 is of Hugo.

    Zola has `config.toml`, too, and requires `base_url` in it:
    https://www.getzola.org/documentation/getting-started/configuration/
    """
    names = {name.lower() for name in values}
    if "base_url" in names or not (project / "content").is_dir():
        return False
    return "baseurl" in names or (project / "archetypes").is_dir()


def hugo(file: SourcePlace) -> SourcePlace | str | None:
    """https://gohugo.io/configuration/permalinks/, https://gohugo.io/content-management/page-bundles/."""
    section, slash, _ = file.name.partition("/")
    stem = _without_extension(file.name).rpartition("/")[2]
    pattern = file.settings.permalinks.get(section) if slash and stem != "_index" else None
    if pattern is None or isinstance(file.front.get("url"), str):
        return file
    folder = _without_extension(file.name).removesuffix("/index").rpartition("/")
    values = {
        **_date_values(file.front),
        "section": section,
        "sections": folder[0],
        "filename": folder[2],
        "contentbasename": folder[2],
        "slug": str(file.front.get("slug") or ""),
        "slugorfilename": str(file.front.get("slug") or folder[2]),
        "slugorcontentbasename": str(file.front.get("slug") or folder[2]),
        "title": _slug(str(file.front.get("title") or "")),
    }
    values["slug"] = values["slug"] or values["title"]
    return _by_pattern(file, pattern, values, "url")


def docusaurus(file: SourcePlace) -> SourcePlace | str | None:
    """https://docusaurus.io/docs/create-doc, https://docusaurus.io/docs/blog#blog-post-date."""
    if file.below == UNKNOWN_ROUTE:
        return "the route of the documents in the configuration is unknown"
    if file.below.rstrip("/").rpartition("/")[2] == "blog":
        return _docusaurus_post(file)
    parts = [_NUMBER.sub("", part) for part in file.name.split("/")]
    slug, given = file.front.get("slug"), file.front.get("id")
    if isinstance(given, str) and given and slug is None:
        parts[-1] = f"{given}.md"
    return file.at("/".join(parts), {"slug": slug} if isinstance(slug, str) else {})


def _docusaurus_post(file: SourcePlace) -> SourcePlace | str | None:
    slug = file.front.get("slug")
    if isinstance(slug, str):
        return file.at("x.md", {"slug": f"/{slug.lstrip('/')}"})
    stem = _without_extension(file.name).removesuffix("/index")
    match = _DATED.fullmatch(stem)
    if match is None:
        return file.at(f"{stem}.md", {})
    return file.at(
        "{folder}{year}/{month:0>2}/{day:0>2}/{title}.md".format(**match.groupdict()), {}
    )  # fmt: skip


def next_js(file: SourcePlace) -> SourcePlace | str | None:
    """https://nextjs.org/docs/app/api-reference/file-conventions/page: only `page` files are pages in `app`."""
    if not file.below.startswith("app:"):
        return file
    folder, slash, last = _ROUTE_GROUP.sub("", file.name).rpartition("/")
    if last.partition(".")[0] != "page":
        return None
    if "(." in file.name:
        return "an intercepting route"
    return file.at(f"{folder}{slash}{last}", {}, "")


def eleventy(file: SourcePlace) -> SourcePlace | str | None:
    """https://www.11ty.dev/docs/permalinks/, https://www.11ty.dev/docs/page/#fileslug: dates in names are removed."""
    folder, slash, last = file.name.rpartition("/")
    last = re.sub(r"^\d{4}-\d\d-\d\d-(?=[^.])", "", last)
    return file.at(f"{folder}{slash}{_without_extension(last)}.html", file.front)


def jekyll(file: SourcePlace) -> SourcePlace | str | None:
    """https://jekyllrb.com/docs/permalinks/, https://jekyllrb.com/docs/collections/."""
    if not file.has_front:
        # Jekyll copies files without front matter.
        return None
    in_posts = "/_posts/" in f"/{file.name}"
    top, slash, rest = file.name.partition("/")
    collection = "posts" if in_posts else top.removeprefix("_") if slash and top.startswith("_") else ""
    if not collection:
        return file
    if collection != "posts" and collection not in file.settings.collections:
        return None
    if "permalink" in file.front:
        return file.at(rest, file.front)
    pattern = file.settings.permalinks.get(collection)
    if collection != "posts":
        stem = _without_extension(rest)
        values = {"collection": collection, "path": stem, "name": stem.rpartition("/")[2], "output_ext": ".html"}
        values["title"] = str(file.front.get("slug") or values["name"])
        return _by_pattern(file, pattern or "/:collection/:path:output_ext", values, "permalink")
    pattern = pattern or file.settings.permalinks.get("") or "date"
    match = _DATED.fullmatch(_without_extension(file.name).replace("_posts/", "", 1))
    if match is None:
        return None
    values = {
        "year": match["year"], "month": f"{match['month']:0>2}", "day": f"{match['day']:0>2}",
        **_date_values(file.front, file.settings.timezone),
        "title": str(file.front.get("slug") or match["title"]),
        "slug": str(file.front.get("slug") or match["title"]),
        "categories": "/".join(_categories(file.front, match["folder"])),
        "output_ext": ".html",
    }  # fmt: skip
    return _by_pattern(file, STYLES.get(pattern, pattern), values, "permalink")


def _categories(front: Mapping[str, object], folder: str) -> list[str]:
    given: list[str] = []
    for key in ("category", "categories"):
        value = front.get(key)
        words = value if isinstance(value, list) else str(value).split() if key == "categories" else [value]
        given += [str(word).lower().replace(" ", "-") for word in words if value]
    return list(dict.fromkeys([*(part for part in folder.split("/") if part), *given]))


def _date_values(front: Mapping[str, object], timezone: str = "") -> dict[str, str]:
    """Return what the date of a post is in a permalink.

    Args:
        timezone: The zone that a date with a time is converted to; its own without one.
    """
    written = front.get("date")
    # "2024-01-02 03:04:05 +0100", as Jekyll writes it.
    date = front_matter.instant(_SPACE_BEFORE_ZONE.sub("", written) if isinstance(written, str) else written)
    if date is not None and timezone and len(str(written)) > len("2024-01-02"):
        # An unknown zone, or a system without data on zones.
        with suppress(KeyError, ValueError, OSError):
            try:
                date = date.astimezone(ZoneInfo(timezone))
            except OverflowError:
                # A year before 1 or after 9999.
                return {}
    return {} if date is None else _values_of(date)


def _values_of(date: datetime) -> dict[str, str]:
    forms = {"year": "%Y", "month": "%m", "day": "%d", "monthname": "%B", "yearday": "%j", "y_day": "%j",
             "short_year": "%y", "hour": "%H", "minute": "%M", "second": "%S"}  # fmt: skip
    values = {name: date.strftime(form) for name, form in forms.items()}
    return {**values, "i_month": str(date.month), "i_day": str(date.day)}


def _slug(text: str) -> str:
    return re.sub(r"[^\w-]+", "-", text.lower()).strip("-")


def _by_pattern(file: SourcePlace, pattern: str, values: Mapping[str, str], key: str) -> SourcePlace | str:
    """Return a file whose URL has a pattern, or which placeholder of the pattern is not known."""
    unknown = [name for name in _PLACEHOLDER.findall(pattern) if not values.get(name) and name != "categories"]
    if unknown:
        return f"the value of :{unknown[0]} in {pattern} is unknown"
    path = _PLACEHOLDER.sub(lambda found: values.get(found[1], ""), pattern)
    return file.at(file.name, {key: re.sub(r"/{2,}", "/", f"/{path}")})
