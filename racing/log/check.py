"""The checks of every log: repeated records must agree."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator
from typing import Never

from racing.base.errors import LogError
from racing.base.words import number
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Instance, Outcome
from racing.core.verdict import Elimination, Verdict
from racing.log.log import Finish
from racing.log.rows import text

_DISAGREE = (
    "the log and the code disagree: resume with the scenario, the target's files and the version "
    "of racing that began it, or begin a new run"
)


def entrant_of(given: Entrant | Candidate) -> Entrant:
    """The entrant; a bare candidate becomes one given at the start."""
    return given if isinstance(given, Entrant) else Entrant(candidate=given)


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
    if not _agree(tuple(_flat(known)), tuple(_flat(given))):
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


def check_over(finish: Finish | None, log: str) -> Finish:
    """Refuse to extend a run that is not over."""
    if finish is None:
        raise LogError(f"{log}: the run is not over, so it cannot be extended; resume it")
    return finish


def refuse_outcome(known: Outcome, given: Outcome, log: str) -> Never:
    """Refuse a second outcome of an experiment: the first one stays."""
    raise LogError(
        f"{log} has an outcome of candidate {known.candidate} on instance {known.step}: "
        f"cost {known.cost}, {known.status}; it stays, and cost {given.cost}, {given.status}, "
        "is refused: an experiment is evaluated once"
    )


def refuse_stranger(
    outcome: Outcome, instance: Instance, candidates: Container[int], log: str
) -> None:
    """Refuse an outcome of an unknown candidate, or of another instance."""
    if outcome.candidate not in candidates:
        raise LogError(f"{log} has no candidate {outcome.candidate}: add it before its outcomes")
    if outcome.step != instance.step:
        raise LogError(
            f"{log}: an outcome on instance {outcome.step} came with instance {instance.step}"
        )


def _candidate(candidate: Candidate) -> tuple[object, ...]:
    values = {name: (value, isinstance(value, bool)) for name, value in candidate.values.items()}
    return text(candidate.name), candidate.parent, values


def _flat(verdict: Verdict) -> Iterator[object]:
    yield from (verdict.instances, verdict.leader, len(verdict.eliminated))
    yield from (verdict.about, verdict.steps)
    if gate := verdict.gate:
        yield from (gate.test, gate.statistic, gate.threshold, gate.p_value, gate.passed)
    for out in sorted(verdict.eliminated, key=_who):
        yield from (out.candidate, out.against, str(out.reason), out.measure)
        yield from (out.value, out.threshold, out.statistic)


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


def _who(elimination: Elimination) -> int:
    return elimination.candidate


def _agree(known: tuple[object, ...], told: tuple[object, ...]) -> bool:
    return len(known) == len(told) and all(map(_equal, known, told))


def _equal(known: object, told: object) -> bool:
    if isinstance(known, float) and isinstance(told, (int, float)):
        if math.isnan(known) or math.isnan(told):
            return math.isnan(known) and math.isnan(told)
        return math.isclose(known, told, rel_tol=1e-9, abs_tol=1e-12)
    return known == told
