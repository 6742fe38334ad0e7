"""Sites on the command line, given one by one or in a file with one per line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.show import DASH
from urlset.options.declare import COMMAND_LINE, OptionFacts, OptionGroup, Panel, option, option_group

if TYPE_CHECKING:
    from collections.abc import Iterator


@option_group(panel=Panel.TARGETS, faces=COMMAND_LINE)
class OriginOptions(OptionGroup):
    """The sites of a command."""

    origins: tuple[str, ...] = option(
        (),
        OptionFacts(
            has_user=True,
            help="Sites: example.com or https://example.com",
            metavar="ORIGIN",
            positional=True,
        ),
    )
    origins_from: Path | None = option(
        None,
        OptionFacts(
            help="Read more origins from FILE, one per line; - for standard input",
            metavar="FILE",
            spelling="from",
        ),
    )


def origins_of(options: OriginOptions) -> list[str]:
    """Return the origins that were given, each once, in order.

    Raises:
        UsageError: There is no origin, or one is invalid; the message names the line of the file.
        InputError: The file cannot be read.
    """
    from urlset.errors import UsageError
    from urlset.sources.user_origin import parse_origin

    file = options.origins_from
    origins = [origin for origin in options.origins if origin.strip()]
    for origin in origins:
        parse_origin(origin)
    for number, origin in _lines(file) if file is not None else ():
        try:
            parse_origin(origin)
        except UsageError as error:
            raise UsageError(f"{file}, line {number}: {error}") from None
        origins.append(origin)
    if not origins:
        what = "no site given" if file is None else f"{file} contains no site"
        raise UsageError(f"{what}; add one, such as example.com")
    return list(dict.fromkeys(origins))


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(_text(file).splitlines(), start=1):
        origin = line.partition("#")[0].strip()
        if origin:
            yield number, origin


def _text(file: Path) -> str:
    from urlset.errors import InputError, reason_of
    from urlset.files.bounded import MAX_LIST_BYTES, read_file, read_stdin

    try:
        content = read_stdin(MAX_LIST_BYTES) if file == DASH else read_file(file, MAX_LIST_BYTES)
        return content.decode("utf-8-sig")
    except OSError as error:
        raise InputError(str(file), reason_of(error)) from None
    except UnicodeDecodeError:
        raise InputError(str(file), "not a list of origins: not UTF-8") from None
