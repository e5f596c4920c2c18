"""A finished table of results: scores by algorithm and instance, checked and complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import compress
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.analysis.compare.methods import option, refusal
from racing.base.errors import InputError, TableError, did_you_mean, must_be, show
from racing.base.quantities import Direction, cost_of, limited, score_of
from racing.base.words import count
from racing.core.failures import OnFailure, failures_of, on_failure_of

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
Bools: TypeAlias = NDArray[np.bool_]
HowMissing: TypeAlias = Literal["refuse", "average", "drop-instances", "drop-algorithms"]
Missing: TypeAlias = HowMissing | Sequence[HowMissing]
Duplicates: TypeAlias = Literal["refuse", "number"]
Columns: TypeAlias = Mapping[str, str] | None
"""Which column of the long form has which role."""

MISSING: tuple[HowMissing, ...] = ("refuse", "average", "drop-instances", "drop-algorithms")
MOST_ALGORITHMS = 10_000
_POLICY = tuple(one.name for one in fields(OnFailure))
_NAMED = 5  # missing cells that a message names


@dataclass(frozen=True, eq=False)
class ResultTable:
    """Scores of m algorithms on n instances; a row of a paired table joins its scores.

    Attributes
    ----------
    names : m distinct names of algorithms
    instances : n distinct names of instances, the problems of runs; a single problem may be ""
    scores : (n, m), or (n, m, r) with up to r repetitions or runs of each; in the user's direction
        NaN fills up cells with fewer of them. A failure is the worst score there is: +inf if scores
        are minimized, else -inf. A score beyond 1e75 is one too.
    direction : "minimize" if lower scores are better, "maximize" if higher ones are
    source : where the table comes from, for messages and reports
    paired : False if the scores are runs that nothing pairs
    assumed : whether `direction` was assumed rather than given
    from_race : whether these are the costs by which a race chose its survivors and dropped others
    left_out : names of the instances or algorithms left out because cells were missing
    groups : what each instance belongs to, where instances come in groups; () if independent
    cutoff : at which runs were stopped, if that is known; such runs are failures
    empty : how many empty cells between scores were taken as no run
    columns : for each role the column that was guessed to have it: ("score", "accuracy"), …

    Raises
    ------
    TableError
        If the shapes, names or scores cannot be compared; see `complete` for missing cells.
    """

    names: tuple[str, ...]
    instances: tuple[str, ...]
    scores: Floats
    direction: Direction = "minimize"
    source: str = "table"
    paired: bool = True
    assumed: bool = False
    from_race: bool = False
    left_out: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    cutoff: float | None = None
    empty: int = 0
    columns: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for fault in self._faults():
            raise self.error(fault)
        object.__setattr__(self, "scores", limited(self.scores))

    def error(self, what: str) -> TableError:
        """An error about this table."""
        return TableError(f"{self.source}: {what}")

    def _faults(self) -> Iterator[str]:
        """Why this is no table that can be compared."""
        shape, n, m = self.scores.shape, self.n, self.m
        if self.direction not in ("minimize", "maximize"):
            yield must_be("direction", "minimize or maximize", self.direction)
        if len(shape) not in (2, 3) or shape[:2] != (n, m) or 0 in shape[2:]:
            wanted = f"of shape {(n, m)} for {n} instances and {m} algorithms"
            yield f"scores must be {wanted}; got {shape}"
        if n == 0:
            yield "there must be one instance or more; got none"
        if m < 2:
            only = f" ({show(self.names[0])})" if self.names else ""
            yield f"there must be two or more algorithms; got {m}{only}"
        if m > MOST_ALGORITHMS:
            yield (
                f"there must be at most {MOST_ALGORITHMS} algorithms; got {m}; are rows and "
                "columns interchanged? a row is an instance, a column an algorithm"
            )
        yield from _repeated("algorithm", self.names, "")
        what = "instance" if self.paired else "problem"
        yield from _repeated(
            what, self.instances, f", or number them ({option('--duplicates number')})"
        )
        yield from self._bad_cells()
        if self.groups and len(self.groups) != n:
            yield f"groups must be {n} labels, one per instance; got {len(self.groups)}"

    def _bad_cells(self) -> Iterator[str]:
        """A cell without any score, and what is infinitely good."""
        best, other = (-np.inf, "max") if self.direction == "minimize" else (np.inf, "min")
        too_good = limited(self.repeated) == best
        for i, j in np.argwhere((self.sizes == 0) | too_good.any(axis=2))[:1]:
            cell = place(self.names[j], self.instances[i])
            if self.sizes[i, j] == 0:
                yield f"{cell} is missing; see racing.analysis.compare.complete"
            score, say = self.repeated[i, j][too_good[i, j]][0], option(f"--{other}imize")
            yield refusal(
                "too-good", cell=cell, score=score, how=self.direction, worst=-best, say=say
            )

    @property
    def n(self) -> int:
        """How many instances."""
        return len(self.instances)

    @property
    def m(self) -> int:
        """How many algorithms."""
        return len(self.names)

    @property
    def repetitions(self) -> int:
        """How many scores there are of each algorithm on each instance, at most."""
        return 1 if self.scores.ndim == 2 else self.scores.shape[2]

    @property
    def repeated(self) -> Floats:
        """(n, m, r) scores, NaN where a cell has fewer than others."""
        return self.scores if self.scores.ndim == 3 else self.scores[:, :, None]

    @cached_property
    def sizes(self) -> Ints:
        """(n, m) how many scores there are in each cell."""
        return np.asarray((~np.isnan(self.repeated)).sum(axis=2), dtype=np.intp)

    @cached_property
    def means(self) -> Floats:
        """(n, m) scores, repetitions averaged; in the user's direction."""
        if self.scores.ndim == 2:
            return self.scores
        whole = bool((self.sizes == self.repetitions).all())
        return np.asarray((np.mean if whole else np.nanmean)(self.scores, axis=2))

    @cached_property
    def costs(self) -> Floats:
        """(n, m) costs, lower is better, repetitions averaged."""
        return cost_of(self.means, self.direction)

    @cached_property
    def repeated_costs(self) -> Floats:
        """(n, m, r) costs, lower is better."""
        return cost_of(self.repeated, self.direction)

    @cached_property
    def runs(self) -> tuple[tuple[Floats, ...], ...]:
        """runs[p][a] are the scores of algorithm a on problem p, a vector."""
        return tuple(tuple(own[~np.isnan(own)] for own in row) for row in self.repeated)

    def run_costs(self, problem: int) -> list[Floats]:
        """A vector of costs of each algorithm on one problem, lower is better."""
        return [cost_of(own, self.direction) for own in self.runs[problem]]

    @cached_property
    def yes_or_no(self) -> bool:
        """Whether every score is 0 or 1, and both occur."""
        return self.repetitions == 1 and set(np.unique(self.scores)) == {0.0, 1.0}

    def only(self, problem: str) -> ResultTable:
        """The scores on one problem."""
        at = self._place(problem, self.instances, "problem")
        return replace(self, instances=(problem,), scores=self.scores[at : at + 1])

    def column(self, name: str) -> int:
        """The column of an algorithm, by name."""
        if not isinstance(name, str):
            among = isinstance(name, (int, np.integer)) and 0 <= name < self.m
            meant = f"; column {name} is {show(self.names[name])}" if among else ""
            raise self.error(f"an algorithm must be a name; got {name!r}{meant}")
        return self._place(name, self.names, "algorithm")

    def _place(self, name: str, names: tuple[str, ...], what: str) -> int:
        if name not in names:
            raise self.error(f"no {what} is called {show(name)}{did_you_mean(name, names)}")
        return names.index(name)


