"""`deploy-check` names each planted fault of examples/deploy with its cause, and accuses no harmless change."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from urlset.model.deploy_check import DeployCheck
from urlset.options.auditing import AuditOptions
from urlset.options.deployment import DeployCheckOptions
from urlset.pipeline.audit import audit
from urlset.pipeline.deploy_check import deploy_check

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "deploy" / "serve.py"))
FAULTS: list[dict[str, Any]] = EXAMPLE["TABLE"]["fault"]
HARMLESS: list[str] = [each["name"] for each in EXAMPLE["TABLE"]["harmless"]]


class Deployment(NamedTuple):
    """The example: the build, its server, and a store with an audit of the earlier build."""

    site: Any
    folder: Path
    store: Path

    def check(self, *faults: str, **given: Any) -> DeployCheck:
        self.site.faults = list(faults)
        options = {"retries": 0, "cache": False} | given
        return deploy_check(self.folder, self.site.origin, DeployCheckOptions(**options))


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    folder = tmp_path_factory.mktemp("deployment")
    with EXAMPLE["serving"]() as site:
        site.faults = ["stale-site"]
        store = folder / "urlset.duckdb"
        reading: dict[str, Any] = {"retries": 0, "cache": False, "discover": True, "expand": True}
        audit([site.origin], AuditOptions(store=store, select=("LOC001",), score=False, **reading))
        EXAMPLE["write"](folder / "dist", site.files)
        yield Deployment(site, folder / "dist", store)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["name"])
def test_each_planted_fault_is_named_with_its_cause(deployment: Deployment, fault: dict[str, Any]) -> None:
    result = deployment.check(fault["name"], store=deployment.store)
    texts = [example.message for finding in result.report.findings for example in finding.examples]
    found = [finding for finding in result.report.findings if finding.rule.code == fault["rule"]]
    assert len(found) == 1, texts
    [difference] = [each for each in result.differences if each.text in [one.message for one in found[0].examples]]
    assert (difference.url, difference.cause) == (f"{deployment.site.origin}{fault['path']}", fault.get("cause")), texts
    assert fault["says"] in difference.text
    # The sitemap that lists a page that nobody built is another one as well.
    others = {"DEP009"} if fault["name"] == "unbuilt-page" else set()
    assert {finding.rule.code for finding in result.report.findings} == {fault["rule"]} | others


@pytest.mark.parametrize("change", [[], *([name] for name in HARMLESS), HARMLESS], ids=lambda names: "-".join(names))
def test_no_harmless_change_is_a_difference(deployment: Deployment, change: list[str]) -> None:
    result = deployment.check(*change)
    assert result.differences == ()
    assert (result.pages, result.files, result.compared, result.equal) == (5, 3, 8, 8)
    assert result.not_compared == ()
