"""Records ↔ rows of the tables in schema.py. NaN is NULL, and +inf is itself."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from racing.candidate import Candidate
from racing.errors import InputError
from racing.experiment import Outcome, Status
from racing.log.log import Header
from racing.rules.verdict import Elimination, Gate, Reason, Verdict

Row: TypeAlias = tuple[Any, ...]

OUTCOME = "candidate, step, cost, seconds, status, message, attempts, elapsed"
HEADER = "name, seed, direction, objective, scenario, racing, created"
ATTEMPT = "candidate, step, attempt, seconds, status, message, elapsed"
VERDICT = "instances, leader, gate, gate_statistic, gate_threshold, gate_p_value, gate_passed"
ELIMINATION = "candidate, against, reason, measure, value, threshold, statistic"


def text(string: str) -> str:
    """Text that every reader of the file can take: no lone surrogates, no NUL."""
    if string.isascii() and "\0" not in string:
        return str(string)
    return string.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode()


def header_row(header: Header) -> Row:
    return (
        text(header.name),
        int(header.seed),
        header.direction,
        header.objective,
        plain_json(header.scenario, "the scenario"),
        header.racing,
        header.created,
    )


def header(row: Row) -> Header:
    name, seed, direction, objective, scenario, racing, created = row
    return Header(
        name=name,
        seed=seed,
        direction=direction,
        objective=objective,
        scenario=json.loads(scenario),
        racing=racing,
        created=created,
    )


def candidate_row(candidate: Candidate) -> Row:
    configuration = plain_json(candidate.values, f"candidate {candidate.id}")
    parent = None if candidate.parent is None else int(candidate.parent)
    return int(candidate.id), text(candidate.name), parent, configuration


def candidate(row: Row) -> Candidate:
    id, name, parent, configuration = row
    return Candidate(id, json.loads(configuration), name, parent)


def outcome_row(outcome: Outcome) -> Row:
    return (
        int(outcome.candidate),
        int(outcome.step),
        float(outcome.cost),
        float(outcome.seconds),
        outcome.status.value,
        text(outcome.message),
        int(outcome.attempts),
        float(outcome.elapsed),
    )


def outcome(row: Row) -> Outcome:
    candidate, step, cost, seconds, status, message, attempts, elapsed = row
    return Outcome(candidate, step, cost, seconds, Status(status), message, attempts, elapsed)


def attempt_row(outcome: Outcome) -> Row:
    candidate, step, _, seconds, status, message, attempts, elapsed = outcome_row(outcome)
    return candidate, step, attempts, seconds, status, message, elapsed


def attempt(row: Row) -> Outcome:
    candidate, step, attempts, seconds, status, message, elapsed = row
    return Outcome(candidate, step, math.inf, seconds, Status(status), message, attempts, elapsed)


def verdict_row(verdict: Verdict) -> Row:
    gate = verdict.gate
    if gate is None:
        return int(verdict.instances), int(verdict.leader), None, None, None, None, None
    numbers = (_or_null(gate.statistic), _or_null(gate.threshold), _or_null(gate.p_value))
    return int(verdict.instances), int(verdict.leader), gate.test, *numbers, int(gate.passed)


def elimination_row(out: Elimination) -> Row:
    numbers = (_or_null(out.value), _or_null(out.threshold), _or_null(out.statistic))
    return int(out.candidate), int(out.against), Reason(out.reason).value, out.measure, *numbers


def verdict(row: Row, eliminated: Iterable[Row]) -> Verdict:
    instances, leader, test, statistic, threshold, p_value, passed = row
    gate = None
    if test is not None:
        gate = Gate(
            test=test,
            statistic=_or_nan(statistic),
            threshold=_or_nan(threshold),
            p_value=_or_nan(p_value),
            passed=bool(passed),
        )
    return Verdict(
        instances=instances,
        leader=leader,
        eliminated=tuple(map(_elimination, eliminated)),
        gate=gate,
    )


def plain_json(value: Mapping[str, object], what: str) -> str:
    """A mapping as JSON, with NumPy's numbers as the plain ones that they are.

    Raises
    ------
    InputError
        If it holds NaN, an infinity, or something that JSON has no form for.
    """
    try:
        return json.dumps(dict(value), allow_nan=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{what} cannot be logged: {error}; "
            "a log keeps text, finite numbers, true and false, and lists and mappings of them"
        ) from error


def _elimination(row: Row) -> Elimination:
    candidate, against, reason, measure, value, threshold, statistic = row
    return Elimination(
        candidate=candidate,
        against=against,
        reason=Reason(reason),
        measure=measure,
        value=_or_nan(value),
        threshold=_or_nan(threshold),
        statistic=_or_nan(statistic),
    )


def _or_null(number: float) -> float | None:
    return None if math.isnan(number) else float(number)


def _or_nan(number: float | None) -> float:
    return math.nan if number is None else number


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    item = getattr(value, "item", None)  # a NumPy scalar
    if item is None:
        raise TypeError(f"{type(value).__name__} {value!r} is not plain data")
    return item()
