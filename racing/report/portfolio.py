"""A team as a document, and as text that is used."""

from __future__ import annotations

import json
from collections.abc import Iterator

import yaml

from racing.analysis.portfolio.choice import Portfolio
from racing.answer.document import Document, Part, Sentences, quoted, table
from racing.answer.words import interval
from racing.base.errors import InputError
from racing.base.words import number
from racing.report.run_tables import team_table


def team_document(found: Portfolio) -> Document:
    """The answer, the members, the best team of each size, and a candidate for each family."""
    measure = "place (0 is the best, 1 the worst)" if found.measure == "place" else found.measure
    sizes = [
        (one.size, one.score.mean, f"{number(one.score.low)} to {number(one.score.high)}",
         one.gain.estimate, interval(one.gain) if one.size > 1 else None,
         ", ".join(map(quoted, one.members)))
        for one in found.sizes
    ]  # fmt: skip
    return [
        Sentences(found.answer),
        team_table(found.members, found.instances, cut=True),
        table(
            "sizes",
            f"The best team of each size, by mean {measure}",
            (">size", ">score", ">interval", ">gain over one", ">interval", "team"),
            sizes,
            notes=("on instances that had no part in the choice; the best of all "
                   f"{found.candidates} candidates on each has {number(found.virtual)}",),
        ),
        *_families(found),
    ]  # fmt: skip


def _families(found: Portfolio) -> Iterator[Part]:
    if found.by_family is not None:
        yield table(
            "families",
            "A candidate for each family",
            ("family", ">instances", "candidate", ">its score", f">{quoted(found.single)}"),
            (
                (quoted(one.family), one.instances, quoted(one.candidate), one.score,
                 one.single_best)
                for one in found.by_family.families
            ),
            notes=("on the instances of the choice",),
        )  # fmt: skip


def team_form(found: Portfolio, form: str) -> str:
    """The team, or its table by family where there is one, as `yaml`, `json` or `commands`.

    The YAML is a list that a scenario takes as its `candidates.list`. A command line has `INSTANCE`
    and `SEED` where these belong.

    Raises
    ------
    InputError
        If command lines are asked for, and the target is no program.
    """
    if form == "commands":
        if not found.commands:
            raise InputError("commands: the target is no program; export the team as yaml or json")
        return "".join(f"{line}\n" for line in found.commands)
    members = [one.candidate for one in found.members]
    values: object = [{"name": str(one), "values": dict(one.values)} for one in members]
    if found.by_family is not None:
        values = {one.family: dict(one.candidate.values) for one in found.by_family.families}
    if form == "json":
        return json.dumps(values, ensure_ascii=False, indent=2) + "\n"
    return yaml.safe_dump(values, sort_keys=False, allow_unicode=True)
