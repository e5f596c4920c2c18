"""Random trees over a small space, for laws."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from racing.space import Boolean, Categorical, Integer, Ordinal, Parameter, Real
from racing.space.expressions import (
    Active,
    And,
    Arithmetic,
    Call,
    Compare,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Text,
    Truth,
)  # fmt: skip

PARAMETERS: dict[str, Parameter] = {
    "x": Real(-3, 3),
    "n": Integer(0, 9),
    "size": Ordinal([1, 2, 4, 8]),
    "effort": Ordinal(["low", "mid", "high"]),
    "kind": Categorical(["ils", "aco", "two words"]),
    "fast": Boolean(),
}

_LEAVES = st.one_of(
    st.sampled_from(["x", "n", "size"]).map(Name),
    st.floats(-5, 5).map(lambda v: Number(round(v, 2) + 0.0)),
    st.integers(0, 5).map(lambda v: Number(float(v))),
)


def _larger(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    signs: st.SearchStrategy[Any] = st.sampled_from(["+", "-", "*", "/", "//", "%", "**"])
    one = st.sampled_from(["abs", "round", "floor", "ceil", "trunc", "sqrt", "log", "exp"])
    return st.one_of(
        st.builds(Arithmetic, signs, inner, inner),
        inner.filter(lambda node: not isinstance(node, Number)).map(Negative),
        st.builds(lambda f, a: Call(f, (a,)), one, inner),
        st.builds(lambda f, a, b: Call(f, (a, b)), st.sampled_from(["min", "max"]), inner, inner),
    )


NUMBERS = st.recursive(_LEAVES, _larger, max_leaves=6)
_SIGNS: st.SearchStrategy[Any] = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
_KINDS = st.sampled_from(["ils", "aco", "two words"]).map(Text)
_ATOMS = st.one_of(
    st.builds(Compare, _SIGNS, NUMBERS, NUMBERS),
    st.builds(Compare, st.sampled_from(["==", "!="]), st.just(Name("kind")), _KINDS),
    st.builds(
        Compare, _SIGNS, st.just(Name("effort")), st.sampled_from(["low", "mid", "high"]).map(Text)
    ),
    st.builds(Member, st.just(Name("kind")), st.lists(_KINDS, min_size=1, max_size=2).map(tuple)),
    st.builds(Member, st.just(Name("n")), st.lists(_LEAVES, min_size=1, max_size=3).map(tuple)),
    st.sampled_from([Name("fast"), Truth(True), Truth(False)]),
)
CONDITIONS = st.recursive(
    st.one_of(_ATOMS, st.sampled_from(list(PARAMETERS)).map(Active)),
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: And(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: Or(tuple(parts))),
    ),
    max_leaves=6,
)
ROWS = st.fixed_dictionaries(
    {
        "x": st.floats(-3, 3).map(lambda v: round(v, 2) + 0.0),
        "n": st.integers(0, 9).map(float),
        "size": st.sampled_from([1, 2, 4, 8]),
        "effort": st.sampled_from(["low", "mid", "high"]),
        "kind": st.sampled_from(["ils", "aco", "two words"]),
        "fast": st.booleans(),
    }
)


def column(name: str, value: Any) -> float:
    """A value as expressions see it."""
    levels = PARAMETERS[name].levels
    return float(value) if levels is None else float(levels.index(value))
