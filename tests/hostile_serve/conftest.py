"""A store, and workbenches on it, as for the other tests of the workbench."""

from tests.serve.conftest import bench, made, own

__all__ = ["bench", "made", "own"]
