"""Guesses controls for an unknown env: those of the catalogue's game of the same name, else from its action spaces.

Imported only in the child process that probes the env.
"""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID
from arcade.games.built_in import built_in_games
from arcade.games.controls import ControlsError, SeatControls
from arcade.games.entries import entries_of, space_controls
from arcade.games.spec import GameSpec
from arcade.games.third_party.offered_names import offered_names


def model_of(env: Any) -> GameSpec | None:
    """The catalogue's game of the env's own name: the same game wrapped, or made with other settings."""
    name = (getattr(env, "metadata", None) or {}).get("name")
    return next((spec for spec in built_in_games() if spec.id.partition("/")[2] == name), None)


def guess_names(env: Any, agent: AgentID, space: Any) -> tuple[str, ...]:
    """Return names for the agent's Discrete actions: the env's own, else its model's; () without either."""
    count, model = int(getattr(space, "n", 0)), model_of(env)
    offered = offered_names(env, agent, count) if count else ()
    usual = model.names_of(agent) if model is not None else ()
    return offered or (usual if len(usual) == count else ())


def guess_controls(env: Any, agent: AgentID, space: Any, *, turn_based: bool) -> SeatControls:
    """Return its model's controls if they fit, else controls for the space; no rows if people cannot play it."""
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
    """Whether the space has the kind and the size that the controls are for."""
    if controls.style != "sticks":
        return hasattr(space, "n")
    numbers = {row.action[:-1] for row in controls.rows}
    return hasattr(space, "low") and len(entries_of(space)) == len(numbers)
