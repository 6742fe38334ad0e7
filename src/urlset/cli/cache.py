"""`urlset cache`: show or empty the HTTP cache."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import Format, format_option
from urlset.errors import ExitCode
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, option_group, required
from urlset.options.fetching import CacheOptions

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


class Action(StrEnum):
    INFO = "info"
    CLEAR = "clear"


@option_group
class Options(CacheOptions, ConfiguringOptions):
    """Options of `urlset cache`."""

    action: Action = required(
        OptionFacts(
            help="info shows the size of the cache, clear empties it",
            panel=Panel.TARGETS,
            metavar="ACTION",
            faces=COMMAND_LINE,
            positional=True,
        )
    )
    format: Format = format_option(Format.TEXT)


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.errors import OutputError, reason_of
    from urlset.fetch.cache import Cache, default_folder
    from urlset.model.reference import CacheState

    options = configuration.options
    cache = Cache(options.cache_dir or default_folder())
    try:
        info = cache.clear() if options.action is Action.CLEAR else cache.info()
    except OSError as error:
        raise OutputError(f"{error.filename}: cannot be removed: {reason_of(error)}") from None
    state = CacheState(info.folder, info.entries, info.bytes, is_cleared=options.action is Action.CLEAR)
    output = Output()
    output.show("cache", options.format, state, output.style)
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show or empty the HTTP cache.

    A response is cached if it has a version (ETag or Last-Modified). The next run sends a conditional request, and uses
    the cached body if the version is the same. Responses to requests with secrets are not cached.

    URLSET_CACHE_DIR also sets the directory.""",
    examples=("urlset cache info", "urlset cache clear --set network.cache-dir=.cache"),
)
