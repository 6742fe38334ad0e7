"""Values that mean the same for every option."""

from __future__ import annotations

LARGEST = 2**53
"""The largest integer of an option: all integers up to it are exact as floats and fit a 64-bit column."""

REQUIRED = object()
"""Marks an option that has no default and must be set."""
