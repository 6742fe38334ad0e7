"""What is in force: the command line over the file, the file over the profile, the profile over the defaults."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.config import ExpandOptions, FetchOptions, ReadOptions, ValidateOptions, header_of, masked
from urlset.configfile.load import Loaded, find, load
from urlset.configfile.settings import KEYS, default_of
from urlset.configfile.values import shown
from urlset.errors import ConfigError, MisuseError
from urlset.rules.adjust import changes_of
from urlset.rules.templates import LIMITS, USUAL_LIMITS

if TYPE_CHECKING:
    from collections.abc import Mapping

PATHS = ("baseline", "ca_bundle", "cache_dir")
"""Settings that are paths; those of the file are meant from its folder."""

DEFAULT = "default"
"""Origin of what nobody said anything about."""


@dataclass(frozen=True, slots=True)
class InForce:
    """One value that is in force.

    Attributes:
        key: Its key, as the file writes it; `limits.max-entries` for a limit.
        value: The value.
        origin: Where it comes from: the file, the option, the profile, or `default`.
    """

    key: str
    value: object
    origin: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """The configuration of a run.

    Attributes:
        options: For the pipeline.
        baseline: The baseline file; None for none.
        folder: Where globs are meant from: the folder of the file, or the working directory.
        path: The configuration file; None for none.
        loaded: The configuration file, read; None for none.
        in_force: Every value with its origin.
        audit: What the file and the command line say of an audit, by the names of its options.
    """

    options: ValidateOptions
    baseline: Path | None
    path: Path | None
    loaded: Loaded | None
    in_force: tuple[InForce, ...]
    audit: Mapping[str, Any] = field(default_factory=dict)


def configuration(file: Path | None, *, search: bool = True, start: Path | None = None) -> Loaded | None:
    """The configuration file of a run, read.

    Args:
        file: The file asked for; None to look for one.
        search: Whether to look for one.
        start: Where to look from; the working directory unless given.

    Raises:
        ConfigError: It cannot be read or makes no sense.
    """
    if file is None:
        file = find(start or Path.cwd()) if search else None
    return None if file is None else load(file)


def resolve(loaded: Loaded | None, given: Mapping[str, Any]) -> Resolved:
    """Puts the file and the command line together.

    Args:
        loaded: The file; None for none.
        given: What the command line says, by names of `Settings`; only what was really given.

    Raises:
        ConfigError: Values of the file make no sense together.
    """
    values: dict[str, Any] = {}
    in_force = []
    for key, setting in KEYS.items():
        name = setting.name
        written = None if loaded is None else getattr(loaded.settings, name)
        if name in given:
            values[name], origin = given[name], f"--{key}"
        elif written is not None and loaded is not None:
            values[name], origin = written, shown(loaded.path)
        else:
            values[name], origin = default_of(key), DEFAULT
        if name in PATHS and values[name] is not None:
            is_of_file = loaded is not None and name not in given
            values[name] = _path(values[name], loaded.path.parent if loaded and is_of_file else None)
        if key not in ("limits", "audit"):
            in_force.append(InForce(key, _without_secrets(name, values[name]), origin))
    in_force += _limits_in_force(values, loaded)
    audit, audit_in_force = _audit(loaded, given.get("audit") or {})
    in_force += audit_in_force
    try:
        options = _options(values, None if loaded is None else loaded.folder)
    except ConfigError:
        raise
    except MisuseError as error:
        raise ConfigError(f"{shown(loaded.path)}: {error}") if loaded else error from None
    return Resolved(
        options, values["baseline"], None if loaded is None else loaded.path, loaded, tuple(in_force), audit
    )


def _options(values: Mapping[str, Any], folder: Path | None) -> ValidateOptions:
    return ValidateOptions(
        select=values["select"],
        ignore=values["ignore"],
        fail_on=values["fail_on"],
        max_examples=values["max_examples"],
        read=_reading(values),
        profile=values["profile"],
        severity=values["severity"],
        document_ignores=values["per_document_ignores"],
        globs_from=folder,
        limits=values["limits"],
        required_urls=values["required_urls"],
        require=values["require"],
        rules=values["rule"],
        max_warnings=values["max_warnings"],
        xsd=_beside(values["xsd"], folder),
        preview=values["preview"],
        agents=values["agents"],
    )


def _reading(values: Mapping[str, Any]) -> ReadOptions:
    bounds = ExpandOptions(**{name: values[name] for name in ("max_depth", "max_documents", "max_total_bytes")})
    return ReadOptions(
        max_inflated=values["max_bytes"],
        fetch=_fetching(values),
        discover=values["discover"],
        expand=bounds if values["expand"] else None,
        robots=values["robots"],
    )


def _beside(path: str | Path | None, folder: Path | None) -> Path | None:
    """A path as the configuration file means it, from its own folder; one of the command line comes as a `Path`."""
    if path is None or isinstance(path, Path):
        return path
    return Path(path) if folder is None else folder / path


def _fetching(values: Mapping[str, Any]) -> FetchOptions:
    headers = tuple(header_of(text) for text in values["header"])
    same = (
        "timeout", "connect_timeout", "read_timeout", "max_bytes", "retries", "rate", "concurrency", "user_agent",
        "auth", "proxy", "ca_bundle", "insecure", "cache", "cache_dir", "allow_private",
    )  # fmt: skip
    return FetchOptions(headers=headers, **{name: values[name] for name in same})


def _path(value: str | Path, folder: Path | None) -> Path:
    path = Path(value).expanduser()
    return path if folder is None else folder / path


def _without_secrets(name: str, value: Any) -> object:
    """A value as it may be shown."""
    if name == "build" and value is not None:
        return tuple(f"{site.base_url} in {site.out}" for site in value.sites)
    if name == "auth" and value is not None:
        return "***"
    if name == "header":
        return tuple(f"{text.partition(':')[0].strip()}: ***" for text in value)
    if name == "proxy" and value is not None:
        return masked(value)
    return str(value) if isinstance(value, Path) else value


def _audit(loaded: Loaded | None, given: Mapping[str, Any]) -> tuple[dict[str, Any], list[InForce]]:
    """What is in force of an audit: the command line over the file, the file over the defaults."""
    from urlset.configfile.audit_keys import DEFAULTS

    written = {} if loaded is None else loaded.settings.audit or {}
    values: dict[str, Any] = {}
    in_force = []
    for name, usual in DEFAULTS.items():
        key = name.replace("_", "-")
        if name in given:
            values[name], origin = given[name], f"--{key}"
        elif name in written and loaded is not None:
            values[name], origin = written[name], shown(loaded.path)
        else:
            values[name], origin = usual, DEFAULT
        in_force.append(InForce(f"audit.{key}", _without_secrets(name, values[name]), origin))
    return values, in_force


def _limits_in_force(values: Mapping[str, Any], loaded: Loaded | None) -> list[InForce]:
    by_profile = changes_of(values["profile"]).limits
    found = []
    for name in sorted(LIMITS):
        if name in values["limits"] and loaded is not None:
            value, origin = values["limits"][name], shown(loaded.path)
        elif name in by_profile:
            value, origin = by_profile[name], f"profile {values['profile']}"
        else:
            value, origin = USUAL_LIMITS[name], DEFAULT
        found.append(InForce(f"limits.{name.replace('_', '-')}", value, origin))
    return found
