"""A tour as an array: who follows whom, and the exchange of two edges."""

from __future__ import annotations


class Tour:
    """A cyclic order of the cities 0 … n − 1.

    Attributes
    ----------
    order
        The cities as they are visited.
    position
        Where each city stands in `order`.
    """

    def __init__(self, order: list[int]) -> None:
        self.order = order
        self.position = [0] * len(order)
        for place, city in enumerate(order):
            self.position[city] = place

    def copy(self) -> Tour:
        """The same tour, to be changed on its own."""
        twin = Tour.__new__(Tour)
        twin.order, twin.position = self.order[:], self.position[:]
        return twin

    def after(self, city: int) -> int:
        """The next city."""
        return self.order[self.position[city] + 1 - len(self.order)]

    def before(self, city: int) -> int:
        """The city before."""
        return self.order[self.position[city] - 1]

    def length(self, distance: list[list[int]]) -> int:
        """How long the round trip is."""
        return sum(distance[city][self.order[i - 1]] for i, city in enumerate(self.order))

    def exchange(self, a: int, b: int, c: int, d: int) -> int:
        """Replace the edges a–b and c–d by a–c and b–d; b is next to a on the side d is to c.

        Returns the number of cities that had to be moved.
        """
        if self.after(a) != b:
            a, b, c, d = b, a, d, c
        # … a b … c d … becomes … a c … b d …: turn round the path b … c, or else d … a
        n = len(self.order)
        first, last = self.position[b], self.position[c]
        inside = (last - first) % n + 1
        if 2 * inside > n:
            first, last, inside = self.position[d], self.position[a], n - inside
        if first <= last:
            self._turn_slice(first, last + 1)
        else:
            self._turn_round_the_end(first, last, inside // 2)
        return inside

    def _turn_slice(self, start: int, stop: int) -> None:
        piece = self.order[start:stop]
        piece.reverse()
        self.order[start:stop] = piece
        for place, city in enumerate(piece, start):
            self.position[city] = place

    def _turn_round_the_end(self, first: int, last: int, swaps: int) -> None:
        order, position, n = self.order, self.position, len(self.order)
        for _ in range(swaps):
            near, far = order[first], order[last]
            order[first], order[last] = far, near
            position[far], position[near] = first, last
            first, last = (first + 1) % n, (last - 1) % n
