"""The table `[build]`: checked key by key, and made into what is to be built."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.configfile.build_keys import COMMON_SOURCE_KEYS, INDEX_KEYS, SITE_KEYS, SOURCE_KINDS, WRITER_KEYS, Key
from urlset.configfile.settings import Kind
from urlset.configfile.values import choice, flag, known_key, table, tables, text, texts, whole, wrong
from urlset.errors import ConfigError
from urlset.options.building import BuildSpec, IndexSpec, RemoteSitemap, Site
from urlset.options.sources import (
    DEFAULT_LASTMOD,
    HTML_FILES,
    SOURCE_FILES,
    STDIN,
    FileFolder,
    HtmlFolder,
    LastmodSource,
    ListFormat,
    Query,
    Sitemaps,
    UrlList,
    UrlStyle,
)
from urlset.rules.templates import USUAL_LIMITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.options.sources import Source

DEFAULTED = ("changefreq", "priority", "lastmod")
"""Fields that a source may have defaults for."""

FIELDS = ("loc", "lastmod", "changefreq", "priority", "hreflang", "alternates", "images", "videos", "news")
"""Fields of an entry that a column may hold."""

_PER_SITE = ("base-url", "out", "robots", "state", "name", "feed", "source")
"""Keys that say nothing for several sites at once."""


def build_spec(content: Any, where: str, folder: Path) -> BuildSpec:
    """What the table `[build]` asks for.

    Args:
        content: The table.
        where: The file, for messages.
        folder: Where relative paths are meant from.

    Raises:
        ConfigError: A key is unknown, one that is needed is missing, or a value makes no sense.
    """
    content = dict(table(content, f"{where}: build"))
    index = content.pop("index", None) if isinstance(content.get("index"), dict) else None
    if "site" not in content:
        place = f"{where}, [build]"
        known_key(content, [*SITE_KEYS, "source", "site"], place)
        # Without an address it holds the options of a build whose rest stands on the command line.
        sites: tuple[Site, ...] = (_site(content, place, "build.source", folder),) if _is_whole(content, place) else ()
        if index is not None and not sites:
            raise ConfigError(f"{place}: an index is over sites, and there is none")
    else:
        written = tables(content.pop("site"), f"{where}: build.site", "build.site")
        known_key(content, [key for key in SITE_KEYS if key not in _PER_SITE], f"{where}, [build] over [[build.site]]")
        sites = tuple(
            _site({**content, **each}, f"{where}, [[build.site]] {number}", "build.site.source", folder)
            for number, each in enumerate(written, 1)
        )
    if index is None:
        return BuildSpec(sites=sites)
    return BuildSpec(sites=sites, index=_index(index, f"{where}, [build.index]", folder))


def build_options(content: Any, where: str, folder: Path) -> dict[str, Any]:
    """What `[build]` says for a site whose sources stand on the command line: fields of `Site` by name."""
    content = dict(table(content, f"{where}: build"))
    for key in ("source", "site"):
        content.pop(key, None)
    if isinstance(content.get("index"), dict):
        del content["index"]
    return _site_fields(content, f"{where}, [build]", folder)


def with_limits(spec: BuildSpec, limits: Mapping[str, Any] | None) -> BuildSpec:
    """The same with the sensitive parameters that the limits of a configuration list."""
    lists = ("secret_parameters", "sensitive_parameters")
    if not limits or limits.keys().isdisjoint(lists):
        return spec
    names = tuple(name for one in lists for name in limits.get(one, USUAL_LIMITS[one]))
    sites = tuple(replace(site, options={"sensitive_parameters": names, **site.options}) for site in spec.sites)
    return replace(spec, sites=sites)


def _is_whole(content: Mapping[str, Any], place: str) -> bool:
    """Whether a site stands in the file with all that it needs; raises for one that has only a part of it."""
    if "source" not in content:
        return False
    for key in ("base-url", "out"):
        if key not in content:
            raise ConfigError(f"{place}: {key} is missing")
    return True


def _site(content: Mapping[str, Any], place: str, source_table: str, folder: Path) -> Site:
    known_key(content, [*SITE_KEYS, "source"], place)
    for key in ("base-url", "out", "source"):
        if key not in content:
            hint = f": [[{source_table}]]" if key == "source" else ""
            raise ConfigError(f"{place}: {key} is missing{hint}")
    written = tables(content["source"], f"{place}: source", source_table)
    if not written:
        raise ConfigError(f"{place}: source is empty: a site has at least one")
    sources = tuple(_source(each, f"{place}, source {number}", folder) for number, each in enumerate(written, 1))
    given = {key: value for key, value in content.items() if key != "source"}
    return Site(sources=sources, **_site_fields(given, place, folder))


def _site_fields(content: Mapping[str, Any], place: str, folder: Path) -> dict[str, Any]:
    known_key(content, SITE_KEYS, place)
    values = {key: _value(SITE_KEYS[key], value, f"{place}: {key}") for key, value in content.items()}
    fields: dict[str, Any] = {
        "options": {key.replace("-", "_"): values[key] for key in WRITER_KEYS if key in values},
        "lastmod_from": values.get("lastmod-from", DEFAULT_LASTMOD),
    }
    if "base-url" in values:
        fields["base_url"] = values["base-url"]
    if "out" in values:
        fields["out"] = _out(values["out"], folder)
    if "feed" in fields["options"]:
        fields["options"]["feed"] = _path(values["feed"], folder)
    for key in ("robots", "state"):
        if key in values:
            fields[key] = _path(values[key], folder)
    for key in ("obey-robots", "robots-agent"):
        if key in values:
            fields[key.replace("-", "_")] = values[key]
    return fields


def _source(content: Mapping[str, Any], place: str, folder: Path) -> Source:
    kinds = [kind for kind in SOURCE_KINDS if kind in content]
    if len(kinds) != 1:
        what = f"both {' and '.join(kinds)}" if kinds else "none"
        raise ConfigError(f"{place}: a source has exactly one of {', '.join(SOURCE_KINDS)}, and here is {what}")
    keys = {**COMMON_SOURCE_KEYS, **SOURCE_KINDS[kinds[0]]}
    known_key(content, keys, place)
    values = {
        key.replace("-", "_"): _value(keys[key], value, f"{place}: {key}")
        for key, value in content.items()
        if keys[key].kind is not Kind.LIMITS
    }
    if "defaults" in content:
        values["defaults"] = _defaults(content["defaults"], f"{place}: defaults")
    if "path_prefix" in values:
        values["path_prefix"] = path_prefix(values["path_prefix"])
    main = values.pop(kinds[0])
    match kinds[0]:
        case "html":
            return HtmlFolder(folder=_path(main, folder), **_styled(values, HTML_FILES, UrlStyle.FILES))
        case "files":
            return FileFolder(folder=_path(main, folder), **_styled(values, SOURCE_FILES, UrlStyle.SLASHES))
        case "list":
            values["format"] = ListFormat(values.get("format", ListFormat.AUTO))
            if "columns" in content:
                values["columns"] = _columns(content["columns"], f"{place}: columns")
            return UrlList(file=Path(STDIN) if main == STDIN else _path(main, folder), **values)
        case "query":
            return Query(sql=main, folder=folder, **values)
        case _:
            targets = tuple(one if "://" in one else str(_path(one, folder)) for one in main)
            return Sitemaps(targets=targets, **values)


def _styled(values: dict[str, Any], include: tuple[str, ...], style: UrlStyle) -> dict[str, Any]:
    return {**values, "include": values.get("include", include), "urls": UrlStyle(values.get("urls", style))}


def path_prefix(given: str) -> str:
    """A path prefix with a slash at both ends.

    Example:
        >>> [path_prefix(given) for given in ("/", "blog", "/blog/en")]
        ['/', '/blog/', '/blog/en/']
    """
    inner = given.strip("/")
    return f"/{inner}/" if inner else "/"


def _index(content: Mapping[str, Any], place: str, folder: Path) -> IndexSpec:
    known_key(content, INDEX_KEYS, place)
    for key in ("base-url", "out"):
        if key not in content:
            raise ConfigError(f"{place}: {key} is missing")
    values = {
        key: _value(INDEX_KEYS[key], value, f"{place}: {key}") for key, value in content.items() if key != "remote"
    }
    options: dict[str, Any] = {key: values[key] for key in ("pretty", "stylesheet") if key in values}
    if "lastmod" in values:
        options["index_lastmod"] = values["lastmod"]
    if values.get("gzip"):
        options["gzip"] = "all"
    return IndexSpec(
        base_url=values["base-url"],
        out=_out(values["out"], folder),
        name=values.get("name", "sitemap"),
        remote=_remote(content.get("remote", []), f"{place}: remote"),
        options=options,
    )


def _remote(value: Any, place: str) -> tuple[RemoteSitemap, ...]:
    if not isinstance(value, list):
        raise wrong(place, "list of URLs, or of tables", value)
    found = []
    for number, each in enumerate(value, 1):
        if isinstance(each, str):
            found.append(RemoteSitemap(loc=text(each, place)))
            continue
        one = table(each, f"{place} {number}")
        known_key(one, ("loc", "lastmod"), f"{place} {number}")
        if "loc" not in one:
            raise ConfigError(f"{place} {number}: loc is missing")
        lastmod = one.get("lastmod")
        found.append(RemoteSitemap(loc=text(one["loc"], place), lastmod=None if lastmod is None else _date(lastmod)))
    return tuple(found)


def _date(value: Any) -> str:
    """A date of TOML, or a text, as text."""
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)


def _defaults(value: Any, place: str) -> dict[str, str | int | float]:
    given = table(value, place)
    known_key(given, DEFAULTED, place)
    found: dict[str, str | int | float] = {}
    for key, each in given.items():
        if isinstance(each, bool) or not (isinstance(each, str | int | float) or hasattr(each, "isoformat")):
            raise wrong(f"{place}.{key}", "text or number", each)
        found[key] = each if isinstance(each, str | int | float) else _date(each)
    return found


def _columns(value: Any, place: str) -> dict[str, str]:
    given = table(value, place)
    known_key(given, FIELDS, place)
    return {key: text(each, f"{place}.{key}") for key, each in given.items()}


def _value(key: Key, value: Any, place: str) -> Any:
    match key.kind:
        case Kind.TEXT:
            return text(value, place)
        case Kind.TEXTS if key.choices:
            words = texts(value, place)
            return tuple(LastmodSource(choice(word, key.choices, place)) for word in words)
        case Kind.TEXTS:
            return texts(value, place)
        case Kind.CHOICE:
            return str(choice(value, key.choices, place))
        case Kind.FLAG:
            return flag(value, place)
        case _:
            return whole(value, place, key.kind)


def _path(written: str, folder: Path) -> Path:
    """A path as the file means it; from the working directory where it lies below that, since people read it."""
    path = folder / Path(written).expanduser()
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _out(written: str, folder: Path) -> str:
    return written if "://" in written or written == STDIN else str(_path(written, folder))
