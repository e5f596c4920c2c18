"""Problems that are set aside: which, for what, and that no choice meets them."""

from __future__ import annotations

import pytest

from racing import Instances
from racing.answer.run import answer
from racing.search import IteratedRacing, IteratedSettings, PortfolioSearch, Search, Settings
from racing.search.division import Division, number_aside
from tests.search.kit import finish, noisy

SPACE = {"x": {"real": [0, 1], "default": 0.9}}
CONFIRMED = ("confirmation", "team")


def streams() -> dict[str, Instances]:
    names = [f"file-{number}" for number in range(24)]
    return {
        "shuffled": Instances(names, repeat=True),
        "listed": Instances(names, order="listed", repeat=True),
        "once": Instances(names),
        "seeds": Instances(names, seeds=[(1, 2, 3)] * 12 + [(4,)] * 12),
        "groups": Instances(range(96), groups=[number // 4 for number in range(96)], repeat=True),
        "same names": Instances([1, 2, 3, 4] * 6 + list(range(5, 26)), repeat=True),
    }


@pytest.mark.parametrize("name", streams())
def test_rows_and_steps_are_each_other(name: str) -> None:
    stream = streams()[name]
    division = Division(stream, 7, None)
    end = stream.limit or 150
    rows = [division.row(step) for step in range(end)]
    assert [division.step(row) for row in rows] == list(range(end))
    training, aside = [row for row in rows if row >= 0], [-1 - row for row in rows if row < 0]
    assert training == list(range(len(training)))
    assert aside == list(range(len(aside)))
    if stream.limit:
        assert division.limits == (len(training), len(aside))
    numbers = {stream.at(step, 7).number for step in range(end) if division.row(step) < 0}
    assert numbers == division.aside


@pytest.mark.parametrize("name", streams())
def test_a_quarter_of_the_problems_is_set_aside_whole(name: str) -> None:
    stream = streams()[name]
    division = Division(stream, 7, None)
    units = {division.unit(number) for number in division.aside}
    assert len(units) == division.problems // 4
    others = set(range(1, len(stream.problems) + 1)) - division.aside
    assert units.isdisjoint(division.unit(number) for number in others)


def test_they_are_spread_over_the_first_pass() -> None:
    division = Division(streams()["listed"], 7, None)
    assert [division.row(step) < 0 for step in range(8)] == 2 * [False, False, False, True]


@pytest.mark.parametrize(
    ("problems", "asked", "found"),
    [(19, None, 0), (20, None, 5), (100, 0, 0), (8, 0.25, 2), (8, 7, 0), (8, 6, 6), (8, 1, 0)],
)
def test_too_few_are_none(problems: int, asked: float | None, found: int) -> None:
    assert number_aside(problems, asked) == found


def searches() -> dict[str, Search]:
    def of(kind=Search, budget=300, problems=24, **options):
        return kind(SPACE, Instances(range(problems), repeat=True), budget=budget, **options)

    return {
        "search": of(),
        "race": of(budget=50),
        "irace": of(IteratedRacing, settings=IteratedSettings(confirm=0.1)),
        "team": of(PortfolioSearch, budget=900, portfolio=2),
        "number": of(problems=8, settings=Settings(set_aside=3)),
    }


@pytest.mark.parametrize("name", searches())
def test_no_choice_meets_a_problem_that_is_set_aside(name: str) -> None:
    search = searches()[name]
    target, met = noisy(0.2), {True: set(), False: set()}
    for _ in range(1 if name == "team" else 3):
        while not search.done:
            for one in search.ask():
                late = search.phase == "confirmation" or (name == "team" and search.single)
                met[bool(late)].add(one.instance.number)
                search.tell(target(one))
        confirmed = {search.instance(step).number for step in search.unseen}
        assert confirmed
        assert confirmed <= search.set_aside
        assert search.gain is None or search.gain.of == "unseen"
        if name != "team":
            search.extend(search.spent.evaluations + 150)
    assert met[False].isdisjoint(search.set_aside)


def test_an_extension_confirms_again_on_the_same_problems_first() -> None:
    search = finish(searches()["search"], noisy(0.2))
    before = list(search.unseen)
    search.extend(search.spent.evaluations + 40)
    finish(search, noisy(0.2))
    assert list(search.unseen)[: len(before)] == before[: len(search.unseen)]
    assert search.gain is not None
    assert search.gain.of == "unseen"


def test_with_few_problems_the_gain_is_of_known_ones() -> None:
    search = finish(Search(SPACE, Instances(range(8), repeat=True), budget=300), noisy(0.2))
    assert not search.set_aside
    assert search.gain is not None
    assert search.gain.of == "seeds"
    assert "of 8 known problems, with new seeds" in search.gain.where


@pytest.mark.parametrize(
    ("many", "groups", "of", "where"),
    [
        (30, 1, "group", "other instances of the same group"),
        (40, 4, "group", "other instances of 4 known groups"),
        (60, 30, "unseen", "8 instances of 7 unseen problems"),
    ],
)
def test_other_instances_of_a_known_group_are_no_unseen_problems(many, groups, of, where) -> None:
    labels = [number % groups for number in range(many)]
    stream = Instances(range(many), groups=labels, correlation=0.2)
    search = finish(Search(SPACE, stream, budget=150), noisy(0.2))
    assert search.gain is not None
    assert search.gain.of == of
    assert where in search.gain.where
    noun = "30 instances" if groups == 1 else f"{groups} groups"
    assert f"{noun} are searched on" in str(search.division)
    said = answer(search).sentences
    assert ("Of other groups, such as other data sets, this says nothing." in said) == (groups < 9)


def test_problems_that_the_search_did_not_reach_are_unseen() -> None:
    search = finish(Search(SPACE, Instances(range(15)), budget=60), noisy(0.2))
    assert search.gain is not None
    assert search.gain.of == "unseen"
    met = {search.instance(step).number for step in range(search.instances_seen)}
    fresh = {search.instance(step).number for step in search.unseen}
    assert search.winner == search.found or met.isdisjoint(fresh)


def test_groups_are_one_observation_each() -> None:
    stream = Instances(range(96), groups=[number // 4 for number in range(96)], repeat=True)
    search = finish(Search(SPACE, stream, budget=800), noisy(0.2))
    assert search.gain is not None
    assert search.gain.problems <= 6 < search.gain.pairs + 1
