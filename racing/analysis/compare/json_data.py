"""A comparison as plain data, for JSON: every number unrounded, names instead of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from racing.analysis.compare.caveats import caveat, sources
from racing.analysis.compare.comparison import Comparison
from racing.analysis.compare.verdicts import Note, Verdicts
from racing.answer.document import bare


def as_data(c: Comparison) -> dict[str, Any]:
    """All data of a comparison except the scores."""
    names, table = c.names, c.table
    return {
        "source": table.source,
        "paired": True,
        "instances": table.n,
        "repetitions": table.repetitions,
        "direction": table.direction,
        "left_out": list(table.left_out),
        "groups_of_instances": len(set(table.groups)) or None,
        "choices": {**asdict(c.choices), "control": _name(c, c.choices.control)},
        "algorithms": [
            {"name": names[i], "mean_rank": float(c.mean_ranks[i])} | _share(c, i) for i in c.order
        ],
        "omnibus": None if c.omnibus is None else asdict(c.omnibus),
        "critical_difference": c.critical_difference,
        "comparisons": _comparisons(c),
        "groups": groups_data(c),
        "posterior": posterior_data(c),
        "estimates": _estimates(c),
        "joint": _joint(c),
        "notes": notes_data(c.notes),
        "sources": dict(sources(c)),
    }  # fmt: skip


def _name(c: Comparison, column: int | None) -> str | None:
    return None if column is None else c.names[column]


def _share(c: Comparison, column: int) -> dict[str, float]:
    """The share of scores that are 1, where every score is 0 or 1."""
    if not c.table.yes_or_no:
        return {}
    return {"share": float(c.table.scores[:, column].mean())}


def _comparisons(c: Comparison) -> list[dict[str, Any]]:
    e = c.effects
    return [
        {
            **tested_data(c, k),
            "wins": int(e.wins[k]),
            "ties": int(e.ties[k]),
            "losses": int(e.losses[k]),
            "a": [float(e.a[k]), float(e.a_low[k]), float(e.a_high[k])],
            "advantage": [float(e.difference[k]), float(e.low[k]), float(e.high[k])],
        }
        for k in range(c.family.first.size)
    ]


def tested_data(c: Verdicts, k: int) -> dict[str, Any]:
    """The test of one comparison."""
    f = c.family
    return {
        "first": c.names[int(f.first[k])],
        "second": c.names[int(f.second[k])],
        "ahead": ahead(c, k),
        "statistic": {"name": f.statistic_name, "value": float(f.statistic[k])},
        "exact": bool(f.exact[k]),
        "p": float(f.pvalues[k]),
        "adjusted_p": float(f.adjusted[k]),
        "shown_to_differ": bool(c.significant[k]),
    }


def groups_data(c: Verdicts) -> list[list[str]] | None:
    """The names in each group of algorithms that do not differ."""
    return None if c.groups is None else [[c.names[i] for i in group] for group in c.groups]


def notes_data(notes: Sequence[Note]) -> list[dict[str, Any]]:
    """The caveats, with their words."""
    return [{"kind": note.kind, "text": bare(caveat(note)), **note.facts} for note in notes]


def ahead(c: Verdicts, k: int) -> str | None:
    """The algorithm that a comparison favours."""
    side = int(c.family.favours[k])
    if side == 0:
        return None
    return c.names[int((c.family.first if side > 0 else c.family.second)[k])]


def posterior_data(c: Verdicts) -> dict[str, Any] | None:
    """Posterior probabilities of all pairs."""
    if c.posterior is None:
        return None
    p = c.posterior
    return {
        "test": p.test,
        "names": list(c.names),
        "better": p.better.tolist(),
        "rope": p.rope.tolist(),
        "standard_error": p.standard_error,
        "low": None if p.low is None else p.low.tolist(),
        "high": None if p.high is None else p.high.tolist(),
    }


def _estimates(c: Comparison) -> dict[str, Any]:
    """The requested estimates: by algorithm, or by comparison in the order above."""
    e = c.estimates
    found: dict[str, Any] = {}
    if e.contrasts is not None:
        found["contrasts"] = {
            "names": list(c.names),
            "advantages": e.contrasts.advantages.tolist(),
            "contrasts": e.contrasts.contrasts.tolist(),
        }
    if e.worths is not None:
        low, high = e.worths.interval()
        found["plackett_luce"] = {
            "names": list(c.names),
            "worths": e.worths.worths.tolist(),
            "log_worths": e.worths.log_worths.tolist(),
            "low": low.tolist(),
            "high": high.tolist(),
        }
    for name in ("cohens_d", "akinshin_gamma"):
        values = getattr(e, name)
        if values is not None:
            found[name] = values.tolist()
    return found


def _joint(c: Comparison) -> dict[str, Any] | None:
    if c.joint is None:
        return None
    j, k = c.joint, c.joint.accepted
    return {
        "probability": j.joint,
        "accepted_range": list(j.accepted_range),
        "draws": j.draws,
        "statements": [
            {"better": c.names[int(b)], "worse": c.names[int(w)], "error": float(error)}
            for b, w, error in zip(j.better[:k], j.worse[:k], j.errors[:k], strict=True)
        ],
    }
