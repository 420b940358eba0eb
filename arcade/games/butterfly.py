"""PettingZoo's Butterfly family: https://pettingzoo.farama.org/environments/butterfly/"""

from __future__ import annotations

from typing import Any

from arcade.games.controls import ControlRow, SeatControls, stick
from arcade.games.naming import NOOP
from arcade.games.scores import Entry, Score
from arcade.games.spec import GameSpec, pettingzoo_game

_PADDLES = ("paddle_0", "paddle_1")
_READ = "arcade.games.scores.readings"
_FIGHTERS = ("archer_0", "archer_1", "knight_0", "knight_1")
_FIGHTER_COLOURS = dict(zip(_FIGHTERS, 2 * [(152, 80, 70)] + 2 * [(174, 195, 190)], strict=True))
_PISTONS = tuple(f"piston_{i}" for i in range(20))
_PISTON = SeatControls(
    rows=(
        ControlRow(words="Raise the piston", controls=("up", "a", "y-"), action="0+"),
        ControlRow(words="Lower the piston", controls=("down", "b", "y+"), action="0-"),
    ),
    style="sticks",
)


def butterfly_games() -> tuple[GameSpec, ...]:
    """Return the three Butterfly games, all cooperative."""
    return (
        pettingzoo_game(
            "butterfly/cooperative_pong_v6", "Cooperative Pong",
            "Keep the ball between your two paddles for as long as you can.", _PADDLES,
            ("Left paddle", "Right paddle"),
            figures="arcade.games.figures.butterfly:locate_paddles", teams=(_PADDLES,), fps=15,
            action_names=(NOOP, "up", "down"),
            controls={"*": stick("Paddle", ways=("up", "down"))},
            score=Score(source=Entry(f"{_READ}:paddle_hits"), one="{} hit", many="{} hits"),
            sees_picture=True, **_playing("cooperative_pong"),
            roles={"paddle_0": "flat paddle", "paddle_1": "tiered paddle"}),  # off the steps balls fly at other angles
        pettingzoo_game(
            "butterfly/knights_archers_zombies_v11", "Knights Archers Zombies",
            "Hold the line together: no zombie may reach the bottom of the screen.", _FIGHTERS,
            ("Left archer", "Right archer", "Left knight", "Right knight"),
            ("at the start",) * len(_FIGHTERS),
            figures="arcade.games.figures.butterfly:locate_fighters", seat_colours=_FIGHTER_COLOURS,
            teams=(_FIGHTERS,), fps=15, action_names=("up", "down", "turn left", "turn right", "fire", NOOP),
            controls={"*": _fight("Shoot the bow"), **dict.fromkeys(_FIGHTERS[2:], _fight("Swing the mace"))},
            roles={fighter: fighter.partition("_")[0] for fighter in _FIGHTERS},
            score=Score(source=Entry(f"{_READ}:kills"), one="{} zombie", many="{} zombies"),
            **_playing("zombies"),
            keeps_state=True),  # the time to the next zombie carries over from one episode into the next
        pettingzoo_game(
            "butterfly/pistonball_v6", "Pistonball",
            "Raise and lower your piston so that all of you roll the ball to the left wall.", _PISTONS,
            tuple(f"Piston {number}" for number in range(1, len(_PISTONS) + 1)),
            tuple(map(_position, range(len(_PISTONS)))), figures="arcade.games.figures.butterfly:locate_pistons",
            seat_colours=dict.fromkeys(_PISTONS, (65, 159, 221)), teams=(_PISTONS,), fps=20,
            requires=("pettingzoo", "pygame", "pymunk"), controls={"*": _PISTON},
            score=Score(source=Entry(f"{_READ}:ball_way"), one="{}% there", many="{}% there"),
            sees_picture=True, **_playing("pistonball"),
            people_kwargs={"max_cycles": 600}),  # half a minute; an episode has six seconds
    )  # fmt: skip


def _playing(module: str) -> dict[str, Any]:
    """The fields of a game with a scripted player."""
    return {"scripted": f"arcade.games.players.{module}:Player", "has_levels": True}


def _position(index: int) -> str:
    """A piston's place, counted from the nearer wall."""
    count, side = min((index + 1, "left"), (len(_PISTONS) - index, "right"))
    ordinal = {2: "2nd", 3: "3rd"}.get(count, f"{count}th")
    return f"{side}most" if count == 1 else f"{ordinal} from the {side}"


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
