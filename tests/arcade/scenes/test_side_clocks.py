"""A board game with clocks: chosen at the seats, seen beside the players, and lost on time."""

from __future__ import annotations

from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.hud.pieces import TimeLeftPiece
from arcade.scenes.match.match_scene import MatchScene
from arcade.session.player.favourites import open_shelf

ARROWS, RANDOM = SeatChoice("keyboard", "arrows"), SeatChoice("random")


def test_the_clock_is_chosen_at_the_seats_and_whoever_lets_it_run_out_has_lost(sit, keyboard) -> None:
    sitting = sit()
    spec = find_game("classic/connect_four_v3")
    sitting.services.setup.lineups[spec.id] = {"player_0": ARROWS, "player_1": RANDOM}
    sitting.engine.push(routes.Seats(spec))
    clock = sitting.widget("Clock")
    assert clock.value_text == "No clock"
    sitting.engine.scene.focus.focus(clock)
    for _ in range(2):
        keyboard(sitting).press("right")
    assert clock.value_text == "5+0"
    sitting.engine.scene._start()
    scene = sitting.engine.scene
    assert isinstance(scene, MatchScene)
    sitting.until(lambda: scene.match is not None and scene.match.waiting_for, "the first turn")
    sitting.frame()
    match = scene.match
    first, second = (piece for piece in scene.hud.pieces if isinstance(piece, TimeLeftPiece))
    assert first.content()[0] in ("4:59", "5:00")
    assert second.content() == ("5:00", False, False)
    scene.field.moves.chooser.choose(0)
    sitting.until(lambda: match.tick.index == 2 and match.waiting_for, "the second turn")
    match.side_clocks.left[0] = 0.05
    assert first.content() == ("0:00.0", True, True)
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    results = sitting.engine.scene
    assert results.heading == "You ran out of time"
    sitting.until(lambda: results.outcome.recording is not None and results.outcome.ratings is not None, "the book")
    assert results.outcome.recording.card.outcome("player_0") == "loss"
    assert results.outcome.ratings.texts["player_0"], "the loss is not rated"


def test_the_clock_survives_restart_swap_rematch_and_the_next_start(sit, keyboard) -> None:
    sitting = sit()
    spec, hand = find_game("classic/connect_four_v3"), keyboard(sitting)
    sitting.services.setup.lineups[spec.id] = {"player_0": ARROWS, "player_1": RANDOM}
    sitting.engine.push(routes.Seats(spec))
    sitting.engine.scene.focus.focus(sitting.widget("Clock"))
    hand.press("right")
    sitting.engine.scene._start()

    def clocks() -> str:
        scene = sitting.engine.scene
        sitting.until(lambda: scene.match is not None and scene.match.tick is not None, "the first turn")
        assert scene.match.side_clocks is not None, "the clock is gone"
        return scene.match.side_clocks.control.text

    assert clocks() == "3+2"
    for way, answer in (("Restart", "Restart"), ("Swap sides", "Swap sides")):
        hand.press("start")
        hand.choose(way)
        hand.choose(answer)
        sitting.until(lambda: sitting.on == "MatchScene", "the next match")
        assert clocks() == "3+2", way
    sitting.engine.scene.match.resign(sitting.engine.scene.spec.agents[0])
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    hand.choose("Rematch")
    sitting.until(lambda: sitting.on == "MatchScene", "the rematch")
    assert clocks() == "3+2"
    sitting.services.shelf.close()
    assert open_shelf()[0].clocks == {spec.id: "3+2"}
    assert sit().services.setup.clock_of(spec) == "3+2", "another start forgot it"


def test_a_clock_that_was_asked_for_at_the_start_is_in_every_board_game(sit) -> None:
    sitting = sit(clock="7+3")
    setup = sitting.services.setup
    assert setup.clock_of(find_game("classic/chess_v6")) == "7+3"
    assert setup.clock_of(find_game("house/volley")) == ""
    sitting.engine.push(routes.Seats(find_game("classic/chess_v6")))
    assert sitting.widget("Clock").value_text == "7+3"


def test_a_game_without_turns_offers_no_clock(sit) -> None:
    sitting = sit()
    sitting.engine.push(routes.Seats(find_game("house/volley")))
    assert not [one for one in sitting.engine.scene.tree.walk() if getattr(one, "label", "") == "Clock"]
