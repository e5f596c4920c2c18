"""Spaces for tests: fixed ones, and random ones for laws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from racing.base.errors import SpaceError
from racing.space import Boolean, Categorical, Flag, Integer, Ordinal, Parameter, Real, Space

SMALL = Space(
    {
        "algorithm": Categorical(["ils", "aco", "sa"], default="ils"),
        "ants": Integer(2, 5, when="algorithm == aco", default=3),
        "elite": Integer(1, "ants - 1", default=1),
        "effort": Ordinal(["low", "mid", "high"], default="mid"),
        "restarts": Boolean(when="algorithm != aco and effort >= mid", default=False),
        "every": Integer(10, 50, step=20, when="restarts"),
        "share": Real(0.25, 1, step=0.25, when="active(every) and every > 10"),
        "fast": Flag(default=True),
    },
    forbidden=["fast and effort == high", "elite >= 3 and not fast"],
)
MIXED = Space(
    {
        "kind": Categorical(["a", "b", 3], default="a"),
        "x": Real(0, 10, default=1.0),
        "y": Real(0.001, 100, log=True, when="kind != 3"),
        "p": Real(0.01, 0.99, logit=True),
        "d": Real(0, 2, digits=2, when="x > 5 or kind == 'b'"),
        "s": Real(-1, 1, step=0.125),
        "low": Integer(1, 50),
        "high": Integer("low", "low + 50", log=True),
        "share": Real(0, "x + 1", when="high > 2 * low"),
        "o": Ordinal([1, 2, 4, 8], default=2),
        "n": Integer(0, "o * 3", when="not active(d)"),
        "f": Flag(when="n > 3"),
        "b": Boolean(),
    },
    forbidden=["x > 9 and b", "low > 40 and kind == a"],
)


def _numbers() -> st.SearchStrategy[Parameter]:
    ends = st.tuples(st.integers(-20, 20), st.integers(1, 30))
    positive = st.tuples(st.integers(1, 20), st.integers(1, 30))
    return st.one_of(
        ends.map(lambda e: Integer(e[0], e[0] + e[1])),
        positive.map(lambda e: Integer(e[0], e[0] + e[1], log=True)),
        ends.map(lambda e: Integer(e[0], e[0] + 3 * e[1], step=3)),
        ends.map(lambda e: Real(e[0], e[0] + e[1])),
        ends.map(lambda e: Real(e[0], round(e[0] + e[1] / 10, 1), digits=1)),
        ends.map(lambda e: Real(e[0], e[0] + e[1] * 0.5, step=0.5)),
        positive.map(lambda e: Real(e[0] / 1000, e[0] + e[1], log=True)),
        positive.map(lambda e: Real(e[0] / 100, 1 - e[1] / 100, logit=True)),
    )


def _levels() -> st.SearchStrategy[Parameter]:
    words = st.lists(st.sampled_from(["u", "v", "w", 1, 2.5, True]), min_size=1, max_size=4)
    unique = words.map(lambda found: list(dict.fromkeys(map(str, found))))
    return st.one_of(
        unique.map(Categorical), unique.map(Ordinal), st.just(Boolean()), st.just(Flag()),
        st.just(Ordinal([1, 2, 4, 8])),
    )  # fmt: skip


@st.composite
def spaces(draw: st.DrawFn, *, finite: bool = False) -> Space:
    """Up to six parameters with conditions, dependent domains and a forbidden clause."""
    parameters: dict[str, Parameter] = {}
    for i in range(draw(st.integers(1, 6))):
        parameter = draw(st.one_of(_levels(), _numbers()))
        while finite and parameter.size > 12:
            parameter = draw(st.one_of(_levels(), _numbers()))
        if parameters and draw(st.booleans()):
            parameter = _with(parameter, when=draw(_clause(parameters)))
        numeric = [n for n, p in parameters.items() if isinstance(p, Integer) and _near(p)]
        if numeric and draw(st.integers(0, 3)) == 0:
            parent = draw(st.sampled_from(numeric))
            parameter = Integer(f"{parent} - 2", f"{parent} + 3")
        parameters[f"p{i}"] = parameter
    forbidden = [draw(_clause(parameters))] if draw(st.booleans()) else []
    try:
        return Space(parameters, forbidden=forbidden)
    except SpaceError:  # a condition that is never true, say
        return Space({"p0": parameters["p0"]})


def _near(parameter: Integer) -> bool:
    """Whether the bounds are small numbers, so that brute force gets by with few values."""
    ends = (parameter.low, parameter.high)
    return all(isinstance(end, int) and 0 <= end <= 15 for end in ends)


def _clause(parameters: dict[str, Parameter]) -> st.SearchStrategy[str]:
    def about(name: str) -> st.SearchStrategy[str]:
        parameter: Any = parameters[name]
        if parameter.levels is not None and isinstance(parameter.levels[0], bool):
            return st.sampled_from([name, f"not {name}", f"active({name})"])
        if parameter.levels is not None:
            level = st.sampled_from(parameter.levels)
            quoted = level.map(lambda v: f"'{v}'" if isinstance(v, str) else str(v))
            return quoted.map(lambda v: f"{name} != {v}")
        return st.integers(-5, 25).map(lambda v: f"{name} >= {v}")

    one = st.sampled_from(list(parameters)).flatmap(about)
    return st.one_of(one, st.tuples(one, st.sampled_from(["and", "or"]), one).map(" ".join))


def _with(parameter: Parameter, **options: Any) -> Parameter:
    kind: Any = parameter
    changed: Parameter = replace(kind, **options)
    return changed
