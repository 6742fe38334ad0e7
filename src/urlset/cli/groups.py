"""Options that several commands share, given to a command as one parameter."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import typer


def with_group(
    command: Callable[..., None],
    name: str,
    options: Mapping[str, tuple[Any, Any]],
    make: Callable[[typer.Context, dict[str, Any]], object],
    *,
    is_first: bool = False,
) -> Callable[..., None]:
    """Gives a command the options of a group.

    Args:
        command: The command.
        name: The parameter of the command that stands for the group.
        options: For each option its annotation and its default.
        make: Makes of the values of the options what the command gets.
        is_first: Whether the options stand before the command's own in its help; behind them otherwise.
    """
    signature = inspect.signature(command, eval_str=True)
    own = [each for each in signature.parameters.values() if each.name != name]
    wants_context = any(each.name == "context" for each in own)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    context = [] if wants_context else [inspect.Parameter("context", kind, annotation=typer.Context)]
    group = [
        inspect.Parameter(option, kind, annotation=annotation, default=default)
        for option, (annotation, default) in options.items()
    ]

    @functools.wraps(command)
    def whole(**values: Any) -> None:
        here: typer.Context = values["context"] if wants_context else values.pop("context")
        ours = {option: values.pop(option) for option in options}
        command(**values, **{name: make(here, ours)})

    needed = [each for each in own if each.default is inspect.Parameter.empty]
    rest = [each for each in own if each.default is not inspect.Parameter.empty]
    parameters = [*context, *needed, *group, *rest] if is_first else [*context, *own, *group]
    whole.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    whole.__annotations__ = {each.name: each.annotation for each in parameters}
    return whole
