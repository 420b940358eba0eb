"""PettingZoo's Classic family: https://pettingzoo.farama.org/environments/classic/

Every one of them waits for whoever is to act, rock paper scissors included, which asks both players at once.
"""

from __future__ import annotations

from typing import Any

from arcade.games.spec import GameSpec, Outcome

_PLAYERS = ("player_0", "player_1")
_HOLDEM = ("call", "raise", "fold", "check")
_HANABI = (
    *(f"discard card {i}" for i in range(1, 6)),
    *(f"play card {i}" for i in range(1, 6)),
    *(f"tell {colour}" for colour in ("red", "yellow", "green", "white", "blue")),
    *(f"tell rank {i}" for i in range(1, 6)),
)
_CELLS = tuple(f"{row} {column}" for column in ("left", "middle", "right") for row in ("top", "centre", "bottom"))
_GO_COLUMNS = "ABCDEFGHJKLMNOPQRST"  # without I, as Go players have it
_GO = (*(f"{_GO_COLUMNS[i % 19]}{19 - i // 19}" for i in range(19 * 19)), "pass")


def classic_games() -> tuple[GameSpec, ...]:
    """The nine Classic games."""
    return (
        _game("chess_v6", "Chess", "Checkmate the other king.", fps=2, requires=("chess",)),
        _game(
            "connect_four_v3",
            "Connect Four",
            "Drop your discs so that four of them stand in a row.",
            fps=2,
            batch="arcade.games.connect_four_batch:ConnectFourBatch",
            action_names=tuple(f"column {i}" for i in range(1, 8)),
        ),
        _game(
            "go_v5",
            "Go",
            "Surround more of the board than your opponent, 19 by 19.",
            fps=2,
            agents=("black_0", "white_0"),
            action_names=_GO,
        ),
        _game(
            "hanabi_v5",
            "Hanabi",
            "Build the fireworks together: you see all hands but your own.",
            fps=2,
            outcome="cooperative",
            requires=("shimmy", "pyspiel"),
            action_names=_HANABI,
        ),
        _game(
            "leduc_holdem_v4",
            "Leduc Hold'em",
            "Poker with six cards: bet, bluff or fold.",
            fps=1,
            requires=("rlcard",),
            action_names=_HOLDEM,
        ),
        _game(
            "rps_v2",
            "Rock Paper Scissors",
            "Outguess your opponent, fifteen times over.",
            fps=2,
            entry="parallel_env",
            action_names=("rock", "paper", "scissors"),
        ),
        _game(
            "texas_holdem_no_limit_v6",
            "Texas Hold'em No Limit",
            "Poker with two cards of your own and five in common; raise as far as you dare.",
            fps=1,
            requires=("rlcard",),
            action_names=("fold", "check or call", "raise half the pot", "raise the pot", "all in"),
        ),
        _game(
            "texas_holdem_v4",
            "Texas Hold'em",
            "Poker with two cards of your own and five in common, bets limited.",
            fps=1,
            requires=("rlcard",),
            action_names=_HOLDEM,
        ),
        _game(
            "tictactoe_v3",
            "Tic-Tac-Toe",
            "Three in a row before your opponent has them.",
            fps=1,
            agents=("player_1", "player_2"),
            action_names=_CELLS,
        ),
    )


def _game(
    name: str,
    title: str,
    summary: str,
    *,
    fps: float,
    agents: tuple[str, ...] = _PLAYERS,
    outcome: Outcome = "versus",
    entry: str = "env",
    requires: tuple[str, ...] = (),
    action_names: tuple[str, ...] = (),
    batch: str = "",
) -> GameSpec:
    teams: Any = (agents,) if outcome == "cooperative" else tuple((agent,) for agent in agents)
    return GameSpec(
        id=f"classic/{name}",
        title=title,
        entry=f"pettingzoo.classic.{name}:{entry}",
        agents=agents,
        teams=teams,
        turn_based=True,
        fps=fps,
        outcome=outcome,
        summary=summary,
        requires=("pettingzoo", "pygame", *requires),
        pip='"pettingzoo[classic]"',
        action_names=action_names,
        batch=batch,
    )
