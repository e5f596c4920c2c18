"""Corrections against closed testing, their rejection rules, the papers and scipy."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from scipy.special import factorial, ndtr

from racing.base.errors import InputError
from racing.stats import finner, holm, li, rom, rom_critical_values
from racing.stats.corrections import METHODS, adjust, hommel
from racing.stats.mean_ranks import mean_ranks_test
from racing.stats.ranks import rank_rows

Table = Callable[[str], np.ndarray]
FAMILY_WISE = ["bonferroni", "sidak", "holm", "hochberg", "hommel"]

few = st.lists(
    st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.02, 0.05, 0.5, 1.0])), max_size=7
)


def simes(p: np.ndarray) -> float:
    return float(np.min(p.size * np.sort(p) / np.arange(1, p.size + 1)))


def closed_testing(p: np.ndarray, local: Callable[[np.ndarray], float]) -> list[float]:
    """Each hypothesis takes the largest p-value of all intersections that hold it."""
    h = p.size
    sets = [s for size in range(1, h + 1) for s in combinations(range(h), size)]
    tests = {s: min(1.0, local(p[list(s)])) for s in sets}
    return [max(tests[s] for s in sets if i in s) for i in range(h)]


@given(few)
def test_hommel_is_closed_testing_with_simes(p: list[float]) -> None:
    np.testing.assert_allclose(hommel(p), closed_testing(np.array(p), simes), atol=1e-12)


@given(few)
def test_holm_is_closed_testing_with_bonferroni(p: list[float]) -> None:
    expected = closed_testing(np.array(p), lambda q: q.size * q.min())
    np.testing.assert_allclose(adjust(p, "holm"), expected, atol=1e-12)


def rejects_hochberg(p: np.ndarray, alpha: float) -> np.ndarray:
    """From the largest: the first p_(i) <= α/(h − i + 1) and all below are rejected."""
    order, h = np.argsort(p, kind="stable"), p.size
    rejected = np.zeros(h, dtype=bool)
    for i in range(h, 0, -1):
        if p[order[i - 1]] <= alpha / (h - i + 1):
            rejected[order[:i]] = True
            break
    return rejected


def rejects_hommel(p: np.ndarray, alpha: float) -> np.ndarray:
    """Demsar (2006), section 3.2.2: the largest j with p_(n−j+k) > kα/j for k = 1 .. j."""
    n, q = p.size, np.sort(p)
    fits = [
        j for j in range(1, n + 1) if all(q[n - j + k - 1] > k * alpha / j for k in range(1, j + 1))
    ]
    return p <= alpha / max(fits) if fits else np.ones(n, dtype=bool)


@given(few, st.sampled_from([0.013, 0.047, 0.11, 0.31]))
@example([0.0, 5e-324, 5e-324], 0.013)  # a slope that is too small for a number
@example([0.0625, 0.0625, 0.09375, 0.09375, 0.11], 0.11)  # the largest p-value is the level itself
def test_adjusted_p_values_decide_as_the_procedures(p: list[float], alpha: float) -> None:
    q = np.array(p)
    assert (adjust(q, "hochberg") <= alpha).tolist() == rejects_hochberg(q, alpha).tolist()
    assert (hommel(q) <= alpha).tolist() == rejects_hommel(q, alpha).tolist()


@given(few)
def test_laws(p: list[float]) -> None:
    q = np.array(p)
    adjusted = {name: adjust(q, name) for name in METHODS}
    for name, a in adjusted.items():
        assert a.shape == q.shape, name
        assert ((a >= q) & (a <= 1)).all(), name
        order = np.argsort(q, kind="stable")
        assert (np.diff(a[order]) >= -1e-15).all(), name  # keeps the order of the p-values
        np.testing.assert_allclose(adjust(q[::-1], name)[::-1], a, err_msg=name)
    for strong, weak in [
        ("hommel", "hochberg"),
        ("hochberg", "holm"),
        ("holm", "bonferroni"),
        ("sidak", "bonferroni"),
        ("finner", "sidak"),
        ("rom", "hochberg"),
        ("benjamini-hochberg", "hommel"),
    ]:
        assert (adjusted[strong] <= adjusted[weak] + 1e-12).all(), (strong, weak)
    assert adjusted["none"].tolist() == p
    assert adjusted["none"] is not q


@given(few.filter(len))
def test_scipy_agrees_on_false_discoveries(p: list[float]) -> None:
    from scipy.stats import false_discovery_control

    np.testing.assert_allclose(adjust(p, "benjamini-hochberg"), false_discovery_control(p))


def hommel_by_its_algorithm(p: np.ndarray) -> np.ndarray:
    """Garcia and Herrera (2008), Figure 3, k − 1 being the number of hypotheses; sorted p."""
    k = p.size + 1
    apv = p.copy()
    i = np.arange(1, k)
    for j in range(k - 1, 1, -1):
        upper = i > k - 1 - j
        c_min = np.min(j * p[upper] / (j + i[upper] - k + 1))
        apv[upper] = np.maximum(apv[upper], c_min)
        apv[~upper] = np.maximum(apv[~upper], np.minimum(c_min, j * p[~upper]))
    return apv


@pytest.mark.parametrize("power", [1, 4, 12])
def test_many_hypotheses_meet_figure_3(power: int) -> None:
    p = np.sort(np.random.default_rng(power).random(400) ** power)
    p[:3] = 0.0
    p[-5:] = p[-5]
    np.testing.assert_allclose(hommel(p), hommel_by_its_algorithm(p), atol=1e-13)


def test_demsar_2006_worked_example(table: Table) -> None:
    ranks = rank_rows(table("demsar_2006_table6.csv"), direction="max")
    ranks[12] = [4, 1, 2, 3]
    p = mean_ranks_test(ranks, control=0, ranked=True).pvalues[[3, 1, 2]]  # +m+cf, +m, +cf
    for method in ("holm", "hochberg", "hommel"):
        assert (adjust(p, method) <= 0.05).tolist() == [True, True, False]
    assert (adjust(p, "bonferroni") <= 0.05).tolist() == [True, False, False]
    np.testing.assert_allclose(adjust(p, "holm"), [3 * p[0], 3 * p[0], p[2]])
    np.testing.assert_allclose(adjust(p, "hochberg"), [2 * p[1], 2 * p[1], p[2]])
    # Deviation: the text finds the maximal j = 2. By its own rule j = 3 fails (already at k = 1),
    # j = 2 fails at k = 1 (.019 < .05/2) and j = 1 is the largest; the rejections are the same.
    assert rejects_hommel(p, 0.05).tolist() == [True, True, False]


def test_garcia_herrera_2008_tables_3_and_5(table: Table) -> None:
    result = mean_ranks_test(-table("garcia_herrera_2008_table2_accuracy.csv"))
    pairs = np.triu_indices(5, 1)
    p = np.sort(result.pvalues[pairs])
    printed = table("garcia_herrera_2008_table5_apv.csv")
    np.testing.assert_allclose(p, printed[:, 0], rtol=2e-4, atol=6e-5)
    # What the paper calls Nemenyi is p times the number of pairs.
    np.testing.assert_allclose(adjust(p, "bonferroni"), printed[:, 1], rtol=2e-4, atol=6e-5)
    np.testing.assert_allclose(adjust(p, "holm"), printed[:, 2], rtol=2e-4, atol=6e-5)
    assert (adjust(p, "bonferroni") <= 0.05).sum() == 4  # "Nemenyi rejects [1-4]"
    assert (adjust(p, "holm") <= 0.05).sum() == 5  # "Holm rejects [1-5]"
    # Table 3's α of Holm: .05/(10 − i + 1). Deviation: row 2 prints .0055 for .00556, cut off.
    levels = 0.05 / np.arange(10, 0, -1)
    holm_levels = [0.005, 0.0055, 0.0063, 0.0071, 0.0083, 0.01, 0.0125, 0.0167, 0.025, 0.05]
    np.testing.assert_allclose(levels, holm_levels, atol=6e-5)


def test_one_and_none() -> None:
    for method in METHODS:
        assert adjust([0.03], method).tolist() == [0.03]
        assert adjust([], method).shape == (0,)
        assert adjust([0.0, 0.0, 1.0], method).tolist()[:2] == [0.0, 0.0]
        assert adjust([1.0, 1.0], method).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("p", "says"),
    [
        ([0.1, 1.1], "1.1 at position 1"),
        ([-0.1], "-0.1 at position 0"),
        ([0.1, np.nan], "NaN at position 1"),
        ([[0.1]], "vector"),
        (["a"], "real numbers"),
        (0.5, "vector"),
    ],
)
def test_what_is_no_p_value(p: object, says: str) -> None:
    for method in METHODS:
        with pytest.raises(InputError, match=says):
            adjust(p, method)  # type: ignore[arg-type]


def test_unknown_method() -> None:
    with pytest.raises(InputError, match=r"method must be none, bonferroni.*got .fdr"):
        adjust([0.1], "fdr")


@pytest.mark.parametrize("correlation", [0.0, 0.5])
def test_family_wise_error_under_the_null(correlation: float) -> None:
    """20,000 families of 5 true hypotheses at .05: standard error .0016."""
    rng = np.random.default_rng(5)
    common, own = rng.normal(size=(20_000, 1)), rng.normal(size=(20_000, 5))
    z = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
    p = 2 * ndtr(-np.abs(z))
    for method in FAMILY_WISE:
        errors = np.mean([adjust(row, method).min() <= 0.05 for row in p[:6000]])
        assert errors < 0.05 + 3 * 0.0029
        assert errors > 0.03


# --- Finner's, Li's and Rom's corrections: published values, definitions, and order of strength --


# García et al. (2010): FH-GBML, IS-CHC+1NN and NNEP against PDFC, by Friedman's ranks, and by
# aligned ranks
FRIEDMAN = [5.699411623331527e-5, 0.057346851901366444, 0.057346851901366444]
ALIGNED = [2.3602680011265347e-7, 0.02821169615547655, 0.029930144495582865]


@pytest.mark.parametrize(
    ("method", "p", "printed"),
    [
        (finner, FRIEDMAN, [1.70982e-4, 0.08477, 0.08477]),
        (li, FRIEDMAN, [6.045773104701031e-5, 0.057346851901366444, 0.057346851901366444]),
        (rom, FRIEDMAN, [1.70982e-4, 0.05735, 0.05735]),
        (finner, ALIGNED, [7.080802332248837e-7, 0.04201766339344748, 0.04201766339344748]),
        (li, ALIGNED, [2.4330901671248775e-7, 0.02826025995228252, 0.029930144495582865]),
        (rom, ALIGNED, [7.080804003379604e-7, 0.029930144495582865, 0.029930144495582865]),
    ],
)
def test_the_values_that_garcia_et_al_print(method, p, printed):
    assert method(p) == pytest.approx(printed, rel=1e-4)


p_values = st.lists(st.floats(0, 1), min_size=1, max_size=8)


@given(p=p_values, alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_li_is_the_two_step_rule(p, alpha):
    p = np.array(p)
    largest = p.max()
    rejected = p <= alpha if largest <= alpha else p <= alpha * (1 - largest) / (1 - alpha)
    if largest <= alpha:
        rejected = np.ones_like(rejected)
    clear = np.abs(li(p) - alpha) > 1e-9
    assert ((li(p) <= alpha) == rejected)[clear].all() or largest == 1.0


@given(p=p_values)
def test_finner_is_the_step_down_rule(p):
    order = np.argsort(p, kind="stable")
    h, worst = len(p), 0.0
    for i, k in enumerate(order, start=1):
        worst = max(worst, 1 - (1 - p[k]) ** (h / i))
        assert finner(p)[k] == pytest.approx(worst, abs=1e-12)


def test_edges():
    assert li([0.0, 0.5, 1.0]).tolist() == [0.0, 1.0, 1.0]
    assert finner([1e-300] * 3) == pytest.approx(np.full(3, 3e-300))


# --- Rom's correction: his table, its exact level, and its definition ----------------------------


def test_rom_s_critical_values_are_those_of_his_table():
    """Rom (1990), table 1, to four digits."""
    assert rom_critical_values(5, 0.05) == pytest.approx(
        [0.05, 0.025, 0.01688, 0.01271, 0.01019], abs=5e-6
    )
    assert rom_critical_values(3, 0.01) == pytest.approx([0.01, 0.005, 0.003342], abs=5e-7)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("h", [1, 2, 3, 6, 12])
def test_rom_keeps_its_level_exactly_for_independent_p_values(h, alpha):
    """P(no rejection) = h!·∫ 1 over u_1 < ... < u_h with u_i above its critical value."""
    volume = Polynomial([1.0])
    for critical in rom_critical_values(h, alpha)[::-1]:
        inner = volume.integ()
        volume = inner - inner(critical)
    assert factorial(h) * volume(1.0) == pytest.approx(1 - alpha, rel=1e-8)


@pytest.mark.parametrize("h", [61, 70, 90])
def test_leaving_out_terms_changes_no_critical_value(h, monkeypatch):
    module = import_module("racing.stats.corrections")
    short = rom_critical_values(h, 0.9)
    monkeypatch.setattr(module, "_ALL_TERMS", 1000)
    assert short == pytest.approx(rom_critical_values(h, 0.9), rel=1e-12)


@settings(max_examples=40)
@given(p=p_values)
def test_an_adjusted_p_value_is_the_least_level_that_rejects(p):
    """Rom's step-up rule itself, just above and just below the level."""
    adjusted = rom(p)
    order = np.sort(p)
    for level in {float(a) for a in adjusted if 1e-6 < a < 0.89}:
        for alpha in (level * (1 - 1e-6), level * (1 + 1e-6)):
            critical = rom_critical_values(len(p), alpha)[::-1]
            enough = np.flatnonzero(order <= critical)
            last = order[enough[-1]] if enough.size else -1.0
            assert ((adjusted <= alpha) == (np.array(p) <= last)).all()


def test_a_thousand_p_values_are_no_weaker_than_holm():
    p = np.random.default_rng(0).uniform(size=1000) ** 4
    assert (rom(p) <= holm(p) + 1e-12).all()


def test_more_than_a_thousand_are_refused():
    with pytest.raises(InputError, match="hommel"):
        rom(np.full(1001, 0.5))
