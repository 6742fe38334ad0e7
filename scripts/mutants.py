"""Plant faults in the source, one at a time, and count those that `make test` notices.

Each mutant changes one line of the package or of the core: a comparison, a bound, a constant, a condition, or a call
that is dropped. The choice depends on the seed alone. Mutants are planted in a copy of the checkout.

All tests run once with a probe at the place of each mutant in Python, which notes the tests that reach it. On the
mutant only these run, up to the first failure; on one in the core, or that only imports reach, those that name the
module.

Usage: python scripts/mutants.py [TESTS…] [--count 60] [--seed 1] [--tree CHECKOUT] [--list] [--only N…] [--whole]
                                 [--seconds LIMIT]
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
RUST_SHARE = 4
"""One of this many mutants is in the core."""

COMPARISONS = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
RUST = (
    (re.compile(r" < "), " <= "),
    (re.compile(r" > "), " >= "),
    (re.compile(r" == "), " != "),
    (re.compile(r" && "), " || "),
    (re.compile(r"\+ 1\b"), "+ 2"),
    (re.compile(r"\btrue\b"), "false"),
)
NOT_LOGIC = re.compile(r"^\s*(//|#\[|use |pub use |impl|fn |pub fn |pub\(|where|const |static |type )")
SKIPPED = ("/tests", "entity_names.rs", "codes.rs", "/options/fields.py")
FAILED = re.compile(r"^(?:FAILED|ERROR|SUBFAILED.*\]) (\S+)", re.MULTILINE)
PROBE = """import os
noted = set()
def note(place):
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" (")[0].partition("[")[0]
    if test and (place, test) not in noted:
        noted.add((place, test))
        with open(__file__ + ".txt", "a") as file:
            file.write(f"{place} {test}\\n")
