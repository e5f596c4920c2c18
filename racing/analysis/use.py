"""Configurations as text to be copied: YAML, JSON, and the command line of a program."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from racing.base.errors import RacingError
from racing.base.plain import printable
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate import template
from racing.scenario import Scenario
from racing.scenario.plan import switches

_SEED = 2**31 - 2
"""A seed that stands for any while the line is made; its digits are replaced by the word."""


@dataclass(frozen=True, kw_only=True)
class UseForm:
    """A text to be copied, and its name."""

    label: str
    text: str


def forms_of(scenario: Mapping[str, Any], candidates: Sequence[Candidate]) -> tuple[UseForm, ...]:
    """The forms of one configuration, or of several by name."""
    values: dict[str, Any] = {str(one): dict(one.values) for one in candidates}
    if len(candidates) == 1:
        values = dict(candidates[0].values)
    forms = [
        UseForm(label="YAML", text=yaml.safe_dump(values, sort_keys=False, allow_unicode=True)),
        UseForm(label="JSON", text=json.dumps(values, ensure_ascii=False)),
    ]
    lines = [command_line(scenario, one) for one in candidates]
    if all(lines):
        forms.insert(0, UseForm(label="Command line", text="\n".join(lines)))
    return tuple(UseForm(label=one.label, text=printable(one.text).rstrip()) for one in forms)


def command_line(scenario: Mapping[str, Any], candidate: Candidate) -> str:
    """The command line of a candidate; empty if the target is no program."""
    if "command" not in scenario.get("target", {}):
        return ""
    try:
        read = Scenario.from_dict(scenario)
        stand_in = Instance(step=0, name="INSTANCE", seed=_SEED, problem="INSTANCE", number=1)
        words = template.fill(
            template.parse(scenario["target"]["command"]),
            Experiment(candidate, stand_in),
            switches(read.space),
        )
    except (RacingError, KeyError, TypeError, ValueError):
        return ""  # a log of another version, or files that are gone
    return shlex.join(words).replace(str(_SEED), "SEED")
