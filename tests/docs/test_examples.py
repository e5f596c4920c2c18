"""Public names have examples in their docstrings, and the examples are true."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator
from importlib import import_module
from inspect import isclass, ismodule
from pathlib import Path

import pytest

import racing
from racing import stats
from racing.rules import RULES
from racing.space.keys import DOMAINS

NEEDED = {"racing.optuna": "optuna", "racing.scenario.formats.config_space": "ConfigSpace"}
"""Modules that import a library which need not be installed."""


def named(name: str) -> bool:
    """Whether a public name is a class or a function, and no exception."""
    value = getattr(racing, name)
    error = isclass(value) and issubclass(value, BaseException)
    return not (ismodule(value) or error or name.startswith("__"))


def documented() -> Iterator[tuple[str, str]]:
    """Modules and names of the other classes and functions that have an example."""
    root = Path(racing.__file__).parent
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if ">>>" in text:
            module = ".".join(("racing", *path.relative_to(root).with_suffix("").parts))
            for name in shown(text):
                yield module.removesuffix(".__init__"), name


def shown(text: str) -> Iterator[str]:
    """The classes and functions of a module that have an example, without those of `racing`."""
    for node in ast.parse(text).body:
        named = isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name not in racing.__all__
        if named and ">>>" in (ast.get_docstring(node) or ""):
            yield node.name


def check(value: object, name: str) -> int:
    """Run the example of a docstring; the number of its steps comes back.

    One that imports nothing of `racing` uses the names of its module.
    """
    text = value.__doc__ or ""
    alone = "import racing" in text or "from racing" in text
    known = {} if alone else vars(import_module(value.__module__))
    test = doctest.DocTestParser().get_doctest(text, {"Path": Path, **known}, name, None, None)
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


@pytest.mark.parametrize(("module", "name"), list(documented()))
def test_the_examples_are_true(
    module: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for prefix, library in NEEDED.items():
        if module.startswith(prefix):
            pytest.importorskip(library)
    check(getattr(import_module(module), name), f"{module}.{name}")


def test_every_name_of_the_statistics_every_rule_and_every_parameter_has_one() -> None:
    statistics = [getattr(stats, name) for name in stats.__all__]
    things = [*statistics, *RULES.values(), *(one.record for one in DOMAINS.values())]
    assert [one.__name__ for one in things if ">>>" not in (one.__doc__ or "")] == []
