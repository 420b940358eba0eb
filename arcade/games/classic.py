"""PettingZoo's Classic family: https://pettingzoo.farama.org/environments/classic/

All of them are turn-based, including rock paper scissors, in which both players choose at once.
"""

from __future__ import annotations

from typing import Any

from agents.engines.komi import komi_of
from arcade.games.controls import SeatControls, cursor
from arcade.games.scores import NO_SCORE, Entry, Score, Wins
from arcade.games.spec import KNOWN, GameSpec, pettingzoo_game
from arcade.language import N_

HANDS = 20  # of a poker session at most
_PLAYERS = ("player_0", "player_1")
_CARDS = cursor("Play the action", "Click on an action", point="Choose an action")
_HOLDEM = ("call", "raise", "fold", "check")
_HANABI = (
    *(f"discard card {i}" for i in range(1, 6)),
    *(f"play card {i}" for i in range(1, 6)),
    *(f"tell {colour}" for colour in ("red", "yellow", "green", "white", "blue")),
    *(f"tell rank {i}" for i in range(1, 6)),
)
_CELLS = tuple(f"{row} {column}" for column in ("left", "middle", "right") for row in ("top", "centre", "bottom"))
_KNOWN_CARDS = {KNOWN: "arcade.games.limit_poker:known"}
_GO_COLUMNS = "ABCDEFGHJKLMNOPQRST"  # without I, as Go players have it


def classic_games() -> tuple[GameSpec, ...]:
    """Return the nine Classic games, and small Go."""
    return (
        _game("chess_v6", N_("Chess"), "Checkmate the other king.",
              cursor("Take a piece, put it down", "Click on a piece, then on its new square",
                     back="Put the piece back"),
              table="boards:view_chess", **_searching("chess_search"), requires=("chess",),
              titles=("White", "Black"), notes=("begins",), turns_per_move=2,
              set_start="arcade.games.positions:set_chess"),
        _game("connect_four_v3", N_("Connect Four"), "Drop your discs so that four of them stand in a row.",
              cursor("Drop a disc", "Click on a column", point="Choose a column", ways=("left", "right")),
              table="boards:view_connect_four", titles=("First", "Second"), **_searching("connect_four"),
              openspiel="connect_four",
              batch="arcade.games.connect_four_batch:ConnectFourBatch",
              action_names=tuple(f"column {i}" for i in range(1, 8))),
        _game("go_v5", "Go", "Surround more of the board than your opponent, 19 by 19.", **_go(19),
              **_searching("go")),
        _game("go_9x9_v5", N_("Go 9×9"), "Surround more of the small board than your opponent, 9 by 9.", **_go(9),
              entry="arcade.games.house.small_go:env", kwargs={"board_size": 9, "komi": komi_of(9)},
              **_searching("small_go")),
        _game("hanabi_v5", "Hanabi", "Build the fireworks together: you see all hands but your own.", _CARDS,
              table="hanabi:view", **_remembering("hanabi:Player"), teams=(_PLAYERS,), requires=("shimmy", "pyspiel"),
              entry="arcade.games.house.long_seeds:hanabi",
              action_names=_HANABI, secret=True, long_seeds=True, counts="turn",
              score=Score(source=Entry("arcade.games.scores.readings:fireworks"), drawn=True)),
        _game("leduc_holdem_v4", "Leduc Hold'em", "Poker with six cards: bet, bluff or fold.", _CARDS,
              table="poker:view_leduc", **_poker("leduc_holdem"), **_remembering("leduc:Player"),
              obs_types=_KNOWN_CARDS,
              action_names=_HOLDEM),
        _game("rps_v2", N_("Rock Paper Scissors"), "Outguess your opponent, fifteen times over.", _CARDS,
              table="rps:view", entry="pettingzoo.classic.rps_v2:parallel_env",
              action_names=("rock", "paper", "scissors"), secret=True, long_seeds=True, counts="round",
              **_remembering("rps:Player"),
              score=Score(source=Wins(), one="{} round", many="{} rounds")),
        _game("texas_holdem_no_limit_v6", "Texas Hold'em No Limit",
              "Poker with two cards of your own and five in common; raise as far as you dare.", _CARDS,
              table="poker:view_holdem", **_poker("texas_holdem_no_limit"), **_remembering("holdem:NoLimitPlayer"),
              action_names=("fold", "check or call", "raise half the pot", "raise the pot", "all in")),
        _game("texas_holdem_v4", "Texas Hold'em",
              "Poker with two cards of your own and five in common, bets limited.", _CARDS,
              table="poker:view_holdem", **_poker("texas_holdem"), **_remembering("holdem:LimitPlayer"),
              obs_types=_KNOWN_CARDS,
              action_names=_HOLDEM),
        _game("tictactoe_v3", "Tic-Tac-Toe", "Three in a row before your opponent has them.",
              cursor("Put your mark", "Click on a square"), table="boards:view_tictactoe", **_searching("tictactoe"),
              openspiel="tic_tac_toe",
              fps=1, agents=("player_1", "player_2"), titles=("Crosses", "Noughts"), notes=("begin",),
              action_names=_CELLS),
    )  # fmt: skip


def _go(size: int) -> dict[str, Any]:
    """The fields of Go, by lines of the board."""
    points = (f"{_GO_COLUMNS[place % size]}{size - place // size}" for place in range(size * size))
    return {
        "controls": cursor("Put a stone, or pass", "Click on the board, or on pass", back="Go to pass, and back"),
        "table": "boards:view_go",
        "agents": ("black_0", "white_0"),
        "titles": ("Black", "White"),
        "action_names": (*points, "pass"),
    }


def _searching(module: str) -> dict[str, Any]:
    """The fields of a game whose scripted player searches."""
    return {"scripted": f"arcade.games.players.{module}:play", "has_levels": True}


def _remembering(player: str) -> dict[str, Any]:
    """The fields of a game whose scripted player remembers the match; `player`: its module and class."""
    return {"scripted": f"arcade.games.players.{player}", "has_levels": True}


def _poker(function: str) -> dict[str, Any]:
    """The fields of a game whose episode is one hand, and whose match is a session of hands."""
    return {
        "entry": f"arcade.games.house.poker_session:{function}",
        "match_kwargs": {"hands": HANDS},
        "score": Score(source=Entry("arcade.games.scores.readings:stacks"), one="{} chip", many="{} chips", drawn=True),
        "fps": 1,
        "requires": ("rlcard",),
        "secret": True,
        "long_seeds": True,
        "counts": "action",
    }


def _game(
    name: str, title: str, summary: str, controls: SeatControls, *, table: str, entry: str = "",
    agents: tuple[str, ...] = _PLAYERS, requires: tuple[str, ...] = (), **more: Any,
) -> GameSpec:  # fmt: skip
    defaults: dict[str, Any] = {"fps": 2, "score": NO_SCORE}
    return pettingzoo_game(
        f"classic/{name}", title, summary, agents,
        entry=entry or f"pettingzoo.classic.{name}:env",
        turn_based=True,
        requires=("pettingzoo", "pygame", *requires),
        controls={"*": controls},
        table=f"arcade.games.tables.{table}",
        **(defaults | more),
    )  # fmt: skip
