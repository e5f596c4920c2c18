"""The front of a run on held-out instances: as plain data, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from racing.report.data import confirmed_data
from racing.report.pair_data import Data, candidate_data
from racing.report.search_answer import held_out_front_sentences

if TYPE_CHECKING:
    from racing.analysis.held_out_front import HeldOutFront


def held_out_front_data(found: HeldOutFront) -> Data:
    """The shown front and the default on held-out instances; scores are in their directions."""
    return {
        "metrics": list(found.metrics),
        "instances": len(found.instances),
        "default": None if found.default is None else str(found.default),
        "answer": held_out_front_sentences(found),
        "candidates": [
            {
                "id": one.candidate.id,
                **candidate_data(one.candidate),
                "knee": one.candidate.id == found.knee,
                "on_front": one.candidate.id in found.undominated,
                "failures": one.failures,
                "metrics": {name: one.metrics[name] for name in found.metrics},
                "gains": {
                    name: confirmed_data(gain)
                    for name, gain in zip(
                        found.metrics, found.gains.get(one.candidate.id, ()), strict=False
                    )
                },
            }
            for one in found.standings
        ],
    }
