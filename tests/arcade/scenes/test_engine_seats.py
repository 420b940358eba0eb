"""A chess program that is on this machine is offered as an opponent, plays, and is named when it fails."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agents.seats.controller import SeatChoice
from agents.seats.kinds import parse_seat
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.setup.seats import SeatsScene
from arcade.session.seating import Seating, describe
from tests.support.engine_programs import BEGUN, PROGRAM

STARTER = """#!{python} -SE
import runpy, sys
sys.argv[1:] = [{script!r}]
runpy.run_path({program!r}, run_name="__main__")
"""


@pytest.fixture
def stockfish(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A program of that name, first on the PATH; the script it keeps to, still to be written."""
    folder, script = tmp_path / "bin", tmp_path / "script.txt"
    folder.mkdir()
    program = folder / "stockfish"
    program.write_text(STARTER.format(python=sys.executable, script=str(script), program=str(PROGRAM)))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return script


def test_a_program_that_is_here_is_chosen_plays_and_is_named_where_it_fails(sit, keyboard, stockfish: Path) -> None:
    begun = BEGUN.replace("value 1", "value 1\n> setoption name Skill Level value 3")
    stockfish.write_text(begun + "> position startpos\n> go movetime 100\n< bestmove e2e4\nexit\n")
    sitting = sit()
    spec = find_game("classic/chess_v6")
    sitting.services.setup.lineups[spec.id] = {agent: SeatChoice("random") for agent in spec.agents}
    sitting.engine.push(seats := SeatsScene(sitting.services, routes.Seats(spec)))
    hand = keyboard(sitting)
    hand.press("accept")  # takes a seat; from now on keys press what has the focus, also where only AI plays
    hand.choose("White")
    hand.pick("Stockfish, club player (skill 3)")
    assert describe(seats.seating.lineup["player_0"]) == "stockfish (skill 3)"
    hand.choose("Start")
    sitting.until(lambda: sitting.on == "MatchScene" and sitting.engine.scene.match, "a match")
    match = sitting.engine.scene.match
    sitting.until(lambda: sitting.on == "ErrorScene", "the program's end")
    assert match.tick.index == 2, "each side has moved once"
    assert "Stockfish, club player (skill 3) in the seat White cannot play on" in sitting.words()
    assert "died" in sitting.words() or "dead" in sitting.words()  # as the end is seen before or after the question


def test_only_programs_that_play_the_game_are_offered(stockfish: Path) -> None:
    from agents.engines.engine import present_seats

    chess = find_game("classic/chess_v6")
    seating = Seating(chess, devices=[], engines=present_seats(chess.id))
    offered = [choice for choice in seating.options("player_0") if choice.kind == "uci"]
    assert [str(choice) for choice in offered] == [
        "uci:stockfish?skill=0&depth=1",
        *(f"uci:stockfish?skill={n}" for n in (0, 3, 6, 10, 20)),
    ]
    assert all(parse_seat(str(choice)) == choice for choice in offered)
    assert not present_seats("classic/connect_four_v3")


def test_slips_are_set_beside_a_programs_own_settings() -> None:
    from arcade.session.fair_play import limited, limits_text

    chess, choice = find_game("classic/chess_v6"), parse_seat("uci:stockfish?skill=3")
    slipping = limited(choice, "noise", 0.1, chess)
    assert str(slipping) == "uci:stockfish?skill=3&noise=0.1"
    assert describe(slipping) == "stockfish (skill 3) (noise 0.1)"
    assert limits_text(slipping, chess) == "Stockfish, club player (skill 3): 10% slips"
    assert limited(slipping, "noise", 0, chess) == choice
