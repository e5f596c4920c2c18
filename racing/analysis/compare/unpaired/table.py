"""Unpaired runs of algorithms: for each problem a vector of scores of each algorithm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from racing.analysis.compare.result_table import Floats, Missing
from racing.base.errors import TableError, did_you_mean, show
from racing.base.quantities import Direction, cost_of, limited

_NAMED = 5  # gaps that a message names


@dataclass(frozen=True, eq=False)
class RunTable:
    """Scores of the runs of k algorithms on q problems, with any number of runs of each.

    Attributes
    ----------
    names : k distinct names of algorithms
    problems : q distinct names; a single problem may have the name ""
    runs : runs[p][a] are the scores of algorithm a on problem p, a vector in the user's direction
        A failure is the worst score there is: +inf if scores are minimized, else -inf. A score
        beyond 1e75 is one too.
    direction : "minimize" if lower scores are better, "maximize" if higher ones are
    source : where the runs come from, for messages and reports
    assumed : whether `direction` was assumed rather than given
    left_out : names of the problems or algorithms left out because runs were missing
    empty : how many empty cells were no run
    cutoff : at which runs were stopped, if that is known; such runs are failures

    Raises
    ------
    TableError
        If there are fewer than two algorithms, names are not distinct, an algorithm has no run on a
        problem, or a score is NaN or infinitely good.
    """

    names: tuple[str, ...]
    problems: tuple[str, ...]
    runs: tuple[tuple[Floats, ...], ...]
    direction: Direction = "minimize"
    source: str = "table"
    assumed: bool = False
    left_out: tuple[str, ...] = ()
    empty: int = 0
    cutoff: float | None = None

    def __post_init__(self) -> None:
        if self.direction not in ("minimize", "maximize"):
            raise TableError(
                f"{self.source}: expected minimize or maximize, got {show(self.direction)}"
            )
        _check_names(self)
        for problem, runs in zip(self.problems, self.runs, strict=True):
            for name, scores in zip(self.names, runs, strict=True):
                _check_scores(self, name, problem, scores)
        bounded = tuple(tuple(map(limited, runs)) for runs in self.runs)
        object.__setattr__(self, "runs", bounded)

    @property
    def sizes(self) -> np.ndarray:
        """(q, k) how many runs there are of each algorithm on each problem."""
        return np.array([[scores.size for scores in runs] for runs in self.runs], dtype=np.intp)

    def costs(self, problem: int) -> list[Floats]:
        """A vector of costs of each algorithm on one problem, lower is better."""
        return [cost_of(scores, self.direction) for scores in self.runs[problem]]

    def only(self, problem: str) -> RunTable:
        """The runs on one problem."""
        if problem not in self.problems:
            raise TableError(
                f"{self.source}: no problem is called {show(problem)}"
                f"{did_you_mean(problem, self.problems)}"
            )
        at = self.problems.index(problem)
        return replace(self, problems=(problem,), runs=(self.runs[at],))

    def column(self, name: str) -> int:
        """The place of an algorithm, by name."""
        if name not in self.names:
            raise TableError(
                f"{self.source}: no algorithm is called {show(name)}"
                f"{did_you_mean(str(name), self.names)}"
            )
        return self.names.index(name)


def gathered(
    scores: Mapping[tuple[str, str], Sequence[float] | Floats],
    *,
    direction: Direction | None,
    missing: Missing,
    source: str,
    empty: int = 0,
) -> RunTable:
    """A table of the runs of each (problem, algorithm), in the order in which they appear.

    Raises
    ------
    TableError
        If algorithms have no run on some problems and `missing` is "refuse", or too few are left.
    """
    problems = tuple(dict.fromkeys(problem for problem, _ in scores))
    names = tuple(dict.fromkeys(name for _, name in scores))
    gaps = [(p, a) for p in problems for a in names if not len(scores.get((p, a), ()))]
    if gaps and missing == "refuse":
        raise TableError(_gaps(gaps, len(problems), len(names), source))
    out = {p if missing == "drop-instances" else a for p, a in gaps}
    if missing == "drop-instances":
        problems = tuple(p for p in problems if p not in out)
    else:
        names = tuple(a for a in names if a not in out)
    if not problems or len(names) < 2:
        other = "drop-algorithms" if missing == "drop-instances" else "drop-instances"
        raise TableError(
            f"{source}: {len(problems)} problems and {len(names)} algorithms are left, and one "
            "problem and two algorithms are needed"
            + (f"; try --missing {other}, or add the runs" if out else "")
        )
    return RunTable(
        names=names,
        problems=problems,
        runs=tuple(
            tuple(np.asarray(scores[p, a], dtype=np.float64) for a in names) for p in problems
        ),
        direction=direction or "minimize",
        source=source,
        assumed=direction is None,
        left_out=tuple(sorted(out)),
        empty=empty,
    )


def place(name: str, problem: str) -> str:
    """Where a run belongs, in a sentence."""
    return f"{name} on {problem}" if problem else name


def _gaps(gaps: Sequence[tuple[str, str]], problems: int, names: int, source: str) -> str:
    some = "; ".join(place(a, p) for p, a in gaps[:_NAMED])
    more = f"; and {len(gaps) - _NAMED} more" if len(gaps) > _NAMED else ""
    return (
        f"{source}: no run of {some}{more}. Add the runs (a run that failed is inf, or -inf if "
        f"higher is better), or leave out {len({p for p, _ in gaps})} of {problems} problems "
        f"(--missing drop-instances) or {len({a for _, a in gaps})} of {names} algorithms "
        "(--missing drop-algorithms)"
    )


def _check_names(table: RunTable) -> None:
    for what, labels in (("algorithm", table.names), ("problem", table.problems)):
        twice = [label for label, many in Counter(labels).items() if many > 1]
        if twice:
            raise TableError(f"{table.source}: two {what}s are called {show(twice[0])}; rename one")
    if len(table.names) < 2:
        only = f" ({show(table.names[0])})" if table.names else ""
        raise TableError(
            f"{table.source}: a comparison needs at least two algorithms, got "
            f"{len(table.names)}{only}"
        )
    if not table.problems:
        raise TableError(f"{table.source}: no problems: expected runs on at least one")


def _check_scores(table: RunTable, name: str, problem: str, scores: Floats) -> None:
    where = f"{table.source}: {place(name, problem)}"
    if scores.ndim != 1 or not scores.size:
        raise TableError(f"{where}: expected a vector of at least one score")
    if np.isnan(scores).any():
        raise TableError(f"{where}: a score is NaN; a run that failed is inf (-inf if higher wins)")
    best = -np.inf if table.direction == "minimize" else np.inf
    if (too_good := scores[limited(scores) == best]).size:
        other = "--maximize" if table.direction == "minimize" else "--minimize"
        raise TableError(
            f"{where}: a score is {too_good[0]}, infinitely good where scores are "
            f"{table.direction}d; a failure is {-best}. If the direction is wrong, say {other}"
        )
