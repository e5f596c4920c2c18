"""The words of a run must fit what its outcomes show, in every state."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from racing.answer.gain import gain
from racing.answer.head import Answer, alike
from racing.answer.run import answer
from racing.answer.tested import UnseenTest, front_sentence
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.constraints import kept
from racing.core.instances import Instances
from racing.race import Race
from racing.report import History
from racing.report.facts import next_step
from racing.report.page import page_data
from racing.report.pictures import pictures
from racing.search import Search
from racing.search.front import simultaneous
from tests.answer.test_gain import limit
from tests.report.kit import on_unseen, told, told_metrics
from tests.report.states import ANSWERED, STATES
from tests.worlds import normal_world

INF = math.inf
OPEN = "Undecided: #2 is not shown to be better than #1."
NOISE = np.random.default_rng(5).normal(0, 1, 40)
NOISE -= NOISE.mean()


def two(gains: np.ndarray, **how: object) -> History:
    """A race of two: the second gains so much over the first, the default; nothing is dropped."""
    return told(np.column_stack([gains, np.zeros(len(gains))]), rule="none", **how)


def summary(run: History) -> SimpleNamespace:
    """The head of the page of a run."""
    return SimpleNamespace(**page_data(run, Path("run.sqlite"))["summary"])


def words(found: Answer) -> str:
    return " ".join((found.headline, *found.sentences))


def after(run: History, tested: UnseenTest) -> History:
    """The same run after a test."""
    return replace(run, tests=(tested,))


def after_test(run: History, gains: np.ndarray) -> History:
    """The same run after a test on unseen problems, with these gains."""
    costs = np.column_stack([np.zeros(len(gains)), gains])
    return after(run, on_unseen(run.winner, run.race.baseline, costs))


@pytest.mark.parametrize("state", STATES)
def test_no_state_says_infinity_none_or_certainty(state):
    said = words(STATES[state]().answer)
    for word in ("∞", "inf", "None", "nan", "100%", "100 %"):
        assert word not in said.replace("information", "")


def test_a_gain_is_called_one_where_its_interval_is_above_0():
    run = two(2 + 0.2 * NOISE)
    found = run.answer
    assert found.headline == "#2 is better than #1 on these instances."
    assert "#2 is better than #1 by 1.991 in the median (95 % interval 1." in found.sentences[0]
    assert "also chose the winner, so the gain is overstated" in found.sentences[1]


@pytest.mark.parametrize("gain", [0.2, 2.0])
def test_a_decision_by_few_instances_has_one_sentence_everywhere(gain):
    given = [Candidate(1, {"x": gain}, "default"), Candidate(2, {"x": 0.0}), Candidate(3, {"x": 0})]
    race = Race(given, Instances(range(4)))
    for one in race:
        race.tell(one, one.candidate.values["x"] + one.candidate.id * one.instance.seed % 7 / 10)
    said, better = answer(race), "better than default, as far as one can tell"
    told = (said.headline, said.sentences[0], said.brief, str(said.gain))
    assert all((better in one) == (gain > 1) for one in told)
    few = ("it cannot be said", "too few", "it cannot be said")
    assert all((why in one) == (gain < 1) for one, why in zip(told[1:], few, strict=True))


@pytest.mark.parametrize("search", [True, False])
def test_one_instance_is_said_to_show_no_probability(search):
    space = {"x": {"real": [0, 1], "default": 0.9}}
    given = [Candidate(1, {"x": 0.9}, "default"), Candidate(2, {"x": 0.1}), Candidate(3, {"x": 0})]
    once = Instances([1])
    run = Search(space, once, budget=30) if search else Race(given, once)
    while not run.done:
        for one in run.ask():
            run.tell(one.outcome(one.candidate.values["x"]))
    assert run.winner == run.found
    said = answer(run)
    assert said.headline == f"{run.winner} is better than default on the only instance."
    assert "one instance cannot show" in words(said).lower()
    assert "can decide" not in words(said)
    assert "probability" not in words(said)


def test_a_gain_whose_interval_contains_0_is_undecided():
    run = two(0.2 + NOISE)
    found = run.answer
    assert found.gain.evidence == "open"
    assert found.headline == "Undecided: #2 is best so far."
    assert "#2 is not shown to be better than #1: the median gain is" in found.sentences[0]
    assert "contains 0" in found.sentences[0]
    assert "better than #1 by" not in words(found)


@pytest.mark.parametrize("n", [1, 3, 5])
def test_too_few_instances_are_said_to_be_too_few(n):
    run = two(2 + 0.1 * NOISE[:n])
    found = run.answer
    assert found.headline == "Undecided: #2 is best so far."
    assert "it cannot be said whether #2 is better than #1" in found.sentences[0]
    takes = "one instance cannot show it; that takes 6 or more"
    assert (takes if n == 1 else "6 instances or more can decide") in found.sentences[0]


def test_failures_are_said_and_a_difference_without_any_pair_has_no_number():
    said = two(np.array([INF] * 4 + list(2 + 0.1 * NOISE[:12]))).answer.sentences[0]
    assert said.startswith("On 16 instances of the choice, #2 is better than #1 by ")
    assert "There #1 failed 4 times and #2 never." in said
    costs = np.array([[INF, 1.0], [2.0, INF], [INF, 1.0], [INF, 1.0]])
    run = told(costs, rule="none")
    assert "#2 and #1 never both succeeded." in run.answer.sentences[0]
    assert summary(run).gain is None
    picture = next(one for one in pictures(run) if one.id == "best-so-far")
    assert picture.figure is None


def test_the_only_survivor_whose_gain_is_not_shown_is_not_said_to_be_better():
    run = STATES["one survivor"]()
    assert run.answer.headline == "#4 is the last one left; its gain over #1 is not shown."


@pytest.mark.parametrize(
    ("gains", "headline", "advice"),
    [
        (3 + 0.2 * NOISE[:24], "#2 is better than #1 on unseen problems.", "use the config"),
        (-3 + 0.2 * NOISE[:24], "#2 is worse than #1 on unseen problems.", "keep #1"),
        (NOISE[:24] - NOISE[:24].mean(), OPEN, "more unseen"),
        (3 + 0.2 * NOISE[:3], OPEN, "more unseen"),
    ],
)  # fmt: skip
def test_the_held_out_result_is_the_result(gains, headline, advice):
    before = two(2 + 0.2 * NOISE, scenario={"target": {"command": "solve"}})
    assert "`racing test" in next_step(before, Path("run.sqlite"))
    run = after_test(before, gains)
    found = run.answer
    assert found.headline == headline
    assert found.sentences[0].startswith(f"On {len(gains)} unseen problems, ")
    assert "overstated" not in words(found)
    assert "chance" not in words(run.answer)
    step = next_step(run, Path("run.sqlite"))
    assert step.startswith(advice)
    first = pictures(run)[0]
    assert first.id == "held-out"
    assert first.figure is not None
    assert len(first.table.rows) == len(gains)
    assert summary(run).gain is not None
    assert run.answer.gain.fresh
    assert run.answer.gain.estimate == run.tested("winner").gain.estimate


def test_costs_that_are_all_equal_are_said_to_be():
    run = told(np.full((9, 5), 3.0), rule="none")
    assert alike(run.race) == "all"
    assert run.answer.headline == "Nothing to choose: every evaluation had the same cost."
    assert summary(run).gain is None


def test_best_candidates_with_equal_costs_are_a_tie():
    costs = np.column_stack([9 + NOISE, np.zeros((40, 3))])
    run = told(costs)
    assert alike(run.race) == "survivors"
    found = run.answer
    assert found.headline.startswith("A tie: ")
    assert "equal costs on all" in found.sentences[-1]
    assert STATES["maximized"]().answer.headline.startswith("Undecided")


def test_where_all_crashed_the_cause_is_in_the_head_and_nothing_is_drawn():
    run = STATES["everything crashed"]()
    assert run.answer.headline == "Every evaluation failed: no luck: and a long story."
    assert [one.id for one in pictures(run)] == ["failures"]
    assert summary(run).use == []


def test_the_default_as_the_winner_is_no_gain():
    costs = normal_world(4, 30, seed=1, noise=0.1)
    costs[:, 0] -= 9
    run = told(costs)
    assert run.answer.headline == "#1 wins: nothing better was found."
    assert summary(run).tables == []


class Searched:
    """A race that tells itself as a search whose confirmation came to this."""

    def __init__(self, middle: float, problems: int = 12, spread: float = 0.2, **more: object):
        run = told(normal_world(3, 12, seed=2))
        self.race, self.winner = run.race, run.winner
        self.baseline = next(one for one in run.race.candidates if one != self.winner)
        noise = NOISE[:problems] - NOISE[:problems].mean()
        costs = np.column_stack([np.zeros(problems), middle + spread * noise])
        if more.pop("fails", False):
            costs = np.vstack([costs, [[INF, 1.0]] * 3])
        self.gain = gain(
            costs, mean=True, name=self.winner, over=self.baseline, of="unseen", **more
        )
        self.found, self.unconfirmed, self.worse, self.risk, self.team = (
            self.winner,
            "",
            None,
            0.5,
            (),
        )

    @property
    def as_search(self) -> Searched:
        return self

    def __getattr__(self, name: str) -> object:
        return getattr(self.race, name)


def test_a_confirmed_gain_is_said_only_where_it_is_confirmed():
    good = Searched(1.5)
    name, base = good.winner, good.baseline
    assert answer(good).headline == f"{name} is better than {base}."
    assert f"{name} is better than {base} by 1.5 on average (95 % interval 1." in words(
        answer(good)
    )
    open_ = answer(Searched(0.1, spread=3.0))
    assert open_.headline == f"Undecided: {name} is best so far."
    assert "better than" not in words(open_).replace("is not shown to be better than", "")
    assert "contains 0" in words(open_)
    few = answer(Searched(0.78, problems=1))
    assert "more problems can decide" in words(few)
    assert "∞" not in words(few)
    assert f"{name} is worse than {base} by 1.5 on average (95" in words(answer(Searched(-1.5)))


def test_a_confirmation_is_judged_by_constraints_before_the_cost():
    one, other = (limit(0.95, 0.02),), (limit(0.5, 0.1),)
    dearer = Searched(-1.5, limits=(one, other))
    name, base = dearer.winner, dearer.baseline
    assert answer(dearer).headline == f"{name} is better than {base}, which misses success >= 0.9."
    assert f"{base} misses success >= 0.9 on 12 unseen problems (mean 0.5" in words(answer(dearer))
    assert answer(Searched(1.5, limits=(other, one))).undecided
    assert answer(Searched(1.5, limits=(one, one))).headline == f"{name} is better than {base}."
    assert answer(Searched(-1.5, limits=(one, other), fails=True)).undecided


def test_one_count_of_evaluations_and_the_rest_once():
    run = told(
        normal_world(6, 9, seed=4), stop_after=15, finish=False, budget=Budget(evaluations=200)
    )
    facts = run
    assert (facts.spent.decided, facts.spent.under_way) == (12, 3)
    found = page_data(run, Path("run.sqlite"))["summary"]
    assert found["figures"]["Evaluations"] == "12 of 200"
    assert found["sentences"][-1] == ("Evaluations: 12 counted and 3 on instances under way.")
    assert found["figures"]["Failed"] == str(facts.failures)


def test_the_unit_stands_with_the_gain():
    costs = np.random.default_rng(1).normal([4.0, 1.0], 0.1, size=(12, 2))
    run = told(costs, rule="none", scenario={"unit": "conflicts"})
    said = run.answer.sentences[0]
    assert re.search(r"#2 is better than #1 by [\d.]+ conflicts in the median", said)


LIMIT = {"minimize": "time", "subject_to": ["success >= 0.9"]}


def test_a_default_that_misses_a_constraint_is_not_said_to_be_better():
    run = told_metrics(LIMIT, default=(1.0, 3), slow=(4.0, 10))
    found = run.answer
    assert (found.gain.by_cost, found.gain.evidence) == ("worse", "better"), "by its time alone"
    assert found.headline == (
        "#2 is better than #1, which misses success >= 0.9 on these instances."
    )
    assert found.sentences[0].startswith(
        "By time alone, on 40 instances of the choice, #2 is worse than #1 by 3 on average"
    )
    assert summary(run).gain["label"].startswith("mean gain by time of #2 over #1 on 40 instances")
    assert "But #1 misses success >= 0.9 (mean 0.3), which counts first." in found.sentences


@pytest.mark.parametrize(
    ("kinds", "headline", "decided"),
    [
        ({"default": (1.0, 0), "slow": (4.0, 5)},
         "No candidate meets all constraints; #2 is nearest.", "better"),
        ({"default": (1.0, 8), "slow": (4.0, 9)}, "Undecided: #2 is best so far.", "open"),
        ({"default": (4.0, 10), "fast": (1.0, 9)},
         "#2 is better than #1 on these instances.", "equal"),
    ],
    ids=["both miss it", "a miss by chance", "both meet it"],
)  # fmt: skip
def test_constraints_decide_where_they_tell_the_two_apart(kinds, headline, decided):
    found = told_metrics(LIMIT, **kinds).answer
    assert (found.headline, found.gain.decided_by) == (headline, decided)


@pytest.mark.parametrize(
    ("kinds", "headline", "advice"),
    [
        (
            {"default": (1.0, 3), "slow": (4.0, 10)},
            "#2 is better than #1 on unseen problems: #1 misses success >= 0.9.",
            "use the configuration of #2",
        ),
        (
            {"default": (1.0, 10), "slow": (4.0, 3)},
            "#2 is worse than #1 on unseen problems: it misses success >= 0.9.",
            "keep #1",
        ),
        (
            {"default": (1.0, 8), "slow": (4.0, 9)},
            "Undecided: #2 is not shown to be better than #1.",
            "more unseen problems may decide",
        ),
    ],
)
def test_after_a_test_constraints_come_before_the_cost(kinds, headline, advice):
    run = told_metrics(LIMIT, **kinds)
    goal, results = run.race.goal, run.race.results
    limits = tuple(tuple(kept(goal, results, at)) for at in (1, 0))
    winner, against = run.race.candidates[1], run.race.candidates[0]
    tested = on_unseen(winner, against, results.costs[:, [1, 0]], limits=limits)
    view = SimpleNamespace(**{name: getattr(run.race, name) for name in dir(run.race)})
    view.winner = winner
    run = after(replace(run, race=view), tested)
    found = run.answer
    assert found.headline == headline
    assert next_step(run, Path("log.sqlite")).startswith(advice)
    limits = [one for one in found.sentences if "success >= 0.9" in one]
    assert len(limits) == 2
    assert all("unseen problems" in one for one in limits)
    assert ("The run was misled: keep #1." in found.sentences) == (advice == "keep #1")


def test_others_that_are_left_are_not_said_to_be_equal_to_the_winner():
    left = told(normal_world(3, 12, seed=2), rule="none").answer.sentences
    assert sum(one.startswith("The rule has not dropped #") for one in left) == 1
    running = STATES["before the first test"]().answer.sentences
    assert sum(one.startswith("Not dropped yet: #") for one in running) == 1
    assert "told apart" not in " ".join((*left, *running))


def test_candidates_that_differ_in_a_later_metric_are_no_tie():
    order = {"order": ["success", "time"]}
    run = told_metrics(order, default=(4.0, 10), fast=(1.0, 10))
    assert alike(run.race) == ""
    assert "equal" not in run.answer.headline
    assert alike(told_metrics(order, one=(4.0, 10), two=(4.0, 10)).race) == "survivors"


def test_no_interval_is_drawn_of_too_few_right_or_wrong_results():
    run = two(np.array([1.0] * 4 + [0.0]), objective="mean")
    assert "6 instances or more can decide" in words(run.answer)
    assert run.answer.gain.estimate == 0.8
    assert summary(run).gain["label"].endswith("; no interval: too few instances")


def front_gains(problems):
    """Of eight configurations that are better than the baseline in quality, and none in time."""
    rng = np.random.default_rng(11)
    costs = rng.normal(size=(problems, 1, 2)) + 0.3 * rng.normal(size=(problems, 9, 2))
    costs[:, :8, 0] -= 1.0
    found = simultaneous(
        costs, costs[:0], problems=range(problems), rng=rng, metrics=("quality", "time"),
        names=[*"abcdefgh", "default"],
    )  # fmt: skip
    return tuple(one for own in found for one in own)


@pytest.mark.parametrize("problems", [1, 2, 3, 4])
def test_few_instances_do_not_say_that_none_of_a_front_is_better(problems):
    said = front_sentence(front_gains(problems))
    assert said.startswith("It cannot be said which of the 8 compared are better than default")


def test_many_instances_say_how_many_of_a_front_are_shown_to_be_better():
    said = front_sentence(front_gains(40))
    assert said.startswith(
        "Of the 8 compared, 8 are shown to be better in quality and none is shown to be better in "
        "time than default"
    )
    assert said.endswith("8 are so in some metric and not shown to be worse in another.")


def test_what_is_said_of_the_single_best_beside_a_team_says_so():
    said = ANSWERED["search for a team"]().answer.sentences
    whose = next(k for k, one in enumerate(said) if one.startswith("The rest is of one "))
    assert 0 < whose < len(said) - 1
