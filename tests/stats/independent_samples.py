"""Published independent samples that several tests compute with, and what was printed for them."""

from __future__ import annotations

# R's `InsectSprays` (Beall, 1942): insects found after six sprays.
INSECT_SPRAYS = (
    (10, 7, 20, 14, 14, 12, 10, 23, 17, 20, 14, 13),
    (11, 17, 21, 11, 16, 14, 17, 17, 19, 21, 7, 13),
    (0, 1, 7, 2, 3, 1, 2, 1, 3, 0, 1, 4),
    (3, 5, 12, 6, 4, 3, 5, 5, 5, 5, 2, 4),
    (3, 5, 3, 5, 3, 6, 1, 1, 3, 2, 6, 4),
    (11, 9, 15, 22, 15, 16, 13, 10, 26, 26, 24, 13),
)
# Hollander and Wolfe (1973), p. 116, and R's help of kruskal.test: mucociliary efficiency.
MUCOCILIARY = (
    (2.9, 3.0, 2.5, 2.6, 3.2),
    (3.8, 2.7, 4.0, 2.4),
    (2.8, 3.4, 3.7, 2.2, 2.0),
)
# Brunner and Munzel (2000): pain scores of 14 patients under one treatment, 11 under another.
PAIN = (
    (1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1),
    (3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4),
)
# The example in the documentation of scikit-posthocs; its second sample has a missing run.
POSTHOCS = ((1, 2, 3, 5, 1), (12, 31, 54), (10, 12, 6, 74, 11))
