"""The parameters in which configurations differ."""

from __future__ import annotations

from racing.report.differences import differing, only


def test_what_differs_or_is_missing_somewhere() -> None:
    found = differing([{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 9}, {"a": 1, "b": 2, "c": 3}])
    assert found == {"b", "c"}
    assert only({"a": 1, "b": 2}, found) == {"b": 2}
    assert differing([{"a": 1}]) is None
    assert only({"a": 1}, None) == {"a": 1}
