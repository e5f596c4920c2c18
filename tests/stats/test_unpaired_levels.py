"""The command behind the table of levels draws what its rows say, and ends."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.unpaired_levels import Row, main, rates


def test_a_row_draws_what_it_says():
    row = Row((400, 900), (3.0, 1.0), shift=2.0, ties=True)
    first, second = row.draw(np.random.default_rng(1))
    assert (first.size, second.size) == (400, 900)
    assert first.mean() == pytest.approx(-2, abs=0.5)
    assert (first.std(), second.std()) == pytest.approx((3, 1), rel=0.1)
    assert (first == np.round(first)).all()
    assert str(row) == "| 400, 900 | 3, 1 | yes | 2 |"
    assert str(Row((5,) * 4)) == "| 4 × 5 | equal | no | 0 |"


def test_all_tests_see_the_same_samples():
    seen = []
    tests = {
        ("one", "two"): lambda runs, rng: (bool(seen.append(runs)), True),
        ("three",): lambda runs, rng: (runs is seen[-1],),
    }
    assert rates(Row((2, 3)), tests, 4, 1) == {"one": 0, "two": 1, "three": 1}


def test_the_command(capsys):
    assert main(["--samples", "1"]) == 0
    printed = capsys.readouterr().out
    for heading in ("Two samples", "k samples", "PAR10 | ERT", "1 samples a row"):
        assert heading in printed
    with pytest.raises(SystemExit):
        main(["three"])
