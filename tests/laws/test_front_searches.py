"""What every search keeps, of a search for a front; and what its front is."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.cli import main
from racing.core.aims import Front
from racing.core.budget import Budget
from racing.core.experiment import Experiment, Outcome
from racing.core.fronts import front
from racing.core.goal import Goal
from racing.core.metric import Metric
from racing.search import IteratedRacing, PortfolioSearch, Search, Settings
from racing.search import front as confirmed
from racing.search.elites import select
from tests.laws.every_search import Kind, Run, SearchLaws
from tests.search import kit
from tests.search.kit import badness, finish, mixed_space, own_number, shuffled_finish

METRICS = {"error": Metric(), "speed": Metric(direction="maximize"), "size": Metric()}
GOAL = Goal(METRICS, Front(("error", "speed", "size")))
BUDGETS = {
    "evaluations": Budget(evaluations=300),
    "few": Budget(evaluations=100),
    "race": Budget(evaluations=40),
    "target_time": Budget(target_time=300.0),
    "instances": Budget(evaluations=300, instances=6),
}
FRONTS: dict[str, dict[str, Any]] = {
    "two": {"front": ["error", "speed"]},
    "three": {"front": ["error", "speed", "size"], "show": 3},
    "ranks": {"front": ["error", "speed"], "scores": "rank"},
}

every_budget = pytest.mark.parametrize("budget", BUDGETS)
every_front = pytest.mark.parametrize("name", FRONTS)


def target(experiment: Experiment, failing: float = 0.0, noise: float = 0.1) -> Outcome:
    """Error falls as the rate falls, and so does speed; the size is exact."""
    values, instance = dict(experiment.candidate.values), experiment.instance
    rng = np.random.default_rng([instance.seed, own_number(values)])
    if rng.random() < failing:
        return experiment.failure(seconds=0.5)
    error = badness(values) + noise * rng.normal() + instance.step % 3
    speed = float(values["rate"]) + noise * rng.normal()
    costs = GOAL.costs({"error": error, "speed": speed, "size": round(float(values["x"]), 1)})
    return experiment.outcome(costs[0], metrics=costs, seconds=1 + rng.random())


def failing(experiment: Experiment) -> Outcome:
    return target(experiment, failing=0.15)


def exact(experiment: Experiment) -> Outcome:
    return target(experiment, noise=0.0)


TARGETS = {"noisy": target, "failing": failing, "exact": exact}


def a_search(budget: str = "evaluations", name: str = "two", **options: Any) -> Search:
    options = {"objective": FRONTS[name], "metrics": METRICS, "seed": 3, **options}
    return Search(mixed_space(), range(8), budget=BUDGETS[budget], **options)


def facts(search: Search) -> tuple[object, ...]:
    return (*kit.facts(search), search.front_standing(), search.front_gains)


def of(budget: str = "evaluations", name: str = "two", how: str = "failing", **options: Any) -> Run:
    """A search with this budget for this front, and what answers it."""
    return Run(partial(a_search, budget, name, **options), TARGETS[how])


class TestLaws(SearchLaws):
    kind = Kind(
        runs={
            f"{budget}, {name}, {how}": of(budget, name, how)
            for budget in BUDGETS
            for name, how in (("two", "noisy"), ("three", "exact"), ("ranks", "failing"))
        },
        few={budget: of(budget) for budget in BUDGETS},
        windows={str(window): of(how="noisy", window=window) for window in (1, 7, 40)},
        extended={
            budget: of(budget, how="noisy") for budget in ("evaluations", "race", "instances")
        },
        workers=(13,),
        apart=67,
        stretches=(70,),
        more=500,
        facts=facts,
    )
    test_a_budget_is_never_exceeded_and_each_evaluation_is_charged_once = None


@every_budget
@every_front
def test_the_front_is_of_the_elites_and_the_winner_is_on_it(budget: str, name: str) -> None:
    search, verdicts = a_search(budget, name), []
    while not search.done:
        for experiment in search.ask(3):
            search.tell(failing(experiment))
            assert search.verdicts[: len(verdicts)] == verdicts
            verdicts = list(search.verdicts)
            if search.outcomes % 13:
                continue
            ids = {one.candidate.id for one in search.front}
            assert ids <= {one.id for one in search.elites}
            assert bool(ids) == bool(search.steps)
            kept = search.worse is not None and search.worse > search.risk
            winner = search.winner
            assert not ids or winner is None or winner.id in ids or winner == search.baseline
            assert not kept or winner == search.baseline
    assert search.spent.evaluations <= (BUDGETS[budget].evaluations or np.inf)
    dropped = {e.candidate for verdict in search.verdicts for e in verdict.eliminated}
    assert {one.id for one in search.candidates} == dropped | {one.id for one in search.elites}


def test_without_noise_none_of_the_front_dominates_another() -> None:
    search = finish(a_search(), exact)
    means = np.array([[one.metrics["error"], -one.metrics["speed"]] for one in search.front])
    assert len(means) > 4
    assert front(means, np.zeros(2)).all()
    assert (np.diff(means[:, 0]) >= 0).all()


def test_the_front_of_a_search_lies_before_that_of_random_configurations() -> None:
    """By the volume that the true means of each dominate, in three searches."""
    from racing.core.fronts import hypervolume

    def volume(candidates: list[Any]) -> float:
        means = [[badness(dict(one.values)), -float(one.values["rate"])] for one in candidates]
        return hypervolume(np.array(means), np.array([0.5, 0.0]))

    found, drawn = [], []
    for seed in range(3):
        search = finish(a_search(seed=seed), target)
        found.append(volume([one.candidate for one in search.front]))
        first = [one.candidate for one in search.entrants if one.origin == "sobol"]
        drawn.append(volume(first))
    assert np.mean(found) > np.mean(drawn)


def test_the_shown_front_and_the_default_run_on_unseen_instances() -> None:
    search = finish(a_search(name="three"), target)
    gains = search.front_gains
    assert search.gain is None
    assert len(gains) == 3
    for metrics in gains.values():
        assert list(metrics) == ["error", "speed", "size"]
        for one in metrics.values():
            assert one.estimate is not None
            assert one.pairs == len(search.unseen) >= 2
            assert one.low <= one.estimate <= one.high
    for step in search.unseen:
        ran = np.flatnonzero(~np.isnan(search.results.costs[step]))
        assert {search.results.candidates[i] for i in ran} == {
            one.id for one in (*gains, search.baseline) if one is not None
        }


def test_the_best_compromise_is_among_what_is_confirmed() -> None:
    search = finish(a_search(name="three", seed=1), target)
    assert len(search.front) > 3
    assert search.winner in search.front_gains


def test_a_log_of_before_keeps_what_was_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best compromise could be missing among the ones that are shown."""
    with monkeypatch.context() as before:
        before.setattr(confirmed, "select", lambda *a, knee=False, **b: select(*a, **b))
        whole = a_search(name="three", seed=1)
        told = shuffled_finish(whole, target, workers=1, seed=2)
    assert whole.winner not in whole.front_gains
    search = a_search(name="three", seed=1)
    search.restore(list(whole.entrants))
    for outcome in told:
        search.tell(outcome)
    assert facts(search) == facts(whole)


