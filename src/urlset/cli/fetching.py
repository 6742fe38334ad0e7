"""The options on fetching and reading that commands share which read targets, as two groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from urlset.cli.configured import ConfigFile, NoConfig, given_on_command_line, resolved
from urlset.cli.groups import with_group
from urlset.options import FetchingOptions, FollowingOptions, MOST_INFLATED
from urlset.options.reading import DEFAULT_MAX_DOCUMENT_BYTES

if TYPE_CHECKING:
    from urlset.options import ReadOptions
    from urlset.configfile.resolve import Resolved

USUAL = FetchOptions()
BOUNDS = ExpandOptions()


def _option(*names: str, kind: Any, default: object, about: str, metavar: str | None = None, **more: Any) -> Any:
    """One option as a parameter: its annotation and its default."""
    if default in (None, "", ()):
        more["show_default"] = False
    return Annotated[kind, typer.Option(*names, metavar=metavar, help=about, **more)], default


GROUP: dict[str, tuple[Any, Any]] = {
    "max_bytes": _option(
        "--max-bytes", kind=int, default=DEFAULT_MAX_INFLATED, metavar="BYTES", min=1, max=MOST_INFLATED,
        about="Read no more than this of a document, counted after decompression.",
    ),
    "timeout": _option(
        "--timeout", kind=float, default=USUAL.timeout, metavar="SECONDS", min=0.001,
        about="Give up a request after this time, its redirects and retries included.",
    ),
    "rate": _option(
        "--rate", kind=float | None, default=None, metavar="N", min=0.001,
        about="Ask a host at most N times a second.",
    ),
    "concurrency": _option(
        "--concurrency", kind=int, default=USUAL.concurrency, metavar="N", min=1,
        about="Make at most N requests to a host at once.",
    ),
    "retries": _option(
        "--retries", kind=int, default=USUAL.retries, metavar="N", min=0,
        about="Ask again at most N times after a fault that may pass.",
    ),
    "user_agent": _option(
        "--user-agent", kind=str, default=USUAL.user_agent, metavar="TEXT", about="The header User-Agent.",
    ),
    "header": _option(
        "--header", kind=list[str] | None, default=None, metavar="'NAME: VALUE'",
        about="Send this header to the origins of the targets, and to no other. May be given several times.",
    ),
    "auth": _option(
        "--auth", kind=str | None, default=None, metavar="USER:PASSWORD", envvar="URLSET_AUTH", show_envvar=True,
        about="Authenticate at the origins of the targets, and at no other. "
        "The variable keeps it out of the list of processes.",
    ),
    "proxy": _option(
        "--proxy", kind=str | None, default=None, metavar="URL",
        about="Ask through this proxy, instead of those of HTTP_PROXY and HTTPS_PROXY.",
    ),
    "ca_bundle": _option(
        "--ca-bundle", kind=Path | None, default=None, metavar="FILE",
        about="Trust the certificates in this file, instead of the system's.",
    ),
    "insecure": _option("--insecure", kind=bool, default=False, about="Do not check certificates."),
    "no_cache": _option(
        "--no-cache", kind=bool, default=False, about="Fetch everything anew, and keep nothing."
    ),
    "cache_dir": _option(
        "--cache-dir", kind=Path | None, default=None, metavar="FOLDER",
        about="Keep what was fetched here. `urlset cache info` shows where it is kept otherwise.",
    ),
    "allow_private": _option(
        "--allow-private", kind=bool, default=False,
        about="Allow links into private networks. Without it a private host is reached only if it is a target.",
    ),
    "config_file": (ConfigFile, None),
    "no_config": (NoConfig, False),
}  # fmt: skip
"""The group: for each parameter its annotation and its default."""


FOLLOWING: dict[str, tuple[Any, Any]] = {
    "discover": _option(
        "--discover", kind=bool, default=False,
        about="Search targets that are sites (example.com, https://example.com/) for their sitemaps, and read those.",
    ),
    "expand": _option(
        "--expand", kind=bool, default=False, about="Read the sitemaps that indexes list as well.",
    ),
    "max_depth": _option(
        "--max-depth", kind=int, default=BOUNDS.max_depth, metavar="N", min=1,
        about="With --expand, go down at most N indexes.",
    ),
    "max_documents": _option(
        "--max-documents", kind=int, default=BOUNDS.max_documents, metavar="N", min=1,
        about="With --expand, read at most N documents in all.",
    ),
    "max_total_bytes": _option(
        "--max-total-bytes", kind=int, default=BOUNDS.max_total_bytes, metavar="BYTES", min=1,
        about="With --expand, begin no further document after so many bytes in all, counted after decompression.",
    ),
}  # fmt: skip
"""The group of the commands that go on from a site, or an index, to what it has."""


@dataclass(frozen=True)
class Reading:
    """What the command line says on fetching and reading.

    Attributes:
        given: What stands on it, by the names of the configuration file's settings.
        config_file: The configuration file asked for.
        no_config: Whether none is to be read.
    """

    given: Mapping[str, Any]
    config_file: Path | None
    no_config: bool

    def settings(self, more: Mapping[str, Any] | None = None) -> Resolved:
        """Everything in force: the command line, `more` of it, over the configuration file.

        Raises:
            UsageError: Options contradict each other, or make no sense.
            ConfigError: The file cannot be read or makes no sense.
        """
        return resolved(self.config_file, self.no_config, {**self.given, **(more or {})})

    def options(self) -> ReadOptions:
        """How targets are fetched and read.

        Raises:
            UsageError: Options contradict each other, or make no sense.
            ConfigError: The file cannot be read or makes no sense.
        """
        return self.settings().options.read


def with_fetch_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options on fetching; it gets them as one parameter, `reading`."""
    return _with(command, GROUP)


def with_following_options(command: Callable[..., None]) -> Callable[..., None]:
    """As `with_fetch_options`, with those on searching sites and following indexes."""
    return _with(command, {**FOLLOWING, **GROUP})


def _with(command: Callable[..., None], options: Mapping[str, tuple[Any, Any]]) -> Callable[..., None]:
    return with_group(command, "reading", options, _reading)


def _reading(context: typer.Context, values: dict[str, Any]) -> Reading:
    config_file, no_config = values.pop("config_file"), values.pop("no_config")
    return Reading(_given(context, values), config_file, no_config)


def _given(context: typer.Context, values: Mapping[str, Any]) -> dict[str, Any]:
    given = given_on_command_line(context, values)
    if given.pop("no_cache", False):
        given["cache"] = False
    if "header" in given:
        given["header"] = tuple(given["header"])
    return given
