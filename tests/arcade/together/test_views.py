"""Matches that run at the host alone: arcades as real processes, over real sockets, some of which are killed."""

from __future__ import annotations

import signal

import pytest

from agents.ladder.ratings.rows import why_unrated
from arcade.games import find_game
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.match.stage.local import LocalStage
from arcade.together.messages import End, Player, View
from arcade.together.running import RunOptions, join_match
from arcade.together.terms import SessionError, hosted_terms
from arcade.together.views.view_play import ViewPlay
from tests.support.odd_machines import OddHost
from tests.support.online import check_alike, host, kill_and_rejoin


@pytest.mark.parametrize("game", ["texas_holdem", "hanabi", "leduc_holdem", "rps"])
def test_a_card_game_is_played_to_the_end_and_each_machine_has_all_of_it_then(arcades, game):
    one = host(arcades, game, "--seat", "player_0=scripted", "--name", "Ada")
    watcher = arcades("join", one.code, "--watch")
    one.wait_for("watches")
    two = arcades("join", one.code, "--seat", "player_1=scripted", "--name", "Bob")
    first, second = one.end(), two.end()
    assert first["agreed"]
    assert second["agreed"]
    assert first["result"]["ended"] == "finished"
    assert second["result"]["seed"] == 7, "it was told at the end"
    assert second["result"]["unrated"] == ""
    assert watcher.end()["agreed"]
    check_alike(one, two, watcher)


def test_a_guest_that_is_killed_comes_back_to_its_hand(arcades):
    one = host(arcades, "texas_holdem", "--seat", "player_0=scripted", "--speed", 10)
    back = kill_and_rejoin(arcades, one, "--seat", "player_1=scripted")
    one.wait_for("is back")
    first, second = one.end(), back.end()
    assert first["agreed"]
    assert second["agreed"]
    assert first["result"]["ended"] == "finished"
    assert first["result"]["actions"] == second["result"]["actions"]
    one.check_recording()
    [own] = [path for path in back.recordings if str(path) == second["recording"]]
    assert own.exists()


def begun(arcades, game, *words):
    """Host and guest of a match that has begun, each with a random player."""
    one = host(arcades, game, "--seat", "player_0=random", *words)
    two = arcades("join", one.code, "--seat", "player_1=random")
    two.wait_for("begins")
    return one, two


def test_a_guest_that_stays_away_forfeits(arcades):
    one, two = begun(arcades, "hanabi", "--grace", 4, "--speed", 1)
    two.kill()
    outcome = one.end()
    assert (outcome["result"]["ended"], outcome["result"]["loser"]) == ("forfeit", "player_1")
    one.check_recording()


def test_a_match_whose_host_is_lost_ends_as_the_loss_of_nobody(arcades):
    one, two = begun(arcades, "texas_holdem", "--grace", 4, "--speed", 4)
    watcher = arcades("join", one.code, "--watch")
    watcher.wait_for("begins")
    [path] = one.recordings
    while len(read_replay(path).actions) < 2:  # the bet of a player
        assert one.process.poll() is None
    one.kill()
    two.wait_for("the host is absent")
    for each in (two, watcher):
        check_nobody_lost(each, each.end())
    assert not one.rows
    kept = verify(read_replay(path))
    assert kept.ticks > 1, "what was played is at the host"
    assert kept.differs_at is None


def check_nobody_lost(arcade, outcome):
    """The end of a match whose host is gone with the cards, at another machine."""
    assert outcome["result"]["ended"] == "quit"
    assert outcome["result"]["loser"] == ""
    assert "alone had the game, and did not come back within 4 s; the match does not count" in outcome["why"]
    assert "the host has the recording up to there" in outcome["why"]
    assert outcome["result"]["unrated"]
    assert outcome["recording"] is None
    assert (outcome["result"]["seed"], outcome["result"]["actions"]) == (None, ""), "it was told neither"
    assert all(why_unrated(row) and not row["seed"] for row in arcade.rows)


def test_a_match_goes_on_with_a_host_that_comes_back_in_time(arcades):
    one, two = begun(arcades, "texas_holdem", "--speed", 20)
    one.process.send_signal(signal.SIGSTOP)
    two.wait_for("the host is absent")
    one.process.send_signal(signal.SIGCONT)
    assert one.end()["agreed"]
    assert two.end()["agreed"]
    check_alike(one, two)


def test_a_game_that_nobody_has_measured_runs_at_the_host(arcades):
    one, two = begun(arcades, "openspiel/breakthrough")
    first, second = one.end(), two.end()
    assert first["agreed"]
    assert second["agreed"]
    for part in ("ticks", "returns", "actions", "placements", "seed"):
        assert first["result"][part] == second["result"][part]
    one.check_recording()
    assert not two.recordings, "what a guest has seen of it could not be played again"


def test_pictures_of_a_game_go_to_a_machine_that_computes_otherwise(arcades):
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--max-ticks", 120, "--views")
    two = arcades(0, "join", one.code, "--seat", "right_0=random", program="tests.support.odd_arcade")
    two.wait_for("the host alone has a recording")
    first, second = one.end(), two.end()
    assert first["agreed"]
    assert second["agreed"]
    assert second["result"]["ticks"] == 120
    one.check_recording()


def test_ai_that_needs_more_than_the_host_sends_is_refused(arcades):
    one = host(arcades, "pong", "--seat", "first_0=random", "--views")
    two = arcades("join", one.code, "--seat", "second_0=scripted")
    error = two.end()["error"]
    assert error["message"] == "scripted cannot play Left here: it needs ram observations, which the host does not send"
    assert error["hint"] == "choose another player"
    third = arcades("join", one.code, "--seat", "second_0=random")
    third.wait_for("begins")


def test_a_host_that_would_tell_all_cards_is_left():
    with (
        OddHost("classic/texas_holdem_v4", kwargs={"hands": 20}) as odd,
        pytest.raises(SessionError, match="all cards"),
    ):
        join_match(odd.code, ["player_0=random"], RunOptions(ladder=False, record=False))


def test_a_match_ends_at_the_last_view_also_where_the_end_is_told_before_it():
    spec = find_game("volley")
    terms = hosted_terms(spec, seed=7, rate=1e9, by_views=True)
    with LocalStage(spec, render=False) as stage:
        play = ViewPlay(stage, terms)
        play.on_failed = pytest.fail
        play.begin({str(agent): Player("Ann", "keyboard", peer=0) for agent in spec.agents})

        def show(tick: int) -> None:
            agents = [str(agent) for agent in spec.agents]
            play.take_view(View(
                tick=tick, acting=agents, returns=dict.fromkeys(agents, 0.0), ends={}, score=[0.0, 0.0], seats={},
            ))  # fmt: skip
            for _ in range(4):
                play.advance(float(tick))

        for tick in range(3):
            show(tick)
        play.end_at(End(tick=3, ended="forfeit", loser=str(spec.agents[0]), why="Ann has left"))
        play.advance(9.0)
        assert not play.shown.over, "the last view is on its way"
        show(3)
        assert play.shown.over
        assert play.shown.index == 3
