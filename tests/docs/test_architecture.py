"""docs/architecture.md and docs/extend.md are true: what they name exists; every room is named."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOMS_DRAWN = re.search(r"```\nracing/\n(.*?)```", TEXT, re.DOTALL)
LAYERS_DRAWN = re.search(r"```layers\n(.*?)```", TEXT, re.DOTALL)
BOTH = TEXT + (ROOT / "docs" / "extend.md").read_text(encoding="utf-8")
WORDS = {*re.findall(r"`([^`\n]+)`", BOTH), *re.findall(r"racing[./][\w./]+\w/?", BOTH)}
MODULES = sorted(w for w in WORDS if re.fullmatch(r"racing(\.\w+)+", w))
PATHS = sorted(w for w in WORDS if re.fullmatch(r"[\w./]+", w) and "/" in w)


def rooms() -> set[str]:
    """The packages and modules directly in racing/ that hold Python code."""
    inside = (ROOT / "racing").iterdir()
    found = {p.name for p in inside if p.suffix == ".py" or (p / "__init__.py").exists()}
    return found - {"__init__.py"}


def test_racing_has_at_most_eighteen_folders_and_no_loose_files() -> None:
    files = {name for name in rooms() if name.endswith(".py")}
    assert files == {"__main__.py"}
    assert len(rooms() - files) <= 18


def test_every_room_is_drawn_and_every_drawn_room_exists() -> None:
    assert ROOMS_DRAWN
    inside = ROOMS_DRAWN[1].partition("\ntests/")[0]
    drawn = set(re.findall(r"(?<!\S)(\w+\.py|\w+(?=/(?:\s|$)))", inside, re.MULTILINE))
    assert drawn == rooms()


@pytest.mark.parametrize("folder", re.findall(r"^(\w+)/", ROOMS_DRAWN[1], re.MULTILINE))  # type: ignore[index]
def test_every_folder_exists(folder: str) -> None:
    assert (ROOT / folder).is_dir()


@pytest.mark.parametrize("name", MODULES)
def test_every_module_exists(name: str) -> None:
    try:
        import_module(name)
    except ModuleNotFoundError:  # then it is something in a module
        module, _, member = name.rpartition(".")
        assert hasattr(import_module(module), member), name


@pytest.mark.parametrize("path", PATHS)
def test_every_path_exists(path: str) -> None:
    assert (ROOT / path).exists()


def test_the_layers_are_those_of_the_contract() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    assert LAYERS_DRAWN
    assert LAYERS_DRAWN[1].splitlines() == contract["layers"]


def test_every_link_leads_somewhere() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_purpose_of_a_stream_that_is_named_exists() -> None:
    from racing.base.seeds import Purpose

    named = re.findall(r"^\|[^|]*\| `([A-Z_]+)`", TEXT, re.MULTILINE)
    assert named
    assert set(named) <= set(Purpose.__members__)
