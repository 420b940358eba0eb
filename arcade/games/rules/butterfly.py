"""How to play the Butterfly games."""

from __future__ import annotations

from collections.abc import Mapping

from arcade.games.rules.rules import Rules

RULES: Mapping[str, Rules] = {
    "cooperative_pong_v6": Rules(
        aim="Keep the ball between your two paddles, together.",
        play=(
            "One paddle moves on the left edge and one on the right. Move up and down to meet the ball; the right "
            "paddle has steps, off which the ball flies at other angles."
        ),
        score="Each hit with a paddle counts one for both.",
        end="The match ends when the ball leaves the picture, or after one minute.",
    ),
    "knights_archers_zombies_v11": Rules(
        aim="Stop the zombies before one reaches the bottom of the picture, together.",
        play=(
            "Turn, walk in the direction you look, and attack: archers shoot arrows from afar, knights swing a mace "
            "at what is close. A zombie that touches a fighter kills it."
        ),
        score="Each zombie that falls counts one for all.",
        end="The match ends when a zombie reaches the bottom, when all fighters are dead, or after one minute.",
    ),
    "pistonball_v6": Rules(
        aim="Roll the ball to the left wall, together.",
        play=(
            "Each player raises and lowers one of twenty pistons. Raise those behind the ball and lower those before "
            "it, so that it rolls to the left."
        ),
        score="The score is the ball's way to the wall, in percent.",
        end="The match ends when the ball touches the left wall, or after 30 seconds.",
    ),
}
