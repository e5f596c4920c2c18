"""Converts records to rows of the tables in schema.py and back. None is NULL, and +inf is +inf."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias, get_args

from racing.base.errors import InputError
from racing.base.quantities import MOST_COST, Direction
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Instance, Outcome, Status
from racing.core.objective import Objective
from racing.core.reused import Reused
from racing.core.stop import Stop
from racing.core.verdict import Elimination, Gate, Reason, Verdict
from racing.log.log import Extension, Finish, Header, Lost, Session, TargetFile, Unfinished

Row: TypeAlias = tuple[Any, ...]

_STATUS = {status.value: status for status in Status}

ENTRANT = "number, id, name, parent, configuration, origin, draw, entered"
OUTCOME = (
    "candidate, step, cost, seconds, status, message, attempts, elapsed, worker, started, bound, "
    "spent, refused, reused, checksum"
)
HEADER = "name, seed, direction, objective, scenario, racing, created"
ATTEMPT = "candidate, step, attempt, seconds, status, message, elapsed, worker, started"
VERDICT = (
    "instances, leader, about, steps, "
    "gate, gate_statistic, gate_threshold, gate_p_value, gate_passed"
)
ELIMINATION = "candidate, against, reason, measure, value, threshold, statistic"


def text(string: str) -> str:
    """Text that every reader of the file accepts: no lone surrogates, no NUL."""
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
    plain = json.loads(scenario)
    if not isinstance(plain, dict):
        raise ValueError(f"the scenario is {scenario!r:.80}")
    for word, known in ((direction, get_args(Direction)), (objective, get_args(Objective))):
        if word not in known:
            raise ValueError(f"{word!r:.80} is not one of {', '.join(known)}")
    return Header(
        name=_text(name),
        seed=_whole(seed),
        direction=direction,
        objective=objective,
        scenario=plain,
        racing=_text(racing),
        created=_text(created),
    )


def entrant_row(number: int, entrant: Entrant) -> Row:
    one = entrant.candidate
    configuration = plain_json(one.values, f"candidate {one.id}")
    parent = None if one.parent is None else int(one.parent)
    draw = _ids(entrant.draw) if entrant.draw else None
    what = int(one.id), text(one.name), parent, configuration
    return number, *what, text(entrant.origin), draw, int(entrant.entered)


def entrant(row: Row) -> Entrant:
    _, id, name, parent, configuration, origin, draw, entered = row
    values = json.loads(configuration)
    if not isinstance(values, dict):
        raise ValueError(f"the configuration of candidate {id} is {configuration!r:.80}")
    return Entrant(
        candidate=Candidate(
            _whole(id), values, _text(name), None if parent is None else _whole(parent)
        ),
        origin=_text(origin),
        draw=_read_ids(draw) or (),
        entered=_whole(entered),
    )


def outcome_row(outcome: Outcome) -> Row:
    row = (
        int(outcome.candidate),
        int(outcome.step),
        float(outcome.cost) + 0.0,  # SQLite keeps no sign of zero
        float(outcome.seconds) + 0.0,
        outcome.status.value,
        text(outcome.message),
        int(outcome.attempts),
        float(outcome.elapsed) + 0.0,
        text(outcome.worker),
        float(outcome.started) or None,
        None if outcome.bound is None else float(outcome.bound),
        plain_json(dict(outcome.spent), "what was spent") if outcome.spent else None,
        int(outcome.refused),
        None if outcome.reused is None else plain_json(asdict(outcome.reused), "an earlier log"),
    )
    return *row, checksum(row)


def checksum(row: Row) -> int:
    """CRC-32 of the text of an outcome's row; `repr` is exact for numbers."""
    return zlib.crc32(repr(row).encode("utf-8", "backslashreplace"))


class _Draft:
    """A mutable outcome, for fast reading.

    The constructor of the frozen `Outcome` takes as long as all the rest of the reading.
    """

    __slots__ = Outcome.__slots__


def outcome(row: Row) -> Outcome:
    """The outcome of a row. If the checksum is right, its cells are not checked.

    The checksum covers the types of its cells too, through `repr`.
    """
    if row[-1] != checksum(row[:-1]):
        raise ValueError(
            f"the outcome of candidate {row[0]} on instance {row[1]} is not what was written"
        )
    draft: Any = _Draft()
    (
        draft.candidate, draft.step, draft.cost, draft.seconds, status, draft.message,
        draft.attempts, draft.elapsed, draft.worker, draft.started, draft.bound,
        spent, draft.refused, reused, _,
    ) = row  # fmt: skip
    if (
        draft.bound is not None
        or spent is not None
        or reused is not None
        or draft.started is None
        or status not in _STATUS
    ):
        return _checked(row[:-1])
    if not 0 <= draft.seconds < math.inf or not (abs(draft.cost) <= MOST_COST or status != "ok"):
        return _checked(row[:-1])
    draft.status, draft.earlier, draft.spent, draft.metrics = _STATUS[status], (), {}, ()
    draft.reused = None
    draft.__class__ = Outcome
    found: Outcome = draft
    return found


def _checked(row: Row) -> Outcome:
    """The outcome of any row without its checksum, after a check of every cell."""
    candidate, step, cost, seconds, status, message, attempts, elapsed, *rest = row
    worker, started, bound, spent, refused, reused = rest
    return Outcome(
        _whole(candidate),
        _whole(step),
        real(cost),
        real(seconds),
        Status(status),
        _text(message),
        _whole(attempts),
        real(elapsed),
        _text(worker),
        0.0 if started is None else real(started),
        bound=None if bound is None else real(bound),
        spent={} if spent is None else _amounts(spent),
        refused=_whole(refused),
        reused=None if reused is None else _reused(reused),
    )


