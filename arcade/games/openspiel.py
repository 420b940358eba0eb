"""Games of OpenSpiel by name, ``openspiel/breakthrough``: https://openspiel.readthedocs.io

Any of its games that shows its state as numbers can be played; they are not listed in the catalogue.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from arcade.games.libraries import Library
from arcade.games.spec import IMAGINED, GameError, GameSpec

LIBRARY = Library(games="a game of OpenSpiel", family="openspiel/", module="pyspiel", pip="open_spiel")
SEARCHED = 2  # players of the games that the search plays
NAMING_GAMES = 20
"""Games at random from which the names of moves are collected."""

MOST_TURNS = 300  # of each of them

GUESSED = frozenset({"kuhn_poker", "leduc_poker", "universal_poker"})
"""Games in which OpenSpiel draws the hidden cards from what a player knows and nothing else, as a test shows.  In its
other card games the draw, with the same seed, depends on the true cards."""


@cache
def openspiel_game(id: str) -> GameSpec:
    """Return the spec of ``openspiel/NAME``; raises GameError for an unknown game, or one that cannot be played."""
    name, pyspiel = id.removeprefix(LIBRARY.family), LIBRARY.load()
    game = load(name)
    kind = game.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise GameError(f"expected a game of single players, got: {id}, a mean-field game")
    if not (kind.provides_observation_tensor or kind.provides_information_state_tensor):
        raise GameError(f"expected a game that shows its state as numbers, got: {id}")
    agents = tuple(f"player_{number}" for number in range(game.num_players()))
    together = kind.utility == pyspiel.GameType.Utility.IDENTICAL or len(agents) == 1
    sums = (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM)
    is_open = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    is_searched = is_open and len(agents) == SEARCHED and kind.utility in sums and not is_simultaneous(name)
    has_chance = kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
    player, seen, read = ("Player", "state", "states") if is_searched else ("Guesser", IMAGINED, "imagined")
    has_player = is_searched or kind.short_name in GUESSED
    try:
        names = action_names(game)
    except pyspiel.SpielError as error:
        raise GameError(f"expected a game that is played move by move, got: {id}: {error}") from error
    return GameSpec(
        id=id,
        title=kind.long_name,
        entry="arcade.games.openspiel_env:env",
        kwargs={"name": name},
        agents=agents,
        teams=(agents,) if together else tuple((agent,) for agent in agents),
        turn_based=True,
        fps=4,
        outcome="cooperative" if together else "versus" if kind.utility in sums else "mixed",
        summary=f"{kind.long_name}, of OpenSpiel.",
        requires=(LIBRARY.module,),
        pip=LIBRARY.pip,
        render_mode="ansi",
        secret=not is_open,
        long_seeds=not is_open,
        table="" if is_open else "arcade.games.openspiel_env:words",
        seat_action_names=dict(zip(agents, names, strict=True)),
        scripted=f"arcade.games.players.openspiel:{player}" if has_player else "",
        has_levels=has_player,
        obs_types={seen: f"arcade.games.openspiel_env:{read}"} if has_player else {},
        scripted_obs_type=seen if has_player else "",
        openspiel=name if is_searched and not has_chance else "",
    )


def load(name: str) -> Any:
    """Return pyspiel's game, with simultaneous moves one after the other; raises GameError with near matches."""
    pyspiel = LIBRARY.load()
    LIBRARY.check_name(name.partition("(")[0], pyspiel.registered_names())
    try:
        return pyspiel.load_game_as_turn_based(name)
    except Exception as error:
        raise GameError(
            f"expected a game that OpenSpiel can load, got: {LIBRARY.family}{name[:80]}: {error}"
        ) from error


def is_simultaneous(name: str) -> bool:
    """Return whether the players of a game move at once."""
    pyspiel = LIBRARY.load()
    return bool(pyspiel.load_game(name).get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS)


def action_names(game: Any) -> list[tuple[str, ...]]:
    """Return each player's names of actions by index, as they came up in games at random, "Move 7" for the others."""
    count, rng = game.num_distinct_actions(), random.Random(0)
    names = [[f"Move {number}" for number in range(count)] for _ in range(game.num_players())]
    for _ in range(NAMING_GAMES):
        state = game.new_initial_state()
        for _ in range(MOST_TURNS):
            if state.is_terminal():
                break
            player, legal = state.current_player(), state.legal_actions()
            if not state.is_chance_node():
                for action in legal:
                    names[player][action] = state.action_to_string(player, action)
            state.apply_action(rng.choice(legal))
    return [tuple(own) for own in names]
