"""URLs of source files of pages, by their paths and front matter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlset.build.layouts.layout_table import PLAIN
from urlset.build.sources import front_matter
from urlset.build.sources.languages import language_version
from urlset.build.sources.paths import url_path
from urlset.model.build import Reason
from urlset.net.urlparts import join_url
from urlset.options.sources import UrlStyle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.build.layouts.layout_table import Layout

_DYNAMIC = re.compile(r"(^|/)(\[[^/]*\]|\([^/]*\)/)")


def url_of_source(
    name: str,
    front: Mapping[str, object],
    names: frozenset[str],
    *,
    place: str,
    base: str,
    style: UrlStyle = UrlStyle.SLASHES,
    layout: Layout = PLAIN,
) -> str | tuple[Reason, str]:
    """Return the URL of a page, or why it cannot be known; a path in front matter is relative to the base URL.

    Args:
        name: The path of its file.
        names: The paths of all files.
        place: The URL of their directory.
        base: The base URL of the site.
    """
    values = front_matter.values_by_key(front)
    for key in ("url", "permalink"):
        path = values.get(key, ("", None))[1] if key in layout.keys else None
        if not isinstance(path, str) or not path.strip():
            continue
        # Only the generator can fill in /:year/:title/ and {{ page.fileSlug }}.
        if "/:" in path.replace("://", "") or has_template(path):
            return Reason.UNKNOWN_URL, f"{key}: {path}"
        if path.startswith(("/", "http://", "https://")):
            return join_url(base, path if "://" in path else path.lstrip("/"))
        if key == "permalink" and path.endswith((".html", "/")):
            # Eleventy: the path of the file that it writes.
            return join_url(base, path.removesuffix("index.html"))
    folder, slash, last = name.rpartition("/")
    for part in name.split("/")[:-1]:
        if part.startswith("_"):
            return Reason.UNKNOWN_URL, f"in {part}/, and without a permalink"
    if _DYNAMIC.search(name):
        return Reason.UNKNOWN_URL, "the name is that of a dynamic route"
    stem, _, extension = last.rpartition(".")
    if stem.lower() in layout.indexes or (layout.same_name and folder and stem == folder.rpartition("/")[2]):
        name = f"{folder}{slash}index.{extension.lower()}"
    version = language_version(name, names)
    if version is not None:
        plain, language = version
        if not plain:
            return Reason.UNKNOWN_URL, f"its path depends on whether {language} is the default language"
        name, place = plain, f"{place}{language}/"
        folder, slash, last = name.rpartition("/")
        stem = last.rpartition(".")[0]
    slug = values.get("slug", ("", None))[1] if "slug" in layout.keys else None
    if isinstance(slug, str | int) and not isinstance(slug, bool) and str(slug).strip() and stem.lower() != "_index":
        is_index = stem.lower() in layout.indexes
        name = _with_slug(folder, extension, str(slug).strip(), is_index=is_index)
    if layout.is_lower:
        name = name.lower().replace(" ", "-")
    return place + url_path(name, style, ("index",))


def _with_slug(folder: str, extension: str, slug: str, *, is_index: bool) -> str:
    """Return the name of a file whose URL ends in a slug; an absolute slug is relative to the source.

    The slug of `index.md` replaces the name of its directory, as in Hugo.
    """
    if slug.startswith("/"):
        folder = ""
    elif is_index:
        folder = folder.rpartition("/")[0]
    parts: list[str] = []
    for part in f"{folder}/{slug}".split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return f"{'/'.join(parts)}.{extension}" if parts else f"index.{extension.lower()}"


def has_template(text: str) -> bool:
    """Return whether a text has a tag of a template, such as `{{ page.title }}`."""
    starts = ((text.find(opening), closing) for opening, closing in (("{{", "}}"), ("{%", "%}"), ("<%", "%>")))
    return any(text.find(closing, start + 2) >= 0 for start, closing in starts if start >= 0)