def _amounts(spent: str) -> dict[str, float]:
    found = json.loads(spent)
    if not isinstance(found, dict):
        raise ValueError(f"what was spent is {spent!r:.80}")
    return {name: real(amount) for name, amount in found.items()}


def _reused(told: str) -> Reused:
    match json.loads(told):
        case {"log": str(log), "seconds": seconds, "spent": dict(spent), "started": started}:
            amounts = {name: real(amount) for name, amount in spent.items()}
            return Reused(log=log, seconds=real(seconds), spent=amounts, started=real(started))
    raise ValueError(f"the log that an outcome was taken from is {told!r:.80}")


def attempt_row(outcome: Outcome) -> Row:
    candidate, step, _, seconds, status, message, attempts, elapsed, *who = outcome_row(outcome)
    return candidate, step, attempts, seconds, status, message, elapsed, *who[:2]


def attempt(row: Row) -> Outcome:
    candidate, step, attempts, seconds, status, message, elapsed, worker, started = row
    what = candidate, step, math.inf, seconds, status, message, attempts, elapsed, worker, started
    return _checked((*what, None, None, 0, None))


def instance(row: Row) -> Instance:
    step, name, seed = row
    return Instance(_whole(step), _text(name), _whole(seed))


def finish(row: Row) -> Finish:
    stopped, winner = row
    return Finish(stopped=str(Stop(stopped)), winner=None if winner is None else _whole(winner))


def budget_text(budget: Budget) -> str:
    """The limits that are set, as JSON."""
    return plain_json({key: limit for key, limit in asdict(budget).items() if limit}, "the budget")


def extension(row: Row, instances: Sequence[str] = ()) -> Extension:
    after, budget, *end = row
    limits, added = json.loads(budget), tuple(map(json.loads, instances))
    if not isinstance(limits, dict):
        raise ValueError(f"the budget of an extension is {budget!r:.80}")
    if not all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in added):
        raise ValueError(f"the instances of an extension are {instances!r:.80}")
    return Extension(
        after=_whole(after),
        budget=Budget(**limits),
        finish=finish(tuple(end)),
        instances=added,
    )


def lost(row: Row) -> Lost:
    after, evaluations, spent = row
    return Lost(after=_whole(after), evaluations=_whole(evaluations), spent=_amounts(spent))


def target_file(row: Row) -> TargetFile:
    path, sha256, since = row
    return TargetFile(path=_text(path), sha256=_text(sha256), since=_whole(since))


def unfinished(row: Row) -> Unfinished:
    evaluations, seconds = row
    return Unfinished(evaluations=int(real(evaluations)), seconds=real(seconds))


def session(row: Row) -> Session:
    pid, host, started, ended, why = row
    ended, why = (None if word is None else _text(word) for word in (ended, why))
    return Session(pid=_whole(pid), host=_text(host), started=_text(started), ended=ended, why=why)


def verdict_row(verdict: Verdict) -> Row:
    gate = verdict.gate
    about = None if verdict.about is None else _ids(verdict.about)
    steps = None if verdict.steps is None else _ids(verdict.steps)
    what = int(verdict.instances), int(verdict.leader), about, steps
    if gate is None:
        return *what, None, None, None, None, None
    numbers = float(gate.statistic), float(gate.threshold), _real_or_none(gate.p_value)
    return *what, gate.test, *numbers, int(gate.passed)


def elimination_row(out: Elimination) -> Row:
    numbers = float(out.value), float(out.threshold), _real_or_none(out.statistic)
    return int(out.candidate), int(out.against), Reason(out.reason).value, out.measure, *numbers


def verdict(row: Row, eliminated: Iterable[Row]) -> Verdict:
    instances, leader, about, steps, test, statistic, threshold, p_value, passed = row
    gate = None
    if test is not None:
        gate = Gate(
            test=_text(test),
            statistic=real(statistic),
            threshold=real(threshold),
            p_value=_real_or_none(p_value),
            passed=bool(passed),
        )
    return Verdict(
        instances=_whole(instances),
        leader=_whole(leader),
        eliminated=tuple(map(_elimination, eliminated)),
        gate=gate,
        about=_read_ids(about),
        steps=_read_ids(steps),
    )


def plain_json(value: Mapping[str, object], what: str) -> str:
    """A mapping as JSON, with NumPy's numbers as plain ones.

    Raises
    ------
    InputError
        If it holds NaN, an infinity, or a type that JSON lacks.
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
        candidate=_whole(candidate),
        against=_whole(against),
        reason=Reason(reason),
        measure=_text(measure),
        value=real(value),
        threshold=real(threshold),
        statistic=_real_or_none(statistic),
    )


def _ids(ids: Iterable[int]) -> str:
    return json.dumps([int(id) for id in ids], separators=(",", ":"))


def _read_ids(text: str | None) -> tuple[int, ...] | None:
    return None if text is None else tuple(_whole(id) for id in json.loads(text))


# A damaged file may hold anything: cells of the wrong type are refused here.


def _whole(value: Any) -> int:
    if not isinstance(value, int):
        raise ValueError(f"{value!r:.80} is not a whole number")
    return value


def real(value: Any) -> float:
    if not isinstance(value, (int, float)):
        raise ValueError(f"{value!r:.80} is not a number")
    return float(value)


def _real_or_none(value: Any) -> float | None:
    return None if value is None else real(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.80} is not text")
    return value


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    item = getattr(value, "item", None)  # a NumPy scalar
    if item is None:
        raise TypeError(f"{type(value).__name__} {value!r} is not plain data")
    return item()
