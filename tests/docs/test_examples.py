"""Public names have examples in their docstrings, and the examples are true."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from importlib import import_module
from inspect import isclass, isfunction, ismodule
from pathlib import Path

import pytest

import racing
from racing import stats
from racing.rules import RULES
from racing.space.keys import DOMAINS

PACKAGES = (
    "racing.analysis.compare",
    "racing.base.errors",
    "racing.embed",
    "racing.optuna",
    "racing.rules",
    "racing.scenario.formats",
    "racing.search",
    "racing.space",
    "racing.stats",
)
"""Public packages whose names are not those of `racing` itself."""


def named(name: str) -> bool:
    """Whether a public name is a class or a function, and no exception."""
    value = getattr(racing, name)
    error = isclass(value) and issubclass(value, BaseException)
    return not (ismodule(value) or error or name.startswith("__"))


def documented() -> Iterator[str]:
    """Public names of packages that have an example."""
    for package in PACKAGES:
        module = import_module(package)
        for name in sorted(getattr(module, "__all__", vars(module))):
            value = getattr(module, name)
            if (isclass(value) or isfunction(value)) and ">>>" in (value.__doc__ or ""):
                yield f"{package}.{name}"


def check(value: object, name: str) -> int:
    """Run the example of a docstring; the number of its steps comes back."""
    test = doctest.DocTestParser().get_doctest(
        value.__doc__ or "", {"Path": Path}, name, None, None
    )
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "".join(said)
    return len(test.examples)


@pytest.mark.parametrize("name", [name for name in racing.__all__ if named(name)])
def test_the_example_of_a_public_name_is_true(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert check(getattr(racing, name), name), f"racing.{name} has no example"


@pytest.mark.parametrize("name", list(documented()))
def test_the_examples_of_packages_are_true(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    package, _, last = name.rpartition(".")
    if package == "racing.optuna":
        pytest.importorskip("optuna")
    check(getattr(import_module(package), last), name)


def test_every_name_of_the_statistics_every_rule_and_every_parameter_has_one() -> None:
    statistics = [getattr(stats, name) for name in stats.__all__]
    things = [*statistics, *RULES.values(), *(one.record for one in DOMAINS.values())]
    assert [one.__name__ for one in things if ">>>" not in (one.__doc__ or "")] == []
