"""README.md and docs/choosing.md are true: every block is run, and prints what they say."""

from __future__ import annotations

import os
import re
from dataclasses import fields
from pathlib import Path

import pytest

from racing.cli import COMMANDS
from racing.rules import RULES
from tests.docs.blocks import ROOT, Reader, agrees, extras

README = ROOT / "README.md"
CHOOSING = ROOT / "docs" / "choosing.md"


@pytest.mark.parametrize("page", [README, CHOOSING], ids=["readme", "choosing"])
def test_every_block_does_what_the_page_says(page: Path, tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    text = reader.read(page)
    assert not reader.failed, "\n\n".join(reader.failed)
    if os.environ.get("WRITE_DOCS"):
        page.write_text(text, encoding="utf-8")
        return
    assert not reader.wrong, "\n\n".join(reader.wrong)


def test_the_readme_names_every_command_and_extra() -> None:
    text = README.read_text(encoding="utf-8")
    assert re.findall(r"^\| `racing (\w+)", text, re.MULTILINE) == list(COMMANDS)
    in_tables = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert in_tables - set(RULES) == extras() - {"dev", "docs", "peers"}


def test_the_page_on_choosing_tells_of_every_rule() -> None:
    text = CHOOSING.read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE)) == set(RULES)


def test_options_of_rules_that_are_named_exist() -> None:
    text = CHOOSING.read_text(encoding="utf-8")
    for name, options in re.findall(r"\{name: ([\w-]+)((?:, \w+: [^,}]+)*)\}", text):
        known = {field.name for field in fields(RULES[name])}  # type: ignore[arg-type]
        assert set(re.findall(r", (\w+):", options)) <= known, name


def test_times_and_gaps_are_not_compared() -> None:
    assert agrees("12 runs in 1.9s.\n…\nthe end\n", "12 runs in 20ms.\nmore\nand more\nthe end")
    assert not agrees("12 runs in 1.9s.", "13 runs in 1.9s.")
