"""A team in words: its members, its gain, and whether that is shown."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from racing.analysis.portfolio.choice import Portfolio
from racing.analysis.portfolio.crossfit import LEAST, RARE, Estimate
from racing.base.quantities import score_of
from racing.base.words import count, listed, number, percent, refer
from racing.report.run_tables import enough

_HUNDRED = 100

FEW = 5
"""Fewer instances with the worst score say little of its share."""


def team_sentences(found: Portfolio) -> tuple[str, ...]:
    """The team, its gain over the single best, and the limits of the figures."""
    return tuple(_sentences(found))


def _sentences(found: Portfolio) -> Iterator[str]:
    single, names = refer(found.single), [refer(one.candidate) for one in found.members]
    if found.size.size == 1:
        yield _alone(found, single)
    else:
        yield f"The team: {listed(names, 12)}. Each instance counts with its best member."
        yield from enough(found.members)
        yield _gain(found, single)
        if found.shown:
            yield (
                f"It has {found.size.size} runs on each instance and {single} one: where runs "
                f"differ by their seed, some of the gain is that. `racing test RUN --portfolio` "
                f"runs {single} as often."
            )
    yield from _rare(found)
    yield from _left_out(found)
    if found.by_family is not None:
        yield _by_family(found, worth(found.by_family.gain, found), single)


def _alone(found: Portfolio, single: str) -> str:
    if len(found.sizes) == 1 < len(found.known.candidates):
        return f"The single best, {single}, is best on every instance: no team is better."
    if found.asked or len(found.sizes) == 1:
        return f"The single best is {single}."
    return (
        f"No team is shown to be better than the single best, {single}. More instances may show "
        "one; `--size` has the best team of a size."
    )


def _gain(found: Portfolio, single: str) -> str:
    """The cross-validated gain of the team; the words call it a gain only where it is shown."""
    gain, unit = worth(found.size.gain, found), _unit(found)
    if math.isinf(gain.low):
        return f"With fewer than {LEAST} problems the gain of the team cannot be estimated."
    where = "on instances that had no part in its choice"
    where += f" (cross-fitted, {percent(gain.level)} interval"
    ends = f"{number(gain.low, 4)} to {number(gain.high, 4)})"
    size = number(abs(gain.mean), 4)
    if gain.low > 0:
        share = (
            "" if found.closed is None else f", {percent(min(found.closed, 1))} of what is possible"
        )
        return (
            f"It is better than {single}, the single best, by {size}{unit} {where} {ends}{share}."
        )
    return (
        f"It is not shown to be better than {single}, the single best: {_sign(gain, unit)} {where} "
        f"{ends}. Use {single} alone, or spend more: `--fill`, or `racing test RUN --portfolio`."
    )


def worth(gain: Estimate, found: Portfolio) -> Estimate:
    """A gain in costs, or in places where 100 candidates are ranked on each instance."""
    if found.known.objective != "rank":
        return gain
    ends = (_HUNDRED * gain.mean, _HUNDRED * gain.low, _HUNDRED * gain.high)
    return Estimate(mean=ends[0], low=ends[1], high=ends[2], level=gain.level)


def _unit(found: Portfolio) -> str:
    return f" places of {_HUNDRED}" if found.known.objective == "rank" else ""


def _rare(found: Portfolio) -> Iterator[str]:
    """A score that several candidates share as their worst, such as a timeout's, and the team not.

    It is told where the team has it so seldom that its share is hardly known.
    """
    known, worst = found.known, found.size.worst
    shared = int(((found.scores == worst) & ~np.isnan(known.costs)).sum())
    seen, n = int((found.size.told >= worst).sum()), len(found.scores)
    if known.objective == "rank" or shared < max(2, RARE * found.scores.size) or seen >= FEW:
        return
    yield (
        f"The worst score that is known, {number(score_of(worst, known.direction), 4)}, came on "
        f"{seen or 'none'} of {n} instances with "
        f"{'such a team' if found.size.size > 1 else refer(found.single)}: too few to say how rare "
        "it is. The interval of the score allows for as many as these instances cannot exclude."
    )


def _left_out(found: Portfolio) -> Iterator[str]:
    if found.known.metric:
        yield f"Only {found.known.metric} is looked at here, and the objective asks for more."
    if found.complete < 1:
        instances = count(len(found.scores), "instance")
        yield (
            f"Its members ran on {percent(found.complete)} of {instances} "
            "each; where one did not, it counts as the worst known there, which can only make the "
            "estimates worse. `--fill N` runs what may change the choice."
        )
    if found.known.censored:
        many = count(found.known.censored, "evaluation")
        yield f"{many} stopped at a bound have no cost, and are left out."


def _by_family(found: Portfolio, gain: Estimate, single: str) -> str:
    if math.isinf(gain.low):
        return (
            f"With fewer than {LEAST} problems the gain of a choice by family cannot be estimated."
        )
    ends = f"{percent(gain.level)} interval {number(gain.low, 4)} to {number(gain.high, 4)}"
    if gain.low > 0:
        return (
            f"To choose by family is better than {single} by {number(gain.mean, 4)}{_unit(found)} "
            f"on unseen instances ({ends})."
        )
    return (
        f"To choose by family is not shown to be better than {single}: {_sign(gain, _unit(found))} "
        f"on unseen instances ({ends})."
    )


def _sign(gain: Estimate, unit: str) -> str:
    return f"{number(abs(gain.mean), 4)}{unit} {'better' if gain.mean >= 0 else 'worse'}"
