"""The games of our own; their rules lie in ``arcade.games.house``."""

from __future__ import annotations

from arcade.games.spec import GameSpec

_VOLLEY_ACTIONS = ("nothing", "left", "right", "up", "up left", "up right")  # up: jump


def house_games() -> tuple[GameSpec, ...]:
    """Volley, one against one and two against two."""
    return (
        _volley("volley", "Volley", team_size=1),
        _volley("volley_2v2", "Volley Doubles", team_size=2),
    )


def _volley(name: str, title: str, *, team_size: int) -> GameSpec:
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
        action_names=_VOLLEY_ACTIONS,
    )
