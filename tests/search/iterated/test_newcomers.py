"""The new configurations of a race: their models and their distribution, against the formulas."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from racing.core.instances import Instances
from racing.search.coding import Coding, Draw
from racing.search.iterated.newcomers import Generation, Model, Newcomers, Shape, parent_weights
from racing.search.iterated.settings import IteratedSettings
from racing.search.trials import Trials
from racing.space import Categorical, Integer, Ordinal, Real, Space
from tests.search.kit import mixed_space


def office(space: Space, elites: list[dict[str, object]], **options: object):
    """Newcomers of a space, and a generation with these elites."""
    book = Trials(Coding(space), Instances(range(4)), 1)
    for values in book.coding.untried(elites):  # type: ignore[arg-type]
        book.enter(Draw(values, book.coding.point(values)))
    settings = IteratedSettings(**options)  # type: ignore[arg-type]
    newcomers = Newcomers(book, settings)
    ids = tuple(book.candidates)
    return book, newcomers, Generation(races=1, iterations=4, elites=ids, finalists=ids)


ELITES = [
    {"algorithm": "ils", "x": 0.3, "rate": 0.05},
    {"algorithm": "tabu", "x": 0.6, "rate": 0.2, "tenure": 9},
]


def test_all_are_new_allowed_and_have_a_parent():
    book, newcomers, generation = office(mixed_space(), ELITES)
    after, ids = newcomers.draw(generation, 2, 30)
    assert len(ids) == 30
    for id in ids:
        candidate = book.candidates[id]
        assert candidate.parent in (1, 2)
        assert mixed_space().check(candidate.values) is None
    keys = {mixed_space().key(one.values) for one in book.candidates.values()}
    assert len(keys) == 32
    assert set(after.models) == {1, 2}
    drawn = [entrant for entrant in book.entrants if entrant.origin == "model"]
    assert {one.draw for one in drawn} == {(7, 2)}
    assert {one.entered for one in drawn} == {1}


def test_what_is_drawn_is_found_by_its_number():
    first = [office(mixed_space(), ELITES) for _ in range(2)]
    drawn = [newcomers.draw(generation, 3, 9) for _, newcomers, generation in first]
    values = [[dict(book.candidates[id].values) for id in ids]
              for (book, _, _), (_, ids) in zip(first, drawn, strict=True)]  # fmt: skip
    assert values[0] == values[1]


def test_a_new_elite_inherits_the_model_of_its_parent():
    models = {1: Shape.of(Coding(mixed_space())).first()}
    generation = Generation(iterations=2, models=models)
    assert generation.model_of(1, None) is models[1]
    assert generation.model_of(7, 1) is models[1]
    assert generation.model_of(7, 3) is None
    assert generation.model_of(7, None) is None


def test_widths_become_narrower_from_race_to_race():
    _, newcomers, generation = office(mixed_space(), ELITES)
    second, _ = newcomers.draw(generation, 2, 10)
    third, _ = newcomers.draw(second, 3, 10)
    assert (third.models[1].widths < second.models[1].widths)[[1, 2]].all()


def test_similar_ones_restart_the_model():
    space = Space({"n": Integer(1, 4), "x": Real(0, 1)})
    elites = [{"n": 1, "x": 0.5}, {"n": 1, "x": 0.50001}]
    calm, wide = ({}, {"soft_restart": False})
    models = []
    for options in (calm, wide):
        _, newcomers, generation = office(space, elites, **options)
        for number in (2, 3, 4):
            generation, _ = newcomers.draw(generation, number, 5)
        models.append(generation.models[1])
    assert models[0].widths[1] > models[1].widths[1]


def test_a_space_that_is_used_up_gives_fewer():
    space = Space({"n": Integer(1, 6), "kind": Categorical(["a", "b"])})
    book, newcomers, generation = office(space, [{"n": 2, "kind": "a"}])
    _, ids = newcomers.draw(generation, 2, 50)
    assert len(ids) <= 11
    assert len({space.key(one.values) for one in book.candidates.values()}) == len(ids) + 1
    _, none = newcomers.draw(generation, 3, 0)
    assert none == []


def test_forbidden_ones_are_drawn_again():
    space = Space({"x": Real(0, 1), "y": Real(0, 1)}, forbidden=["x > y"])
    _, newcomers, _ = office(space, [])
    elite, models = np.array([[0.4, 0.5]]), [newcomers.shape.first()]
    found, _, _ = newcomers.drawn(elite, models, 200, np.random.default_rng(1))
    assert len(found) == 200
    assert all(values["x"] <= values["y"] for values in found)


def test_a_race_adds_its_elites_in_front_each_once():
    one = Generation(iterations=2).after((4, 2))
    two = one.after((7, 4))
    assert (two.races, two.elites, two.finalists) == (2, (7, 4), (7, 4, 2))
    assert two.iterations == 2
    assert two.after((7,)).iterations == 3


SHAPE = Shape.of(Coding(Space({"x": Real(0, 1), "kind": Categorical(["a", "b", "c"])})))
N = 4000


def test_better_elites_are_parents_more_often():
    assert parent_weights(4).tolist() == [0.4, 0.3, 0.2, 0.1]
    points = np.array([[0.5, 0.0], [0.5, 1.0], [0.5, 2.0]])
    model = Model(np.array([0.1, 0.0]), np.array([[0, 0, 0], [1 / 3] * 3]))
    _, parents = SHAPE.around(points, [model] * 3, N, np.random.default_rng(1))
    counts = np.bincount(parents, minlength=3)
    assert stats.chisquare(counts, N * parent_weights(3)).pvalue > 0.001


def test_numbers_come_from_a_truncated_normal():
    points = np.array([[0.1, 0.0]])
    model = Model(np.array([0.2, 0.0]), np.array([[0, 0, 0], [1.0, 0, 0]]))
    found, _ = SHAPE.around(points, [model], N, np.random.default_rng(2))
    wanted = stats.truncnorm(-0.1 / 0.2, 0.9 / 0.2, loc=0.1, scale=0.2)
    assert stats.kstest(found[:, 0], wanted.cdf).pvalue > 0.001


def test_categories_come_by_their_probabilities():
    points = np.array([[0.1, 0.0]])
    weights = np.array([0.7, 0.1, 0.2])
    model = Model(np.array([0.2, 0.0]), np.array([np.zeros(3), weights]))
    found, _ = SHAPE.around(points, [model], N, np.random.default_rng(3))
    counts = np.bincount((found[:, 1] * 3).astype(int), minlength=3)
    assert stats.chisquare(counts, N * weights).pvalue > 0.001


def test_what_the_parent_has_inactive_is_uniform():
    points = np.array([[np.nan, np.nan]])
    model = Model(np.array([0.01, 0.0]), np.array([np.zeros(3), [0.5, 0.5, 0]]))
    found, _ = SHAPE.around(points, [model], N, np.random.default_rng(4))
    assert stats.kstest(found[:, 0], "uniform").pvalue > 0.001
    assert set((found[:, 1] * 3).astype(int)) == {0, 1}


TWO_NUMBERS = Shape.of(
    Coding(Space({"x": Real(0, 1), "y": Real(0, 1), "kind": Categorical(["a", "b"])}))
)
NAN = np.nan


def by_pairs(points, threshold):
    """The definition, pair by pair."""
    found = np.zeros(len(points), dtype=bool)
    for a, b in itertools.combinations(range(len(points)), 2):
        same_activity = (np.isnan(points[a]) == np.isnan(points[b])).all()
        numbers = np.nan_to_num(np.abs(points[a, :2] - points[b, :2])).max() <= threshold
        categories = np.nan_to_num(points[a, 2]) == np.nan_to_num(points[b, 2])
        if same_activity and numbers and categories:
            found[[a, b]] = True
    return found


def test_two_are_if_no_number_differs_by_more_than_the_threshold():
    points = np.array([[0.1, 0.2, 0], [0.10009, 0.2, 0], [0.1, 0.2, 1], [0.5, NAN, 0], [0.5, 0, 0]])
    assert TWO_NUMBERS.similar(points, 1e-4).tolist() == [True, True, False, False, False]
    assert not TWO_NUMBERS.similar(points, 1e-5).any()


def test_inactive_is_like_inactive_only():
    points = np.array([[0.5, NAN, 0], [0.5, NAN, 0], [0.5, 0.0, 0]])
    assert TWO_NUMBERS.similar(points, 1e-4).tolist() == [True, True, False]


def test_it_is_what_comparing_all_pairs_says():
    rng = np.random.default_rng(5)
    points = np.column_stack([rng.random((60, 2)).round(1), rng.integers(0, 2, 60)])
    points[rng.random(60) < 0.3, 1] = NAN
    for threshold in (0.0, 0.05, 0.11):
        assert (
            TWO_NUMBERS.similar(points, threshold).tolist() == by_pairs(points, threshold).tolist()
        )


def test_categories_alone():
    shape = Shape.of(Coding(Space({"kind": Categorical(["a", "b"])})))
    assert shape.similar(np.array([[0.0], [1.0], [0.0]]), 1e-4).tolist() == [True, False, True]


KINDS = {"x": Real(0, 1), "kind": Categorical(["a", "b", "c", "d"]), "b": Categorical([0, 1])}
OF_KINDS = Shape.of(Coding(Space(KINDS)))
POINT = np.array([0.3, 2.0, np.nan])


def step(model, *, iteration=2, iterations=4, drawn=8, elitist=True):
    moved = min((iteration - 1) / iterations, 1.0)
    return OF_KINDS.updated(model, POINT, drawn, moved, elitist=elitist)


def test_it_begins_with_half_of_the_domain_and_all_categories_alike():
    model = OF_KINDS.first()
    assert model.widths.tolist() == [0.5, 0, 0]
    assert model.weights.tolist() == [[0, 0, 0, 0], [0.25] * 4, [0.5, 0.5, 0, 0]]


def test_the_width_falls_with_the_number_of_new_configurations():
    once, twice = step(OF_KINDS.first()), step(step(OF_KINDS.first()))
    assert once.widths[0] == pytest.approx(0.5 * (1 / 8) ** (1 / 3))
    assert twice.widths[0] == pytest.approx(0.5 * (1 / 8) ** (2 / 3))


def test_the_elites_own_category_becomes_more_likely():
    # p · (1 − 1/4) + 1/4 for the third of four
    model = step(OF_KINDS.first(), elitist=False)
    assert model.weights[1] == pytest.approx([0.1875, 0.1875, 0.4375, 0.1875])
    # clamped at 0.2^(1/3) = 0.585: no effect yet
    assert step(OF_KINDS.first()).weights[1] == pytest.approx(model.weights[1])


def test_no_category_takes_all_in_elitist_racing():
    model = step(OF_KINDS.first(), iteration=4)
    most, rest = 0.2 ** (1 / 3), 0.0625
    assert model.weights[1] == pytest.approx(np.array([rest, rest, most, rest]) / (most + 3 * rest))
    free = step(OF_KINDS.first(), iteration=4, elitist=False)
    assert free.weights[1] == pytest.approx([rest, rest, 0.8125, rest])


def test_what_the_elite_has_inactive_keeps_its_probabilities():
    assert step(OF_KINDS.first()).weights[2].tolist() == [0.5, 0.5, 0, 0]


def test_beyond_the_planned_races_only_the_limit_keeps_others_alive():
    model = step(OF_KINDS.first(), iteration=9, iterations=4)
    assert model.weights[1] == pytest.approx([0, 0, 1, 0])


def test_a_restart_widens_but_never_beyond_the_first_step():
    narrow = step(step(step(OF_KINDS.first())))
    wide = OF_KINDS.restarted(narrow, 8)
    # sd · 8^(2/3) = 0.5 · 8^(−1), against 0.5 · (1/8)^(1/3)
    assert wide.widths[0] == pytest.approx(min(0.5 / 8 * 8 ** (2 / 3), 0.5 * (1 / 8) ** (1 / 3)))
    first = OF_KINDS.restarted(step(OF_KINDS.first()), 8)
    assert first.widths[0] == pytest.approx(0.5 * (1 / 8) ** (1 / 3))


def test_a_restart_brings_categories_nearer_to_the_likeliest():
    # 0.9 p + 0.1 max p
    model = OF_KINDS.restarted(step(OF_KINDS.first(), elitist=False), 8)
    raised = 0.9 * np.array([0.1875, 0.1875, 0.4375, 0.1875]) + 0.1 * 0.4375
    assert model.weights[1] == pytest.approx(raised / raised.sum())
    assert model.weights[2].tolist() == [0.5, 0.5, 0, 0]
    assert model.weights[0].tolist() == [0, 0, 0, 0]


def test_models_are_left_as_they_were():
    model = OF_KINDS.first()
    step(model)
    OF_KINDS.restarted(model, 4)
    assert model.weights[1].tolist() == [0.25] * 4
    assert model.widths[0] == 0.5


SPACE = Space(
    {
        "real": Real(-5, 5),
        "log": Real(0.001, 10, log=True),
        "whole": Integer(1, 10),
        "even": Integer(0, 8, step=2),
        "wholelog": Integer(1, 100, log=True),
        "size": Ordinal(["s", "m", "l", "xl"]),
        "kind": Categorical(["a", "b", "c"]),
        "fixed": Categorical(["only"]),
        "upto": Integer(1, "whole"),
    }
)


def test_numbers_begin_with_half_of_their_domain():
    widths = dict(zip(SPACE, Shape.of(Coding(SPACE)).widths, strict=True))
    # (u − l) / 2; of whole numbers on the scale [l, u + 1], of n levels (n − 1) / 2 cells
    assert widths == pytest.approx(
        {
            "real": 0.5, "log": 0.5, "whole": 4.5 / 10, "even": 2 / 5, "wholelog": 0.5,
            "size": 1.5 / 4, "kind": 0, "fixed": 0, "upto": 0.5,
        }
    )  # fmt: skip


def test_categories_are_counted_and_what_is_fixed_is_not():
    shape = Shape.of(Coding(SPACE))
    assert shape.choices.tolist() == [0, 0, 0, 0, 0, 0, 3, 1, 0]
    assert shape.parameters == 8