def place(name: str, instance: str) -> str:
    """Where a score belongs, in a sentence."""
    return f"{name} on {instance}" if instance else name


def _repeated(what: str, labels: tuple[str, ...], fix: str) -> Iterator[str]:
    for label, many in Counter(labels).items():
        if many > 1:
            yield (
                f"{what} names must differ; got {show(label)} {many} times; rename all but one{fix}"
            )


def numbered(instances: Iterable[str]) -> tuple[str, ...]:
    """Names of instances; repeated names get a number, such as "x (2)"."""
    names = tuple(instances)
    taken, seen, out = set(names), Counter[str](), []
    for name in names:
        seen[name] += 1
        new = name
        while seen[name] > 1 and new in taken:
            new = f"{name} ({seen[name]})"
            seen[name] += new in taken
        taken.add(new)
        out.append(new)
    return tuple(out)


def complete(
    names: Iterable[str],
    instances: Iterable[str],
    scores: Floats,
    *,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    duplicates: Duplicates = "refuse",
    groups: Iterable[object] = (),
    **known: Any,
) -> ResultTable:
    """A table without missing cells (NaN): refused, or left out row by row or column by column.

    A cell that lacks a repetition which another algorithm has there is missing too, unless
    `missing` is or has "average": ("average", "drop-instances") leaves out an instance only where a
    cell has none. Runs may be any number. Instances of one name are refused, or numbered if
    `duplicates` is "number".

    Raises
    ------
    TableError
        If cells are missing and `missing` is "refuse" or "average", or too little is left.
    """
    ways = (missing,) if isinstance(missing, str) else tuple(missing)
    _check_words(ways, duplicates)
    names, instances, labels = tuple(names), tuple(instances), tuple(map(str, groups))
    instances = numbered(instances) if duplicates == "number" else instances
    few = "average" in ways or not known.get("paired", True)
    there = ~np.isnan(scores if scores.ndim == 3 else scores[:, :, None])
    uneven = (there != there.any(axis=1, keepdims=True)).any(axis=2)
    gaps = np.asarray(~there.any(axis=2) | (uneven & (not few)))
    left_out: tuple[str, ...] = ()
    if gaps.any() and gaps.shape == (len(instances), len(names)):
        if not ways[-1].startswith("drop"):
            raise TableError(_missing_cells(names, instances, gaps, there, few=few, **known))
        row, column = _kept(gaps, ways[-1], there, known.get("source", "table"))
        left_out = (*compress(instances, ~row), *compress(names, ~column))
        names, scores = tuple(compress(names, column)), scores[row][:, column]
        instances, labels = (tuple(compress(each, row)) for each in (instances, labels))
    return ResultTable(
        names, instances, scores, direction or "minimize", assumed=direction is None,
        left_out=left_out, groups=labels, **known,
    )  # fmt: skip


