"""Errors in what is made of a target's answer."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "evaluate/test_answers.py": {
        "the seconds that a target reports are ignored":
            "None «if seconds is None else _seconds(seconds) → »,",
        "negative seconds are taken": "if not «least <= → » number <= most:",
        "1,234.5 is skipped": "if «NUMBER_LIKE.fullmatch(word) → False»:",
        "true is a number of seconds": "«or (isinstance(value, bool) and not truth) → »:",
        "NaN is a cost": "if «math.isnan(number) → False»:",
    },
    "evaluate/test_evaluator.py": {
        "scores to be maximized are minimized":
            "«cost_of(attempt.score, self.direction) → attempt.score»",
    },
    "evaluate/test_task.py": {
        "an attempt too few": "number < «1 + → » self.retries + (self.deaths > 0)",
        "a death of a worker allows no attempt more":
            "number < 1 + self.retries «+ (self.deaths > 0) → »",
        "a worker that died is charged to the experiment":
            "self.seconds += «0.0 if died else → » attempt.seconds",
        "only the last attempt's seconds count": "seconds=attempt.seconds «+ self.seconds → »",
    },
})
