"""Readers and rewriters that several threads, or a file's own `read`, use at once: a clear error, and no deadlock."""

import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from urlset import _core

WITHIN = 60
"""Seconds after which a script is taken to hang. None takes more than one."""

SCRIPT = """
import threading
from urlset import _core

begun, go_on = threading.Event(), threading.Event()

class Blocking:
    pieces = [b"<urlset><url><loc>https://example.com/</loc></url></urlset>"]
    def read(self, size):
        begun.set()
        assert go_on.wait(30)
        return self.pieces.pop() if self.pieces else b""

one = _core.{kind}(Blocking())
pieces = []
worker = threading.Thread(target=lambda: pieces.extend(one))
worker.start()
assert begun.wait(30)
for call in (one.{result}, lambda: next(one)):
    try:
        call()
    except RuntimeError as error:
        print(error)
go_on.set()
worker.join()
assert len(pieces) == 1
print("then", one.{result}()["kind"])
"""


@pytest.mark.parametrize(("kind", "result"), [("Reader", "facts"), ("Rewriter", "result")])
def test_asking_while_another_thread_waits_for_a_python_file(kind: str, result: str) -> None:
    # In a process of its own: a deadlock would hold the interpreter's lock, and no watchdog could run beside it.
    script = SCRIPT.format(kind=kind, result=result)
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=WITHIN, check=False)
    assert ran.returncode == 0, ran.stderr
    busy = f"the {kind.lower()} is in use by another call; wait until that returns"
    assert ran.stdout.splitlines() == [busy, busy, "then urlset"]


@pytest.mark.parametrize("kind", ["Reader", "Rewriter"])
def test_a_file_that_asks_its_own_reader(kind: str) -> None:
    errors: list[str] = []

    class Asking:
        def read(self, _size: int) -> bytes:
            for call in calls:
                with pytest.raises(RuntimeError) as caught:
                    call()
                errors.append(str(caught.value))
            return b""

    one: Any = getattr(_core, kind)(Asking())
    ask: Callable[[], object] = one.facts if kind == "Reader" else one.result
    calls: list[Callable[[], object]] = [ask, lambda: next(one)]
    done = threading.Thread(target=lambda: list(one), daemon=True)
    done.start()
    done.join(WITHIN)
    assert not done.is_alive()
    assert set(errors) == {f"the {kind.lower()} is in use by another call; wait until that returns"}
