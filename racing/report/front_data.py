"""The front of a run on held-out instances: as plain data, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from racing.base.words import count
from racing.report.data import confirmed_data
from racing.report.names import refer
from racing.report.pair_data import Data, candidate_data
from racing.report.search_answer import gains_sentence

if TYPE_CHECKING:
    from racing.analysis.held_out_front import HeldOutFront


def held_out_front_data(found: HeldOutFront) -> Data:
    """The shown front and the default on held-out instances; scores are in their directions."""
    return {
        "metrics": list(found.metrics),
        "instances": len(found.instances),
        "default": None if found.default is None else str(found.default),
        "answer": front_sentences(found),
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


def front_sentences(found: HeldOutFront) -> list[str]:
    where = f"On {count(len(found.instances), 'instance')} that the run has not seen"
    front = [one.candidate for one in found.standings if one.candidate != found.default]
    kept = sum(one.id in found.undominated for one in front)
    said = [f"{where}, {kept} of the {len(front)} shown are on the front of these."]
    if found.default is not None and found.gains:
        stays = found.default.id in found.undominated
        word = "is not dominated" if stays else "is dominated"
        said[0] = f"{said[0][:-1]}, and {refer(found.default)} {word}."
        gains = [dict(zip(found.metrics, own, strict=True)) for own in found.gains.values()]
        said.append(gains_sentence(gains, refer(found.default)))
    return said
