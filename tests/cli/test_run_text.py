from __future__ import annotations

from racing.cli.run_text import unspent


def test_what_was_evaluated_of_an_instance_under_way_is_not_unspent():
    data = {
        "left": {
            "evaluations": 344.0,
            "target_time": None,
            "wall_time": None,
            "usd": None,
            "tokens": None,
        },
        "spent": {"decided": 56, "under_way": 3, "speculative": 0, "wasted": 0, "ended": 0},
    }
    assert unspent(data) == "; unspent: 341 of 400 evaluations"
