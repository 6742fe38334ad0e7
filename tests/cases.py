"""Tables of cases: thousands of them take one test item, and each case that fails is reported by its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests import tiers


def case_table(
    names: str,
    values: Iterable[Any] | Mapping[str, Any] | Callable[[], Iterable[Any]],
    ids: Callable[[Any], object] = str,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test function once per case, as subtests of one item; `--case TEXT` selects cases by their names.

    Use it in place of `pytest.mark.parametrize` for tables of more than about 30 cases of a few milliseconds each.
    Each case has a `tmp_path` and a `monkeypatch` of its own; other fixtures are shared by all cases.

    Args:
        names: The parameters that a case fills, separated by commas.
        values: The cases by name, or without names: a value each, or a tuple if there are several parameters.
            A function returns the cases when the test runs, if they take long to make.
        ids: Gives the name of a case if `values` is not a mapping.
    """
    parameters = [name.strip() for name in names.split(",")]
    assert values

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(function)
        others = [one for name, one in signature.parameters.items() if name not in parameters]

        def run_all(*, subtests: pytest.Subtests, request: pytest.FixtureRequest, **fixtures: Any) -> None:
            given = values() if callable(values) else values
            cases = dict(given) if isinstance(given, Mapping) else _named(given, ids)
            assert cases
            wanted = str(request.config.getoption("--case"))
            some = [each for each in enumerate(cases.items()) if wanted in each[1][0]]
            if not some:
                pytest.skip(f"this table has no case with {wanted} in its name")
            mark = request.node.get_closest_marker("sampled")
            if mark is not None and not wanted:
                some = tiers.sampled(some, *mark.args)
            for number, (name, case) in some:
                filled = dict(zip(parameters, case if len(parameters) > 1 else (case,), strict=True))
                # Workers of pytest-xdist cannot send surrogates.
                with (
                    subtests.test(name.encode("ascii", "backslashreplace").decode()),
                    pytest.MonkeyPatch.context() as patch,
                ):
                    function(**_own(fixtures, number, patch), **filled)

        added = [name for name in ("subtests", "request") if name not in signature.parameters]
        run_all.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*others, *(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in added)]
        )
        run_all.__name__, run_all.__doc__, run_all.__module__ = function.__name__, function.__doc__, function.__module__
        run_all.__dict__.update(vars(function))  # its marks
        return run_all

    return decorate


def _named(values: Iterable[Any], ids: Callable[[Any], object]) -> dict[str, Any]:
    """The cases by name; a number tells apart those of one name."""
    named: dict[str, Any] = {}
    for number, value in enumerate(values):
        name = str(ids(value))
        named[f"{name} #{number}" if name in named else name] = value
    return named


def _own(fixtures: dict[str, Any], number: int, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The fixtures of one case."""
    own = dict(fixtures)
    if "monkeypatch" in own:
        own["monkeypatch"] = patch
    if isinstance(folder := own.get("tmp_path"), Path):
        own["tmp_path"] = folder / f"case-{number}"
        own["tmp_path"].mkdir()
    if "capsys" in own:
        own["capsys"].readouterr()
    return own
