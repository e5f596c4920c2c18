"""Records read their own fields: one definition for Python, files, the schema and the reference."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.base.quantities import Bytes, Count, Jobs, Level, Seconds
from racing.base.records import INVALID, Checked, Errors, FieldError, FieldErrors, Record, Short
from racing.base.records.unions import ByName, OneOf


@dataclass(frozen=True, kw_only=True)
class Inner(Checked):
    """A part.

    Attributes
    ----------
    count, share
        Numbers.
    """

    count: Count = 1
    share: Level = 0.5


@dataclass(frozen=True, kw_only=True)
class Other(Checked):
    """Another part.

    Attributes
    ----------
    word
        One of two.
    """

    word: Literal["red", "green"]

    def __call__(self) -> str:
        return self.word


def things() -> dict[str, type[Any]]:
    return {"inner": Inner, "other": Other}


@dataclass(frozen=True, kw_only=True)
class Outer(Checked):
    """A whole.

    Attributes
    ----------
    name
        What it is called.
    time, memory, jobs
        Quantities.
    parts
        Several, each short or in full.
    values
        By name.
    one
        Inner or other.
    named
        By its name.
    own
        For Python.
    """

    name: str
    time: Seconds | None = None
    memory: Bytes | None = None
    jobs: Jobs = 1
    parts: Annotated[Sequence[Inner], Record(Inner, Short(((int, "count"),), "a count"))] | None = (
        None
    )
    values: Mapping[str, int] | None = None
    one: Annotated[Any, OneOf((Record(Inner), Record(Other)))] = None
    named: Annotated[Any, ByName("thing", things)] = None
    own: Any = field(default=None, metadata={"key": False})

    def contradictions(self, given: dict[str, Any]) -> list[FieldError]:
        if given.keys() >= {"time", "jobs"} and given["time"] == given["jobs"]:
            return [FieldError("time", "is the same as jobs")]
        return []


def read(data: object) -> tuple[Any, list[str]]:
    errors = Errors(plain=True)
    found = Record(Outer).read(data, "", errors)
    return found, [str(error) for error in errors.found]


def test_a_file_and_python_build_the_same() -> None:
    found, errors = read(
        {
            "name": "x",
            "time": "1m30s",
            "memory": "2kB",
            "parts": {"count": 3},
            "values": {"a": 1},
            "one": {"word": "red"},
            "named": {"name": "other", "word": "green"},
        }
    )
    assert errors == []
    assert found == Outer(
        name="x", time=90, memory=2000, parts=Inner(count=3), values={"a": 1},  # type: ignore[arg-type]
        one=Other(word="red"), named=Other(word="green"),
    )  # fmt: skip
    assert Record(Outer).read(Record(Outer).write(found), "", Errors(plain=True)) == found


def test_everything_wrong_is_told_at_once_with_its_path() -> None:
    found, errors = read(
        {
            "time": 1,
            "jobs": 1,
            "parts": {"count": 0, "shar": 1},
            "values": {"a": "1"},
            "one": {"wrd": "red"},
            "named": {"name": "othr"},
            "own": 3,
        }
    )
    assert found is INVALID
    assert errors == [
        "own: only Python code can give it, not a file",
        "name must be text; it is missing",
        "parts.shar: unknown key; did you mean 'share'?",
        "parts.count must be a whole number, 1 or more; got 0",
        'values.a must be a whole number; got "1" (remove the quotes)',
        "one must have count or word; did you mean 'word'?",
        "named.name: unknown thing \"othr\"; did you mean 'other'?",
        "time: is the same as jobs",
    ]


def test_python_is_told_at_once_too() -> None:
    with pytest.raises(FieldErrors) as caught:
        Outer(name=3, time="soon", jobs=0, parts="many", one=Inner)  # type: ignore[arg-type]
    assert [error.path for error in caught.value.errors] == ["name", "time", "jobs", "parts", "one"]
    assert isinstance(caught.value, InputError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_numbers_of_other_libraries_become_plain_ones() -> None:
    part = Inner(count=np.int64(3), share=np.float64(0.25))  # type: ignore[arg-type]
    assert (type(part.count), type(part.share)) == (int, float)
    with pytest.raises(FieldErrors):
        Inner(count=np.bool_(True))  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [True, "1", None, 0, 1.5, float("nan"), float("inf"), [1], 1j])
def test_what_is_no_count(count: Any) -> None:
    with pytest.raises(FieldErrors, match="count must be a whole number, 1 or more; got "):
        Inner(count=count)


@given(st.floats() | st.integers() | st.booleans() | st.text(max_size=3) | st.none())
def test_the_schema_holds_what_is_read(value: Any) -> None:
    for name in ("count", "share"):
        errors = Errors(plain=True)
        Record(Inner).read({name: value}, "", errors)
        valid = jsonschema.Draft202012Validator(Record(Inner).schema()).is_valid({name: value})
        assert valid == (not errors.found)


def test_the_reference_tells_every_key() -> None:
    paths = [key_doc.path for key_doc in Record(Outer).key_docs("")]
    assert "own" not in paths
    assert {"name", "parts.count", "one(count).share", "one(word).word", "named(other).word"} < set(
        paths
    )
