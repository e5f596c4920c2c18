"""Perturbations: change a tour in a way that the local search does not undo at once."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .tour import Tour

Kick = Callable[[list[int], Random], list[int]]


def double_bridge(window: list[int], rng: Random) -> list[int]:
    """A B C D → A C B D (Martin, Otto & Felten 1991)."""
    i, j, k = sorted(rng.sample(range(1, len(window)), 3))
    return window[:i] + window[j:k] + window[i:j] + window[k:]


def insertion(window: list[int], rng: Random) -> list[int]:
    """Take a piece of up to half the window out, and put it elsewhere, turned round."""
    size = rng.randint(1, (len(window) - 2) // 2)
    start = rng.randint(1, len(window) - 1 - size)
    piece = window[start : start + size]
    rest = window[:start] + window[start + size :]
    place = rng.randint(1, len(rest) - 1)
    return rest[:place] + piece[::-1] + rest[place:]


def scramble(window: list[int], rng: Random) -> list[int]:
    """Shuffle six cities in a row somewhere in the window."""
    start = rng.randint(1, len(window) - 7) if len(window) > 8 else 1
    piece = window[start : start + 6]
    rng.shuffle(piece)
    return window[:start] + piece + window[start + 6 :]


KICKS: dict[str, Kick] = {
    "double-bridge": double_bridge,
    "insertion": insertion,
    "scramble": scramble,
}


def kicked(tour: Tour, kick: Kick, size: int, rng: Random) -> tuple[Tour, list[int]]:
    """The tour after `kick` in a random window of `size` cities, and the cities it unlinked."""
    start = rng.randrange(len(tour.order))
    turned = tour.order[start:] + tour.order[:start]
    new = Tour(kick(turned[:size], rng) + turned[size:])
    around = zip(turned[-1:] + turned, turned, turned[1:] + turned[:1], strict=False)
    changed = [
        city
        for before, city, after in around
        if {before, after} != {new.before(city), new.after(city)}
    ]
    return new, changed
