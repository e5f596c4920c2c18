"""A team on fresh instances: as plain data, and in words."""

from __future__ import annotations

import math

import numpy as np

from racing.analysis.portfolio.unseen import UnseenTeam
from racing.base.quantities import Direction, score_of
from racing.base.words import count, listed, number, percent
from racing.core.gain import Gain
from racing.report.names import best_of_runs, refer
from racing.report.pair_data import Data, candidate_data, fields
from racing.report.paired import FEW


def unseen_team_data(found: UnseenTeam, direction: Direction) -> Data:
    """A team against the single best and the default; scores are in the user's direction."""
    finite = found.best[np.isfinite(found.best)]
    return {
        "team": [{"id": one.id, **candidate_data(one)} for one in found.team],
        "single_best": candidate_data(found.single),
        "default": None if found.default is None else candidate_data(found.default),
        "instances": len(found.instances),
        "failures": int(np.isinf(found.best).sum()),
        "mean": score_of(float(finite.mean()), direction) if len(finite) else None,
        "over_single": _gain(found.over_single),
        "over_default": _gain(found.over_default),
        "over_single_repeated": _gain(found.single_repeated),
        "over_default_repeated": _gain(found.default_repeated),
        "answer": unseen_team_sentences(found),
        "costs": [
            {"instance": name, "scores": [score_of(float(cost), direction) for cost in row]}
            for name, row in zip(found.instances, found.costs, strict=True)
        ],
    }


def _gain(one: Gain | None) -> Data | None:
    if one is None:
        return None
    return {
        **fields(one, "mean", "low", "high", "confidence", "problems"),
        "instances": one.pairs,
        "failures_team": one.winner_failures,
        "failures_other": one.baseline_failures,
    }


def unseen_team_sentences(found: UnseenTeam) -> tuple[str, ...]:
    """The gains of a team over the single best and over the default.

    Each is beside as many runs as the team has, where these were made; beside one run it is named
    as what it is.
    """
    others = [(found.single, found.over_single, found.single_repeated)]
    if found.default not in (None, found.single) and found.over_default is not None:
        assert found.default is not None
        others.append((found.default, found.over_default, found.default_repeated))
    where = f"On {count(len(found.instances), 'instance')} that the run has not seen"
    names, k = listed([refer(one) for one in found.team], 12), len(found.team)
    return tuple(
        f"{where}, the team {names} {_beside(refer(other), k, once, again)}"
        for other, once, again in others
    )


def _beside(name: str, k: int, once: Gain, again: Gain | None) -> str:
    if again is None:
        return f"{_said(once, f'one run of {name}')} {best_of_runs(k, name)}"
    said = _said(again, f"the best of {k} runs of {name}")
    if once.mean is None:
        return said
    side = "better" if once.mean >= 0 else "worse"
    return f"{said} Beside one run it is {number(abs(once.mean), 4)} {side}."


def _said(one: Gain, other: str) -> str:
    """The gain in words, which call it a gain only if its interval lies above 0."""
    failed = (
        f" Where both ran well; the team failed {count(one.winner_failures, 'time')}, {other} "
        f"{count(one.baseline_failures, 'time')}."
        if one.winner_failures or one.baseline_failures
        else ""
    )
    if one.mean is None or math.isinf(one.low):
        return f"cannot be held to {other}: there are too few.{failed}"
    ends = f"{percent(one.confidence)} interval {number(one.low, 4)} to {number(one.high, 4)}"
    size = number(abs(one.mean), 4)
    if one.low > 0:
        return f"is better than {other} by {size} on average ({ends}).{failed}"
    found = f"{size} {'better' if one.mean >= 0 else 'worse'} on average ({ends})"
    if one.problems < FEW:
        return f"cannot be held to {other}: {found}; {FEW} instances or more can decide.{failed}"
    return f"is not shown to be better than {other}: {found}.{failed}"
