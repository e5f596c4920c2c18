"""2-opt and Or-opt with neighbour lists and don't-look bits (Bentley 1992)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .tour import Tour

Edges = tuple[int, int, int, int]


@dataclass(slots=True)
class Work:
    """A count of what was done, in place of a clock: one move looked at, or one city moved."""

    limit: int
    done: int = 0

    @property
    def left(self) -> bool:
        """Whether there is still some to do."""
        return self.done < self.limit


@dataclass(frozen=True)
class LocalSearch:
    """Improves a tour until no city has an improving move.

    Attributes
    ----------
    distance
        n × n lengths.
    near
        The neighbours that moves may link each city to, nearest first.
    longest_segment
        Or-opt moves segments of 1 to this many cities; 0 leaves 2-opt alone.
    choice
        `first`: take the first improving move of a city; `best`: its best one.
    """

    distance: list[list[int]]
    near: list[list[int]]
    longest_segment: int
    choice: str

    def improve(self, tour: Tour, cities: Iterable[int], work: Work) -> int:
        """Improve `tour` in place from `cities` on; returns the length saved.

        Only `cities` and the ends of changed edges are looked at: all others have their
        don't-look bit set.
        """
        waiting = dict.fromkeys(cities)
        saved = 0
        while waiting and work.left:
            city = next(iter(waiting))
            gain, exchanges = self._move(tour, city, work)
            if not gain:
                del waiting[city]
                continue
            saved += gain
            for edges in exchanges:
                work.done += tour.exchange(*edges)
                waiting.update(dict.fromkeys(edges))
        return saved

    def _move(self, tour: Tour, city: int, work: Work) -> tuple[int, list[Edges]]:
        moves = self._moves(tour, city, work)
        nothing: tuple[int, list[Edges]] = (0, [])
        if self.choice == "first":
            return next(moves, nothing)
        return max(moves, key=lambda move: move[0], default=nothing)

    def _moves(self, tour: Tour, city: int, work: Work) -> Iterator[tuple[int, list[Edges]]]:
        yield from self._two_opt(tour, city, work)
        if self.longest_segment:
            yield from self._or_opt(tour, city, work)

    def _two_opt(self, tour: Tour, a: int, work: Work) -> Iterator[tuple[int, list[Edges]]]:
        """Improving moves that replace a–b and c–d by a–c and b–d."""
        distance = self.distance
        from_a = distance[a]
        for beside in (tour.after, tour.before):
            b = beside(a)
            from_b = distance[b]
            for c in self.near[a]:
                work.done += 1
                closer = from_a[b] - from_a[c]
                if closer <= 0:
                    break
                d = beside(c)
                gain = closer + distance[c][d] - from_b[d]
                if gain > 0:
                    yield gain, [(a, b, c, d)]

    def _or_opt(self, tour: Tour, a: int, work: Work) -> Iterator[tuple[int, list[Edges]]]:
        """Improving moves that take the segment a … e out and put it beside a neighbour of a."""
        for onward, back in ((tour.after, tour.before), (tour.before, tour.after)):
            p, e = back(a), a
            segment = {a}
            for _ in range(self.longest_segment):
                n = onward(e)
                if n == p:
                    break
                yield from self._insertions(tour, (p, a, e, n), segment, work)
                e = n
                segment.add(e)

    def _insertions(
        self, tour: Tour, ends: Edges, segment: set[int], work: Work
    ) -> Iterator[tuple[int, list[Edges]]]:
        """… p [a … e] n … c d …: take the segment out, and put it between c and one beside it."""
        p, a, e, n = ends
        distance = self.distance
        from_a, from_e = distance[a], distance[e]
        freed = from_a[p] + from_e[n] - distance[p][n]
        onward = tour.after if tour.after(p) == a else tour.before
        back = tour.before if tour.after(p) == a else tour.after
        for c in self.near[a]:
            work.done += 1
            if freed <= from_a[c]:
                break
            if c in segment:
                continue
            d = onward(c)
            if c != p:  # c next to a, d next to e:  c [a … e] d
                gain = freed + distance[c][d] - from_a[c] - from_e[d]
                if gain > 0:
                    yield gain, [(p, a, c, d), (p, c, n, e), (c, e, a, d)]
            d = back(c)
            if c != n:  # a next to c, e next to d:  d [e … a] c
                gain = freed + distance[c][d] - from_a[c] - from_e[d]
                if gain > 0:
                    yield gain, [(p, a, d, c), (p, d, n, e)]
