"""Converts records to rows of the tables in schema.py and back. None is NULL, and +inf is +inf.

Records are written and read by the annotations of their fields; outcomes, of which a log may have
millions, by hand.
"""

from __future__ import annotations

import json
import math
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, is_dataclass, replace
from enum import Enum
from functools import cache, partial
from itertools import groupby
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from racing.base.errors import InputError
from racing.base.quantities import MOST_COST, Direction
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Outcome, Reused, Status
from racing.core.stop import Stop
from racing.core.verdict import Elimination, Gate, Verdict
from racing.log.records import Extension, Finish, Header

T = TypeVar("T")
Row: TypeAlias = tuple[Any, ...]
Convert: TypeAlias = Callable[[Any], Any]

_STATUS = {status.value: status for status in Status}

ENTRANT = "number, id, name, parent, configuration, origin, draw, entered"
OUTCOME = (
    "candidate, step, cost, seconds, status, message, attempts, elapsed, worker, started, bound, "
    "spent, refused, reused, checksum"
)
HEADER = "name, seed, direction, objective, scenario, racing, created"
INSTANCE = "step, name, seed"
TARGET_FILE = "path, sha256, since"
ATTEMPT = "candidate, step, attempt, seconds, status, message, elapsed, worker, started"
VERDICT = (
    "instances, leader, about, steps, "
    "gate, gate_statistic, gate_threshold, gate_p_value, gate_passed"
)
ELIMINATION = "candidate, against, reason, measure, value, threshold, statistic"
METRIC_COST = "outcome, metric, cost, checksum"

_OUTCOME = OUTCOME.removesuffix(", checksum")
_JUDGED, _GATE = "instances, leader, about, steps", "test, statistic, threshold, p_value, passed"


def write(record: Any, names: str) -> Row:
    """The cells of the named fields of a record."""
    return tuple(to(getattr(record, name)) for name, _, to, _ in _cells(record.__class__, names))


def read(kind: Callable[..., T], names: str, row: Iterable[Any], **more: object) -> T:
    """A record of the cells of its named fields, and of more that is read already.

    NULL is None, or the default of a field that cannot be None.

    Raises
    ------
    TypeError, ValueError
        If a cell has not the type of its field, as in a damaged file.
    """
    cells = zip(_cells(kind, names), row, strict=True)
    given = {name: of(cell) for (name, of, _, null), cell in cells if null or cell is not None}
    return kind(**given, **more)


@cache
def _cells(kind: Any, names: str) -> list[tuple[str, Convert, Convert, bool]]:
    """Of each field: its name, how it is read and written, and whether it can be None."""
    hints = get_type_hints(kind)
    of = [(name, hints[name]) for name in names.split(", ")]
    return [(name, *_converters(hint, name), NoneType in get_args(hint)) for name, hint in of]


def _converters(kind: Any, name: str) -> tuple[Convert, Convert]:
    """How a cell is read, and written, where a field of this name has such an annotation."""
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin in _PLAIN:
        return _PLAIN[origin]
    if origin in (Union, UnionType):
        of, to = _converters(inner[0], name)
        return partial(_or_none, of), partial(_or_none, to)
    if origin is tuple:
        return _read_ids, _ids
    if origin is Literal:
        return partial(_one_of, inner), str
    if issubclass(origin, Enum):
        return origin, lambda value: origin(value).value
    written = partial(plain_json, what=f"the {name}")
    if is_dataclass(origin):
        return partial(_record, origin), written
    return (_amounts if inner[1] is float else _mapping), written


def text(string: str) -> str:
    """Text that every reader of the file accepts: no lone surrogates, no NUL."""
    if string.isascii() and "\0" not in string:
        return str(string)
    return string.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode()


def entrant_row(number: int, entrant: Entrant) -> Row:
    one = entrant.candidate
    configuration = plain_json(one.values, f"candidate {one.id}")
    parent = None if one.parent is None else int(one.parent)
    draw = _ids(entrant.draw) if entrant.draw else None
    what = int(one.id), text(one.name), parent, configuration
    return number, *what, text(entrant.origin), draw, int(entrant.entered)


def entrant(row: Row) -> Entrant:
    candidate = read(Candidate, "id, name, parent, values", row[1:5])
    return read(Entrant, "origin, draw, entered", row[5:], candidate=candidate)


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
        plain_json(outcome.spent, "what was spent") if outcome.spent else None,
        int(outcome.refused),
        None if outcome.reused is None else plain_json(outcome.reused, "an earlier log"),
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
        draft.attempts, draft.elapsed, draft.worker, started, draft.bound,
        spent, draft.refused, reused, _,
    ) = row  # fmt: skip
    if (
        status not in _STATUS
        or not 0 <= draft.seconds < math.inf
        or not (abs(draft.cost) <= MOST_COST or status not in ("ok", "censored"))
    ):
        return read(Outcome, _OUTCOME, row[:-1])
    draft.spent = {} if spent is None else _amounts(spent)
    draft.status, draft.started = _STATUS[status], started or 0.0
    draft.earlier = draft.metrics = ()
    draft.reused = None if reused is None else _record(Reused, reused)
    draft.__class__ = Outcome
    found: Outcome = draft
    return found


def attempt_row(outcome: Outcome) -> Row:
    candidate, step, _, seconds, status, message, attempts, elapsed, *who = outcome_row(outcome)
    return candidate, step, attempts, seconds, status, message, elapsed, *who[:2]


def attempt(row: Row) -> Outcome:
    return read(Outcome, ATTEMPT.replace("attempt,", "attempts,"), row, cost=math.inf)


def finish(row: Iterable[Any]) -> Finish:
    found = read(Finish, "stopped, winner", row)
    return replace(found, stopped=str(Stop(found.stopped)))


