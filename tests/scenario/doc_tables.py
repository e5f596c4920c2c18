"""The tables in the docs that follow from the code.

    WRITE_DOCS=1 pytest tests/scenario       writes them anew

Each stands in its page between the lines `<!-- table: name -->` and `<!-- end -->`.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from racing.base.errors import ScenarioError
from racing.base.records import KeyDoc
from racing.scenario import read, reference
from tests.scenario import bad_scenarios, bad_spaces
from tests.scenario.bad_scenarios import Case
from tests.scenario.formats.bad_irace import CASES as IRACE
from tests.scenario.formats.bad_irace import BadIrace
from tests.space.bad_spaces import CASES as SPACES
from tests.space.bad_spaces import BadSpace

SHOWN: dict[str, Sequence[BadSpace | BadIrace]] = {"bad-spaces": SPACES, "bad-irace": IRACE}
DOCS = Path(__file__).parents[2] / "docs"


def said(case: Case) -> tuple[str, ...]:
    """What is said about a bad scenario when it is read where it lies."""
    home = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            text = case.text if isinstance(case.text, bytes) else case.text.encode()
            Path("race.yaml").write_bytes(text)
            for name, content in case.files.items():
                Path(name).write_bytes(content.encode())
            read("race.yaml")
        except ScenarioError as error:
            return error.errors
        finally:
            os.chdir(home)
    return ()


def bad_table(cases: list[Case]) -> str:
    """What is wrong | what is said."""
    rows = (f"| {_cell(case.shown)} | {_cell('<br>'.join(map(_code, said(case))))} |"
            for case in cases)  # fmt: skip
    return "\n".join(["| bad input | message |", "|---|---|", *rows])


def shown_table(cases: Sequence[BadSpace | BadIrace]) -> str:
    """What is wrong with a space or a scenario of irace | what is said."""
    rows = (f"| {_cell(case.shown)} | {_cell('<br>'.join(map(_code, case.said().splitlines())))} |"
            for case in cases)  # fmt: skip
    return "\n".join(["| bad input | message |", "|---|---|", *rows])


def key_table(section: str) -> str:
    """Every key of a section | what it allows | its default | its meaning."""
    rows = (
        f"| {_code(key.path)} | {_cell(key.allowed)} | {_cell(_code(key.default))} "
        f"| {_cell(key.doc)} |"
        for key in keys(section)
    )
    return "\n".join(["| key | allowed | default | meaning |", "|---|---|---|---|", *rows])


def keys(section: str) -> list[KeyDoc]:
    """The keys of a section: those below it, or, for `top`, those without a dot."""
    key_docs = reference()
    if section == "top":
        return [key for key in key_docs if re.fullmatch(r"\w+", key.path)]
    return [key for key in key_docs if re.match(rf"{section}\W", key.path)]


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def tables(page: str) -> dict[str, str]:
    """Name → table, as a page has it."""
    found = re.findall(r"<!-- table: (\S+) -->\n(.*?)\n<!-- end -->", page, flags=re.DOTALL)
    return dict(found)


def made(name: str) -> str:
    """The table of a name, from the code."""
    if name in SHOWN:
        return shown_table(SHOWN[name])
    bad = {"bad-scenarios": bad_scenarios.CASES, "bad-spaces-in-files": bad_spaces.CASES}
    return bad_table(bad[name]) if name in bad else key_table(name)


def stale(page: Path) -> list[str]:
    """The tables of a page that differ from the code; put in order if the environment says so."""
    text = page.read_text(encoding="utf-8")
    differing = [name for name, table in tables(text).items() if table != made(name)]
    if not os.environ.get("WRITE_DOCS"):
        return differing
    for name in differing:
        start = text.index(f"<!-- table: {name} -->\n") + len(f"<!-- table: {name} -->\n")
        text = text[:start] + made(name) + text[text.index("\n<!-- end -->", start) :]
    page.write_text(text, encoding="utf-8")
    return []
