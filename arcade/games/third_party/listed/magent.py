"""MAgent2, two hosts on a grid: https://magent2.farama.org"""

from __future__ import annotations

from arcade.games.spec import GameSpec


def magent_games() -> tuple[GameSpec, ...]:
    return (
        _game("battle_v4", "Battle", "Surround the soldiers of the other side.", {"red": 6, "blue": 6}, map_size=18),
        _game("battlefield_v5", "Battlefield", "A battle among walls.", {"red": 12, "blue": 12}),
        _game(
            "adversarial_pursuit_v4", "Adversarial Pursuit", "Predators tag prey, which is faster.",
            {"predator": 5, "prey": 10}, map_size=20,
        ),
        _game(
            "combined_arms_v6", "Combined Arms", "Fighters and shooters of two sides.",
            {"redmelee": 6, "redranged": 3, "bluemelee": 6, "blueranged": 3}, sides=("red", "blue"), map_size=18,
        ),
    )  # fmt: skip


def _game(
    name: str, title: str, summary: str, groups: dict[str, int], sides: tuple[str, ...] = (), **more: int
) -> GameSpec:
    by_group = {group: tuple(f"{group}_{number}" for number in range(count)) for group, count in groups.items()}
    agents = tuple(agent for own in by_group.values() for agent in own)
    starts = sides or tuple(groups)
    words = {"redmelee": "Red fighter", "redranged": "Red shooter", "bluemelee": "Blue fighter"}
    words["blueranged"] = "Blue shooter"
    return GameSpec(
        id=f"third-party/{name}",
        title=title,
        entry=f"magent2.environments.{name}:parallel_env",
        kwargs=more,
        agents=agents,
        teams=tuple(tuple(agent for agent in agents if agent.startswith(side)) for side in starts),
        turn_based=False,
        fps=5,
        summary=summary,
        requires=("magent2",),
        pip="magent2",
        seat_titles={
            agent: f"{words.get(group, group.capitalize())} {number}"
            for group, own in by_group.items()
            for number, agent in enumerate(own, 1)
        },
    )
