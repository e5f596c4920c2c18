"""The docstring of a package lists its files, so that a newcomer knows where to look."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT

PACKAGES = sorted(path.parent for path in (ROOT / "racing").glob("*/**/__init__.py"))


def parts(package: Path) -> list[str]:
    """The names of its modules and packages."""
    modules = [path.stem for path in package.glob("*.py")]
    return sorted({*modules, *(path.parent.name for path in package.glob("*/__init__.py"))})


def unlisted(docstring: str, names: list[str]) -> list[str]:
    """The names that it does not have; none if it says that all are of one kind."""
    if "one per file" in docstring or "procedure per file" in docstring:
        return []
    return [name for name in names if not re.search(rf"\b{re.escape(name)}\b", docstring)]


def listed(docstring: str) -> list[list[str]]:
    """The names before the gap of each line that tells of files."""
    heads = re.findall(r"^([\w./]+(?:, [\w./]+)*,?) {2,}\S", docstring, re.MULTILINE)
    return [re.findall(r"\b[a-z]\w{2,}", re.sub(r"\.py|/", "", head)) for head in heads]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_package_lists_its_files(package: Path) -> None:
    code = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    docstring = ast.get_docstring(code) or ""
    names = [name for name in parts(package) if name not in ("__init__", "_compat")]
    assert unlisted(docstring, names) == []
    named = {name for line in listed(docstring) for name in line}
    assert named <= set(names)


def test_a_missing_name_is_found() -> None:
    assert unlisted("row, state   the state of a race", ["row", "state", "table"]) == ["table"]
