"""Candidates, and pairs of them, as plain data."""

from __future__ import annotations

from typing import Any

from racing.core.candidate import Candidate
from racing.report.paired import Paired

Data = dict[str, Any]
"""Plain data with fixed keys."""


def candidate_data(candidate: Candidate) -> Data:
    """A candidate by name and values."""
    return {"name": str(candidate), "values": dict(candidate.values)}


def pair_data(pair: Paired) -> Data:
    """The difference of two candidates, and the number of instances.

    The improvement and its interval are those of the instances on which neither failed; None where
    there are none, or too few for an interval. It is a median, or where all costs are 0 or 1 the
    difference of the shares that are right.
    """
    low, high = pair.interval or (None, None)
    return {
        "instances": pair.instances,
        "groups": pair.groups,
        "failures_winner": pair.own_failures,
        "failures_against": pair.other_failures,
        "evidence": pair.evidence,
        "improvement": None if pair.gain is None else pair.gain.estimate,
        "improvement_low": low,
        "improvement_high": high,
        "level": pair.overall.level,
        **fields(pair.superiority, "wins", "ties", "losses"),
        "wilcoxon_p": pair.test.pvalue,
        "mcnemar_p": pair.mcnemar,
        "right_winner": None if pair.right is None else pair.right[0],
        "right_against": None if pair.right is None else pair.right[1],
    }


def fields(record: object, *names: str) -> Data:
    """Some fields of a record, by name."""
    return {name: getattr(record, name) for name in names}