def test_a_default_that_none_dominates_joins_the_front() -> None:
    def best_on(steps: Sequence[int]) -> Search:
        def told(experiment: Experiment) -> Outcome:
            values = dict(experiment.candidate.values)
            ahead = 100.0 if values["x"] == 0.9 and experiment.instance.step in steps else 0.0
            costs = (badness(values) - ahead, -float(values["rate"]), 0.0)
            return experiment.outcome(costs[0], metrics=costs, seconds=1.0)

        return finish(a_search(), told)

    alone = best_on(())
    joined = best_on(alone.unseen)
    assert alone.unseen == joined.unseen
    assert alone.baseline not in alone.elites
    assert joined.baseline in [one.candidate for one in joined.front]


def test_what_cannot_have_a_front_is_refused_with_reasons() -> None:
    given: dict[str, Any] = {"metrics": METRICS, "objective": FRONTS["two"], "budget": 600}
    with pytest.raises(InputError, match="capping stops runs at a bound"):
        Search(mixed_space(), range(8), settings=Settings(capping=2), **given)
    with pytest.raises(InputError, match="judges one cost; leave rule out"):
        Search(mixed_space(), range(8), rule="auto", **given)
    with pytest.raises(InputError, match="which iterated racing cannot have; take search: true"):
        IteratedRacing(mixed_space(), range(8), **given)
    with pytest.raises(InputError, match="portfolio needs one cost"):
        PortfolioSearch(mixed_space(), range(8), portfolio=2, **given)


def test_a_run_of_a_file_is_shown_exported_and_extended(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "solve.py").write_text(
        "def solve(values, instance, seed):\n"
        "    x = values['x']\n"
        "    return {'quality': (1 - x) ** 2 + values['waste'] + seed % 97 / 500, 'time': x}\n"
    )
    (tmp_path / "s.yaml").write_text(
        "target: {python: solve.py:solve}\n"
        "metrics: {quality: {unit: km}, time: minimize}\n"
        "objective: {front: [quality, time], show: 3}\n"
        "search: true\n"
        "space:\n"
        "  x: {real: [0, 1], default: 0.9}\n"
        "  waste: {real: [0, 1], default: 0.5}\n"
        "instances: [a, b, c, d, e, f, g, h, i, j, k, l]\n"
        "budget: 300\nlog: s.sqlite\nexecution: {engine: in-process}\n"
    )

    def told(*arguments: str) -> str:
        capsys.readouterr()
        assert main([*arguments]) == 0
        return capsys.readouterr().out

    assert "56 initial" not in told("plan", "s.yaml")
    end = told("run", "s.yaml")
    assert "Best compromise: #" in end
    assert "Also on the front: #" in end
    text = told("show", "s.sqlite")
    assert "Front, by quality" in text
    assert "Gain over default, above 0 is better" in text
    assert "95 % intervals that hold all at once" in text
    data = json.loads(told("show", "s.sqlite", "--json"))
    gains = data["search"]["front_gains"]
    assert [one["metric"] for one in gains] == ["quality", "time"] * 3
    assert data["front"]["best"] == data["winner"]
    assert {one["name"] for one in gains} <= {one["candidate"]["name"] for one in data["standing"]}
    told("export", "s.sqlite", "--to", "out")
    with (tmp_path / "out" / "front.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["candidate"]) for row in rows if row["dominated"] == "false"] == [
        one["candidate"]["id"] for one in data["front"]["members"]
    ]
    told("resume", "s.sqlite", "--budget", "+100")
    assert json.loads(told("show", "s.sqlite", "--json"))["evaluations"] > data["evaluations"]