def _check_words(missing: tuple[str, ...], duplicates: str) -> None:
    allowed = [(one,) for one in MISSING] + [("average", one) for one in MISSING[2:]]
    if missing not in allowed:
        raise TableError(
            f"missing must be {', '.join(MISSING[:-1])} or {MISSING[-1]}, or average and one of "
            f"the last two; got {show(','.join(map(str, missing)))}"
        )
    if duplicates not in ("refuse", "number"):
        raise TableError(must_be("duplicates", "refuse or number", duplicates))


def _kept(gaps: Bools, way: str, there: Bools, source: str) -> list[Bools]:
    """The rows and the columns that stay if those of one kind that miss a cell are left out."""
    axis = 0 if way == "drop-instances" else 1
    kept = [np.ones(size, dtype=bool) for size in gaps.shape]
    kept[axis] = np.asarray(~gaps.any(axis=1 - axis))
    what, least, other = (
        ("instances", 1, "algorithms") if axis == 0 else ("algorithms", 2, "instances")
    )
    if (left := int(kept[axis].sum())) < least:
        uneven = gaps[there.any(axis=2)].any()  # only some of the repetitions are missing
        way = option("--missing average" if uneven else f"--missing drop-{other}")
        facts = {"what": what, "left": left, "of": gaps.shape[axis], "least": least, "try": way}
        raise TableError(f"{source}: {refusal('too-few-left', **facts)}")
    return kept


def _missing_cells(
    names: tuple[str, ...], instances: tuple[str, ...], gaps: Bools, there: Bools, *,
    few: bool = False, source: str = "table", paired: bool = True, from_race: bool = False,
    **_: object,
) -> str:  # fmt: skip
    places, empty = np.argwhere(gaps), np.asarray(~there.any(axis=2))
    some = "; ".join(place(names[j], instances[i]) for i, j in places[:_NAMED])
    some += f"; and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    several, uneven = there.shape[2] > 1, bool((gaps != empty).any())
    first = "average," if paired and empty.any() and (uneven or (few and several)) else ""
    out = _leaving_out(empty if first else gaps, first, "instances" if paired else "problems")
    if not paired:
        fix = "Add the runs (a run that failed is inf, or -inf if higher is better)"
        return f"{source}: no run of {some}. {fix}{out}"
    one = f"{count(len(places), 'cell')} {'is' if len(places) == 1 else 'are'} missing"
    parts = ", or some of the repetitions" if several and not few else ""
    why = " (a race does not run what it has dropped)" if from_race else ""
    average = f", or average the repetitions that are there ({option('--missing average')})"
    fix = f"Fill them{average if uneven and not empty.any() else ''}{out}"
    return (
        f"{source}: {one}{parts}{why}: {some}. {fix}; a failure is not a missing cell, write it as "
        "inf (-inf if higher is better); columns of unpaired runs may have any length "
        f"({option('--unpaired')})"
    )


