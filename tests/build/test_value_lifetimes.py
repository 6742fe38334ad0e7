"""Texts of an entry that its own dictionary lets go of while they are read."""

import os
import subprocess
import sys

SCRIPT = """
from urlset import stream

class Key:
    # Taken for the key that is looked up; when they are compared, the URL goes from the dictionary.
    def __init__(self, entry):
        self.entry = entry

    def __hash__(self):
        return hash("lastmod")

    def __eq__(self, other):
        self.entry["loc"] = "https://example.com/other"
        return True

def entries():
    for number in range(200):
        entry = {"loc": "https://example.com/" + "a" * 500 + str(number)}
        entry[Key(entry)] = "2024-01-01"
        yield entry

document = b"".join(stream(entries())).decode()
print(document.count("<loc>https://example.com/" + "a" * 500), document.count("<url>"))
"""


def test_a_key_that_replaces_the_url_when_it_is_compared() -> None:
    # Freed memory is overwritten by the debugging allocator, so that a text that was let go of cannot look right.
    ran = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", SCRIPT],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONMALLOC": "debug"},
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == ["200", "200"]
