"""`urlset cache info` and `urlset cache clear`: show or empty the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec, NoOptions
from urlset.cli.show import Format, format_option, output_option
from urlset.errors import ExitCode
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import option_group
from urlset.options.fetching import CacheOptions

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(CacheOptions, ConfiguringOptions):
    """Options of `urlset cache info`."""

    format: Format = format_option(Format.TEXT)


@option_group
class ClearOptions(Options):
    """Options of `urlset cache clear`."""

    stores: bool = output_option(False, "Also remove the stores of audited directories, with all of their runs")


def info(configuration: ResolvedOptions[Options]) -> ExitCode:
    return _show(configuration.options, clear=False)


def clear(configuration: ResolvedOptions[ClearOptions]) -> ExitCode:
    return _show(configuration.options, clear=True, clears_stores=configuration.options.stores)


def _show(options: Options, *, clear: bool, clears_stores: bool = False) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.errors import OutputError, reason_of
    from urlset.fetch.cache import Cache
    from urlset.files.user_folders import cache_folder
    from urlset.model.reference import CacheState
    from urlset.store.cached_stores import cached_stores, remove_cached_stores

    cache = Cache(options.cache_dir or cache_folder())
    try:
        info = cache.clear() if clear else cache.info()
    except OSError as error:
        raise OutputError(f"{error.filename}: cannot be removed: {reason_of(error)}") from None
    try:
        removed, kept = remove_cached_stores() if clears_stores else (None, [])
        stores = cached_stores()
    except OSError as error:
        raise OutputError(f"{error.filename}: cannot be read: {reason_of(error)}") from None
    output = Output()
    output.show(
        "cache", options.format, CacheState(info.folder, info.entries, info.bytes, clear, stores, removed), output.style
    )
    if kept:
        raise OutputError("; ".join(kept))
    return ExitCode.CLEAN


INFO = CommandSpec(
    options=Options,
    run=info,
    about="Show the directory and size of the HTTP cache, and of the stores of audited directories.",
    examples=("urlset cache info",),
)

CLEAR = CommandSpec(
    options=ClearOptions,
    run=clear,
    about="""Empty the HTTP cache and show how much was removed.

    The stores of audited directories stay, unless --stores is given: `urlset history` lists their runs.""",
    examples=("urlset cache clear", "urlset cache clear --stores", "urlset cache clear --set network.cache-dir=.cache"),
)

COMMAND = CommandSpec(
    options=NoOptions,
    run=None,
    about="""Show or empty the HTTP cache, and remove the stores of audited directories.

    A response is cached if it has a version (ETag or Last-Modified). The next run sends a conditional request, and uses
    the cached body if the version is the same. Responses to requests with secrets are not cached.

    `urlset audit DIRECTORY` keeps its runs in a store in the user's cache, unless --store names a file.

    URLSET_CACHE_DIR also sets the directory.""",
    examples=("urlset cache info", "urlset cache clear"),
    commands={"info": INFO, "clear": CLEAR},
)
