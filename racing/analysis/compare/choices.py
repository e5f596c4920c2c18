"""Which tests are run: the defaults that suit a table, and combinations that make no sense.

`sentences.toml` says why a combination is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Annotated, Any, Unpack

from racing.analysis.compare.bayes import BOUNDS
from racing.analysis.compare.methods import (
    ALIASES,
    CORRECTIONS,
    SHORTHANDS,
    option,
    refusal,
    sentence,
)
from racing.analysis.compare.options import PYTHON, REPETITIONS, Options, flag_of
from racing.analysis.compare.paired import ALSO, PAIRED
from racing.analysis.compare.result_table import ResultTable
from racing.analysis.compare.unpaired import UNPAIRED
from racing.analysis.compare.verdicts import Choices, Study, StudyDesign
from racing.base.errors import InputError, must_be
from racing.base.quantities import HalfLevel, Natural, Quantity
from racing.base.records.kinds import argument
from racing.base.records.leaves import choice
from racing.stats._checks import checked
from racing.stats.ranks import rank_rows

_AFFORDABLE = {"mean-ranks": 40}  # algorithms: Bergmann-Hommel in about half a second; else:
_AFFORDABLE_ANY = 15
_WEIGHT = 0.25  # of a prior, in runs: see docs/evidence/levels.md
_MOST_ROM = 1000  # comparisons
_Rope = Annotated[float, Quantity("a finite difference of scores, 0 or more", low=0)]


def resolve(table: ResultTable, **options: Unpack[Options]) -> Study:
    """What a table is compared by: the defaults that suit it, where nothing else is asked for.

    Raises
    ------
    InputError
        If an option is unknown, or two of them contradict each other.
    """
    design = PAIRED if table.paired else UNPAIRED
    o = SimpleNamespace(**{name: one.default for name, one in PYTHON.items()})
    vars(o).update(options)
    asked = {"omnibus": o.omnibus, "test": o.test, "correction": o.correction,
             "posterior": o.bayes}  # fmt: skip
    if str(o.test) in SHORTHANDS and table.paired:
        o.test, implied = SHORTHANDS[o.test]
        o.correction = implied if o.correction is None else o.correction
    o.correction = ALIASES.get(str(o.correction), o.correction)
    _check(table, design, o)
    test, posterior = _test(table, design, o), _posterior(table, design, o)
    study = Study(design=design, table=table, choices=Choices(
        omnibus=_omnibus(table, design, o), test=test,
        correction=_correction(table, design, o, test), control=o.control, alpha=o.alpha,
        tie_correction=o.tie_correction, ranked=o.ranked, posterior=posterior,
        rope=o.rope, bound=design.usual_bound if o.bound is None else o.bound, seed=o.seed,
        given=tuple(name for name, value in asked.items() if value is not None),
        s=_weight(table, posterior) if o.s is None else o.s,
        also=tuple(name for name in ALSO if name in o.also),
        rho=1.0 / max(table.repetitions, 2) if o.rho is None else o.rho,
    ))  # fmt: skip
    for kind, refused in _REFUSED.items():
        if facts := refused(o, study):
            facts = facts if isinstance(facts, Mapping) else {}
            raise InputError(sentence("refused", kind, **vars(study.choices), **facts))
    if o.ranked:
        _check_ranks(table)
    return study


def _check(table: ResultTable, design: StudyDesign, o: SimpleNamespace) -> None:
    """Refuse names and numbers that are none."""
    if o.control is not None:
        table.column(o.control)
    o.alpha, o.rope, o.seed = numbers(o.alpha, o.rope, o.seed)
    if isinstance(o.also, str):
        raise InputError(must_be("also", "a list of names", o.also, f"write [{o.also!r}]"))
    posteriors = (name for name in design.posteriors if name != "correlated-t")
    words: Mapping[str, Iterable[str]] = {
        "test": design.tests, "correction": design.corrections, "repetitions": REPETITIONS,
        "bayes": (*posteriors, "none"), "bound": BOUNDS, "omnibus": (*design.omnibus, "none"),
    }  # fmt: skip
    given = [(name, getattr(o, name), allowed) for name, allowed in words.items()]
    for what, word, among in (*given, *(("also", name, ALSO) for name in o.also)):
        if word is not None:
            _not_of_another_design(table, what, str(word), among)
            argument(choice(tuple(among)), word, what)


def _not_of_another_design(table: ResultTable, what: str, word: str, among: Iterable[str]) -> None:
    """Refuse what is for runs that nothing pairs, or for a paired table, in these words."""
    other = UNPAIRED if table.paired else PAIRED
    theirs = {"test": other.tests, "omnibus": other.omnibus, "bayes": other.posteriors}
    if word in theirs.get(what, ()):
        kind, flag = "runs that nothing pairs", option("--unpaired")
        if not table.paired:
            kind, flag = "a paired table", option("without --unpaired", "paired=True")
        wrong = must_be(what, " or ".join(among), word)
        raise InputError(f"{wrong}, which is for {kind} ({flag})")


def _omnibus(table: ResultTable, design: StudyDesign, o: SimpleNamespace) -> str:
    """The requested omnibus test; by default none of two algorithms, or of one instance."""
    usual = "none" if table.m == 2 or _one_row(table) else next(iter(design.omnibus))
    return str(o.omnibus or usual)


def _one_row(table: ResultTable) -> bool:
    return table.paired and table.n == 1


def _test(table: ResultTable, design: StudyDesign, o: SimpleNamespace) -> str:
    """The requested test, or the one that suits the scores."""
    usual = "sign" if o.ranked else next(iter(design.tests))
    return o.test or ("mcnemar" if _yes_or_no(table, o) else usual)


def _yes_or_no(table: ResultTable, o: SimpleNamespace) -> bool:
    return table.paired and table.yes_or_no and not o.ranked


def _correction(table: ResultTable, design: StudyDesign, o: SimpleNamespace, test: str) -> str:
    """The requested correction, or the one that suits the test.

    Holm's, unless all pairs are compared and equality is transitive: then one that uses this.
    If A does not differ from B nor B from C, A does not differ from C: true of means, of
    expected ranks, and of the centres of symmetric differences, but not of which wins more
    often. So the sign test, runs, and comparisons against a control, get Holm's.
    """
    traits = design.tests[test].traits
    if o.correction is not None or "whole" in traits:
        return o.correction or "none"
    if not design.paired or o.control is not None or "intransitive" in traits:
        return "holm"
    affordable = table.m <= _AFFORDABLE.get(test, _AFFORDABLE_ANY)
    return "bergmann-hommel" if affordable else "shaffer"


def _posterior(table: ResultTable, design: StudyDesign, o: SimpleNamespace) -> str:
    """The requested Bayesian test, or the one that suits the scores."""
    if o.repetitions == "correlated-t":
        return "correlated-t"
    if o.bayes is not None:
        return str(o.bayes)
    if not table.paired:
        return "rank-sum" if table.m == 2 or o.rope > 0 else "kruskal"
    own = "sign" if table.yes_or_no else "signed-rank"
    return own if table.m == 2 and not o.ranked else "none"


def _weight(table: ResultTable, posterior: str) -> float:
    """The usual weight of the prior."""
    return _WEIGHT if not table.paired else 0.5 if posterior == "signed-rank" else 1.0


def _other(c: Study, control: bool) -> Mapping[str, str] | None:
    """The test to take in place of one that needs a control, or that has none."""
    wanted, unwanted = ("pairs", "control") if control else ("control", "pairs")
    if not {"whole", unwanted} <= c.test.traits or (c.choices.control is None) != control:
        return None
    return {"other": next(name for name, one in c.design.tests.items()
                          if {"whole", wanted} <= one.traits)}  # fmt: skip


def _many(c: Study) -> Mapping[str, int] | None:
    h = c.table.m * (c.table.m - 1) // 2 if c.choices.control is None else c.table.m - 1
    return {"h": h} if c.choices.correction == "rom" and h > _MOST_ROM else None


def _uneven(c: Study) -> bool:
    """Whether cells have not several scores, as many."""
    return c.table.repetitions < 2 or bool((c.table.sizes < c.table.repetitions).any())


def _idle(o: SimpleNamespace, c: Study) -> Mapping[str, object] | None:
    """An option of posterior probabilities that those of this comparison do not have."""
    of, posteriors = c.design.posteriors.get(c.choices.posterior), c.design.posteriors
    for name, value, trait in (("rope", o.rope or None, "rope"), ("bound", o.bound, "bounds"),
                               ("s", o.s, "bounds"), ("rho", o.rho, "folds")):  # fmt: skip
        if value is None or (of is not None and trait in of.traits):
            continue
        have = [option(f"--{'repetitions' if name == 'correlated-t' else 'bayes'} {name}")
                for name, one in posteriors.items() if trait in one.traits]  # fmt: skip
        got = "without posterior probabilities" if of is None else f"with {c.choices.posterior}"
        return {"option": option(flag_of(name), name), "value": value, "got": got,
                "have": " or ".join(have)}  # fmt: skip
    return None


def _sizes(c: Study) -> Mapping[str, str] | None:
    """A test of sizes, of ranks."""
    design, choices = c.design, c.choices
    for what, word, methods in (("test", choices.test, design.tests),
                                ("omnibus", choices.omnibus, design.omnibus),
                                ("bayes", choices.posterior, design.posteriors)):  # fmt: skip
        if choices.ranked and word in methods and "sizes" in methods[word].traits:
            return {"option": what, "word": word}
    return None


# fmt: off
_REFUSED: Mapping[str, Callable[[SimpleNamespace, Study], Any]] = {
    "mcnemar": lambda o, c: o.test == "mcnemar" and not _yes_or_no(c.table, o),
    "no-control": lambda o, c: _other(c, True),
    "control": lambda o, c: _other(c, False),
    "whole": lambda o, c: "whole" in c.test.traits and c.choices.correction != "none",
    "pairs": lambda o, c: "pairs" in CORRECTIONS[c.choices.correction].traits and
        o.control is not None,
    "rom": lambda o, c: _many(c),
    "one-instance": lambda o, c: _one_row(c.table) and c.choices.omnibus != "none",
    "nemenyi": lambda o, c: c.choices.correction == "nemenyi" and c.choices.test != "mean-ranks",
    "bayes": lambda o, c: c.choices.posterior == "correlated-t" and
        o.bayes not in (None, "none") and {"bayes": o.bayes},
    "folds": lambda o, c: c.choices.posterior == "correlated-t" and _uneven(c),
    "rope-of-runs": lambda o, c: not c.design.paired and o.rope >= 0.5,
    "hierarchical": lambda o, c: c.choices.posterior == "hierarchical" and _uneven(c),
    "idle": _idle,
    "also": lambda o, c: o.ranked and next(
        ({"name": name} for name in o.also if "sizes" in ALSO[name].traits), None),
    "ranks": lambda o, c: o.ranked and c.table.direction == "maximize",
    "sizes": lambda o, c: _sizes(c),
}
"""What makes no sense, by kind: that it does, or the facts that its sentence needs besides."""
# fmt: on


@checked
def numbers(alpha: HalfLevel, rope: _Rope, seed: Natural) -> tuple[float, float, int]:
    """The level, rope and seed, if they are in range."""
    return alpha, rope, seed


def _check_ranks(table: ResultTable) -> None:
    """Refuse rows that are no ranking."""
    for name, row in zip(table.instances, table.costs, strict=True):
        if (rank_rows(row[None], check=False)[0] != row).any():
            raise table.error(refusal("no-ranks", name=name, m=table.m, row=str(row.tolist())))
