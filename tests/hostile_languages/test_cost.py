"""Each small language that urlset reads takes time in proportion to its text, whatever the text is.

Each shape is read at a size and at four times the size, which takes four times as long, or sixteen times in quadratic
time. The sizes are small, so that all shapes together take seconds: in quadratic time, most would take minutes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from tests.cases import case_table

from urlset.build.sources import front_matter
from urlset.clients.rsl import parse_rsl
from urlset.structured import decode_toml

Read = Callable[[str], object]
Shape = tuple[Read, Callable[[int], str], int]


def rsl(text: str) -> object:
    return parse_rsl(f'<rsl xmlns="https://rslstandard.org/rsl">{text}</rsl>'.encode())


def license_with(text: str) -> str:
    return f'<content url="/"><license><permits type="usage">search</permits>{text}</license></content>'


def yaml(text: str) -> object:
    return front_matter.parse(f"---\n{text}\n---\n")


SHAPES: dict[str, Shape] = {
    "RSL: line feeds": (rsl, lambda n: license_with("<payment>" + "\n" * n + "</payment>"), 20_000),
    "RSL: references": (rsl, lambda n: license_with("<payment>" + "&#65;" * n + "</payment>"), 8_000),
    "RSL: amounts": (rsl, lambda n: license_with("<payment>" + "<amount>1</amount>" * n + "</payment>"), 4_000),
    "RSL: a long namespace": (rsl, lambda n: f'<a xmlns="{"x" * n}">{"<b/>" * n}</a>', 10_000),
    "RSL: licenses": (rsl, lambda n: f'<content url="/{"a" * n}">{"<license/>" * n}</content>', 2_000),
    "RSL: nesting": (rsl, lambda n: "<a>" * n + "</a>" * n, 5_000),
    "TOML: dots": (decode_toml, lambda n: ".".join("a" * n) + "=1", 20_000),
    "TOML: quoted dots": (decode_toml, lambda n: ".".join(['"a"'] * n) + "=1", 10_000),
    "TOML: dots of a table": (decode_toml, lambda n: f"[{' . '.join('a' * n)}]", 20_000),
    "TOML: short keys": (decode_toml, lambda n: "".join(f"a.b.c.d{i}=1\n" for i in range(n)), 400),
    "TOML: tables": (decode_toml, lambda n: "[[a]]\n" * n, 1_000),
    "TOML: quotes": (decode_toml, lambda n: '"' * n, 20_000),
    "TOML: backslashes": (decode_toml, lambda n: 'a="' + "\\" * n, 5_000),
    "TOML: nesting": (decode_toml, lambda n: "a=" + "[" * n, 20_000),
    "TOML: digits": (decode_toml, lambda n: "a=" + "9" * n, 20_000),
    "YAML: merges": (yaml, lambda n: "a0: &a0 {x: 1}\n" + "".join(_merge(i) for i in range(1, n)), 40),
    "YAML: aliases": (yaml, lambda n: "a0: &a0 [x]\n" + "".join(_alias(i) for i in range(1, n)), 40),
    "YAML: one merge of many": (yaml, lambda n: f"a: &a {_flow(n)}\nb:\n  <<: [{'*a,' * n}]", 300),
}


def _merge(number: int) -> str:
    return f"a{number}: &a{number}\n  <<: [*a{number - 1}, *a{number - 1}]\n"


def _alias(number: int) -> str:
    return f"a{number}: &a{number} [*a{number - 1}, *a{number - 1}]\n"


def _flow(size: int) -> str:
    return "{" + ", ".join(f"k{number}: 1" for number in range(size)) + "}"


def seconds(read: Read, text: str) -> float:
    """Return the least time of three, since the machine may have other work."""
    took = []
    for _ in range(3):
        began = time.process_time()
        with suppress(ValueError):
            read(text)
        took.append(time.process_time() - began)
    return min(took)


@case_table("read,shape,size", SHAPES)
def test_time_grows_with_the_text(read: Read, shape: Callable[[int], str], size: int) -> None:
    small, large = seconds(read, shape(size)), seconds(read, shape(4 * size))
    # Below some milliseconds, the clock decides.
    assert large < 8 * small + 0.02, f"{small * 1000:.1f} ms, and {large * 1000:.1f} ms for four times the text"
