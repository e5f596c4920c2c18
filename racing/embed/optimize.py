"""One function for the common case: what is to be minimized, what is tried, and on what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from racing.embed.arguments import (
    BudgetLike,
    Candidates,
    InstancesLike,
    SpaceLike,
    Target,
    scenario_of,
)
from racing.embed.book import LogLike, begin, opened
from racing.embed.callbacks import Callback, Ended, Watch
from racing.embed.result import Result, result_of
from racing.errors import CallbackError, TargetFailed
from racing.evaluate.evaluator import OnFailure
from racing.evaluate.pool import PoolLike
from racing.log import Log
from racing.loop import RunOptions
from racing.objective import Objective
from racing.preflight import check_files, check_target
from racing.progress import progress_for
from racing.quantities import Direction
from racing.race import Race
from racing.rules.rule import Rule
from racing.runs import decider_in, drive_in, pool_of
from racing.scenario import Scenario
from racing.scenario.search import SearchSettings
from racing.scenario.settings import Execution, RaceSettings
from racing.search import Search
from racing.stop import Stop


def minimize(
    function: Target,
    space_or_candidates: SpaceLike | Candidates,
    instances: InstancesLike,
    *,
    budget: BudgetLike | None = None,
    rule: Rule | str | Mapping[str, Any] | None = None,
    jobs: int = 1,
    objective: Objective | None = None,
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
    log: LogLike = None,
    accept_changed_target: bool = False,
    callbacks: Sequence[Callback] = (),
    progress: bool | None = None,
    pool: PoolLike | None = None,
) -> Result:
    """Find the configuration with the lowest cost over instances, by a race or a search.

    Every keyword up to `name` is a key of a scenario file, with the same forms, defaults and
    errors; see the reference of scenarios.

    Parameters
    ----------
    function
        Takes the values (a dictionary), the instance and the seed, and returns the cost. What it
        prints goes to stderr; what it raises is a failure, which counts as the worst cost. A text
        such as `fit.py:error`, and what the key `target` of a file may hold, will do too.
    space_or_candidates
        A space is searched: `racing.space.Space`, or parameters as in a file,
        `{"x": {"real": [0, 1]}}`. Candidates are raced: a list of mappings from parameters to
        values. Values are numbers, text or booleans; let them name what they stand for.
    instances
        The problems: any objects, `racing.Instances`, or what a file may say, such as
        `{"list": [...], "repeat": True}`. A list is met once, in shuffled order.
    budget
        What may be spent. A search needs one.
    rule
        How candidates are dropped. Default: `auto` for a race, its own for a search.
    jobs
        How many evaluations run at once. One runs in this process, more run in others, to which
        lambdas and closures travel too; `execution={"engine": …}` says otherwise.
    objective
        What is best: `rank` or `mean`. Default: `rank`, for a search `mean`.
    seed
        All randomness comes from it.
    timeout
        The most time that an evaluation may take. It runs in another process then.
    on_failure, race, execution, name
        As in a file.
    candidates, search, forbidden, known
        Beside a space: configurations that enter the search first, the settings of the search (or
        False, to race `candidates` without one), what no configuration may be, and what is known.
    log
        The path of a log: a run that it holds goes on, and nothing is evaluated twice. A run that
        ended by its budget goes on with a larger one. The `log` of a result will do. Default: in
        memory.
    accept_changed_target
        Go on although the function's file is not what it was.
    callbacks
        Functions called with each `racing.embed.Event`: `Heard`, `Decided`, `Ended`. One that
        returns True stops the run.
    progress
        Whether progress is shown. Default: in notebooks and on terminals.
    pool
        What runs the evaluations; see `racing.run`.

    Returns
    -------
    Result
        Not `done` if it was interrupted, by Ctrl-C, a notebook's stop button or a callback; its
        `log`, given to the same call, goes on.

    Raises
    ------
    InputError
        If an argument cannot be used; with everything that is wrong.
    TargetError
        If the function cannot be called at all.
    TargetFailed
        If every evaluation failed. It has the `result`.
    CallbackError
        If a callback raised something. It has the `result` so far.
    LogError
        If the log cannot be used.
    """
    return _optimize("minimize", **locals())


def maximize(
    function: Target,
    space_or_candidates: SpaceLike | Candidates,
    instances: InstancesLike,
    *,
    budget: BudgetLike | None = None,
    rule: Rule | str | Mapping[str, Any] | None = None,
    jobs: int = 1,
    objective: Objective | None = None,
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
    log: LogLike = None,
    accept_changed_target: bool = False,
    callbacks: Sequence[Callback] = (),
    progress: bool | None = None,
    pool: PoolLike | None = None,
) -> Result:
    """Find the configuration with the highest score over instances; all else as in `minimize`."""
    return _optimize("maximize", **locals())


def _optimize(
    direction: Direction,
    *,
    function: Target,
    space_or_candidates: Any,
    instances: Any,
    log: LogLike,
    accept_changed_target: bool,
    callbacks: Sequence[Callback],
    progress: bool | None,
    pool: PoolLike | None,
    **keys: Any,
) -> Result:
    scenario = scenario_of(function, space_or_candidates, instances, direction=direction, **keys)
    check_files(scenario)
    check_target(scenario, scenario.plan.candidates)
    with (
        pool_of(scenario, RunOptions(), pool) as workers,
        opened(log, scenario) as book,
        progress_for(progress) as shown,
    ):
        begin(book, scenario, accept_change=accept_changed_target)
        watch = Watch(callbacks, shown, decided=len(book.verdicts()))
        decider = decider_in(scenario, book)
        options = RunOptions(watch=watch, interrupted=watch.wants_to_stop)
        try:
            drive_in(decider, scenario, workers, book, options)
        except KeyboardInterrupt:
            pass
        except CallbackError as error:
            error.result = result_of(decider, book, direction=direction)
            raise
        return _told(decider, book, scenario, watch)


def _told(decider: Race | Search, book: Log, scenario: Scenario, watch: Watch) -> Result:
    """The result, once the callbacks have heard of it.

    Raises
    ------
    TargetFailed
        If there cannot be one.
    """
    result = result_of(decider, book, direction=scenario.direction)
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
