"""ConfigSpace, both ways: the same configurations are allowed on both sides."""

import numpy as np
import pytest
from ConfigSpace import (
    AndConjunction,
    Categorical,
    Configuration,
    ConfigurationSpace,
    Constant,
    EqualsCondition,
    Float,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    ForbiddenGreaterThanRelation,
    ForbiddenInClause,
    GreaterThanCondition,
    InCondition,
    Integer,
    NotEqualsCondition,
    OrConjunction,
)  # fmt: skip

from racing.base.errors import FormatError, InputError
from racing.scenario.formats.config_space import from_config_space, to_config_space
from racing.space import Boolean, Flag, Ordinal, Real, Space
from racing.space import Categorical as Choice
from racing.space import Integer as Whole


def a_config_space() -> ConfigurationSpace:
    space = ConfigurationSpace(seed=1)
    kind = Categorical("kind", ["a", "b", "c"], default="b")
    low, high = Integer("low", (1, 20), default=2), Integer("high", (1, 20), default=9)
    rate = Float("rate", (1e-4, 1.0), log=True, default=0.1)
    order = Categorical("order", ["s", "m", "l"], ordered=True, default="m")
    on, fixed = Categorical("on", [True, False], default=True), Constant("fixed", 3)
    space.add([kind, low, high, rate, order, on, fixed])
    space.add(OrConjunction(EqualsCondition(rate, kind, "a"), GreaterThanCondition(rate, low, 10)))
    space.add(AndConjunction(InCondition(on, kind, ["a", "b"]), NotEqualsCondition(on, order, "s")))
    space.add(ForbiddenGreaterThanRelation(low, high))
    space.add(ForbiddenAndConjunction(
        ForbiddenEqualsClause(kind, "c"), ForbiddenInClause(order, ["s", "l"])
    ))  # fmt: skip
    return space


def test_what_config_space_draws_is_a_configuration_here():
    theirs = a_config_space()
    ours = from_config_space(theirs)
    assert ours.default() == dict(theirs.get_default_configuration())
    for each in theirs.sample_configuration(300):
        ours.check({name: getattr(v, "item", lambda v=v: v)() for name, v in dict(each).items()})


def test_what_is_drawn_here_is_a_configuration_there():
    ours = Space(
        {
            "kind": Choice(["a", "b", "c"], default="a"),
            "n": Whole(1, 50, log=True, default=5),
            "x": Real(0, 1, default=0.5, when="kind in [a, b] and not n >= 20"),
            "order": Ordinal(["s", "m", "l"], default="m", when="kind != c or n <= 3"),
            "on": Boolean(default=False),
            "fast": Flag(default=True, when="on"),
            "top": Whole(1, 50, default=9),
        },
        forbidden=["n > top", "kind == b and (order == l or not on)", "order != m and n == 7"],
    )
    theirs = to_config_space(ours)
    back = from_config_space(theirs)
    for values in ours.sample(np.random.default_rng(2), 300):
        Configuration(theirs, values=values).check_valid_configuration()
        back.check(values)
    for each in theirs.sample_configuration(300):
        ours.check({name: getattr(v, "item", lambda v=v: v)() for name, v in dict(each).items()})


@pytest.mark.parametrize(
    "space",
    [
        Space({"n": Whole(1, 9), "m": Whole(1, "2 * n")}),
        Space({"p": Real(0.1, 0.9, logit=True)}),
        Space({"x": Real(0, 1, step=0.1)}),
        Space({"a": Whole(1, 9), "b": Whole(1, 9, when="2 * a > 5")}),
        Space({"a": Whole(1, 9), "b": Whole(1, 9)}, forbidden=["a + b > 15"]),
    ],
)
def test_what_config_space_cannot_say_is_refused(space):
    with pytest.raises(FormatError, match="ConfigSpace"):
        to_config_space(space)


def test_something_else_is_refused():
    with pytest.raises(InputError, match="must be a ConfigSpace"):
        from_config_space({"a": [0, 1]})
