"""Where the figure of each seat is in a game's picture; a module a family, named by `GameSpec.figures`."""

from __future__ import annotations

from collections.abc import Mapping

from agents.seats.controller import AgentID

Place = tuple[float, float, float, float]
"""Left, top, width and height of a figure, as shares of the picture's width and height."""

Places = Mapping[AgentID, Place]
"""The place of each figure that is in the picture now."""


def share(left: float, top: float, width: float, height: float, *, of: tuple[int, int]) -> Place:
    """Return a rectangle in pixels as shares of a picture that is `of` (width, height) pixels."""
    return left / of[0], top / of[1], width / of[0], height / of[1]
