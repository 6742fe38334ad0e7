"""Names of modules: two share one only if a newcomer sees why."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import urlset

PACKAGE = Path(urlset.__file__).parent
LAYERS = ("cli", "pipeline", "stages", "model", "options", "report", "store")
"""Folders in which a module has the name of the command or subject that it serves."""
SUBJECTS = {
    "cache.py": "fetch has the HTTP cache, cli shows it",
    "media.py": "probe requests what store selects",
    "policy.py": "clients compares the policy of a site",
    "redirects.py": "comparison checks a redirect map",
    "reported.py": "coverage reads what engines reported",
    "signing.py": "fetch signs requests",
    "stable.py": "build has the stable layout",
}
"""Modules of a capability that have the name of their result in `model`, or of the command that shows it."""


def test_modules_share_a_name_only_for_one_subject() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in PACKAGE.rglob("*.py"):
        folder = path.parent.relative_to(PACKAGE).as_posix()
        # Renderers of a capability, and the same engine on Spark.
        if path.name != "__init__.py" and not path.name.startswith("render") and folder != "engine/spark":
            places[path.name].append(folder)
    shared = {
        name: [folder for folder in folders if folder not in LAYERS]
        for name, folders in places.items()
        if len(folders) > 1
    }
    beside = {name: folders for name, folders in shared.items() if folders}
    assert {name for name, folders in beside.items() if len(folders) == 1} == beside.keys() == SUBJECTS.keys(), beside


def test_few_modules_are_in_no_room() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 10
