"""How to play the SISL games."""

from __future__ import annotations

from collections.abc import Mapping

from arcade.games.rules.rules import Rules

RULES: Mapping[str, Rules] = {
    "multiwalker_v9": Rules(
        aim="Carry the package as far to the right as you can, together.",
        play=(
            "Each walker has two legs with a hip and a knee. Move them so that you walk without falling, and keep in "
            "step with the others: the package lies on your heads."
        ),
        score="The score is how far the package has come, in metres.",
        end=(
            "The match ends when a walker or the package falls, when the package reaches the end of the ground, or "
            "after ten seconds."
        ),
    ),
    "pursuit_v5": Rules(
        aim="Catch all thirty blue dots, together.",
        play=(
            "Red hunters and blue dots move one square at a time; the block in the middle and the walls stop "
            "everybody. A blue dot is caught when hunters stand on all free squares around it. At a wall or in a "
            "corner fewer hunters are enough."
        ),
        score="Each caught dot counts one for all.",
        end="The match ends when all are caught, or after 100 seconds.",
    ),
}
