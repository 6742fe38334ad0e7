"""The output of commands: lines to standard output, messages to standard error, in color on a terminal."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterable
from itertools import islice
from typing import IO, TYPE_CHECKING, AnyStr, TextIO

from urlset.errors import OutputError, reason_of
from urlset.report.paint import Paint, colored, plain
from urlset.text.ci_log import check_bytes, is_log, no_command
from urlset.text.safe import safe

if TYPE_CHECKING:
    from urlset.cli.show import Color
    from urlset.report.style import Style

LINES_AT_ONCE = 512
"""Lines that are written together: one call per line would cost more than reading the line."""

CHANGED = (
    "the output has text that the runner of this CI system would take as a command; it is shown with \\u0023 for # or "
    "\\u003a for :, and unchanged if you write it to a file"
)

_ASCII = str.maketrans({"…": "...", "–": "-"})


class Output:
    """Standard output, and what it can display."""

    def __init__(self, color: Color | None = None, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self.is_terminal = self._stream.isatty()
        self.is_log = is_log(self._stream)
        self._is_changed = False
        self.paint: Paint = colored if _wants_color(color, self._stream) else plain
        self.unicode = (self._stream.encoding or "").lower().replace("-", "").startswith("utf")
        if isinstance(self._stream, io.TextIOWrapper):
            # A character that the encoding of the terminal lacks is escaped instead of ending the run.
            self._stream.reconfigure(errors="backslashreplace")

    def complain(self, messages: Iterable[str], *, has_messages: bool) -> None:
        """Write messages to standard error, unless this output has them and whoever reads it reads both.

        That is the case on a terminal, in one file, and with pipes.
        """
        is_read_with_them = self.is_terminal and sys.stderr.isatty()
        if not has_messages or not (is_read_with_them or _are_read_together(self._stream, sys.stderr)):
            for message in messages:
                complain(message)

    def write(self, lines: Iterable[str], *, is_commands: bool = False) -> bool:
        """Write lines. In the log of a CI system, text that it would take as a command is escaped, with a message.

        Args:
            is_commands: Whether they are commands for the CI system.

        Returns:
            False if the pipe was closed by its reader (`| head`); the rest is then not written.

        Raises:
            OutputError: The output cannot be written.
        """
        remaining = iter(lines)
        while block := list(islice(remaining, LINES_AT_ONCE)):
            text = "\n".join(block) + "\n"
            if self.is_log and (safe_text := no_command(text, is_commands=is_commands)) != text:
                text = safe_text
                if not self._is_changed:
                    self._is_changed = True
                    complain(CHANGED)
            if not self._write(self._stream, text if self.unicode else text.translate(_ASCII)):
                return False
        return True

    def write_bytes(self, content: bytes) -> bool:
        """Write a document unchanged, whatever the encoding of the stream.

        Returns:
            As `write`.

        Raises:
            OutputError: The output cannot be written, or must not be written to a terminal or the log of a CI system.
        """
        check_bytes(content, self._stream)
        return self._write(self._stream.buffer, content)

    def _write(self, stream: IO[AnyStr], content: AnyStr) -> bool:
        try:
            stream.write(content)
            stream.flush()
        except BrokenPipeError:
            send_nowhere(self._stream)
            return False
        except OSError as error:
            send_nowhere(self._stream)
            raise OutputError(f"output cannot be written: {reason_of(error)}") from error
        return True

    @property
    def style(self) -> Style:
        """The style that the stream allows."""
        from urlset.report.style import Style

        return Style(paint=self.paint, unicode=self.unicode and not _wants_ascii(), is_terminal=self.is_terminal)

    def show(self, command: str, form: str, model: object, style: Style) -> bool:
        """Write the output of a command in a format of `report.formats`.

        Returns:
            As `write`.

        Raises:
            OutputError: The output cannot be written.
        """
        from urlset.report.formats import render

        return self.write(render(command, form, model, style), is_commands=form == "github")


def send_nowhere(stream: TextIO) -> None:
    """Discard what a stream still buffers, since it cannot be written.

    Python flushes standard output once more at exit, and would report the error again.
    https://docs.python.org/3/library/signal.html#note-on-sigpipe
    """
    try:
        descriptor = stream.fileno()
    except io.UnsupportedOperation:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def complain(message: str) -> None:
    """Write `urlset: message` to standard error, escaped for a terminal and for the log of a CI system."""
    write_error(f"urlset: {message}")


def write_error(line: str) -> None:
    """Write a line to standard error, escaped for a terminal and for the log of a CI system."""
    encoding = sys.stderr.encoding or "ascii"
    text = safe(line)
    if is_log(sys.stderr):
        text = no_command(text)
    sys.stderr.write(f"{text}\n".encode(encoding, "backslashreplace").decode(encoding))
    sys.stderr.flush()


def paint_of_help(*, is_allowed: bool = True) -> Paint:
    return colored if is_allowed and _is_color_terminal(sys.stdout) else plain


def _wants_ascii() -> bool:
    """Return whether the locale is C, for which Python writes UTF-8 that the terminal may not show."""
    locale = next((value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := os.environ.get(name))), "")
    return locale in ("C", "POSIX")


def _wants_color(color: Color | None, stream: TextIO) -> bool:
    return _is_color_terminal(stream) if color == "auto" else color == "always"


def _is_color_terminal(stream: TextIO) -> bool:
    # https://no-color.org/ and https://force-color.org/
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if os.environ.get("TERM") == "dumb" or not stream.isatty():
        return False
    # The old Windows console prints escape sequences literally; terminals that set these variables do not.
    return os.name != "nt" or bool(os.environ.get("WT_SESSION") or os.environ.get("TERM"))


def _are_read_together(stream: TextIO, other: TextIO) -> bool:
    """Return whether two streams lead to one file, both to pipes, as in the logs of CI, or both to no file at all."""
    first, second = _status_of(stream), _status_of(other)
    if first is None or second is None:
        return first is second
    is_one = first.st_ino != 0 and (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
    return is_one or (stat.S_ISFIFO(first.st_mode) and stat.S_ISFIFO(second.st_mode))


def _status_of(stream: TextIO) -> os.stat_result | None:
    """Return what a stream leads to; None if it is not a file of the system."""
    try:
        return os.fstat(stream.fileno())
    except (OSError, ValueError):
        return None
