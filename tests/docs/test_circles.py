"""No files of racing/ import each other in a circle without a reason, not even for types."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache

import numpy as np
from scipy.sparse.csgraph import connected_components

from tests.docs.blocks import ROOT

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def sources() -> dict[str, str]:
    """The code of each module but the facade, which names all others, by its name."""
    files = set((ROOT / "racing").rglob("*.py")) - {ROOT / "racing" / "__init__.py"}
    names = {file: ".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files}
    return {
        name.removesuffix(".__init__"): file.read_text(encoding="utf-8")
        for file, name in names.items()
    }


def imported(code: str) -> set[str]:
    """The full names of what the code imports, modules or members of them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def circles(codes: dict[str, str]) -> list[set[str]]:
    """The sets of modules that reach each other by imports."""
    names = sorted(codes)
    arrows = np.zeros((len(names), len(names)), dtype=bool)
    for name in names:
        for full in imported(codes[name]):
            home = full if full in codes else full.rpartition(".")[0]
            if home in codes and home != name:
                arrows[names.index(name), names.index(home)] = True
    sets: dict[int, set[str]] = defaultdict(set)
    for name, label in zip(
        names, connected_components(arrows, connection="strong")[1], strict=True
    ):
        sets[label].add(name)
    return [each for each in sets.values() if len(each) > 1]


@cache
def of_the_house() -> list[set[str]]:
    """The circles of the package."""
    return circles(sources())


def reasoned() -> list[set[str]]:
    """The circles that docs/architecture.md names with a reason: rows `a`, `b` | reason."""
    rows = re.findall(r"^\| (`racing[^|]*) \| [^|]+ \|$", ARCHITECTURE, re.MULTILINE)
    return [set(re.findall(r"`(racing[\w.]+)`", row)) for row in rows]


def test_no_files_import_each_other_without_a_reason() -> None:
    allowed = reasoned()
    assert [each for each in of_the_house() if not any(each <= one for one in allowed)] == []


def test_no_reason_is_out_of_date() -> None:
    assert [one for one in reasoned() if one not in of_the_house()] == []


def test_circles_are_found_whenever_the_import_is_made() -> None:
    codes = {
        "racing.a": "from racing.b import x",
        "racing.b": "def f():\n    import racing.a",
        "racing.c": "from racing import a\nif TYPE_CHECKING:\n    from racing.d import y",
        "racing.d": "from racing.c import z",
        "racing.e": "from racing import d",
    }
    assert circles(codes) == [{"racing.a", "racing.b"}, {"racing.c", "racing.d"}]
