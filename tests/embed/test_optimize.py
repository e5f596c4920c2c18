"""`minimize` and `maximize`: the same answers as the race and the search that they stand for."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import FunctionType

import numpy as np
import pandas as pd
import pytest

import racing
from racing.base.errors import InputError, LogError, TargetError, TargetFailed
from racing.embed import Heard
from racing.log import MemoryLog, SQLiteLog, replay
from racing.rules import Sign
from racing.scenario.settings import Execution
from racing.space import Real, Space

TEN = [{"x": k / 10} for k in range(11)]


def cost(values, instance, seed):
    """Best at x = 0.3; the noise is shared by all on an instance."""
    return abs(values["x"] - 0.31) + (seed % 7) / 100


def ends_at(outcomes):
    return lambda event: event.race.outcomes == outcomes


def result(found: racing.Result) -> tuple:
    return found.best, found.score, found.spent.evaluations, found.stopped, found.eliminations


def test_candidates_are_raced():
    found = racing.minimize(cost, TEN, range(20), budget=150)
    assert found.best == {"x": 0.3}
    assert found.race is not None
    assert found.search is None
    race = racing.Race(TEN, tuple(range(20)), budget=150)
    for experiment in race:
        instance = experiment.instance
        race.tell(experiment, cost(experiment.candidate.values, instance.problem, instance.seed))
    assert found.winner.values == race.winner.values
    assert found.spent.evaluations == race.spent.evaluations
    assert found.race.verdicts == race.verdicts


def test_groups_of_instances_reach_the_race_and_its_log(tmp_path):
    labels = [1, "1"] * 10  # their texts are the same
    folds = racing.Instances(range(20), groups=labels, correlation=0.3, order="listed")
    log = tmp_path / "folds.sqlite"
    found = racing.minimize(cost, TEN, folds, rule="correlated-t", log=log)
    assert found.race is not None
    assert found.race.instances.correlation == 0.3
    assert found.race.instances.groups == ("group 1", "group 2") * 10
    race = racing.Race(TEN, folds, rule="correlated-t")
    for experiment in race:
        instance = experiment.instance
        race.tell(experiment, cost(experiment.candidate.values, instance.problem, instance.seed))
    assert found.race.verdicts == race.verdicts
    with SQLiteLog.open(log, write=False) as kept:
        again = replay(kept)
    assert again.instances.groups == ("group 1", "group 2") * 10
    assert again.instances.correlation == 0.3


def test_a_space_is_searched_and_may_be_written_as_in_a_file():
    instances = {"list": list("abcd"), "repeat": True}
    found = racing.minimize(cost, {"x": {"real": [0, 1]}}, instances, budget=120)
    same = racing.minimize(cost, Space({"x": Real(0, 1)}), instances, budget={"evaluations": 120})
    assert found.search is not None
    assert found.race is None
    assert abs(found.best["x"] - 0.31) < 0.1
    assert result(found) == result(same)


def test_a_search_takes_a_space_as_in_a_file():
    search = racing.Search({"x": {"real": [0, 1]}}, ["a"], budget=100)
    assert search.space == Space({"x": Real(0, 1)})
    with pytest.raises(InputError, match=r"space\.x\.real must be \[low, high\]"):
        racing.Search({"x": {"real": 1}}, ["a"], budget=100)


def test_maximize_is_minimize_of_the_opposite():
    instances = range(20)
    least = racing.minimize(cost, TEN, instances, budget=150)
    most = racing.maximize(lambda *told: -cost(*told), TEN, instances, budget=150)
    assert most.best == least.best
    assert most.score == -least.score
    assert most.cost == least.cost
    assert most.direction == "maximize"


def test_lambdas_and_closures_travel_to_other_processes():
    shift = 0.4
    found = racing.minimize(
        lambda values, instance, seed: abs(values["x"] - shift) + instance / 100 + 0 * os.getpid(),
        TEN, range(8), budget=60, jobs=2,
    )  # fmt: skip
    assert found.best == {"x": 0.4}
    assert found.failures == ()


def test_jobs_and_pools_change_nothing():
    alone = racing.minimize(cost, TEN, range(12), budget=100)
    with ThreadPoolExecutor(2) as executor:
        own = racing.minimize(cost, TEN, range(12), budget=100, jobs=2, pool=executor)
    threads = racing.minimize(
        cost, TEN, range(12), budget=100, execution={"jobs": 2, "engine": "threading"}
    )
    assert result(alone) == result(own) == result(threads)


def test_what_cannot_be_sent_to_processes_says_what_to_do():
    lock = threading.Lock()
    with pytest.raises(InputError, match=r"cannot be sent to worker processes.*in-process"):
        racing.minimize(lambda *_: lock.locked(), TEN, range(4), jobs=2)
    found = racing.minimize(lambda *_: float(lock.locked()), TEN, range(4))
    assert found.score == 0.0


def test_an_instance_that_cannot_be_sent_is_a_failure_that_says_so():
    with pytest.raises(TargetFailed, match="could not be sent to or from its worker process"):
        racing.minimize(cost, TEN[:2], [threading.Lock(), threading.Lock()], jobs=2)


def test_instances_are_any_objects_and_reach_the_function_as_they_are():
    data = [np.arange(3.0), {"list": ["no file"]}, (1, 2), None]
    given = racing.Instances(data, order="listed")
    seen = []
    racing.minimize(lambda v, instance, s: seen.append(instance) or 1.0, TEN[:2], given)
    assert all(any(one is other for other in data) for one in seen[:6])
    with pytest.raises(InputError, match="instances: the list is empty"):
        racing.minimize(cost, TEN, [])


def test_an_instance_that_is_a_mapping_is_an_object_unless_it_says_its_name():
    met = []
    given = [{"x": 1}, {"name": "b", "seeds": [3]}]
    racing.minimize(lambda v, instance, s: met.append(instance) or 1.0, TEN[:2], given)
    assert {"x": 1} in met
    assert "b" in met
    with pytest.raises(InputError, match=r"instances\[0\].sed: unknown key"):
        racing.minimize(cost, TEN, [{"name": "b", "sed": 3}])
    own = [{"name": "b", "path": "x"}]
    with pytest.raises(InputError, match=r"\[0\].path: unknown key; .* Instances\(\[.*names="):
        racing.minimize(cost, TEN, own)
    met.clear()
    given = racing.Instances(own, names=["b"])
    racing.minimize(lambda v, instance, s: met.append(instance) or 1.0, TEN[:2], given)
    assert met[0] == own[0]


@pytest.mark.parametrize(
    "use",
    [lambda frame: racing.minimize(cost, TEN, frame), lambda frame: racing.Race(TEN, frame),
     lambda frame: racing.Search({"x": {"real": [0, 1]}}, frame, budget=90), racing.Instances],
    ids=["minimize", "Race", "Search", "Instances"],
)  # fmt: skip
def test_a_frame_is_no_list_of_instances(use):
    frame = pd.DataFrame({"name": ["a", "b"], "size": [1, 2]})
    with pytest.raises(
        InputError, match=r'instances must be a list.*got DataFrame; .*\(frame\["na'
    ):
        use(frame)


def test_names_seeds_and_order_of_a_stream_are_kept():
    given = racing.Instances(["a", 2], names=["one", "two"], seeds=[[5, 6], [7]], order="listed")
    met = []
    racing.minimize(lambda v, instance, seed: met.append((instance, seed)) or 1.0, TEN[:2], given)
    assert met[::2] == [("a", 5), (2, 7), ("a", 6)]


def test_numpy_values_and_named_candidates():
    tried = [racing.Candidate(9, {"x": np.float32(0.5)}, "half"), {"x": np.int64(1)}]
    found = racing.minimize(cost, tried, range(6))
    assert str(found.winner) == "half"
    assert found.best == {"x": 0.5}
    assert [one.id for one in found.candidates] == [1, 2]


def test_the_rule_and_the_settings_of_a_file():
    found = racing.minimize(
        cost, TEN, range(30), rule={"name": "sign", "alpha": 0.01},
        race={"first_test": 7, "each_test": 2, "min_survivors": 2}, objective="mean", seed=5,
    )  # fmt: skip
    assert found.race.rule == Sign(alpha=0.01)
    assert found.race.verdicts[0].instances == 7
    assert len(found.ranking) == 2
    assert found.race.seed == 5
    assert found.race.objective == "mean"


def test_looks_at_growing_distances_are_the_same_with_workers_and_no_setting_of_a_search():
    settings = {"first_test": 2, "each_test": "50%"}
    alone, many = (
        racing.minimize(
            cost, TEN, range(30), rule="sign", race=settings, jobs=jobs,
            execution={"engine": "threading"},
        )
        for jobs in (1, 4)
    )  # fmt: skip
    assert [one.instances for one in alone.race.verdicts][:4] == [2, 3, 4, 6]
    assert alone.race.verdicts == many.race.verdicts
    with pytest.raises(InputError, match="race: has no meaning for a search"):
        racing.minimize(cost, {"x": {"real": [0, 1]}}, range(9), budget=150, race=settings)


@pytest.mark.parametrize("given", [{"jobs": 1}, Execution(jobs=1)])
def test_jobs_are_given_once(given):
    with pytest.raises(InputError, match="jobs is given twice; leave it to execution"):
        racing.minimize(cost, TEN, range(9), jobs=2, execution=given)
    with pytest.raises(InputError, match="execution must be a mapping"):
        racing.minimize(cost, TEN, range(9), execution="loky")


def test_looks_at_growing_distances_go_on_in_a_log_with_a_larger_budget(tmp_path):
    def noisy(values, instance, seed):
        return values["x"] / 10 + np.random.default_rng([seed, int(10 * values["x"])]).normal()

    def run(name, jobs):
        options = {
            "race": {"each_test": "25%"}, "jobs": jobs, "execution": {"engine": "threading"},
            "log": tmp_path / name,
        }  # fmt: skip
        return [
            racing.minimize(noisy, TEN, range(40), budget=budget, **options)
            for budget in (60, 200, 200)
        ]

    (short, longer, again), (_, other, _) = run("one", 1), run("four", 4)
    assert longer.race.verdicts[: len(short.race.verdicts)] == short.race.verdicts
    assert len(longer.race.verdicts) > len(short.race.verdicts)
    assert again.race.verdicts == longer.race.verdicts == other.race.verdicts
    looks = [n for n in range(1, 41) if longer.race.schedule.due(n)]
    assert [one.instances for one in longer.race.verdicts] == looks[: len(longer.race.verdicts)]


def test_a_search_goes_on_in_a_file_with_a_larger_budget(tmp_path):
    """One of 60 evaluations draws otherwise than one of 200, and what it drew stays."""
    space, options = {"x": {"real": [0, 1]}}, {"log": tmp_path / "run.sqlite"}
    small, large, again = (
        racing.minimize(cost, space, range(40), budget=budget, **options)
        for budget in (60, 200, 200)
    )
    assert small.spent.evaluations <= 60 < large.spent.evaluations
    assert large.candidates[: len(small.candidates)] == small.candidates
    assert result(again) == result(large)


def test_candidates_beside_a_space_enter_the_search_or_are_raced_alone():
    space = {"x": {"real": [0, 1], "default": 0.9}}
    found = racing.minimize(cost, space, range(9), budget=150, candidates=[{"x": 0.25}])
    assert {"x": 0.25} in [dict(one.values) for one in found.candidates]
    alone = racing.minimize(
        cost, space, range(9), candidates={"default": True, "sample": 5}, search=False
    )
    assert alone.race is not None
    assert len(alone.candidates) == 6


# --- wrong use ------------------------------------------------------------------------------------

WRONG = [
    ({"rule": "sing"}, "rule: unknown rule \"sing\"; did you mean 'sign'?"),
    ({"budget": 5}, "5 evaluations do not cover one instance for 11 candidates"),
    ({"budget": 0}, "budget"),
    ({"objective": "Rank"}, "objective must be rank, mean, or a mapping"),
    ({"seed": -1}, "seed must be a whole number from 0"),
    ({"jobs": 0}, "execution.jobs must be a whole number, 1 or more"),
    ({"race": {"first_tests": 3}}, "race.first_tests: unknown key; did you mean 'first_test'?"),
    ({"race": {"first_test": 60}}, "race.first_test: 60, but the race has at most 20 instances"),
    ({"timeout": "-3s"}, "target.timeout must be a time above 0"),
    ({"on_failure": "ignore"}, "on_failure must be worst, rate or stop"),
    ({"known": [{"x": 1}]}, "known needs a space as the second argument"),
    ({"callbacks": [3]}, "a callback must be a function of an event; got 3"),
    ({"progress": "yes"}, "progress must be true, false or None"),
    ({"log": 3}, "log must be the path of a log"),
    ({"pool": 3}, "returns one; got 3"),
]


@pytest.mark.parametrize(("given", "words"), WRONG, ids=lambda value: str(value)[:30])
def test_python_refuses_what_a_file_may_not_say(given, words):
    with pytest.raises(InputError) as error:
        racing.minimize(cost, TEN, range(20), **given)
    assert words in str(error.value)


TRIED = [
    ([], "candidates: the list is empty"),
    (5, "[{'x': 0.5}]; got 5"),
    ("x", "[{'x': 0.5}]; got \"x\""),
    ([5], "candidates[0] must be"),
    ([{"x": 1}, {"x": 1}], "candidates.list[1]: the same values as candidates.list[0]"),
    ([{"x": float("nan")}], "candidates[0].x must be text, a finite number, true or false"),
    ([{"x": lambda x: x}], "has no name that stays the same"),
    ({"x": {"reel": [0, 1]}}, "space.x must have one of real"),
    ({"x": {"real": [1, 0]}}, "space.x"),
]


@pytest.mark.parametrize(("tried", "words"), TRIED, ids=range(len(TRIED)))
def test_what_cannot_be_tried_is_refused(tried, words):
    with pytest.raises(InputError) as error:
        racing.minimize(cost, tried, range(20), budget=100)
    assert words in str(error.value)


def test_a_candidate_outside_the_space_is_refused():
    with pytest.raises(InputError, match=r"candidates\.list\[0\]\.x must be .* got 7"):
        racing.minimize(cost, {"x": {"real": [0, 1]}}, range(4), budget=99, candidates=[{"x": 7}])


async def later(values, instance, seed):
    return cost(values, instance, seed)


def test_an_async_function_comes_to_what_a_plain_one_does():
    found = [racing.minimize(one, TEN, range(20), jobs=5).best for one in (cost, later)]
    assert found[0] == found[1]


@pytest.mark.parametrize(("function", "words"), [(lambda values: 1.0, "function of")])
def test_a_function_that_cannot_be_called_is_refused(function, words):
    with pytest.raises(TargetError, match=words):
        racing.minimize(function, TEN, range(4))
    with pytest.raises(InputError, match=r"the first argument must be a function .*; got 3"):
        racing.minimize(3, TEN, range(4), timeout="5s")


def test_when_all_fails_the_error_has_the_traceback_and_the_result():
    def broken(values, instance, seed):
        return values["y"]

    with pytest.raises(
        TargetFailed, match=r"every evaluation failed(.|\n)*values\[\"y\"\]"
    ) as told:
        racing.minimize(broken, TEN, range(4))
    assert told.value.result.failures == (("crashed: KeyError: 'y'", 11),)
    assert told.value.result.best is None


def test_nan_is_a_failure_and_is_told():
    found = racing.minimize(
        lambda v, i, s: float("nan") if v["x"] > 0.5 else v["x"], TEN, range(5), budget=55
    )
    assert found.best == {"x": 0.0}
    [(message, times)] = found.failures
    assert "the result must be a number; got nan" in message
    assert times >= 5
    assert "failed, mostly unreadable" in repr(found)


def test_on_failure_stop_raises_and_goes_on_when_mended(tmp_path):
    mended = False

    def fragile(values, instance, seed):
        if values["x"] == 0.5 and not mended:
            raise ValueError("not yet")
        return cost(values, instance, seed)

    options = {"on_failure": "stop", "accept_changed_target": True}
    with pytest.raises(TargetFailed, match="says to stop") as told:
        racing.minimize(fragile, TEN, range(6), **options)
    mended = True
    found = racing.minimize(fragile, TEN, range(6), log=told.value.result.log, **options)
    assert result(found) == result(racing.minimize(cost, TEN, range(6)))


# --- interrupted ----------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_returns_what_was_reached_and_its_log_goes_on(jobs):
    whole = racing.minimize(cost, TEN, range(10), budget=90)

    def interrupt(event):
        if isinstance(event, Heard) and event.race.outcomes == 30:
            signal.raise_signal(signal.SIGINT)

    part = racing.minimize(cost, TEN, range(10), budget=90, jobs=jobs, callbacks=[interrupt])
    assert not part.done
    assert part.stopped is None
    assert part.race.outcomes == 30 or (jobs > 1 and part.race.outcomes > 30)  # what else ran
    assert "interrupted; give its log to continue" in repr(part)
    rest = racing.minimize(cost, TEN, range(10), budget=90, log=part.log)
    assert result(rest) == result(whole)
    outcomes = rest.log.outcomes()
    assert len({one.key for one in outcomes}) == len(outcomes), "an evaluation was made twice"
    ahead = len(outcomes) - len(whole.log.outcomes())  # by workers that were idle
    assert ahead == 0 or (jobs > 1 and ahead > 0)


def test_ctrl_c_inside_the_function_loses_only_that_evaluation():
    calls = []

    def slow(values, instance, seed):
        calls.append(values["x"])
        if len(calls) == 15:
            signal.raise_signal(signal.SIGINT)
        return cost(values, instance, seed)

    part = racing.minimize(slow, TEN, range(6), budget=60)
    assert part.race.outcomes == 14
    rest = racing.minimize(slow, TEN, range(6), budget=60, log=part.log)
    assert result(rest) == result(racing.minimize(cost, TEN, range(6), budget=60))
    assert len(calls) == len(rest.log.outcomes()) + 1


# --- logs -----------------------------------------------------------------------------------------


def counted():
    calls = []

    def function(values, instance, seed):
        calls.append((values["x"], instance))
        return cost(values, instance, seed)

    return function, calls


def test_a_path_is_a_log_that_is_gone_on_with(tmp_path):
    path, (function, calls) = tmp_path / "run.sqlite", counted()
    options = {"budget": 90, "log": path, "name": "mine"}
    part = racing.minimize(
        function, TEN, range(10), callbacks=[lambda e: e.race.outcomes == 40], **options
    )
    assert part.log == path
    assert len(calls) == 40
    rest = racing.minimize(function, TEN, range(10), **options)
    assert result(rest) == result(racing.minimize(cost, TEN, range(10), budget=90))
    assert len(set(calls)) == len(calls) == rest.race.outcomes
    again = racing.minimize(function, TEN, range(10), **options)
    assert result(again) == result(rest)
    assert len(calls) == rest.race.outcomes


def test_a_run_that_its_budget_ended_goes_on_with_a_larger_one():
    function, calls = counted()
    options = {"rule": "none"}
    small = racing.minimize(function, TEN, range(10), budget=44, **options)
    assert small.spent.evaluations == 44
    large = racing.minimize(function, TEN, range(10), budget=88, log=small.log, **options)
    assert large.spent.evaluations == len(calls) == 88
    again = racing.minimize(function, TEN, range(10), budget=88, log=small.log, **options)
    assert again.spent.evaluations == len(calls) == 88
    with pytest.raises(InputError, match="has spent 88; give more"):
        racing.minimize(function, TEN, range(10), budget=50, log=small.log, **options)


def test_another_budget_for_a_run_that_is_not_over_is_refused():
    part = racing.minimize(cost, TEN, range(10), budget=90, callbacks=[lambda _: True])
    with pytest.raises(InputError, match="is not over and has another budget"):
        racing.minimize(cost, TEN, range(10), budget=120, log=part.log)


def test_a_run_that_its_budget_did_not_end_cannot_be_extended():
    done = racing.minimize(cost, TEN, range(6), rule="none", budget=500)
    with pytest.raises(InputError, match="cannot continue: a larger budget changes nothing"):
        racing.minimize(cost, TEN, range(6), rule="none", budget=900, log=done.log)


def test_the_log_of_something_else_is_refused(tmp_path):
    path = tmp_path / "run.sqlite"
    racing.minimize(cost, TEN, range(6), log=path)
    with pytest.raises(InputError, match=r"another scenario; they differ in \['seed'\]"):
        racing.minimize(cost, TEN, range(6), log=path, seed=2)
    with pytest.raises(InputError, match="'candidates'"):
        racing.minimize(cost, TEN[:3], range(6), log=path)
    (tmp_path / "text").write_text("no log")
    with pytest.raises(LogError):
        racing.minimize(cost, TEN, range(6), log=tmp_path / "text")


class Remembering:
    """A function, or an instance, that prints what it remembers of its calls."""

    def __init__(self, middle=0.3):
        self.middle, self.seen = middle, []

    def __repr__(self):
        return f"Remembering({self.seen})"

    def __call__(self, values, instance, seed):
        self.seen.append(seed)
        return abs(values["x"] - self.middle) + (seed % 7) / 100


def remembered(values, instance, seed):
    return instance(values, instance, seed)


@pytest.mark.parametrize("function", [Remembering(), partial(Remembering.__call__, Remembering())])
def test_a_function_that_prints_otherwise_later_is_the_same(function):
    part = racing.minimize(function, TEN, range(6), callbacks=ends_at(9))
    assert racing.minimize(function, TEN, range(6), log=part).done


def test_instances_that_are_objects_are_compared():
    def mean(values, instance, seed):
        return cost(values, instance, seed) + sum(instance)

    given = [[k, k + 1.0] for k in range(6)]
    part = racing.minimize(mean, TEN, given, callbacks=ends_at(9))
    other = [*given[:4], [4, 5.5], given[5]]
    with pytest.raises(InputError, match=r"^the instance list 5 changed since the last evaluation"):
        racing.minimize(mean, TEN, other, log=part)
    accepted = {"accept_changed_target": True}
    assert racing.minimize(mean, TEN, other, log=part, **accepted).done


def test_what_an_instance_remembers_of_its_calls_is_not_compared():
    given = [Remembering() for _ in range(6)]
    part = racing.minimize(remembered, TEN, given, callbacks=ends_at(9))
    assert racing.minimize(remembered, TEN, given, log=part).done


def test_an_open_log_stays_open(tmp_path):
    part = racing.minimize(cost, TEN, range(6), log=tmp_path / "run", callbacks=[lambda _: True])
    with SQLiteLog.open(part.log, write=True) as book:
        found = racing.minimize(cost, TEN, range(6), log=book)
        assert len(book.outcomes()) == found.race.outcomes


def test_a_log_in_memory_is_the_default():
    found = racing.minimize(cost, TEN, range(6))
    assert isinstance(found.log, MemoryLog)
    assert len(found.log.outcomes()) == found.race.outcomes


def by_kind(values, instance, seed):
    """A cost of objects: without a limit is best, and so is the maximum."""
    assert values["pick"] in (max, min)
    return (values["depth"] or 0) + (values["pick"] is min) + instance % 3


OBJECTS = {"depth": [None, 3, 5], "pick": {"categorical": {"most": max, "least": min}}}


@pytest.mark.parametrize("jobs", [1, 2])
def test_values_may_be_objects_and_the_log_has_their_names(tmp_path, jobs):
    path = tmp_path / "run.sqlite"
    found = racing.minimize(by_kind, OBJECTS, range(60), budget=80, jobs=jobs, log=path)
    assert found.best == {"depth": None, "pick": max}
    assert found.winner.values == {"depth": "None", "pick": "most"}
    again = racing.minimize(by_kind, OBJECTS, range(60), budget=100, jobs=jobs, log=path)
    assert again.best == found.best
    with pytest.raises(racing.InputError, match=r"they differ in \['space'\]"):
        racing.minimize(
            by_kind, {**OBJECTS, "depth": [None, 2, 4]}, range(60), budget=120, jobs=jobs, log=path
        )


def test_candidates_may_have_objects():
    found = racing.minimize(
        by_kind, [{"depth": depth, "pick": pick} for depth in (None, 3) for pick in (max, min)],
        range(60),
    )  # fmt: skip
    assert found.best == {"depth": None, "pick": max}
    assert found.to_frame().loc[1, "depth"] == "None"


class Scaler:
    def __init__(self, by):
        self.by = by

    def __repr__(self):
        return "Scaler()"


class Model:
    def __call__(self, values, instance, seed):
        raise ValueError(values["scale"].by)


@pytest.mark.parametrize("target", [Model(), partial(Model())])
def test_a_log_of_objects_names_what_the_user_wrote_and_nothing_of_racing(target, tmp_path):
    log = tmp_path / "run.sqlite"
    with pytest.raises(racing.TargetFailed) as caught:
        racing.minimize(target, {"scale": {"categorical": [Scaler(2)]}, "x": {"real": [0, 1]}},
                        range(9), budget=30, log=log)  # fmt: skip
    assert "arguments.py" not in str(caught.value)
    with SQLiteLog.open(log, write=False) as book:
        noted = {file.path.partition(" ")[0] for file in book.target_files()}
        name = book.header.scenario["target"]["python"]
    assert noted >= {"scale.Scaler.by", "target.python"}
    assert not {part for part in noted if part.startswith(("objects", "function"))}
    assert name.endswith(f":<{type(target).__qualname__} object>")


def test_an_async_function_gets_objects():
    async def cost(values, instance, seed):
        return by_kind(values, instance, seed)

    found = racing.minimize(cost, OBJECTS, range(60), budget=80, jobs=4)
    assert found.best == {"depth": None, "pick": max}


def test_objects_need_the_function_itself():
    with pytest.raises(racing.InputError, match="need the function itself"):
        racing.minimize("fit.py:error", OBJECTS, range(60), budget=80)


def test_a_space_of_config_space_is_one():
    space = pytest.importorskip("ConfigSpace").ConfigurationSpace({"x": (0.0, 1.0)}, seed=1)
    found = racing.minimize(lambda values, *_: values["x"], space, range(60), budget=200)
    assert found.best["x"] < 0.5


def test_a_list_of_a_mapping_may_hold_objects():
    instances = {"list": [(1, 2), (3, 4)], "repeat": True}
    found = racing.minimize(
        lambda values, instance, seed: values["x"] * sum(instance),
        {"x": {"real": [0, 1]}},
        instances,
        budget=100,
    )
    assert found.best["x"] < 0.5


def test_two_numbers_are_no_parameter_and_the_message_says_what_to_write():
    with pytest.raises(racing.InputError, match=r"a range is \{real: \[0, 1\]\}, a choice is"):
        racing.minimize(by_kind, {"depth": [0, 1]}, range(60), budget=80)


def test_a_log_goes_on_with_a_partial_of_the_same_function_elsewhere_in_memory(tmp_path):
    def shifted(values, instance, seed, *, by):
        return (values["x"] - by) ** 2

    def run(function):
        given = [{"x": k / 4} for k in range(5)], range(8)
        return racing.minimize(partial(function, by=0.5), *given, log=tmp_path / "run.sqlite")

    first = run(shifted)
    again = run(FunctionType(shifted.__code__, globals(), closure=shifted.__closure__))
    assert again.best == first.best


def test_a_budget_may_be_a_whole_number_of_numpy():
    race = racing.Race([{"x": 1}, {"x": 2}], range(99), budget=np.int64(60))
    assert race.budget == racing.Budget(evaluations=60)
