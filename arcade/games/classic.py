"""PettingZoo's Classic family: https://pettingzoo.farama.org/environments/classic/

Every one of them waits for whoever is to act, rock paper scissors included, which asks both players at once.
"""

from __future__ import annotations

from typing import Any

from arcade.games.control_kinds import cursor
from arcade.games.controls import SeatControls
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

_CARDS = cursor("Do it", "Click on what you want to do", point="Choose what to do")
_CHESS = cursor("Take a piece, put it down", "Click on a piece, then on its new square", back="Put the piece back")
_COLUMNS = cursor("Drop a disc", "Click on a column", point="Choose a column", ways=("left", "right"))
_GO_BOARD = cursor("Put a stone, or pass", "Click on the board, or on pass", back="Go to pass, and back")
_SQUARES = cursor("Put your mark", "Click on a square")


def classic_games() -> tuple[GameSpec, ...]:
    """The nine Classic games."""
    return (
        _game(
            "chess_v6",
            "Chess",
            "Checkmate the other king.",
            controls=_CHESS,
            fps=2,
            requires=("chess",),
            table="arcade.games.tables.chess:view",
            notes=("white, begins", "black"),
        ),
        _game(
            "connect_four_v3",
            "Connect Four",
            "Drop your discs so that four of them stand in a row.",
            controls=_COLUMNS,
            fps=2,
            table="arcade.games.tables.connect_four:view",
            batch="arcade.games.connect_four_batch:ConnectFourBatch",
            action_names=tuple(f"column {i}" for i in range(1, 8)),
        ),
        _game(
            "go_v5",
            "Go",
            "Surround more of the board than your opponent, 19 by 19.",
            controls=_GO_BOARD,
            fps=2,
            agents=("black_0", "white_0"),
            table="arcade.games.tables.go:view",
            action_names=_GO,
        ),
        _game(
            "hanabi_v5",
            "Hanabi",
            "Build the fireworks together: you see all hands but your own.",
            controls=_CARDS,
            fps=2,
            outcome="cooperative",
            requires=("shimmy", "pyspiel"),
            action_names=_HANABI,
            table="arcade.games.tables.hanabi:view",
            secret=True,
        ),
        _game(
            "leduc_holdem_v4",
            "Leduc Hold'em",
            "Poker with six cards: bet, bluff or fold.",
            controls=_CARDS,
            fps=1,
            requires=("rlcard",),
            action_names=_HOLDEM,
            table="arcade.games.tables.leduc:view",
            secret=True,
        ),
        _game(
            "rps_v2",
            "Rock Paper Scissors",
            "Outguess your opponent, fifteen times over.",
            controls=_CARDS,
            fps=2,
            entry="parallel_env",
            action_names=("rock", "paper", "scissors"),
            table="arcade.games.tables.rps:view",
            secret=True,
        ),
        _game(
            "texas_holdem_no_limit_v6",
            "Texas Hold'em No Limit",
            "Poker with two cards of your own and five in common; raise as far as you dare.",
            controls=_CARDS,
            fps=1,
            requires=("rlcard",),
            action_names=("fold", "check or call", "raise half the pot", "raise the pot", "all in"),
            table="arcade.games.tables.holdem:view",
            secret=True,
        ),
        _game(
            "texas_holdem_v4",
            "Texas Hold'em",
            "Poker with two cards of your own and five in common, bets limited.",
            controls=_CARDS,
            fps=1,
            requires=("rlcard",),
            action_names=_HOLDEM,
            table="arcade.games.tables.holdem:view",
            secret=True,
        ),
        _game(
            "tictactoe_v3",
            "Tic-Tac-Toe",
            "Three in a row before your opponent has them.",
            controls=_SQUARES,
            fps=1,
            agents=("player_1", "player_2"),
            table="arcade.games.tables.tictactoe:view",
            notes=("crosses, begin", "rings"),
            action_names=_CELLS,
        ),
    )


def _game(
    name: str,
    title: str,
    summary: str,
    *,
    controls: SeatControls,
    fps: float,
    agents: tuple[str, ...] = _PLAYERS,
    outcome: Outcome = "versus",
    entry: str = "env",
    requires: tuple[str, ...] = (),
    action_names: tuple[str, ...] = (),
    batch: str = "",
    table: str = "",
    secret: bool = False,
    notes: tuple[str, ...] = (),
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
        seat_notes=dict(zip(agents, notes, strict=False)),
        controls={"*": controls},
        table=table,
        secret=secret,
    )
