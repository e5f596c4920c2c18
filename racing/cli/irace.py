"""What becomes of the options of a scenario file of irace, told on stderr."""

from __future__ import annotations

from racing.cli.console import talk


def tell_options(path: str) -> None:
    """Tell of each option whether it is honoured, translated, or has no meaning here."""
    from racing.scenario.load import is_irace

    if is_irace(path):
        from racing.formats import read_scenario

        for note in read_scenario(path).notes:
            talk(str(note))