"""
"""Notes each test that reaches a place, also in child processes, which have the variables of the test."""


@dataclass(frozen=True)
class Mutant:
    """One changed line.

    Attributes:
        path: The file, relative to the checkout.
        line: The number of the line.
        old: The line as it is.
        new: The line with the fault.
        probed: The line with a probe at that place; empty in the core.
    """

    path: str
    line: int
    old: str
    new: str
    probed: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.old.strip()}  →  {self.new.strip()}"


def main() -> int:
    """Choose the mutants, run the tests on each, and print what survived; return 0."""
    parser = argparse.ArgumentParser(description="Count the planted faults that the tests notice.")
    parser.add_argument("--count", type=int, default=60, help="number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="seed of the choice")
    parser.add_argument("--tree", type=Path, default=ROOT, help="checkout whose tests run, with the same source")
    parser.add_argument("--seconds", type=int, default=1800, help="time limit of a run; a mutant that hangs is killed")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of the mutants to run")
    parser.add_argument("--list", action="store_true", help="only print the mutants")
    parser.add_argument("--whole", action="store_true", help="run all tests on a mutant that survives")
    parser.add_argument("tests", nargs="*", default=["tests", "src"], help="the tests with probes; all by default")
    given = parser.parse_args()
    mutants = chosen(given.tree, given.count, given.seed)
    if given.list:
        print(*(f"{number} {mutant}" for number, mutant in enumerate(mutants)), sep="\n")
        return 0
    numbers = given.only or range(len(mutants))
    killed = 0
    with tempfile.TemporaryDirectory(prefix="urlset-mutants-") as folder:
        copy = Path(folder) / "tree"
        _copy(given.tree, copy)
        reaching = _reaching(copy, [mutants[number] for number in numbers], given.tests)
        for number in numbers:
            began = time.monotonic()
            mutant = mutants[number]
            tests = [sorted(reaching.get(f"{mutant.path}:{mutant.line}", ())) or _naming(copy, mutant)]
            killer = killer_of(copy, mutant, [*tests, ["tests", "src"]] if given.whole else tests, given.seconds)
            killed += killer is not None
            seconds = time.monotonic() - began
            print(
                f"{number} {'killed' if killer else 'SURVIVED'} {seconds:.0f} s {mutants[number]} {killer or ''}",
                flush=True,
            )
    print(f"{killed} of {len(numbers)} mutants killed")
    return 0


def chosen(tree: Path, count: int, seed: int) -> list[Mutant]:
    """Return the mutants of a seed, spread over all packages and the core."""
    drawn = random.Random(seed)
    packages: dict[str, list[Mutant]] = {}
    for mutant in _all(tree):
        packages.setdefault(str(Path(*Path(mutant.path).parts[:3])), []).append(mutant)
    rust = sorted(name for name in packages if name.startswith("core"))
    python = sorted(name for name in packages if not name.startswith("core"))
    # Larger packages have more mutants, and each package has one before any has several more.
    return [
        drawn.choice(packages[name])
        for group, size in ((python, count - count // RUST_SHARE), (rust, count // RUST_SHARE))
        for name in [
            *drawn.sample(group, min(size, len(group))),
            *drawn.choices(group, [len(packages[name]) for name in group], k=max(0, size - len(group))),
        ]
    ]


def _all(tree: Path) -> Iterator[Mutant]:
    for path in sorted((*tree.glob("src/urlset/**/*.py"), *tree.glob("core/src/**/*.rs"))):
        name = path.relative_to(tree).as_posix()
        if any(piece in name for piece in SKIPPED) or path.stem == "tests" or re.match(r"[a-z]{3}\d{3}_", path.name):
            continue
        text = path.read_text("utf-8")
        yield from _rust(name, text) if path.suffix == ".rs" else _python(name, text)


def _python(name: str, text: str) -> Iterator[Mutant]:
    lines = text.splitlines()

    def changed(node: ast.expr, new: str) -> Iterator[Mutant]:
        if node.lineno == node.end_lineno and "TYPE_CHECKING" not in (line := lines[node.lineno - 1]):
            # Offsets are in bytes of UTF-8.
            raw = line.encode()
            begin, end = node.col_offset, node.end_col_offset
            before, place, after = (piece.decode() for piece in (raw[:begin], raw[begin:end], raw[end:]))
            probed = f"{before}(__import__('mutant_probe').note('{name}:{node.lineno}') or {place}){after}"
            yield Mutant(name, node.lineno, line, before + new + after, probed)

    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.left, ast.expr):
            new = COMPARISONS[type(node.ops[0])]
            yield from changed(node, f"({ast.unparse(node.left)} {new} {ast.unparse(node.comparators[0])})")
        elif isinstance(node, ast.BoolOp):
            word = " or " if isinstance(node.op, ast.And) else " and "
            yield from changed(node, f"({word.join(f'({ast.unparse(one)})' for one in node.values)})")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield from changed(node.value, "None")
        elif isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant) and type(node.right.value) is int:
            yield from changed(node.right, str(node.right.value + 1))
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and type(node.value.value) is bool:
            yield from changed(node.value, str(not node.value.value))


def _rust(name: str, text: str) -> Iterator[Mutant]:
    body = text.partition("#[cfg(test)]")[0]
    for number, line in enumerate(body.splitlines(), start=1):
        if NOT_LOGIC.match(line) or "assert" in line or '"' in line:
            continue
        for pattern, new in RUST:
            if pattern.search(line):
                yield Mutant(name, number, line, pattern.sub(new, line, count=1))
                break


def _copy(tree: Path, copy: Path) -> None:
    """Copy the files in git, and what `make build` and `make docs` generated."""
    for listed in (["--cached"], ["--others", "src", "docs"]):
        names = subprocess.run(["git", "ls-files", "-z", *listed], cwd=tree, capture_output=True, check=True).stdout
        for name in filter(None, names.decode().split("\0")):
            if (tree / name).exists() and "__pycache__" not in name:
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(tree / name, copy / name, follow_symlinks=False)


def _reaching(copy: Path, mutants: Sequence[Mutant], tests: Sequence[str]) -> dict[str, set[str]]:
    """Run the tests once without a mutant, and return those that pass and reach each place of a mutant in Python."""
    texts: dict[Path, str] = {}
    for mutant in (one for one in mutants if one.probed):
        path = copy / mutant.path
        texts.setdefault(path, text := path.read_text("utf-8"))
        probed = _changed(text, mutant, mutant.probed)
        with contextlib.suppress(SyntaxError):  # In an f-string, which cannot contain its own quotes.
            ast.parse(probed)
            path.write_text(probed, "utf-8")
    probe = copy / "src" / "mutant_probe.py"
    probe.write_text(PROBE, "utf-8")
    noted = Path(f"{probe}.txt")
    noted.touch()
    status, output = _pytest(copy, None, "-n", "2", *tests)
    if status not in (0, 1):
        sys.exit(f"the tests cannot be run without a mutant:\n{output}")
    for path, text in texts.items():
        path.write_text(text, "utf-8")
    probe.unlink()
    # Tests of how the source is written fail with probes in it.
    failed = {test.partition("[")[0] for test in FAILED.findall(output)}
    reaching: dict[str, set[str]] = {}
    for place, _, test in (line.partition(" ") for line in noted.read_text("utf-8").splitlines()):
        if test not in failed:
            reaching.setdefault(place, set()).add(test)
    return reaching


def _changed(text: str, mutant: Mutant, new: str) -> str:
    lines = text.splitlines(keepends=True)
    lines[mutant.line - 1] = lines[mutant.line - 1].replace(mutant.old, new)
    return "".join(lines)


def killer_of(copy: Path, mutant: Mutant, tests: Sequence[Sequence[str]], seconds: int) -> str | None:
    """Return the first test that notices a mutant, or None; each group of tests runs if those before it pass."""
    path = copy / mutant.path
    text = path.read_text("utf-8")
    path.write_text(_changed(text, mutant, mutant.new), "utf-8")
    try:
        if path.suffix == ".rs":
            failed = _compile(copy, seconds)
            if failed is not None:
                return failed
        return next(filter(None, (_first_failure(copy, group, seconds) for group in tests)), None)
    finally:
        path.write_text(text, "utf-8")


def _compile(copy: Path, seconds: int) -> str | None:
    """Run the tests of the core, and build it into the copy."""
    target = ROOT / "core" / "target" / "mutants"
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    build = ["cargo", "build", "--manifest-path", "core/Cargo.toml", "--locked", "--quiet", "--profile", "develop"]
    for command in (["make", "test-rust"], build):
        if _run(command, copy, seconds, environment)[0]:
            return " ".join(command[:2])
    shutil.copy(target / "develop" / "lib_core.so", next((copy / "src" / "urlset").glob("_core*.so")))
    return None


def _first_failure(copy: Path, tests: Sequence[str], seconds: int) -> str | None:
    status, output = _pytest(copy, seconds, "-x", "-n", "2", *tests)
    if status == -1:
        return "time limit"
    return next(iter(FAILED.findall(output)), "pytest") if status else None


def _pytest(copy: Path, seconds: int | None, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return _run(command, copy, seconds, {**os.environ, "PYTHONPATH": str(copy / "src")})


def _naming(copy: Path, mutant: Mutant) -> list[str]:
    """The test files whose paths or texts name the module; all if there is none."""
    words = {word for word in re.split(r"\W+|_", mutant.path) if len(word) > 3} - {"urlset"}
    module = ".".join(Path(mutant.path).with_suffix("").parts[1:])
    files = sorted(path.relative_to(copy).as_posix() for path in copy.glob("tests/**/test_*.py"))
    near = [
        name for name in files if words & set(re.split(r"\W+|_", name)) or module in (copy / name).read_text("utf-8")
    ]
    return near or files


def _run(command: Sequence[str], folder: Path, seconds: int | None, environment: dict[str, str]) -> tuple[int, str]:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return -1, ""
    return done.returncode, done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(main())
