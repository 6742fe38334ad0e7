"""Checks the files that options name, so that no command destroys its input or follows a planted link."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from urlset.errors import UsageError
from urlset.files.repository_links import LEADS_OUT, leads_out
from urlset.options.declare import Option, OptionGroup, options_of


def check_files(options: OptionGroup) -> None:
    """Check that no option names a file to write that another option names, whatever the spelling of its path.

    Raises:
        UsageError: A file would be overwritten that is an input, or is written twice, or a link leads out of the
            repository.
    """
    declared = options_of(type(options))
    for each in declared:
        for path in _paths(each, options):
            if leads_out(path):
                raise UsageError(f"{path} {LEADS_OUT}")
    outputs = [(each, path) for each in declared if each.facts.is_output for path in _files(each, options)]
    if not outputs:
        return
    inputs = [path for each in declared if not each.facts.is_output for path in _files(each, options)]
    for number, (option, output) in enumerate(outputs):
        if any(output.samefile(path) for path in inputs):
            raise UsageError(f"{output} is an input; name another file for --{option.key}")
        if any(output.samefile(path) for _, path in outputs[:number]):
            raise UsageError(f"{output} is written twice; name another file for --{option.key}")


def _files(option: Option, options: OptionGroup) -> Iterator[Path]:
    """Yield the regular files that exist and that a value names."""
    yield from filter(_is_file, _paths(option, options))


def _paths(option: Option, options: OptionGroup) -> Iterator[Path]:
    """Yield the paths that a value may name."""
    value = getattr(options, option.name)
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, str | Path):
            text = str(item)
            # FORMAT:FILE is written; @FILE, STORE@RUN, and HOST=FILE are read.
            more = (
                (text.partition(":")[2],)
                if option.facts.is_output
                else (text.removeprefix("@"), text.rpartition("@")[0], text.partition("=")[2])
            )
            yield from map(Path, filter(None, (text, *more)))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # not a path, such as a long query
        return False
