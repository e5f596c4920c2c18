"""`racing.stats` has exactly these names, loads none of them early, and documents them all."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import racing.stats

STUB = ast.parse(Path(racing.stats.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
HOME = {
    alias.name: node.module
    for node in STUB.body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}
DOCS = Path(__file__).parents[2] / "docs" / "statistics" / "formulas.md"


def test_every_name_is_there_and_means_what_its_file_defines() -> None:
    for name, home in HOME.items():
        found = getattr(racing.stats, name)
        assert not isinstance(found, ModuleType), name
        assert found is getattr(importlib.import_module(f"racing.stats.{home}"), name)


def test_the_list_of_names_is_pinned_and_sorted() -> None:
    assert set(racing.stats.__all__) == set(HOME)
    assert len(racing.stats.__all__) == len(set(racing.stats.__all__))
    assert dir(racing.stats) == sorted(racing.stats.__all__)


def printed_by(code: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_a_file_of_the_same_name_does_not_hide_a_function() -> None:
    code = (
        "import racing.stats.wilcoxon, racing.stats.friedman\n"
        "from racing.stats import wilcoxon, friedman\n"
        "print(wilcoxon([1, 2], [2, 3]).pvalue, racing.stats.friedman([[1, 2], [1, 2]]).df)"
    )
    assert printed_by(code) == "0.5 (1,)\n"


def test_nothing_is_loaded_before_it_is_used() -> None:
    code = (
        "import sys, racing.stats\n"
        "print([m for m in sys.modules if m.startswith('racing.stats.') or m == 'scipy'])"
    )
    assert printed_by(code) == "[]\n"


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="wilcoxn"):
        _ = racing.stats.wilcoxn


@pytest.mark.parametrize("name", racing.stats.__all__)
def test_every_function_is_in_the_documentation(name: str) -> None:
    if inspect.isfunction(getattr(racing.stats, name)):
        assert f"`{name}`" in DOCS.read_text(encoding="utf-8")
