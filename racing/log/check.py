"""The checks of every log: repeated records must agree."""

from __future__ import annotations

import math
from dataclasses import is_dataclass, replace
from typing import Never

from racing.base.errors import LogError
from racing.base.words import number
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Instance, Outcome
from racing.core.verdict import Verdict
from racing.log.records import Finish
from racing.log.rows import text

_DISAGREE = (
    "the log and the code disagree: resume with the scenario, the target's files and the version "
    "of racing that began it, or begin a new run"
)


def check_entrant(known: Entrant, given: Entrant, log: str) -> None:
    """Refuse an entrant that differs from the one with its id."""
    old, new = known.candidate, given.candidate
    if _candidate(old) != _candidate(new):
        raise LogError(
            f"{log} has candidate {old.id} as {old.name!r} {dict(old.values)}, "
            f"not {new.name!r} {dict(new.values)}; {_DISAGREE}"
        )
    if (known.origin, known.draw, known.entered) != (given.origin, given.draw, given.entered):
        raise LogError(
            f"{log} has candidate {old.id} as {known.origin} {known.draw}, entered at step "
            f"{known.entered}, not as {given.origin} {given.draw}, entered at step "
            f"{given.entered}; {_DISAGREE}"
        )


def check_instance(known: Instance, given: Instance, log: str) -> None:
    """Refuse an instance that differs from the one at its step."""
    if (text(known.name), known.seed) != (text(given.name), given.seed):
        raise LogError(
            f"{log} has {known.name!r} with seed {known.seed} at step {known.step}, "
            f"not {given.name!r} with seed {given.seed}; {_DISAGREE}"
        )


def check_verdict(known: Verdict, given: Verdict, number: int, log: str) -> None:
    """Refuse a verdict with another decision, or numbers that differ by more than rounding.

    The arithmetic of another machine may differ in the last bits.
    """
    if not _agree(_sorted(known), _sorted(given)):
        raise LogError(
            f"{log} has as verdict {number}: {_words(known)}; not: {_words(given)}; {_DISAGREE}"
        )


def check_finish(known: Finish, given: Finish, log: str) -> None:
    """Refuse an end that differs from the recorded one."""
    if known != given:
        raise LogError(
            f"{log} says that the race ended by {known.stopped!r} with winner {known.winner}, "
            f"not by {given.stopped!r} with winner {given.winner}; {_DISAGREE}"
        )


def refuse_outcome(known: Outcome, given: Outcome, log: str) -> Never:
    """Refuse a second outcome of an experiment: the first one stays."""
    raise LogError(
        f"{log} has an outcome of candidate {known.candidate} on instance {known.step}: "
        f"cost {known.cost}, {known.status}; it stays, and cost {given.cost}, {given.status}, "
        "is refused: an experiment is evaluated once"
    )


def _candidate(candidate: Candidate) -> tuple[object, ...]:
    values = {name: (value, isinstance(value, bool)) for name, value in candidate.values.items()}
    return text(candidate.name), candidate.parent, values


def _sorted(verdict: Verdict) -> Verdict:
    out = sorted(verdict.eliminated, key=lambda one: one.candidate)
    return replace(verdict, eliminated=tuple(out))


def _words(verdict: Verdict) -> str:
    out = ", ".join(
        f"{out.candidate} ({out.reason}, against {out.against}: {out.measure} "
        f"{number(out.value, 6)}, threshold {number(out.threshold, 6)}, "
        f"statistic {number(out.statistic, 6)})"
        for out in verdict.eliminated
    )
    gate = verdict.gate
    test = f"{gate.test} {gate.statistic:.6g} against {gate.threshold:.6g}" if gate else "none"
    return f"{verdict.instances} instances, leader {verdict.leader}, gate {test}, out: {out or '-'}"


def _agree(known: object, told: object) -> bool:
    """Whether two values are equal, numbers up to rounding; NaN is equal to NaN."""
    if isinstance(known, float) and isinstance(told, int | float):
        close = math.isclose(known, told, rel_tol=1e-9, abs_tol=1e-12)
        return close or (math.isnan(known) and math.isnan(told))
    if is_dataclass(known) and is_dataclass(told):
        return _agree(tuple(vars(known).values()), tuple(vars(told).values()))
    if isinstance(known, tuple) and isinstance(told, tuple) and known != told:
        return len(known) == len(told) and all(map(_agree, known, told))
    return known == told
