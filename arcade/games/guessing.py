"""How a strange env's seats are played by hand: as the game of the catalogue that it is at heart, else by its spaces.

Only the child that probes comes here.
"""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID
from arcade.games.catalogue import built_in_games
from arcade.games.controls import ControlsError, SeatControls
from arcade.games.entries import entries_of, space_controls
from arcade.games.offered import offered_names
from arcade.games.spec import GameSpec


def model_of(env: Any) -> GameSpec | None:
    """The game of the catalogue with the env's own name: the same, made with other settings or wrapped."""
    name = (getattr(env, "metadata", None) or {}).get("name")
    return next((spec for spec in built_in_games() if spec.id.partition("/")[2] == name), None)


def guess_names(env: Any, agent: AgentID, space: Any) -> tuple[str, ...]:
    """The words of the agent's Discrete actions: what the env offers, else its model's; () where there are none."""
    count, model = int(getattr(space, "n", 0)), model_of(env)
    offered = offered_names(env, agent, count) if count else ()
    usual = model.names_of(agent) if model is not None else ()
    return offered or (usual if len(usual) == count else ())


def guess_controls(env: Any, agent: AgentID, space: Any, *, turn_based: bool) -> SeatControls:
    """Its model's controls where they fit, else what suits the space; no rows where hands cannot play it."""
    names, model = guess_names(env, agent, space), model_of(env)
    if model is not None and model.turn_based == turn_based:
        controls = model.controls_of(agent)
        if names == model.names_of(agent) and _fits(controls, space):
            return controls
    try:
        return space_controls(space, names, turn_based=turn_based)
    except ControlsError:
        return SeatControls(rows=(), style="switches")


def _fits(controls: SeatControls, space: Any) -> bool:
    """Whether the space is of the kind that the controls are for, and as large."""
    if controls.style != "sticks":
        return hasattr(space, "n")
    numbers = {row.action[:-1] for row in controls.rows}
    return hasattr(space, "low") and len(entries_of(space)) == len(numbers)
