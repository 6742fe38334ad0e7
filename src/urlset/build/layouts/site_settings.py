"""What configurations of generators say about the URLs of pages. Only data is read, no program is run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from urlset.build.sources import front_matter
from urlset.files.bounded import MAX_PAGE_BYTES, read_file
from urlset.files.structured import decode_json, decode_toml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from urlset.build.layouts.layout_table import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """What the configuration of a site says about URLs.

    Attributes:
        content: Directory of pages, relative to that of the project.
        mounts: Directories of pages with their paths below the base URL, before those of the layout.
        permalinks: Patterns of URLs by section or collection; those of all pages have no name.
        collections: Collections of Jekyll that are pages.
    """

    content: str = ""
    mounts: dict[str, str] = field(default_factory=dict)
    permalinks: Mapping[str, str] = field(default_factory=dict)
    collections: frozenset[str] = frozenset({"posts"})


def settings_of(project: Path, layout: Layout) -> SiteSettings:
    """Return the settings of a project; those that cannot be read have their defaults."""
    found = next((project / name for name in layout.configurations if (project / name).is_file()), None)
    values = {} if found is None else _values(found)
    content = values.get(layout.content_setting) if layout.content_setting else None
    inner = (
        content if isinstance(content, str) and ".." not in content and not content.startswith("/") else layout.content
    )
    match layout.generator:
        case "Hugo":
            permalinks = values.get("permalinks")
            if isinstance(permalinks, dict) and isinstance(permalinks.get("page"), dict):
                permalinks = permalinks["page"]
            return SiteSettings(content=_hugo_content(values, inner), permalinks=_strings(permalinks))
        case "Jekyll":
            return _of_jekyll(values)
        case "Docusaurus":
            return SiteSettings(mounts=_docusaurus_versions(project))
    return SiteSettings(content=inner.strip("/"))


def _values(path: Path) -> Mapping[str, object]:
    """Return the values of a configuration in TOML, YAML, or JSON; none of one that is a program or is invalid."""
    try:
        text = read_file(path, MAX_PAGE_BYTES).decode("utf-8", "replace")
        match path.suffix:
            case ".toml":
                return decode_toml(text)
            case ".json":
                value = decode_json(text)
                return value if isinstance(value, dict) else {}
            case ".yml" | ".yaml":
                # Tags of a program, as in mkdocs.yml, cannot be read; the lines of plain settings can.
                try:
                    body = text.removeprefix("\ufeff").removeprefix("---")
                    return front_matter.parse(f"---\n{body.strip(chr(10))}\n---\n")
                except front_matter.FrontMatterError:
                    found = re.findall(r"^(\w+):[ \t]*+['\"]?([^'\"#\n]++)['\"]?[ \t]*+$", text, re.MULTILINE)
                    return {name: value.strip() for name, value in found}
    except (OSError, ValueError, RecursionError):
        pass
    return {}


def _strings(values: object) -> dict[str, str]:
    items = values.items() if isinstance(values, dict) else ()
    return {str(key): value for key, value in items if isinstance(value, str)}


def _hugo_content(values: Mapping[str, object], inner: str) -> str:
    """Return the only directory that is mounted as content, if there is one: https://gohugo.io/configuration/module/."""
    module = values.get("module")
    mounts = module.get("mounts") if isinstance(module, dict) else None
    sources = [
        mount["source"]
        for mount in (mounts if isinstance(mounts, list) else [])
        if isinstance(mount, dict) and mount.get("target") == "content" and isinstance(mount.get("source"), str)
    ]
    return sources[0] if len(sources) == 1 and ".." not in sources[0] else inner


def _of_jekyll(values: Mapping[str, object]) -> SiteSettings:
    permalinks, outputs = {}, {"posts"}
    if isinstance(values.get("permalink"), str):
        permalinks[""] = str(values["permalink"])
    collections = values.get("collections")
    for name, facts in collections.items() if isinstance(collections, dict) else ():
        if isinstance(facts, dict):
            permalinks |= {name: facts["permalink"]} if isinstance(facts.get("permalink"), str) else {}
            outputs |= {name} if front_matter.flag(facts, "output") else set()
    return SiteSettings(permalinks=permalinks, collections=frozenset(outputs))


def _docusaurus_versions(project: Path) -> dict[str, str]:
    """Return the mounts of versions: the newest one is at the root of the docs, and the current files are at `next`.

    https://docusaurus.io/docs/versioning
    """
    try:
        versions = decode_json(read_file(project / "versions.json", MAX_PAGE_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(versions, list) or not versions or not isinstance(versions[0], str):
        return {}
    return {f"versioned_docs/version-{versions[0]}": "docs", "docs": "docs/next"}
