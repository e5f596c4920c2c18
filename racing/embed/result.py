"""The result of a run, also as a data frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from racing.answer.gain import Gain
from racing.answer.head import Beside
from racing.answer.html import in_notebook
from racing.answer.run import answer
from racing.answer.words import brief
from racing.base.errors import InputError, did_you_mean, require, show
from racing.base.markup import configuration
from racing.base.quantities import Direction, score_of
from racing.base.words import listed, number, shown
from racing.core.budget import Spent
from racing.core.candidate import Candidate
from racing.core.experiment import Outcome
from racing.core.standing import Standing
from racing.core.stop import Stop
from racing.core.view import View
from racing.log import Log
from racing.log.headers import units_in
from racing.race import Race
from racing.report.parts import Dropped, dropped_by
from racing.search import SearchBase
from racing.space.objects import Objects

if TYPE_CHECKING:
    from racing.report import History


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Result:
    """The result of `minimize` and `maximize`.

    Attributes
    ----------
    winner
        The best candidate; the leading one if the run was interrupted; None without one.
    cost
        The winner's mean cost over the instances that all survivors have seen, without failures:
        lower is better. None without a winner.
    ranking
        The survivors of a race or the elites of a search, best first.
    eliminations
        The dropped candidates, with the number of instances, the rival, and the evidence.
    spent
        The spending on complete instances.
    stopped
        Why the run is over; None if it was interrupted, for example by a callback. The same call
        with its `log` then continues it.
    direction
        `minimize` or `maximize`.
    failures
        The messages of failed evaluations with their counts, the most frequent first.
    log
        The path of the log, or the log in memory.
    race, search
        The race or the search itself; the other one is None.
    objects
        What stands behind the names of values that are objects.
    units
        What costs, which are called ``""``, and metrics are counted in.

    Examples
    --------
    >>> import racing
    >>> found = racing.minimize(lambda values, *_: values["x"], [{"x": 1}, {"x": 2}], range(10))
    >>> found.best, found.score
    ({'x': 1}, 1.0)
    """

    winner: Candidate | None
    cost: float | None
    ranking: tuple[Standing, ...]
    eliminations: tuple[Dropped, ...]
    spent: Spent
    stopped: Stop | None
    direction: Direction
    failures: tuple[tuple[str, int], ...]
    log: Path | Log
    race: Race | None
    search: SearchBase | None
    objects: Objects
    units: Mapping[str, str] = field(default_factory=dict)

    @property
    def best(self) -> dict[str, Any] | None:
        """The winner's configuration, as the function gets it; None without a winner."""
        return None if self.winner is None else self.objects.behind(self.winner.values)

    @property
    def score(self) -> float | None:
        """The winner's mean score, as the function returns it; see `cost`."""
        return score_of(self.cost, self.direction)

    @property
    def scores(self) -> dict[str, float | None]:
        """The winner's mean score in each metric, where there are several; see `cost`."""
        return next((dict(s.metrics) for s in self.ranking if s.candidate == self.winner), {})

    @property
    def _limits(self) -> Mapping[str, tuple[float | None, bool]]:
        """Each constraint, with its mean for the winner and whether that meets it."""
        return next((s.limits for s in self.ranking if s.candidate == self.winner), {})

    @property
    def gain(self) -> Gain:
        """The winner's gain over the default, or over the first candidate of a race.

        It is always there and prints as a sentence. Where there is nothing to compare, its
        `estimate` is None, and the sentence says why.
        """
        return answer(self._decider, self._beside).gain

    @property
    def front(self) -> tuple[Standing, ...]:
        """The Pareto front, by its first metric; empty where the objective is not a front.

        `winner` is its best compromise.
        """
        return self._decider.front_standing().front

    @property
    def team(self) -> tuple[Candidate, ...]:
        """The members of the team; empty unless a search for one (`portfolio`) ran.

        `winner` is then the best single configuration.
        """
        return () if self.search is None else self.search.team

    @property
    def done(self) -> bool:
        """Whether the run is over; `stopped` has the reason."""
        return self.stopped is not None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All candidates, in order of entry."""
        return self._decider.candidates

    def to_frame(self) -> Any:
        """A pandas data frame: a row for each candidate in order of entry, by its id.

        The columns are the parameters (`param_…` if the name is taken),
        `name`, `status` (`winner`, `survivor` or `dropped`), `instances` (evaluations that count),
        `failures`, `mean_score` (in the run's own direction, without failures), with several
        metrics `mean_<metric>` for each, and for dropped candidates `dropped_after`, `against`,
        `reason`, `measure`, `value` and `threshold`. Means over different instances cannot be
        compared.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        return _frame(self)

    to_pandas = to_frame

    def report(self, path: str | Path) -> Path:
        """Write the run with all its pictures as a page, a single HTML file.

        Raises
        ------
        InputError
            If the file cannot be written.
        LogError
            If the log cannot be read.
        """
        from racing.report.page import page_data, write_page  # not needed by a run

        page = Path(path)
        data = page_data(self._history, self.log if isinstance(self.log, Path) else page)
        return write_page(page, data)

    def plot(self, picture: str | None = None, ax: Any = None) -> Any:
        """Draw a picture of the page; returns matplotlib's figure.

        Parameters
        ----------
        picture
            Its name, such as `survivors`; by default the first of the page that is drawn.
        ax
            Axes to draw on; None: a new figure.

        Raises
        ------
        InputError
            If the run has no such picture.
        MissingExtra
            If matplotlib is not installed.
        """
        from racing.report.figures import draw  # not needed by a run
        from racing.report.pictures import each

        history = self._history
        found = next((one.figure for one in each(history, picture) if one.figure), None)
        if found is None:
            names = [one.id for one in each(history) if one.figure]
            raise InputError(f"plot: {show(picture)}{did_you_mean(str(picture), names)}")
        return draw(found, ax)

    @property
    def _history(self) -> History:
        from racing.report import history, read_history

        return read_history(self.log) if isinstance(self.log, Path) else history(self.log)

    @property
    def _beside(self) -> Beside:
        return Beside(units=self.units)

    @property
    def _decider(self) -> View:
        decider = self.race if self.race is not None else self.search
        assert decider is not None
        return decider

    def __repr__(self) -> str:
        return f"<Result: {'; '.join(self._words())}>"

    def _words(self) -> list[str]:
        spent = self.spent.evaluations
        words = ["no winner"]
        if self.winner is not None:
            words = [self._answer(self.winner), *self._gained(self.winner)]
        words.append(f"{spent} evaluations")
        if failed := sum(times for _, times in self.failures):
            words.append(f"{failed} failed, mostly {self.failures[0][0]}")
        why = "interrupted; give its log to continue"
        if self.stopped:
            why = self.stopped.why(search=self.search is not None)
        return [*words, why]

    def _gained(self, winner: Candidate) -> Iterator[str]:
        """The gain; of another candidate than the winner with its name."""
        if said := brief(self.gain):
            other = self.gain.name not in (str(winner), "the team")
            yield f"{shown(self.gain.name)}: {said}" if other else said

    def _answer(self, winner: Candidate) -> str:
        if len(self.team) > 1:
            return f"team of {listed([_configured(one) for one in self.team])}"
        means = ", ".join(f"{name} {number(mean)}" for name, mean in self.scores.items())
        if self.front:
            return f"front of {len(self.front)}, best compromise {_configured(winner)}: {means}"
        several = f" ({means})" if means else ""
        missed = [text for text, (_, met) in self._limits.items() if not met]
        best = f"nothing meets {listed(missed)}, nearest" if missed else "best"
        return f"{best} {_configured(winner)}, score {number(self.score)}{several}"

    def _repr_html_(self) -> str:
        return in_notebook(self._decider, "; ".join(self._words()), self._beside)


def _configured(candidate: Candidate) -> str:
    return f"{candidate} ({configuration(candidate.values.items())})"


def result_of(
    decider: Race | SearchBase,
    log: Log,
    direction: Direction,
    objects: Objects,
    *,
    message: Callable[[Outcome], str] = attrgetter("message"),
) -> Result:
    """The result of a race or a search, with its log; `message` says why an outcome failed."""
    winner, ranking = decider.winner, decider.ranking()
    cost = next((one.mean_cost for one in ranking if one.candidate == winner), None)
    return Result(
        winner=winner,
        cost=cost,
        ranking=ranking,
        eliminations=dropped_by(decider),
        spent=decider.spent,
        stopped=decider.stopped,
        direction=direction,
        failures=_failures(log, message),
        log=getattr(log, "path", log),
        race=decider if isinstance(decider, Race) else None,
        search=decider if isinstance(decider, SearchBase) else None,
        objects=objects,
        units=units_in(log.header.scenario),
    )


def _failures(log: Log, message: Callable[[Outcome], str]) -> tuple[tuple[str, int], ...]:
    """Each distinct first line of a message, most frequent first."""
    failed = [one for one in log.each_outcome() if one.failed]
    failed += [one.outcome for one in log.failed_attempts()]
    counts = Counter(message(one).partition("\n")[0] or str(one.status) for one in failed)
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


# --- as a data frame ------------------------------------------------------------------------------

_COLUMNS = (
    "name", "status", "instances", "failures", "mean_score", "dropped_after", "against", "reason",
    "measure", "value", "threshold",
)  # fmt: skip


def _frame(result: Result) -> Any:
    """A data frame with a row for each candidate; see `Result.to_frame`."""
    pandas = require("pandas", extra="pandas", purpose="a data frame")
    decider, out = result._decider, {one.candidate.id: one for one in result.eliminations}
    costs, status = _costs(decider), {one.id: "survivor" for one in decider.survivors}
    if result.winner is not None:
        status[result.winner.id] = "winner"
    means = _means_by_metric(decider)
    own = dict.fromkeys(name for row in means.values() for name in row)
    taken = {name: f"param_{name}" for name in (*_COLUMNS, *own)}
    rows = [
        {
            **{taken.get(name, name): value for name, value in one.values.items()},
            "name": str(one),
            "status": status.get(one.id, "dropped"),
            **_merits(*costs.get(one.id, (np.empty(0), 0)), result.direction),
            **means.get(one.id, {}),
            **(_evidence(out[one.id]) if one.id in out else {}),
        }
        for one in decider.candidates
    ]
    index = pandas.Index([one.id for one in decider.candidates], name="candidate")
    names = dict.fromkeys(name for row in rows for name in row if name not in taken)
    place = _COLUMNS.index("mean_score") + 1
    columns = [*names, *_COLUMNS[:place], *own, *_COLUMNS[place:]]
    return pandas.DataFrame(rows, index=index, columns=columns)


def _costs(decider: View) -> dict[int, tuple[Any, int]]:
    """Candidate's id → its costs, and how many of these are failures, whatever they count as."""
    results = decider.results
    lost = results.lost(range(len(results.candidates))).sum(axis=0).tolist()
    return {
        id: (column[~np.isnan(column)], failures)
        for id, column, failures in zip(results.candidates, results.costs.T, lost, strict=True)
    }


def _means_by_metric(decider: View) -> Mapping[int, dict[str, float]]:
    """Candidate's id → mean score of each metric over the runs that did not fail; {} for one."""
    results = decider.results
    if results.goal is None or results.metrics is None:
        return {}
    found = {}
    for column, id in enumerate(results.candidates):
        costs = results.metrics[:, column]
        ran = costs[np.isfinite(costs).all(axis=1)]
        means = ran.mean(axis=0) if len(ran) else np.full(costs.shape[1], np.nan)
        scores = results.goal.scores(means.tolist())
        found[id] = {f"mean_{name}": score for name, score in scores.items()}
    return found


def _merits(costs: Any, failures: int, direction: Direction) -> dict[str, Any]:
    finite = costs[np.isfinite(costs)]
    mean = float(finite.mean()) if finite.size else float("nan")
    return {
        "instances": int(costs.size),
        "failures": failures,
        "mean_score": score_of(mean, direction),
    }


def _evidence(dropped: Dropped) -> dict[str, Any]:
    why = dropped.elimination
    numbers = {name: getattr(why, name) for name in ("against", "measure", "value", "threshold")}
    return {"dropped_after": dropped.after, "reason": str(why.reason), **numbers}
