"""Profiles as plain data: every step of every function."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from racing.analysis.compare.profiles.data import Panel, Profiles
from racing.base.quantities import score_of


def profile_data(found: Profiles) -> dict[str, Any]:
    """All data of profiles; the x of distributions are scores, in the user's direction."""
    return {
        "cutoff": found.cutoff,
        "level": found.level,
        "panels": [_panel(panel, found) for panel in found.panels],
        "performance": _performance(found),
    }


def _panel(panel: Panel, found: Profiles) -> dict[str, Any]:
    return {
        "problem": panel.problem or None,
        "algorithms": [
            {
                "name": name,
                "runs": panel.runs[a],
                "distribution": {
                    "scores": score_of(panel.distributions[a].values, found.direction).tolist(),
                    "shares": panel.distributions[a].shares.tolist(),
                    "low": panel.distributions[a].low.tolist(),
                    "high": panel.distributions[a].high.tolist(),
                },
                "solved": _solved(panel, a),
                "par": asdict(panel.par[a]) if panel.par else None,
                "ert": asdict(panel.ert[a]) if panel.ert else None,
            }
            for a, name in enumerate(found.names)
        ],
    }


def _solved(panel: Panel, a: int) -> dict[str, Any] | None:
    if not panel.solved:
        return None
    found = panel.solved[a]
    return {
        "times": found.times.tolist(),
        "shares": found.shares.tolist(),
        "low": found.low.tolist(),
        "high": found.high.tolist(),
        "seen_until": found.seen_until,
        "solved": found.solved,
    }


def _performance(found: Profiles) -> dict[str, Any] | None:
    if found.performance is None:
        return None
    return {
        "taus": found.performance.taus.tolist(),
        "shares": dict(zip(found.names, found.performance.shares.tolist(), strict=True)),
    }
