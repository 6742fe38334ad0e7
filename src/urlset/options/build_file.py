"""The table `[build]` of the configuration file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, time
from pathlib import Path
from typing import TypeVar

from urlset.errors import ConfigError, UsageError
from urlset.options.building import BuildSpec, IndexSpec, LlmsSpec, RemoteSitemap, Site, SiteOptions
from urlset.options.declare import Face, Option, OptionGroup, options_of
from urlset.options.merge import make_group
from urlset.options.sources import KINDS, Query, Source, SourceSpec
from urlset.options.toml_tables import check_keys, check_table, table_of, tables_of

Group = TypeVar("Group", bound=OptionGroup)

PER_SITE = ("base-url", "out", "robots", "state", "content", "name", "feed", "source")
"""Keys that cannot apply to several sites at once."""


@dataclass(frozen=True, slots=True)
class BuildTable:
    """The table `[build]`.

    Attributes:
        spec: What to build.
        site: The options of a site that it sets, by name, for sources given on the command line.
    """

    spec: BuildSpec
    site: Mapping[str, object] = field(default_factory=dict)


def build_table(content: Mapping[str, object], where: str, path: Path) -> BuildTable:
    """Check the table `[build]`.

    Args:
        where: The file, for messages.
        path: The file, whose directory paths are relative to.

    Raises:
        ConfigError: A key is unknown or missing, or a value is invalid.
    """
    content = dict(content)
    place = f"{where}, [build]"
    index = content.pop("index", None) if isinstance(content.get("index"), dict) else None
    of_llms = content.pop("llms", None)
    llms = None if of_llms is None else _llms(of_llms, f"{where}, [build.llms]", path)
    sources, several = content.pop("source", None), content.pop("site", None)
    common = _options(content, place, path, more=("source", "site"))
    if several is not None:
        check_keys(content, [key for key in _keys(SiteOptions) if key not in PER_SITE], f"{place} over [[build.site]]")
        sites = tuple(
            _site(common, table, f"{where}, [[build.site]] {number}", "build.site.source", path)
            for number, table in enumerate(tables_of(several, f"{where}: build.site", "build.site"), 1)
        )
    elif sources is not None:
        sites = (_site({}, {**content, "source": sources}, place, "build.source", path),)
    else:
        # Without sources, its options apply to sources given on the command line.
        sites = ()
    if index is None:
        return BuildTable(BuildSpec(sites=sites, llms=llms), common)
    if not sites:
        raise ConfigError(f"{place}: the index has no sites to list; add [[build.site]] or [[build.source]]")
    return BuildTable(
        BuildSpec(
            sites=sites,
            index=_index(table_of(index, f"{where}, [build.index]"), f"{where}, [build.index]", path),
            llms=llms,
        ),
        common,
    )


def _keys(group: type[OptionGroup]) -> list[str]:
    return [option.key for option in in_file(group)]


def in_file(group: type[OptionGroup]) -> list[Option]:
    """Return the options of a group that the configuration file can set."""
    return [option for option in options_of(group) if Face.FILE in option.facts.faces]


def _options(
    content: Mapping[str, object], place: str, path: Path, more: tuple[str, ...] = ("source",)
) -> dict[str, object]:
    check_keys(content, [*_keys(SiteOptions), *more], place)
    return check_table(in_file(SiteOptions), content, place, path)


def _site(
    common: Mapping[str, object], content: Mapping[str, object], place: str, source_table: str, path: Path
) -> Site:
    table = {key: value for key, value in content.items() if key != "source"}
    values = {**common, **_options(table, place, path)}
    for key, name in (("base-url", "base_url"), ("out", "out")):
        if name not in values:
            raise ConfigError(f"{place}: {key} is missing")
    if "source" not in content:
        raise ConfigError(f"{place}: source is missing; add [[{source_table}]]")
    written = tables_of(content["source"], f"{place}: source", source_table)
    if not written:
        raise ConfigError(f"{place}: source is empty; add at least one [[{source_table}]]")
    sources = tuple(_source(source, f"{place}, source {number}", path) for number, source in enumerate(written, 1))
    return _make_group(Site, {**values, "sources": sources}, place)


def _source(content: Mapping[str, object], place: str, path: Path) -> Source:
    kinds = [kind for kind in KINDS if kind in content]
    if len(kinds) != 1:
        what = f"not {' and '.join(kinds)}" if kinds else "but has none"
        raise ConfigError(f"{place}: a source must have exactly one of {', '.join(KINDS)}, {what}")
    kind = KINDS[kinds[0]]
    values = check_table(in_file(kind), _with_text_dates(content, "defaults"), place, path)
    if kind is Query:
        values["folder"] = path.parent
    source: SourceSpec = _make_group(kind, values, place)
    return source  # type: ignore[return-value]


def _index(content: Mapping[str, object], place: str, path: Path) -> IndexSpec:
    table = dict(content)
    remote = table.pop("remote", [])
    check_keys(content, _keys(IndexSpec), place)
    if not isinstance(remote, list):
        raise ConfigError(f"{place}: remote: must be a list of URLs or tables, not {remote!r}")
    values = check_table(in_file(IndexSpec), table, place, path)
    values["remote"] = tuple(_remote(item, f"{place}: remote {number}", path) for number, item in enumerate(remote, 1))
    return _make_group(IndexSpec, values, place)


def _llms(content: object, place: str, path: Path) -> LlmsSpec:
    table = table_of(content, place)
    check_keys(table, _keys(LlmsSpec), place)
    return _make_group(LlmsSpec, check_table(in_file(LlmsSpec), table, place, path), place)


def _remote(written: object, place: str, path: Path) -> RemoteSitemap:
    table = {"loc": written} if isinstance(written, str) else table_of(written, place)
    content = {key: _text_of_date(value) for key, value in table.items()}
    return _make_group(RemoteSitemap, check_table(in_file(RemoteSitemap), content, place, path), place)


def _make_group(group: type[Group], values: Mapping[str, object], place: str) -> Group:
    try:
        return make_group(group, values)
    except UsageError as error:
        raise ConfigError(f"{place}: {error}") from None


def _with_text_dates(content: Mapping[str, object], key: str) -> dict[str, object]:
    """Return the table with the dates in one of its tables as text, since a field can have any precision."""
    table = content.get(key)
    if not isinstance(table, dict):
        return dict(content)
    return {**content, key: {name: _text_of_date(value) for name, value in table.items()}}


def _text_of_date(value: object) -> object:
    return value.isoformat() if isinstance(value, date | time) else value
