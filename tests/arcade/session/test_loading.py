"""What a player reads while a match is loaded."""

from __future__ import annotations

import pytest

from agents.seats.controller import SeatChoice
from arcade.session.match.loading import catching_up_text, players_text

NAMES = {
    "uci": "Stockfish", "level": "Chess AI, hard", "remote": "Remote player", "keyboard": "Keyboard",
    "random": "Random bot",
}  # fmt: skip


@pytest.mark.parametrize(
    ("white", "black", "words"),
    [
        (SeatChoice("keyboard"), SeatChoice("uci", "stockfish"), "Starting Stockfish …"),
        (SeatChoice("keyboard"), SeatChoice("level", "hard"), "Loading Chess AI, hard …"),
        (SeatChoice("keyboard"), SeatChoice("random"), "Taking the seats …"),
        (SeatChoice("keyboard"), SeatChoice("level", "even"), "Looking for an opponent of your strength …"),
        (SeatChoice("level", "hard"), SeatChoice("remote", "tcp://127.0.0.1:5"), "Connecting to Remote player …"),
    ],
)
def test_the_slowest_player_is_named_while_a_game_loads(white, black, words) -> None:
    assert players_text({"white": white, "black": black}, lambda choice: NAMES[choice.kind]) == words


def test_catching_up_with_a_recording_tells_its_share() -> None:
    assert catching_up_text(0.126) == "Catching up with the recording …  13%"
