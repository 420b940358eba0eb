"""How to play the our own games."""

from __future__ import annotations

from collections.abc import Mapping

from arcade.games.rules.rules import Rules

_VOLLEY_AIM = "Let the ball touch the sand on the other side."
_VOLLEY_PLAY = (
    "Run and jump below the ball: it bounces off you, away from where it hits. It may also bounce off the walls and "
    "the net. Serves alternate."
)
_VOLLEY_SCORE = "Each ball that touches the sand counts one point for the other side."
_VOLLEY_END = "The first side with five points wins; after 50 seconds the side with more points."

RULES: Mapping[str, Rules] = {
    "volley": Rules(
        aim=_VOLLEY_AIM,
        play=_VOLLEY_PLAY,
        score=_VOLLEY_SCORE,
        end=_VOLLEY_END,
    ),
    "volley_2v2": Rules(
        aim=_VOLLEY_AIM,
        play=_VOLLEY_PLAY,
        score=_VOLLEY_SCORE,
        end=_VOLLEY_END,
    ),
}
