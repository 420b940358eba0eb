"""PettingZoo's Butterfly family: https://pettingzoo.farama.org/environments/butterfly/"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.seats.controller import AgentID
from arcade.games.actions import NOOP
from arcade.games.control_kinds import stick
from arcade.games.controls import ControlRow, SeatControls
from arcade.games.spec import GameSpec

_PISTONS = tuple(f"piston_{i}" for i in range(20))
_FIGHTERS = ("archer_0", "archer_1", "knight_0", "knight_1")
_PADDLES = ("paddle_0", "paddle_1")


def _place(index: int) -> str:
    """Where a piston stands, counted from the nearer wall."""
    count, side = min((index + 1, "left"), (len(_PISTONS) - index, "right"))
    ordinal = {1: "", 2: "2nd ", 3: "3rd "}.get(count, f"{count}th ")
    return f"{ordinal}from the {side}" if ordinal else f"{side}most piston"


_NOTES: Mapping[str, Mapping[AgentID, str]] = {
    "cooperative_pong_v6": dict(zip(_PADDLES, ("left paddle", "right paddle"), strict=True)),
    "knights_archers_zombies_v11": {
        "archer_0": "left archer at the start",
        "archer_1": "right archer at the start",
        "knight_0": "left knight at the start",
        "knight_1": "right knight at the start",
    },
    "pistonball_v6": {piston: _place(index) for index, piston in enumerate(_PISTONS)},
}


def _fight(fire: str) -> SeatControls:
    return SeatControls(
        rows=(
            ControlRow(words="Walk on", controls=("up",), action="up", group="Walk"),
            ControlRow(words="Walk back", controls=("down",), action="down", group="Walk"),
            ControlRow(words="Turn left", controls=("left",), action="turn left", group="Turn"),
            ControlRow(words="Turn right", controls=("right",), action="turn right", group="Turn"),
            ControlRow(words=fire, controls=("a", "b"), action="fire"),
        ),
        style="moves",
    )


_FIGHT: Mapping[AgentID, SeatControls] = {
    "*": _fight("Shoot the bow"),
    **dict.fromkeys(_FIGHTERS[2:], _fight("Swing the mace")),
}
_PISTON = SeatControls(
    rows=(
        ControlRow(words="Raise the piston", controls=("up", "a", "y-"), action="0+"),
        ControlRow(words="Lower the piston", controls=("down", "b", "y+"), action="0-"),
    ),
    style="sticks",
)


def butterfly_games() -> tuple[GameSpec, ...]:
    """The three Butterfly games; all of them are played together against the clock."""
    return (
        _game(
            "cooperative_pong_v6",
            title="Cooperative Pong",
            agents=_PADDLES,
            fps=15,
            summary="Keep the ball between your two paddles for as long as you can.",
            action_names=(NOOP, "up", "down"),
            controls={"*": stick("Paddle", ways=("up", "down"))},
            roles={"paddle_0": "flat paddle", "paddle_1": "tiered paddle"},  # off the steps balls fly at other angles
        ),
        _game(
            "knights_archers_zombies_v11",
            title="Knights Archers Zombies",
            agents=_FIGHTERS,
            fps=15,
            summary="Hold the line together: no zombie may reach the bottom of the screen.",
            action_names=("up", "down", "turn left", "turn right", "fire", NOOP),
            controls=_FIGHT,
            roles={fighter: fighter.partition("_")[0] for fighter in _FIGHTERS},
            keeps_state=True,  # the time to the next zombie runs on from one episode into the next
        ),
        _game(
            "pistonball_v6",
            title="Pistonball",
            agents=_PISTONS,
            fps=20,
            summary="Raise and lower your piston so that all of you roll the ball to the left wall.",
            requires=("pymunk",),
            controls={"*": _PISTON},
            people_kwargs={"max_cycles": 600},  # half a minute; an episode has six seconds
        ),
    )


def _game(
    name: str,
    *,
    title: str,
    agents: tuple[str, ...],
    fps: float,
    summary: str,
    controls: Mapping[AgentID, SeatControls],
    action_names: tuple[str, ...] = (),
    requires: tuple[str, ...] = (),
    keeps_state: bool = False,
    people_kwargs: Mapping[str, Any] | None = None,
    roles: Mapping[AgentID, str] | None = None,
) -> GameSpec:
    return GameSpec(
        id=f"butterfly/{name}",
        title=title,
        entry=f"pettingzoo.butterfly.{name}:parallel_env",
        agents=agents,
        teams=(agents,),
        turn_based=False,
        fps=fps,
        outcome="cooperative",
        roles=roles or {},
        summary=summary,
        requires=("pettingzoo", "pygame", *requires),
        pip='"pettingzoo[butterfly]"',
        action_names=action_names,
        controls=controls,
        seat_notes=_NOTES[name],
        keeps_state=keeps_state,
        people_kwargs=people_kwargs or {},
    )
