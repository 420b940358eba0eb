"""Cathedral: https://github.com/elliottower/cathedral-rl"""

from __future__ import annotations

from typing import Any

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.adapters import drawn_screen, select_by_class


def cathedral_games() -> tuple[GameSpec, ...]:
    return (
        GameSpec(
            id="third-party/cathedral",
            title="Cathedral",
            entry="arcade.games.third_party.listed.cathedral:env",
            agents=("player_0", "player_1"),
            teams=(("player_0",), ("player_1",)),
            turn_based=True,
            fps=10,
            summary="Place the buildings of a city, and wall in those of the other side.",
            requires=("cathedral_rl",),
            pip="--no-deps cathedral-rl",
        ),
    )


def env(render_mode: str | None = None) -> Any:
    import cathedral_rl.game.cathedral as game

    class Ended(game.raw_env):  # type: ignore[misc]  # no types there
        """Ends the match for both sides, and pays each reward once."""

        def step(self, action: Any) -> None:
            agent = self.agent_selection
            is_live = not self.terminations[agent]
            if is_live:
                self._cumulative_rewards[agent] = 0
            super().step(action)
            if is_live and any(self.terminations.values()) and not all(self.terminations.values()):
                self._calculate_winner()

        def render(self) -> Any:
            super().render()
            return drawn_screen()

    select_by_class(game)
    inner = Ended(render_mode="human" if render_mode else None)  # "rgb_array" draws nothing there
    return game.wrappers.OrderEnforcingWrapper(game.wrappers.AssertOutOfBoundsWrapper(inner))
