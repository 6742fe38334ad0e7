"""A pipeline that does as it is told, so that these tests are about the command line alone."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

import urlset.pipeline
from urlset.errors import Unreadable
from urlset.model.document import InspectedDocument, InspectReport, Row
from urlset.model.finding import Example, Finding
from urlset.model.report import Report
from urlset.options.declare import OptionGroup, options_of
from urlset.rules.rule import EntryRule, Severity
from urlset.text.progress import ProgressEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Verb = TypeVar("Verb", bound=OptionGroup)

GONE = Unreadable("gone.xml", "no such file")


def finding(severity: Severity = Severity.ERROR) -> Finding:
    rule = EntryRule(
        code="TST001",
        name="test-rule",
        severity=severity,
        sources=("urlset",),
        message="Something is wrong",
        example="wrong",
        fix="Mend it.",
        table="urls",
        where="true",
    )
    example = Example(0, 3, 10, "https://example.com/é", "loc", "é", "wrong é …")
    return Finding(rule, 0, 1, (example,))


DOCUMENT: Row = {
    "document_id": 0,
    "url": "sitemap.xml",
    "kind": "urlset",
    "entries": 1,
    "bytes": 100,
    "wire_bytes": 100,
    "compression": "none",
    "encoding": "UTF-8",
    "complete": True,
    "lastmod_missing": 1,
}


@dataclass
class FakePipeline:
    """What the pipeline will answer, and what it was asked."""

    findings: list[Finding] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    error: BaseException | None = None
    targets: list[str] = field(default_factory=list)
    options: Any = None

    def validate(self, targets: Sequence[str], options: Any, progress: Callable[..., None]) -> Report:
        self._asked(targets, options)
        progress(ProgressEvent(1, 1, "sitemap.xml"))
        return Report("0.1.0", [DOCUMENT], self.findings, self.unreadable)

    def inspect(self, targets: Sequence[str], options: Any, progress: Callable[..., None]) -> InspectReport:
        self._asked(targets, options)
        progress(ProgressEvent(1, 1, "sitemap.xml"))
        return InspectReport([InspectedDocument(DOCUMENT)], self.unreadable)

    def iter_urls(
        self,
        targets: Sequence[str],
        options: Any,
        unreadable: Callable[[Unreadable], None],
        on_lines: Callable[[str, int], None],
    ) -> Iterator[str]:
        self._asked(targets, options)
        yield from self.urls
        for each in self.unreadable:
            unreadable(each)
        for name, lines in self.lines.items():
            on_lines(name, lines)

    def asked(self, verb: type[Verb]) -> Verb:
        """The options of a verb among those of the command."""
        return verb(**{each.name: getattr(self.options, each.name) for each in options_of(verb)})

    def _asked(self, targets: Sequence[str], options: Any) -> None:
        self.targets, self.options = list(targets), options
        if self.error is not None:
            raise self.error


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> FakePipeline:
    fake = FakePipeline()
    package = ModuleType("urlset.pipeline")
    package.__path__ = urlset.pipeline.__path__
    modules: dict[str, dict[str, Any]] = {
        "validate": {"validate": fake.validate},
        "inspect": {"inspect": fake.inspect, "iter_urls": fake.iter_urls},
    }
    monkeypatch.setitem(sys.modules, package.__name__, package)
    for name, functions in modules.items():
        module = ModuleType(f"{package.__name__}.{name}")
        module.__dict__.update(functions)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return fake


@pytest.fixture(name="make_finding")
def make_finding_fixture() -> Callable[..., Finding]:
    return finding


@pytest.fixture
def gone() -> Unreadable:
    return GONE
