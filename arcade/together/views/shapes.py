"""Shapes of the tables that views hold, by `GameSpec.table`: what arrives is checked before it is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec

from arcade.games.spec import GameSpec
from arcade.together.messages import MAX_WORDS

Word = Annotated[str, msgspec.Meta(max_length=40)]
Small = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Chips = Annotated[int, msgspec.Meta(ge=-(10**9), le=10**9)]
Card = Annotated[str, msgspec.Meta(pattern="^[SHDC][2-9TJQKA]$")]
Tile = Annotated[str, msgspec.Meta(pattern="^[RYGWB][0-5]$")]
Letters = Annotated[str, msgspec.Meta(pattern="^[RYGWB1-5]{0,5}$")]
Colour = Literal["", "R", "Y", "G", "W", "B"]
Rank = Literal["", "1", "2", "3", "4", "5"]


class Best(TypedDict):
    category: Literal[
        "high card", "pair", "two pairs", "three of a kind", "straight", "flush", "full house", "four of a kind",
        "straight flush",
    ]  # fmt: skip
    cards: Annotated[list[Card], msgspec.Meta(max_length=8)]


class PokerSeat(TypedDict):
    agent: Word
    hand: Annotated[list[Card], msgspec.Meta(max_length=2)]
    held: Annotated[int, msgspec.Meta(ge=0, le=2)]
    best: Best | None
    bet: Chips
    stack: Chips | None
    folded: bool
    said: Word
    won: Chips | None


class PokerHand(TypedDict):
    seats: Annotated[list[PokerSeat], msgspec.Meta(max_length=10)]
    board: Annotated[list[Card], msgspec.Meta(max_length=5)]
    board_size: Annotated[int, msgspec.Meta(ge=0, le=5)]
    pot: Chips
    blinds: tuple[Chips, Chips]
    begun: bool
    turn: Word | None
    over: bool
    showdown: bool
    street: NotRequired[Literal["pre-flop", "flop", "turn", "river", "first round", "second round", "showdown"]]
    number: NotRequired[Small]


Bet = Literal["fold", "call", "check", "raise", "raise half the pot", "raise the pot", "all in"]


class Poker(PokerHand):
    choices: Annotated[list[tuple[Bet, Chips]], msgspec.Meta(max_length=5)]
    hands: Small
    finished: PokerHand | None


class HanabiCard(TypedDict):
    card: Annotated[str, msgspec.Meta(pattern="^([RYGWB][1-5])?$")]
    colour: Colour
    rank: Rank
    colours: Letters
    ranks: Letters


class HanabiAction(TypedDict):
    kind: Literal["play", "discard", "colour", "rank"]
    value: Annotated[int, msgspec.Meta(ge=1, le=5)] | Literal["R", "Y", "G", "W", "B"]
    to: Word | None
    wrong: NotRequired[Tile]


class HanabiSeat(TypedDict):
    agent: Word
    hand: Annotated[list[HanabiCard], msgspec.Meta(max_length=5)]
    did: HanabiAction | None


class Hanabi(TypedDict):
    seats: Annotated[list[HanabiSeat], msgspec.Meta(max_length=5)]
    fireworks: Annotated[list[Tile], msgspec.Meta(max_length=5)]
    discards: Annotated[list[Tile], msgspec.Meta(max_length=60)]
    lives: Small
    max_lives: Small
    tokens: Small
    max_tokens: Small
    deck: Small
    turn: Word | None
    over: bool
    ending: Literal["", "mistakes", "perfect", "deck"]
    actions: Annotated[list[HanabiAction], msgspec.Meta(max_length=64)]
    score: Small


Move = Literal["rock", "paper", "scissors", "spock", "lizard"]


class Rounds(TypedDict):
    agents: Annotated[list[Word], msgspec.Meta(min_length=2, max_length=2)]
    moves: Annotated[list[Move], msgspec.Meta(max_length=5)]
    rounds: Annotated[list[tuple[Move, Move]], msgspec.Meta(max_length=16)]
    winners: Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=1)] | None], msgspec.Meta(max_length=16)]
    played: Small
    length: Small
    over: bool


class Words(TypedDict):
    text: Annotated[str, msgspec.Meta(max_length=MAX_WORDS)]


SHAPES: Mapping[str, Any] = {
    "arcade.games.openspiel_env:words": Words,
    "arcade.games.tables.hanabi:view": Hanabi,
    "arcade.games.tables.poker:view_holdem": Poker,
    "arcade.games.tables.poker:view_leduc": Poker,
    "arcade.games.tables.rps:view": Rounds,
}
"""Of the tables that travel; a third-party game's table does not."""

_NAMES_SEATS = ("agent", "turn", "to")
_LISTS_ACTIONS = ("choices", "actions", "moves")


def checked_table(value: Any, spec: GameSpec) -> Any:
    """A table of the game as its screen takes it; raises ValueError for any other value."""
    try:
        found = msgspec.convert(value, SHAPES[spec.table])
    except (msgspec.ValidationError, TypeError, RecursionError) as error:
        raise ValueError(f"expected a table of {spec.id}, got: {error}") from error
    words = [str(agent) for agent in spec.agents]
    _check_seats(found, words)
    for table in (found, found.get("finished")):
        named = [seat["agent"] for seat in table["seats"]] if table and "seats" in table else words
        if named != words:
            raise ValueError(f"expected the seats {', '.join(words)} at the table, got: {', '.join(named)}")
    listed = next((len(found[name]) for name in _LISTS_ACTIONS if name in found), len(spec.action_names))
    if listed != len(spec.action_names):
        raise ValueError(f"expected {len(spec.action_names)} actions at the table, got {listed}")
    return found


def _check_seats(value: Any, words: list[str]) -> None:
    if isinstance(value, str) and not value.replace("\n", "").isprintable():
        raise ValueError(f"expected words at the table, got: {value!r:.40}")
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict):
        unknown = [value[name] for name in _NAMES_SEATS if value.get(name) is not None and value[name] not in words]
        if unknown:
            raise ValueError(f"expected a seat among {', '.join(words)}, got: {unknown[0]}")
    for part in parts:
        _check_seats(part, words)
