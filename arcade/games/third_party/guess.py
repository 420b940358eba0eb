"""Guesses action names and controls of an unknown env: its own, those of a catalogue game, or from its action spaces.

Imported only in the child process that probes the env.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import EnumMeta
from typing import Any

from agents.seats.controller import AgentID
from arcade.games.built_in import built_in_games
from arcade.games.controls import ControlsError, SeatControls
from arcade.games.entries import entries_of, space_controls
from arcade.games.spec import GameSpec

_PLACES = ("get_action_meanings", "action_meanings", "action_names", "ACTION_NAMES", "ACTIONS", "actions", "Actions")
"""Attributes and methods of an env; Gymnasium's Atari games have the first, MiniGrid has an enum ``actions``."""

_LONGEST = 40  # characters of a name


def model_of(env: Any) -> GameSpec | None:
    """Return the catalogue's game of the env's own name: the same game wrapped, or with other settings."""
    name = (getattr(env, "metadata", None) or {}).get("name")
    return next((spec for spec in built_in_games() if spec.id.partition("/")[2] == name), None)


def guess(env: Any, agent: AgentID, space: Any, *, turn_based: bool) -> tuple[tuple[str, ...], SeatControls]:
    """Return names of the agent's Discrete actions, () for unknown ones, and its controls.

    Both are the env's own, else its model's, else for the space; without rows if people cannot play it.
    """
    count, model = int(getattr(space, "n", 0)), model_of(env)
    known = model.names_of(agent) if model is not None else ()
    names = (offered_names(env, agent, count) if count else ()) or (known if len(known) == count else ())
    if model is not None and model.turn_based == turn_based and names == known:
        controls = model.controls_of(agent)
        if _fits(controls, space):
            return names, controls
    try:
        return names, space_controls(space, names, turn_based=turn_based)
    except ControlsError:
        return names, SeatControls(rows=(), style="switches")


def _fits(controls: SeatControls, space: Any) -> bool:
    """Return whether the controls fit the kind and size of the space."""
    if controls.style != "sticks":
        return hasattr(space, "n")
    numbers = {row.action[:-1] for row in controls.rows}
    return hasattr(space, "low") and len(entries_of(space)) == len(numbers)


def offered_names(env: Any, agent: Any, count: int) -> tuple[str, ...]:
    """Return the names of the agent's `count` Discrete actions, by index; () where the env has none."""
    for value in _offers(env):
        try:
            found = _names_in(value, agent, count)
        except (TypeError, KeyError):  # for example lists as keys: no names of single actions
            continue
        if found:
            return found
    return ()


def _offers(env: Any) -> Iterator[Any]:
    for where in (env, getattr(env, "unwrapped", env)):
        metadata = getattr(where, "metadata", None)
        if isinstance(metadata, Mapping):
            yield from (metadata.get(place) for place in _PLACES)
        for place in _PLACES:
            value = None
            with suppress(Exception):  # a third-party property may raise anything
                value = getattr(where, place, None)
            yield value


def _names_in(value: Any, agent: Any, count: int) -> tuple[str, ...]:
    if isinstance(value, EnumMeta):
        members: Mapping[str, Any] = value.__members__
        value = {member.value: name.lower() for name, member in members.items()}
    elif callable(value):
        value = _called(value, agent)
    if isinstance(value, Mapping) and agent in value and not isinstance(value[agent], str):
        value = value[agent]
    if isinstance(value, Mapping):
        if set(value.values()) == set(range(count)):  # name → index
            value = {index: name for name, index in value.items()}
        value = [value[index] for index in range(count)] if set(range(count)) <= set(value) else []
    if not isinstance(value, (list, tuple)) or len(value) != count:
        return ()
    return tuple(map(str, value)) if all(isinstance(name, str) and 0 < len(name) <= _LONGEST for name in value) else ()


def _called(function: Any, agent: Any) -> Any:
    for arguments in ((), (agent,)):
        try:
            return function(*arguments)
        except Exception:  # noqa: BLE001  (a third-party method may raise anything; then it offers no names)
            continue
    return None
