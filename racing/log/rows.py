"""Records ↔ rows of the tables in schema.py. NaN is NULL, and +inf is itself."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, TypeAlias, get_args

from racing.budget import Budget
from racing.candidate import Candidate
from racing.decider import Entrant
from racing.errors import InputError
from racing.experiment import Instance, Outcome, Status
from racing.log.log import Extension, Finish, Header, Session, TargetFile, Unfinished
from racing.objective import Objective
from racing.quantities import Direction
from racing.rules.verdict import Elimination, Gate, Reason, Verdict
from racing.stop import Stop

Row: TypeAlias = tuple[Any, ...]

_STATUS = {status.value: status for status in Status}

ENTRANT = "number, id, name, parent, configuration, origin, draw, entered"
OUTCOME = (
    "candidate, step, cost, seconds, status, message, attempts, elapsed, worker, started, bound, "
    "checksum"
)
HEADER = "name, seed, direction, objective, scenario, racing, created"
ATTEMPT = "candidate, step, attempt, seconds, status, message, elapsed, worker, started"
VERDICT = (
    "instances, leader, about, steps, "
    "gate, gate_statistic, gate_threshold, gate_p_value, gate_passed"
)
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
    )
    return *row, checksum(row)


def checksum(row: Row) -> int:
    """CRC-32 of the text of an outcome's row; `repr` writes a number so that it is exact.

    Where there is no bound, the last cell, it is not counted: older rows have none.
    """
    row = row[:-1] if row[-1] is None else row
    return zlib.crc32(repr(row).encode("utf-8", "backslashreplace"))


class _Draft:
    """An outcome that is being read.

    `Outcome` is frozen, so that its own constructor takes as long as all the rest of reading it.
    """

    __slots__ = Outcome.__slots__


def outcome(row: Row) -> Outcome:
    """The outcome of a row. Nearly every row is as it was written, and read at once.

    The checksum tells the types of its cells too: `repr` writes each in its own way.
    """
    if row[-1] != zlib.crc32(repr(row[:-2]).encode("utf-8", "backslashreplace")):
        return _unusual(row)
    draft: Any = _Draft()
    (
        draft.candidate, draft.step, draft.cost, draft.seconds, status, draft.message,
        draft.attempts, draft.elapsed, draft.worker, draft.started, draft.bound, _,
    ) = row  # fmt: skip
    if draft.bound is not None or draft.started is None or status not in _STATUS:
        return _unusual(row)
    if not (draft.cost > -math.inf and 0 <= draft.seconds < math.inf):
        return _unusual(row)
    draft.status, draft.earlier = _STATUS[status], ()
    draft.__class__ = Outcome
    found: Outcome = draft
    return found


def _unusual(row: Row) -> Outcome:
    """The outcome of any row, after a check of every cell."""
    candidate, step, cost, seconds, status, message, attempts, elapsed, worker, started = row[:10]
    bound, kept = row[10:]
    if kept is not None and kept != checksum(row[:-1]):
        raise ValueError(
            f"the outcome of candidate {candidate} on instance {step} is not what was written"
        )
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
    )


def attempt_row(outcome: Outcome) -> Row:
    candidate, step, _, seconds, status, message, attempts, elapsed, *who, _, _ = outcome_row(
        outcome
    )
    return candidate, step, attempts, seconds, status, message, elapsed, *who


def attempt(row: Row) -> Outcome:
    candidate, step, attempts, seconds, status, message, elapsed, worker, started = row
    what = candidate, step, math.inf, seconds, status, message, attempts, elapsed, worker, started
    return outcome((*what, None, None))


def instance(row: Row) -> Instance:
    step, name, seed = row
    return Instance(_whole(step), _text(name), _whole(seed))


def finish(row: Row) -> Finish:
    stopped, winner = row
    return Finish(stopped=str(Stop(stopped)), winner=None if winner is None else _whole(winner))


def budget_text(budget: Budget) -> str:
    """The limits that are set, as JSON."""
    return plain_json({key: limit for key, limit in asdict(budget).items() if limit}, "the budget")


def extension(row: Row) -> Extension:
    after, budget, *end = row
    limits = json.loads(budget)
    if not isinstance(limits, dict):
        raise ValueError(f"the budget of an extension is {budget!r:.80}")
    return Extension(after=_whole(after), budget=Budget(**limits), finish=finish(tuple(end)))


def target_file(row: Row) -> TargetFile:
    path, sha256, since = row
    return TargetFile(path=_text(path), sha256=_text(sha256), since=_whole(since))


def unfinished(row: Row) -> Unfinished:
    evaluations, seconds = row
    return Unfinished(evaluations=int(real(evaluations)), seconds=real(seconds))


def session(row: Row) -> Session:
    pid, host, started, ended, why = row
    told = (None if word is None else _text(word) for word in (ended, why))
    ended, why = told
    return Session(pid=_whole(pid), host=_text(host), started=_text(started), ended=ended, why=why)


def verdict_row(verdict: Verdict) -> Row:
    gate = verdict.gate
    about = None if verdict.about is None else _ids(verdict.about)
    steps = None if verdict.steps is None else _ids(verdict.steps)
    what = int(verdict.instances), int(verdict.leader), about, steps
    if gate is None:
        return *what, None, None, None, None, None
    numbers = (_or_null(gate.statistic), _or_null(gate.threshold), _or_null(gate.p_value))
    return *what, gate.test, *numbers, int(gate.passed)


def elimination_row(out: Elimination) -> Row:
    numbers = (_or_null(out.value), _or_null(out.threshold), _or_null(out.statistic))
    return int(out.candidate), int(out.against), Reason(out.reason).value, out.measure, *numbers


def verdict(row: Row, eliminated: Iterable[Row]) -> Verdict:
    instances, leader, about, steps, test, statistic, threshold, p_value, passed = row
    gate = None
    if test is not None:
        gate = Gate(
            test=_text(test),
            statistic=_or_nan(statistic),
            threshold=_or_nan(threshold),
            p_value=_or_nan(p_value),
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
        candidate=_whole(candidate),
        against=_whole(against),
        reason=Reason(reason),
        measure=_text(measure),
        value=_or_nan(value),
        threshold=_or_nan(threshold),
        statistic=_or_nan(statistic),
    )


def _or_null(number: float) -> float | None:
    return None if math.isnan(number) else float(number)


def _or_nan(number: float | None) -> float:
    return math.nan if number is None else real(number)


def _ids(ids: Iterable[int]) -> str:
    return json.dumps([int(id) for id in ids], separators=(",", ":"))


def _read_ids(text: str | None) -> tuple[int, ...] | None:
    return None if text is None else tuple(_whole(id) for id in json.loads(text))


# A damaged file may hold anything anywhere: what is not of its kind is refused here.


def _whole(value: Any) -> int:
    if not isinstance(value, int):
        raise ValueError(f"{value!r:.80} is not a whole number")
    return value


def real(value: Any) -> float:
    if not isinstance(value, (int, float)):
        raise ValueError(f"{value!r:.80} is not a number")
    return float(value)


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
