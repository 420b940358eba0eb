"""Neural MMO, a small world of it: https://github.com/NeuralMMO/environment"""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.adapters import AdaptedParallel, imported_as

AGENTS = tuple(str(number) for number in range(1, 5))
COLOURS = ((0, 114, 178), (213, 94, 0), (204, 121, 167), (240, 228, 66))
SIGHT = 7  # tiles to each side
ATTACK = 5  # the action after four directions and staying
TILES = {1: (74, 134, 199), 2: (126, 178, 96), 3: (196, 178, 128), 4: (52, 120, 62), 5: (128, 128, 128)}
"""Colour of a material: water, grass, eaten foliage, foliage, stone."""


def neural_mmo_games() -> tuple[GameSpec, ...]:
    return (
        GameSpec(
            id="third-party/neural_mmo",
            title="Neural MMO",
            entry="arcade.games.third_party.listed.neural_mmo:parallel_env",
            agents=AGENTS,
            teams=tuple((agent,) for agent in AGENTS),
            turn_based=False,
            fps=5,
            summary="Live longest: eat foliage, drink beside water, and fight the others.",
            requires=("nmmo", "ordered_set", "dill", "imageio", "tqdm"),
            # its build asks for NumPy 1.23.3, which Python 3.12 and 3.13 cannot have, and does without
            pip="setuptools wheel cython && "
            "pip install --no-deps --no-build-isolation nmmo ordered-set dill imageio tqdm",
            action_names=("up", "down", "right", "left", "stay", "attack"),
            seat_colours=dict(zip(AGENTS, COLOURS, strict=True)),
        ),
    )


def parallel_env(render_mode: str | None = None) -> Any:
    from tempfile import TemporaryDirectory

    import gymnasium
    import numpy as np

    nmmo, parts = _imported()
    maps = TemporaryDirectory(prefix="neural-mmo-")
    wanted = {
        "PLAYER_N": len(AGENTS), "PLAYER_VISION_RADIUS": SIGHT, "HORIZON": 300, "USE_CYTHON": False,
        "PATH_MAPS": maps.name, "RESOURCE_DEPLETION_RATE": 2,  # of 100 a tick: people need time to find food
    }  # fmt: skip
    config = type("Config", (parts.Small, parts.Terrain, parts.Resource, parts.Combat), wanted)()
    columns = nmmo.entity.entity.EntityState.State.attr_name_to_col
    edge, width = config.MAP_BORDER, 2 * SIGHT + 1
    seen: Any = gymnasium.spaces.Box(0, 1, (5, width, width), np.float32)
    moves: Any = gymnasium.spaces.Discrete(ATTACK + 1)

    class World(AdaptedParallel):
        """Each agent moves, or attacks the first that it can reach."""

        newest: dict[str, Any]

        def observation_space(self, agent: str) -> Any:
            return seen

        def action_space(self, agent: str) -> Any:
            return moves

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            self.newest, infos = super().reset(seed, options)
            return self._planes(), infos

        def step(self, actions: dict[str, Any]) -> Any:
            sent: dict[Any, Any] = {int(agent): self._order(agent, int(action)) for agent, action in actions.items()}
            self.newest, rewards, *flags = super().step(sent)
            acting = {agent: float(rewards[agent]) for agent in self.newest}
            return self._planes(), acting, *flags

        def _order(self, agent: str, action: int) -> dict[str, Any]:
            if action < ATTACK:
                return {"Move": {"Direction": action}}
            reached = np.flatnonzero(self.newest[agent]["ActionTargets"]["Attack"]["Target"][:-1])
            return {"Attack": {"Style": 0, "Target": int(reached[0])}} if len(reached) else {}

        def _planes(self) -> dict[str, Any]:
            return {agent: _planes(own, int(agent), columns, width) for agent, own in self.newest.items()}

        def render(self) -> Any:
            world = self.inner.realm
            tiles = self.inner.tile_map[edge : 1 - edge, edge : 1 - edge, 2]
            picture = np.zeros((*tiles.shape, 3), np.uint8)
            for material, colour in TILES.items():
                picture[tiles == material] = colour
            picture = np.kron(picture, np.ones((16, 16, 1), np.uint8))
            for number, one in world.players.items():
                top, left = (one.row.val - edge) * 16, (one.col.val - edge) * 16
                picture[top + 2 : top + 14, left + 2 : left + 14] = COLOURS[number - 1]
            return picture

        def close(self) -> None:
            maps.cleanup()

    return World(nmmo.Env(config, seed=0), name="neural_mmo", render_mode=render_mode, fps=5)


def _imported() -> tuple[Any, Any]:
    """Import the package and its settings, but not two modules in C: one wants NumPy 1, the other builds no more."""
    compiled, noise = ModuleType("cython_helper"), ModuleType("vec_noise")
    compiled.parse_array = lambda row, names: SimpleNamespace(  # type: ignore[attr-defined]
        **{name: row[column] for name, column in names.items()}
    )
    noise.snoise2 = _noise  # type: ignore[attr-defined]
    with imported_as(**{"nmmo.lib.cython_helper": compiled, "vec_noise": noise}):
        import nmmo
        from nmmo.core import config
    return nmmo, config


def _noise(x: Any, y: Any) -> Any:
    """Smooth noise between -1 and 1 at the places (x, y): random values at whole numbers, blended between them."""
    import numpy as np

    values = np.random.default_rng(0).uniform(-1, 1, (256, 256))
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    across, down = ((t := one - np.floor(one)) * t * (3 - 2 * t) for one in (x, y))

    def at(column: int, row: int) -> Any:
        return values[(left + column) % 256, (top + row) % 256]

    upper, lower = (at(0, row) * (1 - across) + at(1, row) * across for row in (0, 1))
    return upper * (1 - down) + lower * down


def _planes(seen: dict[str, Any], agent: int, columns: dict[str, int], width: int) -> Any:
    """Materials, the health of others, and the agent's own health, food and water; float32 (5, width, width)."""
    import numpy as np

    tiles, planes = seen["Tile"], np.zeros((5, width, width), np.float32)
    planes[0] = tiles[:, 2].reshape(width, width) / 15
    for one in seen["Entity"]:
        if one[columns["id"]] == agent:
            planes[2:] = one[[columns[name] for name in ("health", "food", "water")], None, None] / 100
        elif one[columns["id"]]:
            row, column = one[columns["row"]] - tiles[0, 0], one[columns["col"]] - tiles[0, 1]
            planes[1, row, column] = one[columns["health"]] / 100
    return planes
