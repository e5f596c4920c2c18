"""Corani and Benavoli (2015), section 4: calibration and power, in few repetitions with error bars.

`python benchmarks/calibration.py --repetitions 1000` draws the whole of their figure 2.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "calibration.py"


@pytest.fixture(scope="module")
def calibration() -> ModuleType:
    spec = importlib.util.spec_from_file_location("calibration", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def rates(calibration: ModuleType, how: str, delta: float, repetitions: int = 300) -> dict:
    """Standard error of a rate over 300 repetitions: at most .029, and .013 at .05."""
    return calibration.rejection_rates(
        getattr(calibration, how),
        delta,
        repetitions=repetitions,
        q=50,
        rng=np.random.default_rng(1),
    )


class TestExperiment:
    """The generated worlds are those of the text."""

    @pytest.mark.parametrize("delta", [0.1, 0.3, 0.5, -0.2])
    def test_true_difference(self, calibration: ModuleType, delta: float):
        """Footnote 3: the network's accuracy is θ; the majority class has ½, so δ lies between.

        40 data sets of 1000 instances; the error of the mean is about .004. A majority class
        learned from the other folds is a little worse than ½ on the fold left out.
        """
        rng = np.random.default_rng(2)
        d = calibration.accuracy_differences(np.full(40, delta), 1000, 2, rng)
        assert d.shape == (40, 2, 10)
        assert d.mean() == pytest.approx(delta, abs=0.03)

    def test_a_perfect_feature_is_never_wrong(self, calibration: ModuleType):
        rng = np.random.default_rng(3)
        cells = calibration._instances(np.array([0.5]), 200, rng)
        assert set(np.unique(cells)) == {0, 3}  # class and feature agree
        d = calibration.accuracy_differences(np.array([0.5]), 200, 1, rng)
        wrong = (200 / 10) * d  # what the majority class gets wrong, per fold of 20
        np.testing.assert_allclose(wrong, np.rint(wrong), atol=1e-9)
        assert (d > 0).all()

    def test_every_run_sees_the_same_instances(self, calibration: ModuleType):
        rng = np.random.default_rng(4)
        cells = calibration._instances(np.full(3, 0.1), 25, rng)
        shuffled = calibration._shuffled(cells, 4, rng)
        np.testing.assert_array_equal(np.sort(shuffled, axis=2)[:, 2], np.sort(cells, axis=1))

    def test_cauchy_differences(self, calibration: ModuleType):
        """Median δ̄, quartiles 0 and 2δ̄, cut off at ±½: 20,000 draws."""
        d = calibration.cauchy(0.05, 20_000, np.random.default_rng(5))
        quartiles = np.quantile(d, [0.25, 0.5, 0.75])
        np.testing.assert_allclose(quartiles, [0, 0.05, 0.1], atol=0.004)
        assert d.min() == -0.5
        assert d.max() == 0.5


class TestFigure2:
    def test_type_one_errors_stay_below_five_percent(self, calibration: ModuleType):
        """ "Both tests yield Type I error rate lower than 0.05 when δ = 0"."""
        for how in ("fixed", "cauchy"):
            for name, rate in rates(calibration, how, 0.0).items():
                assert rate.value < 0.05 + 3 * 0.013, (how, name)

    def test_one_run_makes_the_poisson_test_careful(self, calibration: ModuleType):
        """Left half of figure 2a: "generally less powerful than the signed-rank test" after one
        run. That holds for small differences only; from δ = .05 on the two are level here."""
        found = rates(calibration, "fixed", 0.03)
        assert found["poisson", 1].value < found["signed-rank", 1].value - 0.03

    @pytest.mark.parametrize(("how", "delta"), [("fixed", 0.06), ("cauchy", 0.05)])
    def test_ten_runs_make_it_the_more_powerful(
        self, calibration: ModuleType, how: str, delta: float
    ):
        found = rates(calibration, how, delta)
        assert found["poisson", 10].value > found["signed-rank", 10].value + 0.02
        assert found["poisson", 10].value >= found["poisson", 1].value - 0.02

    def test_more_runs_do_not_help_the_signed_ranks(self, calibration: ModuleType):
        """ "Its power is roughly the same": same data sets, so within two errors of a rate."""
        found = rates(calibration, "fixed", 0.05)
        one, ten = found["signed-rank", 1], found["signed-rank", 10]
        assert one.value == pytest.approx(ten.value, abs=2 * 0.029)

    def test_power_reaches_one(self, calibration: ModuleType):
        found = rates(calibration, "fixed", 0.1, repetitions=100)
        assert all(rate.value > 0.95 for rate in found.values())


class TestCommand:
    def test_prints_both_figures(self, calibration: ModuleType, capsys: pytest.CaptureFixture):
        assert calibration.main(["--repetitions", "1", "--data-sets", "3"]) == 0
        printed = capsys.readouterr().out
        assert "Figure 2a" in printed
        assert printed.count(" ± ") == 4 * (11 + 6)

    def test_refuses_nothing_to_repeat(self, calibration: ModuleType):
        with pytest.raises(SystemExit):
            calibration.main(["--repetitions", "0"])

    def test_a_rate_of_zero_has_an_error_too(self, calibration: ModuleType):
        assert calibration.Rate(0, 100).error == pytest.approx(0.0134, abs=1e-4)
