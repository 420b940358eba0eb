"""The controls and the action map of a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gymnasium import spaces

from agents.seats.controller import SeatSpec
from arcade.controls.action_maps import ActionMap, ChordMap, NumberMap
from arcade.controls.entry_maps import DeskMap, EntryMap
from arcade.games.controls import ControlsError, SeatControls
from arcade.games.entries import space_controls
from arcade.games.spec import GameSpec

Table = Mapping[str, Sequence[str]]  # the player's own: action → controls


def seat_map(seat: SeatSpec, spec: GameSpec | None = None, *, table: Table | None = None) -> ActionMap:
    """Make the action map of a seat in a real-time game; raises ControlsError where none fits the action space."""
    names = spec.names_of(seat.agent) if spec is not None else ()
    controls, space = seat_controls(seat, spec, table=table), seat.action_space
    is_discrete = isinstance(space, spaces.Discrete)
    if controls.style == "moves" and is_discrete and len(names) == space.n:
        return ChordMap(controls, names, start=int(space.start))
    if controls.style == "numbers" and is_discrete:
        return NumberMap(controls, int(space.n), names=names, start=int(space.start))
    if controls.style in ("sticks", "switches"):
        return EntryMap(controls, space, fps=seat.fps)
    if controls.style == "numbers":
        return DeskMap(controls, space, fps=seat.fps)
    raise ControlsError(f"expected controls for {space} with {len(names)} names, got: the style {controls.style!r}")


def seat_controls(seat: SeatSpec, spec: GameSpec | None = None, *, table: Table | None = None) -> SeatControls:
    """Return the game's declared controls, else defaults for the action space, with the player's own changes.

    The space of a game with other settings may not fit its declared controls.  Changes of unknown actions are ignored.
    """
    names = spec.names_of(seat.agent) if spec is not None else ()
    if spec is not None and _suits(spec, seat):
        controls = spec.controls_of(seat.agent)
    else:
        controls = space_controls(seat.action_space, names, turn_based=spec is not None and spec.turn_based)
    known = controls.table()
    return controls.changed({action: wanted for action, wanted in (table or {}).items() if action in known})


def _suits(spec: GameSpec, seat: SeatSpec) -> bool:
    """Return whether the game declares controls for the seat that fit its action space."""
    if not spec.declares_controls(seat.agent):
        return False
    space, style = seat.action_space, spec.controls_of(seat.agent).style
    if style in ("sticks", "switches"):
        return not isinstance(space, spaces.Discrete) or style == "switches"
    if style == "numbers":
        return True
    named = style == "choose" or len(spec.names_of(seat.agent)) == getattr(space, "n", 0)
    return isinstance(space, spaces.Discrete) and named
