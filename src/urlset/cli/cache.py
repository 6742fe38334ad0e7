"""`urlset cache info` and `urlset cache clear`: show or empty the HTTP cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec, NoOptions
from urlset.cli.show import Format, format_option
from urlset.errors import ExitCode
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import option_group
from urlset.options.fetching import CacheOptions

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(CacheOptions, ConfiguringOptions):
    """Options of `urlset cache info` and `urlset cache clear`."""

    format: Format = format_option(Format.TEXT)


def info(configuration: ResolvedOptions[Options]) -> ExitCode:
    return _show(configuration.options, clear=False)


def clear(configuration: ResolvedOptions[Options]) -> ExitCode:
    return _show(configuration.options, clear=True)


def _show(options: Options, *, clear: bool) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.errors import OutputError, reason_of
    from urlset.fetch.cache import Cache
    from urlset.files.user_folders import cache_folder
    from urlset.model.reference import CacheState

    cache = Cache(options.cache_dir or cache_folder())
    try:
        info = cache.clear() if clear else cache.info()
    except OSError as error:
        raise OutputError(f"{error.filename}: cannot be removed: {reason_of(error)}") from None
    output = Output()
    output.show("cache", options.format, CacheState(info.folder, info.entries, info.bytes, clear), output.style)
    return ExitCode.CLEAN


INFO = CommandSpec(
    options=Options,
    run=info,
    about="Show the directory and size of the HTTP cache.",
    examples=("urlset cache info",),
)

CLEAR = CommandSpec(
    options=Options,
    run=clear,
    about="Empty the HTTP cache and show how much was removed.",
    examples=("urlset cache clear", "urlset cache clear --set network.cache-dir=.cache"),
)

COMMAND = CommandSpec(
    options=NoOptions,
    run=None,
    about="""Show or empty the HTTP cache.

    A response is cached if it has a version (ETag or Last-Modified). The next run sends a conditional request, and uses
    the cached body if the version is the same. Responses to requests with secrets are not cached.

    URLSET_CACHE_DIR also sets the directory.""",
    examples=("urlset cache info", "urlset cache clear"),
    commands={"info": INFO, "clear": CLEAR},
)
