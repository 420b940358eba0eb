"""``arcade ladder test``: which of two players is stronger, by a sequential test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents.errors import UserError
from agents.snapshots.card import RESERVED
from agents.snapshots.store import open_store

VERDICTS = {
    "H1": "{first} is stronger than {second} (by {elo1:+g} Elo rather than {elo0:+g})",
    "H0": "{first} is not {elo1:+g} Elo against {second} (rather {elo0:+g})",
    "": "not decided after {games} games; allow more with --max-games",
}


def entrants_of(words: tuple[str, str], game: str) -> tuple[str, list[str]]:
    """Return the game and the seat words of two players; the bare name of a snapshot is enough, and tells the game.

    ``best`` and ``latest`` are the snapshots of the game that they mean now.  Raises UserError where neither player
    tells the game.
    """
    store = open_store()
    games = {card.name: card.game for card in store.list()}
    found = game or next((own for word in words if (own := games.get(word.removeprefix("snapshot:")))), "")
    if not found:
        raise UserError(f"expected --game with {words[0]} and {words[1]}, got none; list them with: arcade games")
    names = [store.get(word, game=found).card.name if word in RESERVED else word for word in words]
    return found, [f"snapshot:{name}" if name in games else name for name in names]


def promote_winner(entrants: Sequence[str], result: Mapping[str, Any]) -> str:
    """Let ``best`` mean the first entrant where the test found it stronger; its name, "" where it did not."""
    name = entrants[0].removeprefix("snapshot:")
    if result["test"]["verdict"] != "H1":
        return ""
    open_store().promote(name)
    return name


def check_promotion(entrants: Sequence[str]) -> None:
    """Raise UserError unless the first entrant is a snapshot, other than the second."""
    first, second = entrants
    if not first.startswith("snapshot:"):
        raise UserError(f"expected a snapshot to promote, got: {first}")
    if first == second:
        raise UserError(f"expected another snapshot than the best, got: {first.removeprefix('snapshot:')}")


def test_lines(test: Mapping[str, Any]) -> list[str]:
    """Return the findings of a test as text."""
    first, second = test["players"]
    verdict = VERDICTS[test["verdict"]].format(**{**test, "first": first, "second": second})
    low, high = test["bounds"]
    lines = [verdict, f"log likelihood ratio {test['llr']:.2f} of {low:.2f} to {high:.2f}"]
    if found := test["difference"]:
        spread = f"{found['low']:+.0f} to {found['high']:+.0f}"
        lines.append(f"{first} against {second}: {found['elo']:+.0f} Elo ({spread}) after {test['games']} games")
    lines += [f"{test['promoted']} is the best snapshot of the game now"] if test.get("promoted") else []
    return [*lines, "pairs with 0, ½, 1, 1½ and 2 points: " + ", ".join(map(str, test["pairs"]))]
