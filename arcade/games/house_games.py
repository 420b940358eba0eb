"""GameSpecs of our own games; ``arcade.games.house`` has their rules."""

from __future__ import annotations

from arcade.games.controls import ControlRow, stick
from arcade.games.naming import NOOP
from arcade.games.scores import Info, Score
from arcade.games.spec import GameSpec, pettingzoo_game

# Directions on the screen; up: jump.  Each side sees itself on the left, so the right one is mirrored.
_LEFT_ACTIONS = (NOOP, "left", "right", "up", "up left", "up right")
_RIGHT_ACTIONS = (NOOP, "right", "left", "up", "up right", "up left")

_COLOURS = {"left": (0, 114, 178), "right": (240, 140, 20)}
"""As in `volley_scenery.TEAM_COLOURS`, which needs pygame."""

_CONTROLS = stick(
    "Run", ways=("left", "right"), rows=[ControlRow(words="Jump", controls=("up", "a", "b"), action="up")]
)


def house_games() -> tuple[GameSpec, ...]:
    """Return Volley, one against one and two against two."""
    return _volley("volley", "Volley", team_size=1), _volley("volley_2v2", "Volley Doubles", team_size=2)


def _volley(name: str, title: str, *, team_size: int) -> GameSpec:
    numbers = [""] if team_size == 1 else [" 1", " 2"]
    dots = [""] if team_size == 1 else [", one dot", ", two dots"]
    teams = tuple(tuple(f"{side}_{i}" for i in range(team_size)) for side in ("left", "right"))
    return pettingzoo_game(
        f"house/{name}", title, "Jump, and bounce the ball over the net onto the other side's sand; first to five.",
        tuple(agent for team in teams for agent in team),
        tuple(side + number for side in ("Left", "Right") for number in numbers),
        tuple(colour + dot for colour in ("blue", "orange") for dot in dots),
        entry="arcade.games.house.volley:parallel_env",
        teams=teams,
        fps=60,
        score=Score(source=Info(), drawn=True),
        draws_clock=True,
        kwargs={"team_size": team_size},
        requires=("pettingzoo",),
        pip="pettingzoo",
        scripted="arcade.games.house.volley_scripted:play",
        batch="arcade.games.house.volley_batch:VolleyBatch",
        figures="arcade.games.figures.house:locate",
        seat_colours={agent: _COLOURS[agent.partition("_")[0]] for team in teams for agent in team},
        action_names=_LEFT_ACTIONS,
        seat_action_names=dict.fromkeys(teams[1], _RIGHT_ACTIONS),
        controls={"*": _CONTROLS},
    )  # fmt: skip
