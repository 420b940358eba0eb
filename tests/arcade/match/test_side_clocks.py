"""The clocks of the sides of a board game, turned by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agents.errors import UserError
from arcade.match.play.adjustable import AdjustableMatch
from arcade.match.play.side_clocks import TimeControl
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.local import LocalStage
from tests.support.counting_games import counting_spec
from tests.support.puppets import RATE, Clock, Puppet

MINUTE = TimeControl(1)


class Game:
    """A game in which Ann and Bob move in turn, `first` the one to begin."""

    def __init__(self, control: TimeControl | None = MINUTE, **options: object) -> None:
        self.players = {"ann": Puppet(), "bob": Puppet()}
        spec = replace(counting_spec(turn_based=True), entry="tests.support.counting_games:counting_aec")
        self.clock = Clock()
        self.match = AdjustableMatch(
            LocalStage(spec), dict(self.players), seed=5, rate=RATE, clock=self.clock, time_control=control, **options
        )
        self.match.start()
        self.look()

    @property
    def left(self) -> list[float]:
        assert self.match.side_clocks is not None
        return [round(left) for left in self.match.side_clocks.left]

    def look(self, seconds: float = 0.0) -> None:
        self.clock.now += seconds
        self.match.advance(self.clock.now)

    def think(self, seconds: float) -> None:
        """Let the player to move think so long, as a window would see it."""
        for _ in range(10):
            self.look(seconds / 10)

    def move(self, seconds: float) -> None:
        """The player to move thinks, then moves."""
        player = self.players[self.match.waiting_for[0]]
        self.think(seconds)
        player.answer = 1
        self.look()
        player.answer = None
        self.look(1 / RATE)


def test_only_the_clock_of_the_side_to_move_runs() -> None:
    game = Game()
    game.move(10)
    assert game.left == [50, 60]
    game.move(20)
    assert game.left == [50, 40]
    game.think(5)
    assert game.left == [45, 40]


def test_each_move_adds_the_increment_and_thinking_does_not() -> None:
    game = Game(TimeControl(1, 5))
    game.think(10)
    assert game.left == [50, 60]
    game.move(0)
    assert game.left == [55, 60]


def test_a_pause_costs_no_time_not_even_the_moment_it_ends() -> None:
    game = Game()
    game.think(10)
    game.match.pause()
    game.think(1000)
    game.match.resume(game.clock.now)
    game.look()
    assert game.left == [50, 60]
    game.think(3)
    assert game.left == [47, 60]


def test_the_time_that_the_game_itself_takes_is_nobodys() -> None:
    game = Game()
    game.players["ann"].answer = 1
    game.clock.now += 2
    game.match._step_if_due(game.clock.now)
    assert game.match.stepping
    game.look(30)
    assert game.left == [58, 60]


def test_the_side_without_time_loses_and_nothing_is_played_any_more() -> None:
    game = Game()
    game.move(10)
    game.think(59)
    assert not game.match.over
    game.players["bob"].answer = 1
    game.look(2)  # the answer comes after the flag
    result = game.match.result
    assert result is not None
    assert (result.ended, result.loser, result.rated) == ("out_of_time", "bob", True)
    assert (result.outcome("ann"), result.outcome("bob")) == ("win", "loss")
    assert result.ticks == 1
    assert result.settings["clock"] == "1+0"


def test_a_match_without_a_time_control_waits_for_ever() -> None:
    game = Game(None)
    game.think(100_000)
    assert not game.match.over


def test_moves_taken_back_bring_back_their_time() -> None:
    game = Game()
    for seconds in (10, 20, 30, 5):
        game.move(seconds)
    assert game.left == [20, 35]
    assert game.match.rewind(2)
    game.look()
    game.look()
    assert game.match.tick.index == 2
    assert game.left == [50, 40]


def test_games_without_turns_have_no_clocks() -> None:
    players = {"ann": Puppet(1), "bob": Puppet(1)}
    with pytest.raises(UserError, match="no board game"):
        AdjustableMatch(LocalStage(counting_spec()), players, seed=5, rate=RATE, time_control=MINUTE)


def test_a_recording_that_ends_on_time_verifies(tmp_path: Path) -> None:
    from arcade.games import find_game

    clock, players = Clock(), {"player_0": Puppet(3), "player_1": Puppet()}
    writer = ReplayWriter(tmp_path / "one.replay")
    match = AdjustableMatch(
        LocalStage(find_game("classic/connect_four_v3")), dict(players), seed=5, rate=RATE, clock=clock,
        time_control=MINUTE, recorders=[writer],
    )  # fmt: skip
    match.start()
    for _ in range(100):
        clock.now += 1
        match.advance(clock.now)
    writer.close()
    assert match.result is not None
    assert (match.result.ended, match.result.loser) == ("out_of_time", "player_1")
    replay = read_replay(tmp_path / "one.replay")
    assert len(replay.actions) == match.result.ticks == 1
    assert verify(replay).ok