def _leaving_out(gaps: Bools, first: str, what: str) -> str:
    """The ways to leave something out after which enough is left."""
    (n, m), rows, columns = gaps.shape, gaps.any(axis=1).sum(), gaps.any(axis=0).sum()
    found = {f"{rows} of {n} {what}": "instances"} if rows < n else {}
    found |= {f"{columns} of {m} algorithms": "algorithms"} if m - columns > 1 else {}
    ways = [f"{said} ({option(f'--missing {first}drop-{one}')})" for said, one in found.items()]
    also = "average the repetitions that are there and " if first else ""
    return f", or {also}leave out {' or '.join(ways)}" if ways else ""


def stopped_at(table: ResultTable, cutoff: float) -> ResultTable:
    """The table in which runs that failed or reached the cutoff are runs stopped at the cutoff.

    Also a penalty such as ten cutoffs (PAR10) stands for a stopped run.

    Raises
    ------
    InputError
        If the cutoff is no positive number, scores are maximized, or a time is negative.
    """
    if not (isinstance(cutoff, (int, float)) and 0.0 < cutoff < np.inf):
        raise InputError(must_be("cutoff", "a number above 0", cutoff))
    if table.direction == "maximize":
        what = option("--maximize")
        raise InputError(f"cutoff: is for times, of which lower ones are better; leave out {what}")
    if (least := np.nanmin(table.scores)) < 0:
        raise InputError(f"cutoff: is for times, and one of the scores is negative: {least:g}")
    stopped = np.where(table.scores >= cutoff, np.inf, table.scores)
    return replace(table, scores=stopped, cutoff=float(cutoff))


def policy_of(given: OnFailure | Mapping[str, Any] | float | str) -> OnFailure:
    """What an infinite score counts as: a policy, a score, or a score of each metric by its name.

    In text too: "worst", "60" and "time=60,quality=0".

    Raises
    ------
    InputError
        If it is no policy.
    """
    if isinstance(given, str) and "=" in given:
        parts = (part.rpartition("=") for part in given.split(","))
        given = {name.strip(): score for name, _, score in parts}
        with suppress(ValueError):
            given = {name: float(score) for name, score in given.items()}
    elif isinstance(given, str):
        with suppress(ValueError):
            given = float(given)
    if isinstance(given, (int, float, np.number)) and not isinstance(given, bool):
        return on_failure_of({"penalty": float(given)})
    words = isinstance(given, Mapping) and str in map(type, given.values())
    if isinstance(given, Mapping) and not words and not {*given} & {*_POLICY}:
        return on_failure_of({"penalty": given})
    return on_failure_of(given)  # type: ignore[arg-type]


def counted(
    table: ResultTable, on_failure: OnFailure | Mapping[str, Any] | float | str | None
) -> ResultTable:
    """The table in which each failure is the score that it counts as, as in a race.

    Raises
    ------
    InputError
        If it is no policy; or for `rate` and runs that nothing pairs.
    """
    if on_failure is None:
        return table
    failures = failures_of(policy_of(on_failure), table.direction)
    if failures.cost is not None:
        penalty = score_of(failures.cost, table.direction)
        return replace(table, scores=np.where(np.isinf(table.scores), penalty, table.scores))
    if failures.policy != "rate":
        return table
    if not table.paired:
        raise InputError("on_failure: rate is for paired runs, and these are not paired")
    costs = np.moveaxis(table.repeated_costs, 2, 1)  # repetition by repetition
    judged, _ = failures.judged(costs.reshape(-1, table.m))
    scores = np.moveaxis(score_of(judged, table.direction).reshape(costs.shape), 1, 2)
    return replace(table, scores=scores.reshape(table.scores.shape))
