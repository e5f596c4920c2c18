"""Every test says what it asserts."""

from __future__ import annotations

import ast
from pathlib import Path

HERE = Path(__file__).parent
CHECKING = ("raises", "warns", "check", "assert")


def asserts(test: ast.AST) -> bool:
    """Whether there is an assertion, or a call whose name says that it checks something."""
    names = [
        ast.unparse(node.func).rpartition(".")[2]
        for node in ast.walk(test)
        if isinstance(node, ast.Call)
    ]
    said = any(word in name for name in names for word in CHECKING)
    return said or any(isinstance(node, ast.Assert) for node in ast.walk(test))


def test_every_test_asserts_something() -> None:
    silent = [
        f"{file.relative_to(HERE)}: {node.name}"
        for file in sorted(HERE.rglob("test_*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not asserts(node)
    ]
    assert silent == []
