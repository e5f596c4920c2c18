"""The tables of mutations fit the code; `make mutants` says whether the tests catch them."""

from __future__ import annotations

import pytest

from tests.docs.blocks import ROOT
from tests.mutants import MUTATIONS
from tests.mutants.mutation import Mutation, TableError


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_every_mutation_fits_and_leaves_python(mutation: Mutation) -> None:
    compile(mutation.applied(ROOT), mutation.file, "exec")
    assert mutation.tests
    for test in mutation.tests:
        assert (ROOT / "tests" / test.partition("::")[0]).exists(), test


def test_names_are_unique_and_there_are_enough() -> None:
    names = [mutation.name for mutation in MUTATIONS]
    assert len(set(names)) == len(names) >= 40


def test_an_entry_that_no_longer_fits_is_refused() -> None:
    for old in ("this text stands nowhere", "import"):
        with pytest.raises(TableError, match="expected once"):
            Mutation("broken", "race/race.py", old, "x", ("race/test_race.py",)).applied(ROOT)
