"""Our own games; their rules are in ``arcade.games.house``."""

from __future__ import annotations

from arcade.games.controls import ControlRow, stick
from arcade.games.naming import NOOP
from arcade.games.spec import GameSpec

# Directions on the screen; up: jump.  Each side sees itself on the left, so the right one is mirrored.
_LEFT_ACTIONS = (NOOP, "left", "right", "up", "up left", "up right")
_RIGHT_ACTIONS = (NOOP, "right", "left", "up", "up right", "up left")

_CONTROLS = stick(
    "Run", ways=("left", "right"), rows=[ControlRow(words="Jump", controls=("up", "a", "b"), action="up")]
)


def house_games() -> tuple[GameSpec, ...]:
    """Return Volley, one against one and two against two."""
    return _volley("volley", "Volley", team_size=1), _volley("volley_2v2", "Volley Doubles", team_size=2)


def _volley(name: str, title: str, *, team_size: int) -> GameSpec:
    dots = [""] if team_size == 1 else [", one dot", ", two dots"]
    teams = tuple(tuple(f"{side}_{i}" for i in range(team_size)) for side in ("left", "right"))
    return GameSpec(
        id=f"house/{name}",
        title=title,
        entry="arcade.games.house.volley:parallel_env",
        agents=tuple(agent for team in teams for agent in team),
        teams=teams,
        turn_based=False,
        fps=60,
        kwargs={"team_size": team_size},
        summary="Jump, and bounce the ball over the net onto the other side's sand; first to five.",
        requires=("pettingzoo",),
        pip="pettingzoo",
        scripted="arcade.games.house.volley_scripted:play",
        batch="arcade.games.house.volley_batch:VolleyBatch",
        action_names=_LEFT_ACTIONS,
        seat_action_names=dict.fromkeys(teams[1], _RIGHT_ACTIONS),
        seat_notes={
            agent: words + dot
            for team, words in zip(teams, ("left, blue", "right, orange"), strict=True)
            for agent, dot in zip(team, dots, strict=True)
        },
        controls={"*": _CONTROLS},
    )
