"""What may be asked of several metrics."""

from __future__ import annotations

import pytest

from racing.base.errors import InputError
from racing.core.aims import Front, Maximize, Minimize, ObjectiveKind, Order, Step, aim_of


@pytest.mark.parametrize(
    ("given", "aim"),
    [
        ("rank", "rank"),
        ({"minimize": "time"}, Minimize("time")),
        ({"maximize": "a / b", "scores": "mean"}, Maximize("a / b", scores="mean")),
        (
            {"minimize": "time", "subject_to": ["success >= 0.9"]},
            Minimize("time", subject_to=("success >= 0.9",)),
        ),
        ({"order": [{"success": 0.01}, "time"]}, Order((Step("success", 0.01), Step("time")))),
        ({"front": ["a", "b"]}, Front(("a", "b"), scores="mean", show=8)),
    ],
)
def test_an_objective_is_read_and_written(given: object, aim: object) -> None:
    assert aim_of(given) == aim
    assert aim_of(ObjectiveKind().write(aim)) == aim


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("median", "must be rank, mean, or a mapping with minimize or maximize or order or front"),
        ("means", "did you mean 'mean'"),
        (3, "must be rank, mean, or a mapping"),
        ({"minimise": "time"}, "must have minimize or maximize or order or front"),
        ({"minimize": "a", "maximize": "b"}, "has both minimize and maximize; keep one of them"),
        ({"minimize": 3}, "objective.minimize must be text"),
        ({"minimize": "a", "subject_to": ["b > 1"], "scores": "rank"}, "rank has no meaning with"),
        ({"order": ["a"]}, "order must name two or more metrics; got 1"),
        ({"order": ["a", "a"]}, "order names a twice"),
        ({"order": ["a", {"b": -1}]}, "the tolerance of b must be a number, 0 or more"),
        ({"order": ["a", {"b": 1, "c": 2}]}, "the name of a metric, or the name with its"),
        ({"front": ["a"]}, "front must name two or more metrics; got 1"),
        ({"front": ["a", "a"]}, 'the value "a" is given twice'),
        ({"front": ["a", "b"], "scores": "median"}, "objective.scores must be mean or rank"),
        ({"front": ["a", "b"], "show": 0}, "objective.show must be a whole number, 1 or more"),
    ],
)
def test_what_is_no_objective_is_refused(given: object, said: str) -> None:
    with pytest.raises(InputError) as caught:
        aim_of(given)
    assert said in str(caught.value)
