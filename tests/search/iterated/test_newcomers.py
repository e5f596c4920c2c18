"""The new configurations of a race."""

from __future__ import annotations

import numpy as np

from racing.core.instances import Instances
from racing.search.coding import Coding, Draw
from racing.search.iterated.newcomers import Generation, Newcomers, Shape
from racing.search.iterated.settings import IteratedSettings
from racing.search.trials import Trials
from racing.space import Categorical, Integer, Real, Space
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
