"""The functions `minimize` and `maximize`, from their arguments and a log to the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import update_wrapper
from inspect import signature
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias

from racing.base.errors import CallbackError, InputError, RaceError, TargetFailed
from racing.base.quantities import Direction
from racing.core.aims import Aim
from racing.core.budget import Budget
from racing.core.failures import OnFailure
from racing.core.objective import Objective
from racing.core.stop import Stop
from racing.embed.arguments import (
    BudgetLike,
    Candidates,
    InstancesLike,
    SpaceLike,
    Target,
    scenario_of,
)
from racing.embed.callbacks import Callbacks, Ended, Watch
from racing.embed.result import Result, result_of
from racing.evaluate.pool import PoolLike
from racing.log import Log, LogOf, MemoryLog, SQLiteLog, log_in, logs_in, path_in, replay
from racing.race import Race
from racing.rules.rule import Rule
from racing.runner.build import as_begun, decider_of, header_for, pool_of, with_window
from racing.runner.known_seeds import with_known_seeds
from racing.runner.loop import RunOptions
from racing.runner.preflight import check_files, check_same, check_target, watch_target
from racing.runner.progress import progress_for
from racing.runner.reuse import Earlier, check_not_own, earlier_outcomes
from racing.runner.run import driven
from racing.scenario import Scenario
from racing.scenario.search_settings import SearchSettings
from racing.scenario.settings import Execution, RaceSettings
from racing.search import SearchBase
from racing.space.objects import Objects

LogLike: TypeAlias = LogOf | None
P = ParamSpec("P")


def minimize(
    function: Target,
    space_or_candidates: SpaceLike | Candidates,
    instances: InstancesLike,
    *,
    budget: BudgetLike | None = None,
    rule: Rule | str | Mapping[str, Any] | None = None,
    jobs: int = 1,
    objective: Objective | Aim | Mapping[str, Any] | None = None,
    metrics: Mapping[str, Any] | None = None,
    unit: str | None = None,
    seed: int = 1,
    timeout: float | str | None = None,
    on_failure: OnFailure | Mapping[str, Any] | str | None = None,
    candidates: Candidates | Mapping[str, Any] | None = None,
    search: SearchSettings | Mapping[str, Any] | bool | None = None,
    forbidden: Sequence[str] | None = None,
    known: Sequence[Mapping[str, Any]] | None = None,
    race: RaceSettings | Mapping[str, Any] | None = None,
    execution: Execution | Mapping[str, Any] | None = None,
    name: str | None = None,
    reuse: LogOf | Sequence[LogOf] | None = None,
    log: LogLike = None,
    accept_changed_target: bool = False,
    callbacks: Callbacks = (),
    progress: bool | None = None,
    pool: PoolLike | None = None,
) -> Result:
    """Find the configuration with the lowest cost over instances, by a race or a search.

    Every keyword up to `reuse` is a key of a scenario file, with the same forms, defaults and
    errors; see the reference of scenarios.

    Parameters
    ----------
    function
        Takes the values (a dictionary), the instance and the seed, and returns the cost. Its output
        goes to stderr; an exception is a failure, which counts as the worst cost. A text such as
        `fit.py:error`, and any value of the key `target` of a file, are allowed too.
    space_or_candidates
        A space is searched: `racing.space.Space`, a `ConfigurationSpace` of ConfigSpace, or a
        mapping from names to parameters as in a file, `{"x": {"real": [0, 1]}}`, to lists of
        choices, `{"depth": [None, 3, 5]}`, or to distributions of scipy.stats (uniform, loguniform,
        randint). Candidates are raced: a list of mappings from parameters to values. Values may be
        any objects; the log has their names, and a mapping in place of a list of choices gives
        names: `{"model": {"categorical": {"rf": RandomForestClassifier(), "svm": SVC()}}}`.
    instances
        The problems: any objects, `racing.Instances`, or the form of a file, such as
        `{"list": [...], "repeat": True}`. A list is used once, in shuffled order.
    budget
        The limits. A search needs one.
    rule
        How candidates are dropped. Default: `auto` for a race, its own for a search.
    jobs
        The number of evaluations at once. One runs in this process, more run in others (lambdas and
        closures too), unless `execution={"engine": …}` is given.
    objective
        `rank` or `mean`. Default: `rank`, for a search `mean`. For several metrics, a mapping such
        as `{"minimize": "time + 10 * (1 - success)"}`.
    metrics
        Several metrics of an evaluation: `{"quality": {}, "time": {"measure": "wall_time"}}`. The
        function returns a mapping from each to its value.
    unit
        What costs are counted in, such as `s`: the report of the log names it.
    seed
        The seed of all random draws.
    timeout
        The time limit of an evaluation, which then runs in another process.
    on_failure, race, execution, name
        As in a file.
    candidates, search, forbidden, known
        With a space: configurations that enter the search first, the settings of the search (or
        False, to race `candidates` without one), forbidden clauses, and known configurations.
    reuse
        Logs of earlier runs: their outcomes for the same function, values, instance and seed are
        taken. Each is a path, relative to the current folder, a log in a file, or a result that has
        one.
    log
        The path of a log, a log, or a result: an earlier run continues, and nothing is
        evaluated twice. A run that ended by its budget continues with a larger one. Default: in
        memory.
    accept_changed_target
        Continue although the function has changed: its file, its code, or what its closure, its
        defaults or its object hold; or an instance that is an object.
    callbacks
        A function, or several, called with each `racing.embed.Event`: `Heard`, `Decided`, `Ended`.
        One that returns True stops the run.
    progress
        Whether progress is shown. Default: in notebooks and on terminals.
    pool
        The pool for evaluations; see `racing.run`.

    Returns
    -------
    Result
        Not `done` if it was interrupted, by Ctrl-C, a notebook's stop button or a callback; the
        same call with its `log` continues it.

    Raises
    ------
    InputError
        If an argument cannot be used; with all errors.
    TargetError
        If the function cannot be called at all.
    TargetFailed
        If every evaluation failed. It has the `result`.
    CallbackError
        If a callback raised something. It has the `result` so far.
    LogError
        If the log cannot be used.

    Examples
    --------
    >>> import racing
    >>> def error(values, instance, seed):
    ...     return abs(values["x"] - 0.3) + seed % 7 / 100
    >>> racing.minimize(error, [{"x": x / 10} for x in range(11)], range(40)).best
    {'x': 0.3}
    """
    return _optimize("minimize", **locals())


def _with_arguments_of(
    like: Callable[P, Result],
) -> Callable[[Callable[..., Result]], Callable[P, Result]]:
    """A decorator of a function that takes all arguments of another one, by name."""
    of = signature(like)

    def decorated(function: Callable[..., Result]) -> Callable[P, Result]:
        def bound(*arguments: P.args, **options: P.kwargs) -> Result:
            try:
                given = of.bind(*arguments, **options)
            except TypeError as error:
                raise TypeError(f"{function.__name__}(): {error}") from None
            given.apply_defaults()
            return function(**given.arguments)

        update_wrapper(bound, function, updated=())
        bound.__annotations__ = like.__annotations__
        bound.__signature__ = of  # type: ignore[attr-defined]
        return bound

    return decorated


@_with_arguments_of(minimize)
def maximize(**given: Any) -> Result:
    """Find the configuration with the highest score over instances, by a race or a search.

    All arguments and errors are as in `minimize`.

    Parameters
    ----------
    function
        Takes the values (a dictionary), the instance and the seed, and returns the score; higher is
        better. An exception is a failure, which counts as the worst score.
    space_or_candidates
        A space is searched; candidates, a list of mappings from parameters to values, are raced.
    instances
        The problems: any objects, `racing.Instances`, or what a file may say.

    Returns
    -------
    Result
        As of `minimize`. Its `score` is the mean score of the winner, and its `cost` the negative.

    Examples
    --------
    >>> import racing
    >>> def score(values, instance, seed):
    ...     return -abs(values["x"] - 0.3)
    >>> racing.maximize(score, [{"x": x / 10} for x in range(11)], range(40)).best
    {'x': 0.3}
    """
    return _optimize("maximize", **given)


def _optimize(
    direction: Direction,
    *,
    function: Target,
    space_or_candidates: Any,
    instances: Any,
    log: LogLike,
    accept_changed_target: bool,
    callbacks: Callbacks,
    progress: bool | None,
    pool: PoolLike | None,
    **keys: Any,
) -> Result:
    objects = Objects()
    if keys["reuse"] is not None:
        keys["reuse"] = [str(path_in(one, "reuse")) for one in logs_in(keys["reuse"], "reuse")]
    scenario = scenario_of(
        function, space_or_candidates, instances, direction=direction, objects=objects, **keys
    )
    check_files(scenario)
    check_target(scenario, scenario.plan.candidates)
    with (
        pool_of(scenario, RunOptions(), pool) as workers,
        opened(log, with_window(scenario, workers, RunOptions(), pool)) as book,
        progress_for(progress) as shown,
    ):
        scenario, earlier = begin(book, scenario, accept_change=accept_changed_target)
        watch = Watch(callbacks, shown, decided=len(book.verdicts()))
        decider = decider_of(scenario, book)
        options = RunOptions(watch=watch, interrupted=watch.wants_to_stop)
        try:
            driven(scenario, decider, workers, book, earlier, options)
        except KeyboardInterrupt:
            pass
        except CallbackError as error:
            error.result = result_of(decider, book, scenario.direction, objects)
            raise
        return _told(decider, book, result_of(decider, book, scenario.direction, objects), watch)


def _told(decider: Race | SearchBase, book: Log, result: Result, watch: Watch) -> Result:
    """The result, after the last event.

    Raises
    ------
    TargetFailed
        If every evaluation failed.
    """
    try:
        watch.tell(Ended(race=decider, result=result))
    except CallbackError as error:
        error.result = result
        raise
    if result.stopped in (Stop.ALL_FAILED, Stop.TARGET_FAILED):
        failed = [one for one in book.each_outcome() if one.failed]
        failed += [one.outcome for one in book.failed_attempts()]
        last = f", lastly: {failed[-1].message}" if failed else ""
        raise TargetFailed(f"{result.stopped.meaning}{last}", result)
    return result


# --- the log: a new or an earlier one ------------------------------------------------------------


@contextmanager
def opened(given: LogLike, scenario: Scenario) -> Iterator[Log]:
    """A new log in memory, the log at a path (created if missing), or the given log.

    A given log is left open.
    """
    if given is None:
        yield MemoryLog(header_for(with_known_seeds(scenario)))
    elif isinstance(given, Log) or isinstance(given := log_in(given), Log):
        yield given
    else:
        with _in_file(given, scenario) as log:
            yield log


def _in_file(path: Path, scenario: Scenario) -> SQLiteLog:
    check_not_own(scenario, path)
    if path.exists():
        return SQLiteLog.open(path, write=True)
    earlier_outcomes(scenario)  # no log is made if they cannot be used
    return SQLiteLog.create(path, header_for(with_known_seeds(scenario)))


def begin(log: Log, scenario: Scenario, *, accept_change: bool) -> tuple[Scenario, Earlier]:
    """Check that a log and a scenario belong together, and extend the log if needed.

    A finished run continues if the scenario has another budget, counted from the start.

    Returns
    -------
    Scenario
        The given one with the seeds and the window of the log, and the budget that the run began
        with: the log's extensions follow it.
    Earlier
        The outcomes that it may take of earlier logs.

    Raises
    ------
    InputError
        If the log is of another scenario, or its run cannot continue with the budget.
    """
    kept, name = log.header.scenario, str(getattr(log, "path", "the log"))
    scenario = as_begun(scenario, kept)
    before = _budget(log, kept)
    original = Budget(**_limits(kept.get("budget")))
    same = scenario if scenario.budget == original else replace(scenario, budget=original)
    check_same(same, kept, name)
    if scenario.budget != before:
        _extend(log, scenario.budget, name)
    if log.finished is not None:
        return same, Earlier()
    if scenario.search is None and not log.entrants():
        log.add(scenario.plan.candidates)
    watch_target(scenario, log, accept_change=accept_change)
    return same, earlier_outcomes(scenario, run=log)


def _budget(log: Log, kept: Mapping[str, Any]) -> Budget:
    """The current limits, counted from the start."""
    extensions = log.extensions()
    return extensions[-1].budget if extensions else Budget(**_limits(kept.get("budget")))


def _limits(budget: Any) -> dict[str, Any]:
    return {name: limit for name, limit in (budget or {}).items() if limit is not None}


def _extend(log: Log, budget: Budget, name: str) -> None:
    if log.finished is None:
        raise InputError(
            f"the run in {name} is not over and has another budget; let it end with its own, then "
            "give the larger one, or name another log"
        )
    decider = replay(log)
    for limit, most in _limits(asdict(budget)).items():
        if most < (spent := getattr(decider.spent, limit)):
            raise InputError(
                f"budget.{limit} is {most}, but the run in {name} has spent {spent}; give more, or "
                "name another log"
            )
    try:
        decider.extend(budget)
    except RaceError as error:
        raise InputError(f"the run in {name} cannot continue: {error}") from error
    log.extend(budget)
