"""Every bad scenario gets the message that the docs promise, and no other."""

from __future__ import annotations

import re

import pytest

from racing.scenario import reads
from tests.scenario import bad_spaces
from tests.scenario.bad_scenarios import BASE, CASES, Case, scenario
from tests.scenario.doc_tables import DOCS, said, stale, tables


@pytest.mark.parametrize(
    "case", [*CASES, *bad_spaces.CASES], ids=lambda case: re.sub(r"\W+", " ", case.shown).strip()
)
def test_every_error_names_the_file_and_all_are_errors_of_the_case(case: Case) -> None:
    errors = said(case)
    assert errors, "accepted"
    for error in errors:
        assert re.match(r"race\.yaml(:\d+){0,2}: .", error)
        assert len(error) < 400


def test_the_docs_hold_exactly_these_messages() -> None:
    page = DOCS / "bad-input.md"
    found = tables(page.read_text(encoding="utf-8"))
    assert {"bad-scenarios", "bad-spaces-in-files"} <= found.keys()
    assert not stale(page)


def test_without_the_errors_it_is_accepted() -> None:
    assert reads(scenario(), "race.yaml").name == "race"
    assert set(BASE) < set(reads(scenario(), "race.yaml").to_dict())


def test_all_errors_of_a_file_are_told_at_once_in_the_order_of_its_lines() -> None:
    case = Case(
        "everything",
        scenario(
            target="{command: 'solve {paramters}'}",
            candidates="{deerror: true, sample: yes}",
            instances="{glob: '*.cnf', order: sorted}",
            budget="1 hour",
            rule="bayesian-ish",
            seed="012",
            race="{first_test: 0, min_survivors: 2.5}",
            sead="1",
        ),
    )
    lines = [int(error.split(":")[1]) for error in said(case)]
    assert lines == sorted(lines)
    assert set(lines) == {3, 4, 5, 6, 7, 8, 9}  # the command waits for the candidates


def test_a_contradiction_is_told_beside_a_error_elsewhere() -> None:
    errors = said(Case("both", scenario(seed="x", race="{first_test: 9}")))
    assert len(errors) == 2
    assert "race.first_test" in errors[1]


def test_a_billion_laughs_end_early() -> None:
    levels = "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 30))
    errors = said(Case("laughs", "a0: &a0 ha\n" + levels))
    assert any("anchor" in error for error in errors)
