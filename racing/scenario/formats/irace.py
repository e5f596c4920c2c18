"""Translates a scenario of irace with all its files into plain data, with notes on each option."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from racing.base.errors import FormatError
from racing.core.objective import Objective
from racing.scenario.files import read_format
from racing.scenario.formats.irace_lines import lines_of
from racing.scenario.formats.irace_options import OPTIONS, Fate, Scheme
from racing.scenario.formats.irace_parameters import described
from racing.scenario.formats.irace_scenario import Assigned, Setting, parse_scenario
from racing.scenario.formats.irace_tables import read_configurations, read_instances
from racing.scenario.formats.places import Place
from racing.space import Parameter, Space
from racing.space.keys import BESIDE, ParameterKind

CMDLINE = "{configurationID} {instanceID} {seed} {instance} {bound} {targetRunnerArgs}"
_PLACEHOLDERS = {
    "configurationID": "candidate", "instanceID": "instance_id", "seed": "seed",
    "instance": "instance_arguments", "targetRunnerArgs": "parameters",
}  # fmt: skip
_RULES = {
    "f-test": {"name": "f-test"}, "friedman": {"name": "f-test"},
    "t-test": {"name": "t-test"},
    "t-test-holm": {"name": "t-test", "correction": "holm"},
    "t-test-bonferroni": {"name": "t-test", "correction": "bonferroni"},
}  # fmt: skip
_BLOCKS = ("first_test", "each_test", "new_instances")
"""The keys that `blockSize` multiplies."""


@dataclass(frozen=True)
class OptionNote:
    """The translation of one option.

    Attributes
    ----------
    option, place
        Which one, and where it is set.
    fate
        Honoured, translated, or without a meaning here.
    why
        The resulting key, or the reason why it is left out.

    Examples
    --------
    >>> from racing.scenario.formats import OptionNote
    >>> from racing.scenario.formats.places import Place
    >>> place = Place("scenario.txt", 2)
    >>> print(OptionNote("maxExperiments", place, "honoured", "budget.evaluations"))
    scenario.txt:2:1: maxExperiments: honoured: budget.evaluations
    """

    option: str
    place: Place
    fate: Fate
    why: str

    def __str__(self) -> str:
        return f"{self.place}: {self.option}: {self.fate}: {self.why}"


@dataclass(frozen=True)
class Translated:
    """A translated scenario of irace.

    Attributes
    ----------
    scenario
        Plain data in the layout of a scenario file, with paths relative to the scenario's folder.
    space
        The same space as an object.
    parameter_file
        Its path.
    notes
        The translation of each option in the file, in order.
    remarks
        Possible mistakes in the parameter file, each with its place.

    Examples
    --------
    >>> from pathlib import Path
    >>> from racing.scenario.formats import read_scenario
    >>> _ = Path("parameters.txt").write_text('x "--x " r (0, 1)')
    >>> _ = Path("instances.txt").write_text("one")
    >>> runner = Path("target-runner")
    >>> _ = runner.write_text("#!/bin/sh")
    >>> runner.chmod(0o755)
    >>> _ = Path("scenario.txt").write_text('''
    ... trainInstancesFile = "instances.txt"
    ... maxExperiments = 300
    ... ''')
    >>> found = read_scenario("scenario.txt")
    >>> found.parameter_file.name, list(found.space), found.scenario["instances"]["list"]
    ('parameters.txt', ['x'], ['one'])
    """

    scenario: Mapping[str, Any]
    space: Space
    parameter_file: Path
    notes: tuple[OptionNote, ...]
    remarks: tuple[str, ...] = ()


_BY_MEANS = (
    "is not set: objective is `mean`, by which a continuous search does better; "
    '`testType = "F-test"` asks for `rank`'
)


def read_scenario(path: str | os.PathLike[str], *, search: Scheme = "continuous") -> Translated:
    """Read a scenario file of irace (3.5 or 4.x), with the files that it names.

    Parameters
    ----------
    search
        The search: `continuous`, or `irace` for iterated racing as in irace.

    Raises
    ------
    FormatError
        With all parts that cannot be read or translated, each with file, line and column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from racing.scenario.formats import read_scenario
    >>> _ = Path("parameters.txt").write_text('x "--x " r (0, 1)')
    >>> _ = Path("instances.txt").write_text("one")
    >>> runner = Path("target-runner")
    >>> _ = runner.write_text("#!/bin/sh")
    >>> runner.chmod(0o755)
    >>> _ = Path("scenario.txt").write_text('''
    ... trainInstancesFile = "instances.txt"
    ... maxExperiments = 300
    ... ''')
    >>> found = read_scenario("scenario.txt")
    >>> found.scenario["budget"]
    {'evaluations': 300}
    >>> [note.option for note in found.notes]
    ['trainInstancesFile', 'maxExperiments', 'testType']
    """
    path = Path(path)
    options = parse_scenario(read_format(path), str(path))
    notes = [
        OptionNote(name, each.place, *OPTIONS[name].under(search)) for name, each in options.items()
    ]
    if search == "continuous" and "testType" not in options:
        notes.append(OptionNote("testType", Place(str(path)), "translated", _BY_MEANS))
    return _Translation(options, path, search).translated(tuple(notes))


class _Translation:
    """One method for each key of a scenario."""

    def __init__(self, options: Mapping[str, Assigned], path: Path, search: Scheme) -> None:
        self._options, self._path, self._base = options, path, path.parent
        self._scheme = search
        self._remarks: tuple[str, ...] = ()

    def translated(self, notes: tuple[OptionNote, ...]) -> Translated:
        space = self._space()
        data = {
            "name": self._base.resolve().name,
            **self._given("seed", "seed"),
            "objective": self._objective,
            "target": self._target(),
            **(
                {"on_failure": {"retries": n}} if (n := self._number("targetRunnerRetries")) else {}
            ),
            "space": {name: _plain(each) for name, each in space.items()},
            **(
                {"forbidden": BESIDE["forbidden"].write(space.forbidden)} if space.forbidden else {}
            ),
            **self._candidates(space),
            "search": self._search(),
            "instances": self._instances(),
            **self._tests(),
            "budget": self._budget(),
            **({"rule": self._rule()} if self._scheme == "irace" else {}),
            "execution": {"jobs": max(int(self._number("parallel") or 1), 1)},
            "folder": str(self._base.resolve()),
        }
        return Translated(data, space, self._parameter_file, notes, self._remarks)

    # --- values ---------------------------------------------------------------------------------

    def _value(self, name: str) -> Setting:
        return self._options[name].value if name in self._options else None

    def _text(self, name: str, default: str = "") -> str:
        value = self._value(name)
        return value if isinstance(value, str) and value else default

    def _number(self, name: str) -> float | None:
        value = self._value(name)
        return value if isinstance(value, int | float) else None

    def _given(self, name: str, key: str) -> dict[str, Any]:
        value = self._value(name)
        return {} if value is None else {key: int(value) if key == "seed" else value}

    def _place(self, name: str) -> Place:
        return self._options[name].place if name in self._options else Place(str(self._path))

    @property
    def _parameter_file(self) -> Path:
        return self._base / self._text("parameterFile", "parameters.txt")

    # --- keys -----------------------------------------------------------------------------------

    def _space(self) -> Space:
        path = self._parameter_file
        try:
            text = read_format(path)
        except FormatError as error:
            raise self._place("parameterFile").error(str(error)) from None
        digits = self._number("digits")
        if digits is not None and not re.search(r"^\s*digits\s*=", text, re.MULTILINE):
            text += f"\n[global]\ndigits = {int(digits)}\n"
        forbidden = []
        if name := self._text("forbiddenFile"):
            file = self._base / name
            forbidden = list(lines_of(read_format(file), str(file)))
        found = described(text, str(path), forbidden=forbidden)
        self._remarks = found.notes
        return found.space

    def _target(self) -> dict[str, Any]:
        target: dict[str, Any] = {"command": self._command(), "output": "irace"}
        if folder := self._text("execDir"):
            target["cwd"] = folder
        limits = [self._number("targetRunnerTimeout"), self._number("boundMax")]
        if known := [limit for limit in limits if limit]:
            target["timeout"] = min(known)
        if evaluator := self._text("targetEvaluator"):
            target["evaluator"] = self._program(evaluator)
        return target

    def _command(self) -> list[str]:
        runner = self._program(self._text("targetRunner", "./target-runner"))
        launcher = self._text("targetRunnerLauncher")
        first = [launcher, *shlex.split(self._text("targetRunnerLauncherArgs"))] if launcher else []
        words: list[str] = []
        bounded = bool(self._number("boundMax"))
        for word in shlex.split(self._text("targetCmdline", CMDLINE)):
            if word == "{bound}":
                words += [self._bound] if bounded else []
                continue
            words.append(re.sub(r"\{(\w+)\}", self._placeholder, word))
        return [
            *first,
            *([] if "{targetRunner}" in self._text("targetCmdline") else [runner]),
            *words,
        ]

    @property
    def _bound(self) -> str:
        """The bound of each run with capping; else that of all runs."""
        capped = self._scheme == "irace" and self._capped
        return "{bound}" if capped else str(self._number("boundMax"))

    def _placeholder(self, found: re.Match[str]) -> str:
        if found[1] == "targetRunner":
            return self._program(self._text("targetRunner", "./target-runner"))
        if found[1] not in _PLACEHOLDERS:
            known = ", ".join(f"{{{name}}}" for name in (*_PLACEHOLDERS, "bound"))
            raise self._place("targetCmdline").error(f"unknown {found[0]}; known: {known}")
        return f"{{{_PLACEHOLDERS[found[1]]}}}"

    def _program(self, name: str) -> str:
        """The full path of a program in the scenario's folder, as it is started elsewhere."""
        path = self._base / name
        return str(path.resolve()) if os.sep in name or path.is_file() else name

    def _candidates(self, space: Space) -> dict[str, Any]:
        if not (name := self._text("configurationsFile")):
            return {}
        listed = read_configurations(self._base / name, space)
        entries: list[dict[str, Any]] = [{"values": values} for values in listed]
        if len(entries) == 1 and space.without_default():
            entries[0] = {"name": "default", **entries[0]}
        return {"candidates": {"list": entries}}

    def _search(self) -> dict[str, Any] | bool:
        if self._scheme == "continuous":
            return True
        search: dict[str, Any] = {"scheme": "irace"}
        for name, option in OPTIONS.items():
            value = self._value(name)
            unset = value is None or (option.kind == "count" and not value)
            if option.key and option.kind != "text" and not unset:
                search[option.key] = bool(value) if option.kind in ("flag", "any") else value
        if self._capped:
            search["bound"] = self._number("boundMax")
            search["capping"] = self._text("cappingType", "median")
        if (block := int(self._number("blockSize") or 1)) > 1:
            defaults = {"first_test": 5, "each_test": 1, "new_instances": 1}
            search |= {key: search.get(key, defaults[key]) * block for key in _BLOCKS}
        return search

    @property
    def _capped(self) -> bool:
        """Whether irace caps running times: by default with elitism, maxTime and boundMax."""
        elitist, capping = self._value("elitist"), self._value("capping")
        possible = bool(self._number("boundMax")) and (elitist is None or bool(elitist))
        wanted = bool(self._number("maxTime")) if capping is None else bool(capping)
        return possible and wanted

    def _instances(self) -> dict[str, Any]:
        folder = self._text("trainInstancesDir")
        file = self._text("trainInstancesFile")
        found = read_instances(folder, file, self._base)
        if not found:
            raise self._place("trainInstancesFile").error(
                "there are no instances; set trainInstancesFile or trainInstancesDir"
            )
        sampled = self._value("sampleInstances")
        return {
            "list": found,
            "order": "listed" if sampled is not None and not sampled else "shuffled",
            "repeat": not self._value("deterministic"),
        }

    def _tests(self) -> dict[str, Any]:
        folder, file = self._text("testInstancesDir"), self._text("testInstancesFile")
        found = read_instances(folder, file, self._base)
        return {"test_instances": {"list": found, "order": "listed"}} if found else {}

    def _budget(self) -> dict[str, Any]:
        budget: dict[str, Any] = {}
        if evaluations := self._number("maxExperiments"):
            budget["evaluations"] = int(evaluations)
        if seconds := self._number("maxTime"):
            budget["target_time"] = seconds
        if not budget:
            raise self._place("maxExperiments").error("set maxExperiments or maxTime")
        return budget

    @property
    def _objective(self) -> Objective:
        """`rank` for irace's rank tests; a continuous search needs an explicit test for it."""
        if self._scheme == "continuous" and "testType" not in self._options:
            return "mean"
        return "mean" if self._rule()["name"] == "t-test" else "rank"

    def _rule(self) -> dict[str, Any]:
        name = self._text("testType", "t-test" if self._capped else "f-test").lower()
        if name not in _RULES:
            known = "F-test, t-test, t-test-holm, t-test-bonferroni"
            raise self._place("testType").error(f"unknown test {name!r}; known: {known}")
        confidence = self._number("confidence")
        level = {} if confidence is None else {"alpha": round(1 - confidence, 12)}
        return {**_RULES[name], **level}


def _plain(parameter: Parameter) -> dict[str, Any]:
    """A parameter as in a file, without options that are off."""
    data = ParameterKind().write(parameter)
    return {key: value for key, value in data.items() if value is not False or key == "default"}
