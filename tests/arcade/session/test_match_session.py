"""A match without a window: launched, swapped, joined, taken over, counted, recorded."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from agents.seats.controller import AgentID, Controller, SeatChoice
from agents.seats.kinds import parse_seat
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.play.lineup import Devices
from arcade.session.match.headless import FAST, play_followed, play_sessions
from arcade.session.match.series import Series
from arcade.session.match.session import MatchSession
from arcade.session.match.setup import WindowOptions
from arcade.session.people import PlayerDevices
from arcade.session.services import Services
from tests.support.puppets import Puppet
from tests.support.volley_snapshots import freeze

DEADLINE = 300.0
KEYBOARD, IDLE, LATEST = SeatChoice("keyboard"), SeatChoice("idle"), parse_seat("snapshot:latest")
STAND, JUMP = 0, 3


class Hand(Puppet):
    """A person's controller."""

    kind = "keyboard"
    is_human = True
    word = "keyboard"


class Remote(PlayerDevices):
    """One keyboard, wherever it is."""

    seats = (KEYBOARD,)

    def factories(self, spec: GameSpec) -> Devices:
        return {"keyboard": lambda choice, seat: Hand(STAND)}

    def plays(self, word: str, controller: Controller) -> bool:
        return word == "keyboard" and isinstance(controller, Hand)


@pytest.fixture
def services(tmp_path, monkeypatch) -> Iterator[Services]:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    freeze("older", action=STAND)
    with Services(WindowOptions(seed=7, speed=8.0, record=True), devices=Remote()) as services:
        services.warm_up()
        until(services, lambda: services.ready, "the services")
        yield services


def until(services: Services, condition: Callable[[], object], what: str, session: MatchSession | None = None) -> None:
    """Turn services and session until `condition`."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, f"expected {what}"
        services.update(time.monotonic())
        if session is not None:
            session.update(time.monotonic())
        time.sleep(0.001)


def begin(services: Services, lineup: dict[AgentID, SeatChoice], **options) -> MatchSession:
    game = find_game("house/volley")
    spec = replace(game, kwargs={**game.kwargs, "points": 2})
    session = MatchSession(services, spec, lineup, **options)
    until(services, lambda: session.is_begun and session.match.tick, "a match", session)
    return session


def label(session: MatchSession, agent: AgentID) -> str:
    return session.match.mapping[agent].label


def test_a_seat_follows_the_newest_snapshot_from_the_end_of_a_rally_on(services) -> None:
    session = begin(services, {"left_0": IDLE, "right_0": LATEST})
    assert label(session, "right_0") == "older"
    freeze("newer", action=JUMP)
    session.on_frozen("house/volley", "newer")
    until(services, lambda: label(session, "right_0") == "newer" or session.outcome, "the newer snapshot", session)
    assert session.outcome is None
    [change] = [change for change in session.match.seats.log.changes if change.agent == "right_0"]
    assert change.why == "policy"
    session.close()


def test_a_person_joins_and_takes_over_and_the_policy_has_its_seat_again(services) -> None:
    session = begin(services, {"left_0": IDLE, "right_0": LATEST})
    session.joining.join("keyboard")
    assert session.lineup == {"left_0": KEYBOARD, "right_0": LATEST}
    assert label(session, "left_0") == "Player"
    session.seats.seat("left_0", parse_seat("random"))
    until(services, lambda: label(session, "left_0") == "random", "the other policy", session)
    session.seats.seat("right_0", KEYBOARD)
    assert label(session, "right_0") == "Player"
    session.seats.hand_over("right_0")
    assert label(session, "right_0") == "older", "it waited in reserve and needs no loading"
    assert session.lineup["right_0"] == LATEST
    assert services.setup.lineups["house/volley"] == session.lineup, "the next match begins with these"
    session.close()


def test_matches_of_a_series_share_a_stage_and_are_recorded(services) -> None:
    services.setup.best_of = 3
    first = begin(services, {"left_0": IDLE, "right_0": LATEST})
    until(services, lambda: first.outcome, "the end", first)
    outcome = first.outcome
    assert outcome.series == first.series
    assert outcome.series.best_of == 3
    first.keep_recording()
    stage = first.release_stage()
    first.close()
    second = begin(services, first.lineup, stage=stage, series=outcome.series.next())
    assert second.match.stage is stage
    assert second.match.seed == first.match.seed + 1
    until(services, lambda: second.match.tick.index > 3, "a few ticks", second)
    second.quit()
    until(services, lambda: second.outcome, "the end", second)
    assert second.series == outcome.series, "a match that was left does not count"
    second.close()
    until(services, lambda: not services.worker.busy, "the recordings")
    assert outcome.recording is not None
    assert outcome.recording.card.ticks == outcome.result.ticks
    assert outcome.ratings is not None
    assert len(services.library.recordings().list()[0]) == 2, "also of the match that was left"


def test_a_session_that_is_closed_on_its_way_leaves_nothing(services) -> None:
    spec = find_game("house/volley")
    session = MatchSession(services, spec, {"left_0": IDLE, "right_0": LATEST}, series=Series.begin(spec))
    assert services.setup.playing is session
    session.close()
    session.close()
    until(services, lambda: not services.worker.busy, "the stage to be closed")
    assert services.setup.playing is None
    assert services.library.recordings().list() == ([], [])


def test_headless_matches_follow_the_snapshot_that_a_trainer_freezes(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    freeze("older", action=STAND)
    sessions: list[MatchSession] = []

    def begun(session: MatchSession) -> None:
        if not sessions:
            freeze("newer", action=JUMP)
            session.on_frozen("house/volley", "newer")
        sessions.append(session)

    game, options = find_game("house/volley"), WindowOptions(seed=7, speed=FAST, max_ticks=2000)
    lineup = {"left_0": IDLE, "right_0": LATEST}
    results = list(play_sessions(game, lineup, options, episodes=2, on_session=begun))
    assert results[1].lineup["right_0"] == "newer"
    assert [result.seed for result in results] == [7, 8]
    assert sessions[1].match.stage is sessions[0].match.stage


def test_seats_without_a_word_have_snapshots_beside_a_trainer(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    freeze("mine", action=JUMP)
    options = WindowOptions(seed=7, speed=FAST, max_ticks=60)
    series = play_followed(find_game("house/volley"), ["left_0=random"], options, episodes=2)
    assert [result.lineup["left_0"] for result in series.matches] == ["random", "random"]
    assert {result.seats["right_0"]["kind"] for result in series.matches} == {"pool"}
    assert series.as_json()["ticks"] == 120


def test_a_result_comes_with_what_to_play_next_and_the_game_is_recent(services):
    session = begin(services, {"left_0": KEYBOARD, "right_0": IDLE})
    until(services, lambda: session.outcome is not None and session.outcome.after, "a look back", session)
    assert session.outcome is not None
    assert session.outcome.after is not None
    assert session.outcome.after.next
    assert len(services.players.sheets["Player"].history.matches) == 1
    assert services.shelf.recent(services.library.games)[0].id == "house/volley"
    session.close()