def budget_text(budget: Budget) -> str:
    """The limits that are set, as JSON."""
    return plain_json({key: limit for key, limit in asdict(budget).items() if limit}, "the budget")


def extension(row: Row, instances: Sequence[str] = ()) -> Extension:
    after, budget, *end = row
    added = tuple(map(_mapping, instances))
    if not all(isinstance(one.get("name"), str) for one in added):
        raise ValueError(f"the instances of an extension are {instances!r:.80}")
    return Extension(
        after=_whole(after), budget=Budget(**_mapping(budget)), finish=finish(end), instances=added
    )


def verdict_row(verdict: Verdict) -> Row:
    gate = (None,) * 5 if verdict.gate is None else write(verdict.gate, _GATE)
    return *write(verdict, _JUDGED), *gate


def verdict(row: Row, eliminated: Iterable[Row]) -> Verdict:
    return read(
        Verdict,
        _JUDGED,
        row[:4],
        gate=None if row[4] is None else read(Gate, _GATE, row[4:]),
        eliminated=tuple(read(Elimination, ELIMINATION, out) for out in eliminated),
    )


# The costs of several metrics: a row for each metric and outcome, with a checksum. A log without
# metrics has no such tables; a failed run has no rows.


def metrics_of(header: Header) -> dict[str, Direction]:
    """Name → direction of each metric in a scenario, in their order; empty for one cost."""
    found: Any = header.scenario.get("metrics") or {}
    return {name: one.get("direction", "minimize") for name, one in found.items()}


def metric_rows(header: Header) -> list[Row]:
    """The rows of the table `metric`, without checksums."""
    named = enumerate(metrics_of(header).items())
    return [(place, text(name), direction) for place, (name, direction) in named]


def cost_rows(number: int, outcome: Outcome) -> Iterator[Row]:
    """The rows of an outcome with this number; each with its checksum."""
    for place, cost in enumerate(outcome.metrics):
        row = number, place, float(cost) + 0.0
        yield *row, checksum(row)


def joined(
    outcomes: Iterable[tuple[int, Outcome]], costs: sqlite3.Cursor, several: int
) -> Iterator[Outcome]:
    """Outcomes with the costs of their metrics; both come in the order of their numbers.

    Raises
    ------
    ValueError
        If a row was changed, is missing, or belongs to no outcome.
    """
    groups = groupby(map(_metric_cost, costs), key=lambda row: row[0])
    number, group = next(groups, (None, iter(())))
    for own, outcome in outcomes:
        found: tuple[float, ...] = ()
        if number == own:
            places, found = zip(*((place, cost) for _, place, cost in group), strict=True)
            if places != tuple(range(several)):
                raise ValueError(f"outcome {own} has the metrics {places}, of {several}")
            number, group = next(groups, (None, iter(())))
        elif math.isfinite(outcome.cost):
            raise ValueError(f"outcome {own} has no metrics, and did not fail")
        yield replace(outcome, metrics=found) if found else outcome
    if number is not None:
        raise ValueError(f"there are metrics of an outcome {number}, which is not there")


def _metric_cost(row: Row) -> tuple[int, int, float]:
    outcome, metric, cost, kept = row
    if kept != checksum(row[:-1]):
        raise ValueError(f"metric {metric} of outcome {outcome} is not what was written")
    return outcome, metric, real(cost)


def plain_json(value: Any, what: str) -> str:
    """A mapping or a record as JSON, with NumPy's numbers as plain ones.

    Raises
    ------
    InputError
        If it holds NaN, an infinity, or a type that JSON lacks.
    """
    plain = dict(value) if isinstance(value, Mapping) else asdict(value)
    try:
        return json.dumps(plain, allow_nan=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{what} cannot be logged: {error}; "
            "a log keeps text, finite numbers, true and false, and lists and mappings of them"
        ) from error


def _ids(ids: Iterable[int]) -> str:
    return json.dumps([int(id) for id in ids], separators=(",", ":"))


def _read_ids(text: str | None) -> tuple[int, ...] | None:
    return None if text is None else tuple(_whole(id) for id in json.loads(text))


def _of(kind: Any, what: str, value: Any) -> Any:
    """The value: a damaged file may hold anything, so that others are refused."""
    if not isinstance(value, kind):
        raise ValueError(f"{value!r:.80} is not {what}")
    return value


_whole, _text = partial(_of, int, "a whole number"), partial(_of, str, "text")


def real(value: Any) -> float:
    return float(_of(int | float, "a number", value))


def _one_of(words: Sequence[str], value: Any) -> Any:
    if value not in words:
        raise ValueError(f"{value!r:.80} is not one of {', '.join(words)}")
    return value


def _or_none(convert: Convert, value: Any) -> Any:
    return None if value is None else convert(value)


def _mapping(value: Any) -> dict[str, Any]:
    found = json.loads(value) if isinstance(value, str) else value
    if not isinstance(found, dict):
        raise ValueError(f"{value!r:.80} is not a mapping")
    return found


def _amounts(value: Any) -> dict[str, float]:
    return {name: real(amount) for name, amount in _mapping(value).items()}


def _record(kind: Any, value: Any) -> Any:
    found = _mapping(value)
    return read(kind, ", ".join(found), found.values())


_PLAIN: dict[object, tuple[Convert, Convert]] = {
    bool: (lambda value: bool(_whole(value)), int),
    int: (_whole, int),
    float: (real, lambda value: float(value) + 0.0),  # SQLite keeps no sign of zero
    str: (_text, text),
}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    item = getattr(value, "item", None)  # a NumPy scalar
    if item is None:
        raise TypeError(f"{type(value).__name__} {value!r} is not plain data")
    return item()
