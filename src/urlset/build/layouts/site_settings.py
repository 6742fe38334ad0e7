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
        timezone: The zone in which Jekyll writes dates in URLs; empty if that of the machine decides.
    """

    content: str = ""
    mounts: dict[str, str] = field(default_factory=dict)
    permalinks: Mapping[str, str] = field(default_factory=dict)
    collections: frozenset[str] = frozenset({"posts"})
    timezone: str = ""


def configuration_of(project: Path, layout: Layout) -> Path | None:
    """Return the configuration of a generator in a directory; None if there is none."""
    found = next((project / name for name in layout.configurations if (project / name).is_file()), None)
    if found is not None:
        return found
    shared = next((project / name for name in layout.shared_configurations if (project / name).is_file()), None)
    is_own = shared is not None and layout.is_own is not None and layout.is_own(project, _values(shared))
    return shared if is_own else None


def settings_of(project: Path, layout: Layout) -> SiteSettings:
    """Return the settings of a project; those that cannot be read have their defaults."""
    found = configuration_of(project, layout)
    values = {} if found is None else _values(found)
    if layout.generator == "Hugo":
        # Their case does not matter.
        values = {name.lower(): value for name, value in values.items()}
    content = values.get(layout.content_setting)
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
            return SiteSettings(mounts=_of_docusaurus(project, "" if found is None else _text(found)))
    return SiteSettings(content=inner.strip("/"))


def _text(path: Path) -> str:
    """Return the text of a file; empty if it cannot be read."""
    try:
        return read_file(path, MAX_PAGE_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _values(path: Path) -> Mapping[str, object]:
    """Return the values of a configuration in TOML, YAML, or JSON; none of one that is a program or is invalid."""
    text = _text(path)
    try:
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
    except (ValueError, RecursionError):
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
    timezone = values.get("timezone")
    return SiteSettings(
        permalinks=permalinks,
        collections=frozenset(outputs),
        timezone=timezone if isinstance(timezone, str) else "",
    )


def _of_docusaurus(project: Path, configuration: str) -> dict[str, str]:
    """Return the mounts of documents: the newest version is at their route, and the current files are at `next`.

    https://docusaurus.io/docs/versioning, https://docusaurus.io/docs/docs-introduction#docs-only-mode
    """
    code = _plain_code(configuration)
    if code is None:
        return dict.fromkeys(
            ("versioned_docs/version-*", "i18n/*/docusaurus-plugin-content-docs/current", "docs"), UNKNOWN_ROUTE
        )
    routes = {found[1].strip("/") for found in _DOCS_ROUTE.finditer(code)}
    docs = routes.pop() if len(routes) == 1 else "docs"
    below = f"{docs}/" if docs else ""
    mounts = {
        "versioned_docs/version-*": f"{below}*",
        "i18n/*/docusaurus-plugin-content-docs/current": f"*/{docs}".strip("/"),
        "docs": docs,
    }
    try:
        versions = decode_json(read_file(project / "versions.json", MAX_PAGE_BYTES))
    except (OSError, ValueError, RecursionError):
        return mounts
    newest = versions[0] if isinstance(versions, list) and versions and isinstance(versions[0], str) else ""
    if _LAST_IS_CURRENT.search(code) or not newest or not _is_directory(project, newest):
        return mounts
    return {f"versioned_docs/version-{newest}": docs, **mounts, "docs": f"{below}next"}


def _plain_code(program: str) -> str | None:
    """Return JavaScript without comments, whose strings are names and paths or "?"; None if its strings are uncertain.

    What a slash begins depends on the grammar; where a wrong answer would hide or reveal a string, there is none.
    """
    parts: list[str] = []
    end = 0
    for token in _TOKEN.finditer(program):
        if token["doubt"] is not None or token["quote"] is not None:
            return None
        text = token[0]
        if token["comment"] is not None:
            text = " "
        elif token["literal"] is not None and _NAME.fullmatch(text) is None:
            text = f'{token["before"] or ""}"?"'
        parts += (program[end : token.start()], text)
        end = token.end()
    return "".join((*parts, program[end:]))


UNKNOWN_ROUTE = "unknown:"
"""The mount of pages whose path below the base URL cannot be read."""
_TOKEN = re.compile(
    r"""
    (?P<comment> //[^\n]*+ | /\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?+ )
    | (?:
        (?P<literal>
            '(?:[^'\\\n]|\\[\s\S])*+(?P<single>')?+
            | "(?:[^"\\\n]|\\[\s\S])*+(?P<double>")?+
            | `(?:[^`\\$]|\\[\s\S]|\$\{[^`{}]*+\}|\$(?!\{))*+(?P<template>`)?+
            # A regular expression follows punctuation; a division follows a value.
            | (?P<before>(?:[(,:\[!&|?{;]|=>?)\s*+)/(?![/*])
              (?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*+\])*+(?P<expression>/[a-z]*+)?+
        )
        # One that does not end.
        (?P<doubt>(?(single)(?!))(?(double)(?!))(?(template)(?!))(?(expression)(?!)))?+
    )
    # Another slash is a division, a tag, or a regular expression.
    | /[^\n'"`/]*+(?P<quote>['"`/])?+
    """,
    re.VERBOSE,
)
_NAME = re.compile(r"'[\w/-]*'|\"[\w/-]*\"")
_DOCS_ROUTE = re.compile(
    r"\bdocs['\"]?\s*:\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*?\brouteBasePath['\"]?\s*:\s*['\"]([\w/-]*)['\"]"
)
"""The route of the documents of a preset, if it is written as a string."""
_LAST_IS_CURRENT = re.compile(r"\blastVersion['\"]?\s*:\s*['\"]current['\"]")


def _is_directory(project: Path, version: str) -> bool:
    return "/" not in version and (project / "versioned_docs" / f"version-{version}").is_dir()
