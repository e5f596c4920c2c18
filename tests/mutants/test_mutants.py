"""The tables of mutations fit the code; `make mutants` says whether the tests catch them."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tests.mutants import MUTATIONS
from tests.mutants.mutation import Mutation, TableError


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_every_mutation_fits_and_leaves_python(mutation: Mutation) -> None:
    file, text = mutation.applied(ROOT)
    compile(text, file, "exec")
    assert mutation.tests
    for test in mutation.tests:
        assert (ROOT / "tests" / test.partition("::")[0]).exists(), test


@pytest.mark.parametrize("half", [0, 1])
def test_a_mutation_is_the_same_however_the_code_is_formatted(half: int, tmp_path: Path) -> None:
    """A sixth of the mutations in short lines, and another sixth in long ones."""
    width = (60, 140)[half]
    pytest.importorskip("ruff", reason="formatting needs the extra racing[dev]")
    shutil.copytree(ROOT / "racing", tmp_path / "racing")
    style = ["format", "--quiet", "--isolated", "--line-length", str(width), "racing"]
    subprocess.run([sys.executable, "-m", "ruff", *style], cwd=tmp_path, check=True)
    for mutation in MUTATIONS[half::6]:
        here, there = (changed(mutation, root) for root in (ROOT, tmp_path))
        assert here == there != [], mutation.name


def changed(mutation: Mutation, root: Path) -> list[str]:
    """The syntax trees of the statements of a file that a mutation changes."""
    file, text = mutation.applied(root)
    before = statements((root / "racing" / file).read_text(encoding="utf-8"))
    return [ast.dump(one) for code, one in statements(text).items() if code not in before]


@cache
def statements(text: str) -> dict[str, ast.stmt]:
    """The statements of a module, with their decorators, by their text."""
    body, lines = ast.parse(text).body, text.splitlines()
    ends = [0, *(one.end_lineno for one in body)]
    return {"\n".join(lines[a:b]): one for a, b, one in zip(ends, ends[1:], body, strict=False)}


def test_names_are_unique_and_there_are_enough() -> None:
    names = [mutation.name for mutation in MUTATIONS]
    assert len(set(names)) == len(names) >= 40


def test_an_entry_that_no_longer_fits_is_refused() -> None:
    for old in ("this text stands nowhere", "import"):
        with pytest.raises(TableError, match="expected once"):
            Mutation("broken", old, "x", ("race/test_race.py",)).applied(ROOT)
    with pytest.raises(TableError, match="the same code"):
        Mutation("no change", "a + b", "a+b", ("race/test_race.py",)).applied(ROOT)


@pytest.mark.parametrize(
    ("code", "old", "new", "expected"),
    [
        ("x = f(a, b)", "f(a, b)", "f(b, a)", "x = f(b, a)"),
        ("x = f(\n    a,\n    b,\n)", "f(a, b)", "f(b)", "x = f(\n    b,\n)"),
        ("if (\n    a\n    or b\n):\n    c", "if a or b:", "if True:", "if (\n    True\n):\n    c"),
        ("if a:\n    b", "if a:", "if not a:", "if not  a:\n    b"),
        ("x = 1e-9", "1e-9", "1e-3", "x = 1e-3"),
        ("a; b; c", "b;", "", "a;  c"),
    ],
)
def test_only_words_that_differ_are_replaced(
    code: str, old: str, new: str, expected: str, tmp_path: Path
) -> None:
    (tmp_path / "racing").mkdir()
    (tmp_path / "racing" / "one.py").write_text(code, encoding="utf-8")
    assert Mutation("one", old, new, ()).applied(tmp_path) == ("one.py", expected)
