"""A translated scenario of irace as YAML, with the comments of irace's files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from racing.formats.irace import Translated
from racing.formats.yaml_text import Comments, comments_of, scenario_text


def to_yaml(found: Translated, path: Path) -> str:
    """The YAML text of a translated scenario.

    Parameters
    ----------
    found
        What `read_scenario` returned.
    path
        The scenario file; its comments, and those of the parameter file, are kept.
    """
    own = comments_of(path.read_text(encoding="utf-8-sig"))
    parameters = comments_of(found.parameter_file.read_text(encoding="utf-8-sig"))
    left_out = [f"  {note.option}: {note.why}" for note in found.notes if note.fate == "no meaning"]
    heading = (
        *own.pop("", Comments()).above,
        f"Translated from {path.name} of irace.",
        *(["Options without a meaning here:", *left_out] if left_out else []),
    )
    parameters.pop("", None)
    return scenario_text(
        found.scenario, parameters=parameters, options=_by_key(own, found), heading=heading
    )


def _by_key(own: Mapping[str, Comments], found: Translated) -> dict[str, Comments]:
    """Comments by the key that an option becomes; those of several options are joined."""
    notes = {note.option: note for note in found.notes if note.fate != "no meaning"}
    joined: dict[str, Comments] = {}
    for option, about in own.items():
        words = re.findall(r"\w+", notes[option].why) if option in notes else []
        key = next((word for word in words if word in found.scenario), "")
        above = joined.get(key, Comments()).above
        beside = (f"{option}: {about.beside}",) if about.beside else ()
        joined[key] = Comments((*above, *about.above, *beside))
    return joined
