"""Messages of Spark's exceptions, without plans and traces."""

from __future__ import annotations

from typing import Any

OUT_OF_MEMORY = "Spark ran out of memory; raise spark.executor.memory, or spark.driver.memory if it runs locally"


def first_line(error: Exception) -> str:
    """Return the message of an exception of Spark."""
    exception = getattr(error, "java_exception", None)
    if exception is not None:
        return _of_java(exception)
    lines = [line for line in str(error).split("\n\nJVM stacktrace", 1)[0].splitlines() if line.strip()]
    if any(line.startswith("Traceback ") for line in lines):
        # Of an exception on an executor, the last line that is not indented is the message.
        return next(line for line in reversed(lines) if not line.startswith((" ", "\t")))
    return lines[0].strip() if lines else type(error).__name__


def _of_java(exception: Any) -> str:
    """Return the message of the innermost exception: the others only say which job failed."""
    while exception.getCause() is not None:
        exception = exception.getCause()
    message = str(exception.getMessage() or "").strip()
    if "OutOfMemoryError" in f"{exception.getClass().getName()} {message}":
        return OUT_OF_MEMORY
    return message.splitlines()[0] if message else str(exception.getClass().getSimpleName())
