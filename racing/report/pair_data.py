"""Candidates as plain data."""

from __future__ import annotations

from typing import Any

from racing.core.candidate import Candidate

Data = dict[str, Any]
"""Plain data with fixed keys."""


def candidate_data(candidate: Candidate) -> Data:
    """A candidate by name and values."""
    return {"name": str(candidate), "values": dict(candidate.values)}


def fields(record: object, *names: str) -> Data:
    """Some fields of a record, by name."""
    return {name: getattr(record, name) for name in names}
