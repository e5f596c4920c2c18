"""The facts of a run as plain data, for `--json` and every text.

Scores and means are in the user's direction; NaN and infinities are left to the writer of JSON.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from racing.base.quantities import Direction, score_of
from racing.core.aims import Front
from racing.core.budget import PAID
from racing.core.gain import Gain
from racing.core.standing import Standing
from racing.log.goals import asked
from racing.report.answer import answer
from racing.report.facts import Dropped, Facts
from racing.report.family_words import family_data
from racing.report.holdout_data import holdout_data
from racing.report.pair_data import Data as Data
from racing.report.pair_data import candidate_data as candidate_data
from racing.report.pair_data import fields, pair_data
from racing.report.search_facts import TeamFacts
from racing.report.status import next_step, state
from racing.rules.rule import FIRST_LOOK


def summary_data(facts: Facts, log: Path) -> Data:
    """The summary of a run: winner, spending and failures."""
    stopped, winner = facts.stopped, facts.winner
    return {
        "run": str(log),
        "name": facts.header.name,
        "finished": stopped is not None,
        "stopped": None if stopped is None else str(stopped),
        "why": None if stopped is None else stopped.why(search=facts.search is not None),
        "winner": None if winner is None else {"id": winner.id, **candidate_data(winner)},
        "answer": _answer(facts),
        "search": _search_data(facts),
        **front_data(facts),
        "few_instances": _few_instances(facts),
        "survivors": [candidate.id for candidate in facts.survivors],
        "instances": facts.instances,
        "evaluations": facts.counted,
        "spent": asdict(facts.use),
        "paid": dict(facts.paid),
        "refused": facts.refused,
        "reuse": asdict(facts.reuse),
        "failures": facts.failed,
        "censored": facts.censored,
        "failures_by_message": [
            {"message": message, "count": times, "last_line": last}
            for message, times, last in facts.messages
        ],
        "target_changes": [
            {"path": file.path, "after_evaluations": file.since - 1} for file in facts.changes
        ],
        "target_seconds": facts.seconds,
        "wall_seconds": facts.elapsed,
    }


def _few_instances(facts: Facts) -> bool:
    """Whether the budget ended before the instances by which a rule can first tell apart."""
    stopped, race = facts.stopped, facts.header.scenario.get("race")
    given = race.get("first_test") if isinstance(race, Mapping) else None
    few = facts.instances < (given or FIRST_LOOK) and len(facts.survivors) > 1
    return few and stopped is not None and stopped.by_budget


def run_data(facts: Facts, log: Path) -> Data:
    """All facts of a run: summary, standing, eliminations and expenses."""
    direction = facts.header.direction
    return {
        **summary_data(facts, log),
        "state": state(facts, log),
        "lost_wal": facts.lost_wal,
        "next": next_step(facts, log),
        "left": _left_data(facts),
        "gain": _gain_data(facts),
        "held_out": _held_out_data(facts),
        "families": family_data(facts.families),
        "changes": changes_data(facts),
        "created": facts.header.created,
        "seed": facts.header.seed,
        "direction": direction,
        "objective": facts.header.objective,
        "unit": facts.unit or None,
        "tests": facts.tests,
        **_metrics_data(facts),
        "standing": _standing_data(facts, direction),
        "dropped": [_dropped_data(one) for one in facts.dropped],
        "expenses": [
            {"id": one.candidate.id, **fields(one, "evaluations", "failures", "seconds", "paid")}
            for one in facts.expenses
        ],
    }


def changes_data(facts: Facts) -> Data | None:
    """The parameters in which the winner differs from the default; None without any.

    Each of `parameters` has its values `from` and `to`; None where it is switched off.
    """
    winner, baseline = facts.winner, facts.against
    if baseline is None or winner is None:
        return None
    names = dict.fromkeys([*baseline.values, *winner.values])
    pairs = {name: (baseline.values.get(name), winner.values.get(name)) for name in names}
    return {
        "winner": str(winner),
        "baseline": str(baseline),
        "parameters": {
            name: {"from": before, "to": after}
            for name, (before, after) in pairs.items()
            if before != after
        },
    }


def _standing_data(facts: Facts, direction: Direction) -> list[Data]:
    return [
        {
            "id": s.candidate.id,
            "name": str(s.candidate),
            "mean_rank": s.mean_rank,
            "mean": score_of(s.mean_cost, direction),
            **_estimated(s, direction),
            **({"metrics": dict(s.metrics)} if s.metrics else {}),
            **(_limits_data(s) if s.limits else {}),
            **fields(s, "failures", "instances"),
            "values": dict(s.candidate.values),
        }
        for s in facts.standing
    ]


def _estimated(one: Standing, direction: Direction) -> Data:
    """The estimated mean by which candidates are ordered, where it differs from the plain one."""
    plain, own = one.mean_cost, one.estimated_mean
    if plain is None or own is None or math.isclose(plain, own, rel_tol=1e-9, abs_tol=1e-12):
        return {}
    return {"estimated_mean": score_of(own, direction)}


def _metrics_data(facts: Facts) -> Data:
    """The metrics of a scenario that has some, with their directions and units."""
    found = facts.header.scenario.get("metrics")
    return {"metrics": found, "asked": asked(facts.header)} if found else {}


def front_data(facts: Facts) -> Data:
    """The front and its likely members, if the objective is a front."""
    if facts.front is None:
        return {}
    scenario: Mapping[str, Any] = facts.header.scenario
    aim = scenario["objective"]
    return {
        "front": {
            "metrics": list(aim["front"]),
            "show": aim.get("show", Front(("a", "b")).show),
            "knee": None if facts.winner is None else facts.winner.id,
            "candidates": [_on_front_data(one) for one in facts.front.front],
            "maybe": [_on_front_data(one) for one in facts.front.maybe],
        }
    }


def _on_front_data(standing: Standing) -> Data:
    return {
        "id": standing.candidate.id,
        "name": str(standing.candidate),
        **fields(standing, "on_front", "failures", "instances"),
        "metrics": dict(standing.metrics),
        "values": dict(standing.candidate.values),
    }


def _limits_data(standing: Standing) -> Data:
    limits = standing.limits.items()
    return {"limits": {text: {"mean": mean, "met": met} for text, (mean, met) in limits}}


def _dropped_data(dropped: Dropped) -> Data:
    e = dropped.elimination
    return {
        "id": dropped.candidate.id,
        "name": str(dropped.candidate),
        "after_instances": dropped.after,
        "reason": str(e.reason),
        "against": dropped.against.id,
        **fields(e, "measure", "value", "threshold", "statistic"),
        "gate": dropped.gate and fields(dropped.gate, "test", "statistic", "threshold", "p_value"),
    }


def _left_data(facts: Facts) -> dict[str, float | None]:
    """What is left of each limit of the budget; None where there is no limit."""
    limits = ("evaluations", "wall_time", "target_time", "instances", *PAID)
    return {
        name: getattr(facts.left, name) if getattr(facts.budget, name) is not None else None
        for name in limits
    }


def _found_data(facts: Facts) -> Data:
    """The best found, and what decides whether it wins over the default."""
    return {
        "found": None if facts.found is None else str(facts.found),
        "probability_worse": facts.worse,
        "risk": facts.risk,
    }


def _gain_data(facts: Facts) -> Data | None:
    gain = facts.gain
    if gain is None:
        return None
    return {
        **_found_data(facts),
        "over": {"id": gain.against.id, "name": str(gain.against)},
        **pair_data(gain.pair),
        "superiority": gain.pair.superiority.a,
        "chosen_on_these_instances": not gain.held_out,
    }


def _held_out_data(facts: Facts) -> Data | None:
    found = facts.holdout
    if found is None:
        return None
    direction, unit = facts.header.direction, facts.unit
    return holdout_data(found, direction, unit=unit, families=facts.families)


def _answer(facts: Facts) -> Data:
    told = answer(facts)
    return {**asdict(told), "undecided": told.undecided}


def _search_data(facts: Facts) -> Data | None:
    search = facts.search
    if search is None:
        return None
    return {
        **fields(search, "phase", "progress", "window", "iterations"),
        "tried": dict(search.tried),
        "baseline": None if search.baseline is None else str(search.baseline),
        **_found_data(facts),
        **fields(search, "set_aside"),
        "confirmed_gain": confirmed_data(search.gain),
        "unconfirmed": search.unconfirmed or None,
        "notes": list(search.notes),
        "team": _team_data(search.team, facts),
        "front_gains": [
            {
                "id": one.id,
                "name": str(one),
                "metrics": {name: confirmed_data(gain) for name, gain in gains.items()},
            }
            for one, gains in search.front_gains.items()
        ],
    }


def _team_data(team: TeamFacts | None, facts: Facts) -> Data | None:
    if team is None:
        return None
    tested = None
    if facts.held_out_team is not None:
        from racing.report.team_data import unseen_team_data  # which imports what tests run

        tested = unseen_team_data(facts.held_out_team, facts.header.direction)
    return {
        "size": team.size,
        "members": [
            {"id": one.id, "name": str(one), "configuration": dict(one.values)}
            for one in team.members
        ],
        "single": None if team.single is None else str(team.single),
        "gain_over_single": confirmed_data(team.gain),
        "gain_over_default": confirmed_data(team.over_default),
        "held_out": tested,
    }


def confirmed_data(gain: Gain | None) -> Data | None:
    """A gain as confirmed; None while it is unknown."""
    if gain is None:
        return None
    return {
        **fields(gain, "mean", "low", "high", "confidence"),
        "instances": gain.pairs,
        **fields(gain, "problems", "unseen", "winner_failures", "baseline_failures", "training"),
        "training_instances": gain.training_pairs,
        "optimism": gain.optimism,
        "limits": [asdict(one) for one in gain.limits],
        "limits_against": [asdict(one) for one in gain.baseline_limits],
    }
