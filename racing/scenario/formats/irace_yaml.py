"""A translated scenario of irace as YAML, with the comments of irace's files."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from racing.base.errors import InputError
from racing.scenario.files import read_format
from racing.scenario.formats.irace import Translated
from racing.scenario.instances import InstanceSource


def to_yaml(found: Translated, path: Path, seen_from: Path | None = None) -> str:
    """The YAML text of a translated scenario.

    Parameters
    ----------
    found
        What `read_scenario` returned.
    path
        The scenario file; its comments, and those of the parameter file, are kept.
    seen_from
        The folder of the YAML file, for relative paths; by default the full path of the scenario's
        folder is given, and other paths are relative to it. `name` is left out, so the log has the
        name of the YAML file, not of irace's scenario.
    """
    scenario = _relative(found.scenario, path.parent, seen_from)
    own = comments_of(read_format(path))
    parameters = comments_of(read_format(found.parameter_file))
    left_out = [f"  {note.option}: {note.why}" for note in found.notes if note.fate == "no meaning"]
    heading = (
        *own.pop("", Comments()).above,
        f"Translated from {path.name} of irace.",
        *(["Options without a meaning here:", *left_out] if left_out else []),
    )
    parameters.pop("", None)
    return scenario_text(
        scenario, parameters=parameters, options=_by_key(own, found), heading=heading
    )


def _by_key(own: Mapping[str, Comments], found: Translated) -> dict[str, Comments]:
    """Comments of options by their keys; those of several options are joined."""
    notes = {note.option: note for note in found.notes if note.fate != "no meaning"}
    joined: dict[str, Comments] = {}
    for option, about in own.items():
        words = re.findall(r"\w+", notes[option].why) if option in notes else []
        key = next((word for word in words if word in found.scenario), "")
        above = joined.get(key, Comments()).above
        beside = (f"{option}: {about.beside}",) if about.beside else ()
        joined[key] = Comments((*above, *about.above, *beside))
    return joined


def _relative(scenario: Mapping[str, Any], base: Path, seen_from: Path | None) -> dict[str, Any]:
    """The scenario with relative paths, and patterns for lists of all files of a folder."""
    data = {key: value for key, value in scenario.items() if key not in ("name", "folder")}
    folder = str(base.resolve()) if seen_from is None else os.path.relpath(base, seen_from)
    target = dict(data["target"])
    home = base.resolve() / target.get("cwd", "")
    target["command"] = [_seen_from(home, base, word) for word in target["command"]]
    if "evaluator" in target:
        target["evaluator"] = _seen_from(home, base, target["evaluator"])
    data["target"] = target
    for key in ("instances", "test_instances"):
        if key in data:
            data[key] = _as_glob(data[key], base)
    return data if folder == "." else {**data, "folder": folder}


def _seen_from(home: Path, base: Path, word: str) -> str:
    """The path of a program in the scenario's folder, relative to the target's working folder."""
    if not os.path.isabs(word) or not Path(word).is_relative_to(base.resolve()):
        return word
    shorter = os.path.relpath(word, home)
    return shorter if os.sep in shorter else os.path.join(".", shorter)


def _as_glob(source: Mapping[str, Any], base: Path) -> dict[str, Any]:
    """A list of all files of a folder as a pattern, if that gives the same order."""
    listed = [str(name) for name in source["list"]]
    folder = os.path.commonpath(listed) if all(map(os.path.dirname, listed)) else ""
    if len(listed) > 1 and folder:
        for pattern in (os.path.join(folder, "*"), os.path.join(folder, "**", "*")):
            try:
                problems = InstanceSource(glob=pattern).problems(base)
            except InputError:
                continue
            if [problem.name for problem in problems] == listed:
                return {"glob": pattern, **{k: v for k, v in source.items() if k != "list"}}
    return dict(source)


_WIDTH = 100


@dataclass(frozen=True)
class Comments:
    """The comments beside a line and above it.

    Attributes
    ----------
    above
        Whole lines of comment directly above, without the `#`.
    beside
        The comment at the end of the line; '' if there is none.
    """

    above: tuple[str, ...] = ()
    beside: str = ""


def comments_of(text: str) -> dict[str, Comments]:
    """The comments of a parameter or scenario file of irace, by the first word of each line.

    Comments before a blank line are dropped, except the first block of the file, which has the key
    ''.
    """
    found: dict[str, Comments] = {}
    block: list[str] = []
    for row in text.splitlines():
        said, mark, comment = row.partition("#")
        comment = comment.strip().strip("#").rstrip()
        if said.strip():
            word = re.split(r"[\s=(<]", said.strip(), maxsplit=1)[0]
            found.setdefault(word, Comments(tuple(block), comment))
            block = []
        elif mark:
            block.append(comment)
        else:
            if not found and block:
                found[""] = Comments(tuple(block))
            block = []
    return found


def scenario_text(
    scenario: Mapping[str, Any],
    *,
    parameters: Mapping[str, Comments],
    options: Mapping[str, Comments],
    heading: tuple[str, ...] = (),
) -> str:
    """The YAML of a scenario in plain data.

    Parameters
    ----------
    parameters
        Comments of parameters, by name.
    options
        Comments of top-level keys, by key.
    heading
        Lines of comment at the top.
    """
    lines = [f"# {line}".rstrip() for line in heading]
    for key, value in scenario.items():
        about = options.get(key, Comments())
        lines += _above(about, "")
        if key == "space":
            lines.append("space:")
            for name, domain in value.items():
                lines += _entry(name, domain, parameters.get(name, Comments()), "  ")
        else:
            body = _flow({key: value}) if _fits({key: value}) else _block({key: value})
            lines += [*body[:1], *body[1:]]
            lines[-len(body)] += _beside(about)
    return "\n".join(lines) + "\n"


def _entry(name: str, value: Any, about: Comments, indent: str) -> list[str]:
    written = _one_line({name: value})
    return [*_above(about, indent), f"{indent}{written}{_beside(about)}"]


def _above(about: Comments, indent: str) -> list[str]:
    return [f"{indent}# {line}".rstrip() for line in about.above]


def _beside(about: Comments) -> str:
    return f"  # {about.beside}" if about.beside else ""


def _fits(data: dict[str, Any]) -> bool:
    return len(_one_line(data)) <= _WIDTH


def _flow(data: dict[str, Any]) -> list[str]:
    return [_one_line(data)]


def _one_line(data: dict[str, Any]) -> str:
    """`key: {a: 1}` on one line."""
    ((key, value),) = data.items()
    written = _dump(value, flow=True)
    return f"{_dump(key, flow=True)}: {written}"


def _block(data: dict[str, Any]) -> list[str]:
    return _dump(data, flow=False).splitlines()


def _dump(value: Any, *, flow: bool | None) -> str:
    text = yaml.dump(
        value, default_flow_style=flow, sort_keys=False, allow_unicode=True, width=10**6,
        Dumper=_Dumper,
    )  # fmt: skip
    return text.removesuffix("...\n").strip("\n")


class _Dumper(yaml.SafeDumper):
    """Quotes text that YAML 1.2 or this package's reader would not read as text."""


_AMBIGUOUS = re.compile(r"[-+.\d][\w.:+-]*|~|null|true|false|yes|no|on|off|y|n|", re.IGNORECASE)


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = '"' if _AMBIGUOUS.fullmatch(value) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)
