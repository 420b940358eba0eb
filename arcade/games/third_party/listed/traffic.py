"""SUMO-RL, traffic lights of a simulated town: https://github.com/LucasAlegre/sumo-rl"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.adapters import AdaptedParallel, select_by_class

AGENTS = ("1", "2", "5", "6")  # SUMO's numbers of the crossings
SECONDS = 1000  # simulated, of an episode


def traffic_games() -> tuple[GameSpec, ...]:
    return (
        GameSpec(
            id="third-party/sumo_2x2",
            title="Four Crossings",
            entry="arcade.games.third_party.listed.traffic:parallel_env",
            agents=AGENTS,
            teams=(AGENTS,),
            turn_based=False,
            fps=2,
            outcome="cooperative",
            summary="Switch the traffic lights of four crossings so that no car waits long.",
            requires=("sumo_rl", "sumo"),
            pip="sumo-rl eclipse-sumo",
            render_mode="ansi",
            seat_titles={agent: f"Crossing {number}" for number, agent in enumerate(AGENTS, 1)},
        ),
    )


def parallel_env(render_mode: str | None = None) -> Any:
    import sumo

    os.environ.setdefault("SUMO_HOME", sumo.SUMO_HOME)
    os.environ.setdefault("LIBSUMO_AS_TRACI", "1")
    import sumo_rl
    from sumo_rl.environment import env as game

    select_by_class(game)
    nets = Path(sumo_rl.__file__).parent / "nets" / "2x2grid"
    inner = game.parallel_env(
        net_file=str(nets / "2x2.net.xml"), route_file=str(nets / "2x2.rou.xml"), num_seconds=SECONDS,
        sumo_warnings=False,
    )  # fmt: skip

    class Traffic(AdaptedParallel):
        def render(self) -> Any:
            signals = self.inner.unwrapped.env.traffic_signals
            return "\n".join(
                f"crossing {number}: phase {one.green_phase + 1}, {one.get_total_queued()} waiting"
                for number, one in enumerate((signals[agent] for agent in AGENTS), 1)
            )

    return Traffic(inner, name="sumo_2x2", render_mode=render_mode, fps=2, draws="ansi")
