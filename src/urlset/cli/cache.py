"""`urlset cache`: what is kept of what was fetched."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from urlset.cli.configured import ConfigFile, NoConfig, resolved
from urlset.cli.options import Format

if TYPE_CHECKING:
    from urlset.fetch.cache import CacheInfo

EXAMPLES = """\b
Examples:
  urlset cache info
  urlset cache clear --cache-dir .cache
"""


class Action(StrEnum):
    """What to do with the cache."""

    INFO = "info"
    CLEAR = "clear"


def cache(
    action: Annotated[Action, typer.Argument(metavar="ACTION", help="info shows how much it holds, clear empties it.")],
    cache_dir: Annotated[
        Path | None,
        typer.Option(
            "--cache-dir",
            metavar="FOLDER",
            help="The cache in this folder, instead of the one of the configuration or the platform.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[Format, typer.Option("--format", metavar="FORMAT", help="text for people, or json.")] = Format.TEXT,
    config_file: ConfigFile = None,
    no_config: NoConfig = False,
) -> None:
    """Show or empty the cache of what was fetched.

    A body is kept when its server gives it a version (ETag or Last-Modified). The next run asks whether that is still
    the version, and does not fetch it again if it is. Nothing that was fetched with a secret is kept.

    URLSET_CACHE_DIR names another folder than the platform's.
    """
    from urlset.cli.output import Output
    from urlset.errors import OutputError
    from urlset.fetch.cache import Cache, default_folder
    from urlset.safe import json_text, safe

    folder = cache_dir or resolved(config_file, no_config, {}).options.read.fetch.cache_dir or default_folder()
    kept = Cache(folder)
    try:
        info = kept.clear() if action is Action.CLEAR else kept.info()
    except OSError as error:
        raise OutputError(f"{error.filename}: cannot be removed: {error.strerror}") from None
    output = Output()
    if form is Format.JSON:
        values = {
            "version": 1,
            "folder": str(info.folder),
            "action": action.value,
            "entries": info.entries,
            "bytes": info.bytes,
        }
        output.write([json_text(values, ascii_only=not output.unicode)])
    else:
        output.write([safe(_sentence(action, info))])


def _sentence(action: Action, info: CacheInfo) -> str:
    from urlset.report.words import counted, size

    what = f"{counted(info.entries, 'body', 'bodies')}, {size(info.bytes)}"
    if action is Action.CLEAR:
        return f"removed {what} from {info.folder}"
    return f"{info.folder}: {what}"
