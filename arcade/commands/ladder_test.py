"""``arcade ladder test``: which of two players is stronger, by a sequential test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.errors import UserError
from agents.snapshots.store import open_store

VERDICTS = {
    "H1": "{first} is stronger than {second} (by {elo1:+g} Elo rather than {elo0:+g})",
    "H0": "{first} is not {elo1:+g} Elo against {second} (rather {elo0:+g})",
    "": "not decided after {games} games; allow more with --max-games",
}


def entrants_of(words: tuple[str, str], game: str) -> tuple[str, list[str]]:
    """Return the game and the seat words of two players; the bare name of a snapshot is enough, and tells the game.

    Raises UserError where neither player tells the game.
    """
    games = {card.name: card.game for card in open_store().list()}
    found = game or next((own for word in words if (own := games.get(word.removeprefix("snapshot:")))), "")
    if not found:
        raise UserError(f"expected --game with {words[0]} and {words[1]}, got none; list them with: arcade games")
    return found, [f"snapshot:{word}" if word in games else word for word in words]


def test_lines(test: Mapping[str, Any]) -> list[str]:
    """Return the findings of a test as text."""
    first, second = test["players"]
    verdict = VERDICTS[test["verdict"]].format(**{**test, "first": first, "second": second})
    low, high = test["bounds"]
    lines = [verdict, f"log likelihood ratio {test['llr']:.2f} of {low:.2f} to {high:.2f}"]
    if found := test["difference"]:
        spread = f"{found['low']:+.0f} to {found['high']:+.0f}"
        lines.append(f"{first} against {second}: {found['elo']:+.0f} Elo ({spread}) after {test['games']} games")
    return [*lines, "pairs with 0, ½, 1, 1½ and 2 points: " + ", ".join(map(str, test["pairs"]))]
