"""Snapshots that decide from the console's memory, beside players and people who see the screen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from agents.policies.random import RandomController
from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import ControllerError, Turn
from agents.seats.kinds import parse_seat
from agents.snapshots.snapshot import SnapshotError
from agents.snapshots.store import SnapshotStore, open_store
from agents.wire.client import RemoteController
from agents.wire.server import PolicyServer
from arcade.commands.cli import app
from arcade.games import GameError, find_game
from arcade.match.batch.in_process import LocalMatches
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.opponents import Opponents
from arcade.match.batch.plan import Fixture, MatchPlan
from arcade.match.batch.vectorised import VectorisedMatches
from arcade.match.play.match import Match
from arcade.match.playback.playback import Playback
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.session.recordings.insights import Insights
from tests.support.puppets import Clock, turn
from tests.support.small_snapshots import save_memory_snapshot

BOXING = "atari/boxing_v2"
SPEC = find_game(BOXING)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SnapshotStore:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    made = open_store()
    save_memory_snapshot(made, "reader", BOXING)
    return made


def run(*words: str) -> str:
    done = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_it_plays_headless_is_evaluated_and_its_recordings_repeat(store: SnapshotStore) -> None:
    seats = ("--seat", "first_0=snapshot:reader", "--seat", "second_0=scripted?level=easy")
    data = json.loads(
        run("play", BOXING, "--headless", *seats, "--seed", "4", "--max-ticks", "60", "--record", "--json")
    )
    (match,), (file,) = data["matches"], data["replays"]
    assert (match["error"], match["late"]["first_0"]) == ("", 0)
    replay = read_replay(Path(file))
    verdict = verify(replay)
    assert verdict.ok, verdict
    with LocalStage(SPEC) as stage, LocalStage(SPEC) as seen:
        policy = SnapshotController(store.get("reader"))
        policy.reset(stage.seat("first_0"), seed=1)
        assert policy.obs_type == "ram"
        seen.reset(replay.seed)
        memories = [seen.observe("ram")["first_0"].copy()]
        for actions in replay.actions[:5]:
            seen.step(actions)
            memories.append(seen.observe("ram")["first_0"].copy())
    likeliest = [int(np.argmax(policy._policy.evaluate(one[None])[0]["action_probabilities"][0])) for one in memories]
    done = [actions["first_0"] for actions in replay.actions[:5]]
    assert done[1:] == likeliest[1:5]  # it is as good as certain, once something has changed
    figures = json.loads(run("evaluate", BOXING, *seats[:2], "--seat", "second_0=random", "--episodes", "2", "--seed",
                             "1", "--max-ticks", "40", "--workers", "1", "--ladder", "--json"))  # fmt: skip
    assert (figures["played"], figures["failures"]) == (2, [])
    tested = json.loads(run("ladder", "run", BOXING, "--entrant", "snapshot:reader", "scripted", "--games", "1",
                            "--workers", "1", "--max-ticks", "20", "--id", "t", "--json"))  # fmt: skip
    assert tested["failed"] == []


@pytest.mark.parametrize("words", [("snapshot:reader", "random"), ("snapshot:reader?noise=0.1", "scripted")])
def test_matches_stepped_together_are_those_played_one_by_one(store: SnapshotStore, words: tuple[str, ...]) -> None:
    players = tuple(map(parse_seat, words))
    plan = MatchPlan(spec=SPEC, players=players, vectorise=True, max_ticks=40)
    fixtures = [Fixture(number=n, seed=5 + n, players=own) for n, own in enumerate([(0, 1), (1, 0)])]
    together = VectorisedMatches(plan, fixtures)
    with LocalMatches(plan) as alone:
        single = [alone.play(fixture) for fixture in fixtures]
    assert [one.error for one in single] == ["", ""]
    results = {one.fixture.number: one.result for more in together.play() for one in more}
    assert (together.left, together.error) == ([], None)
    for one in single:
        other = results[one.fixture.number]
        assert one.result is not None
        assert other is not None
        assert (one.result.actions, one.result.returns) == (other.actions, other.returns)


def test_a_pool_draws_it(store: SnapshotStore) -> None:
    plan = MatchPlan(spec=SPEC, players=tuple(map(parse_seat, ("pool", "random"))), max_ticks=5)
    with LocalMatches(plan) as alone:
        played = alone.play(Fixture(number=0, seed=1, players=(0, 1)))
    assert played.result is not None, played.error
    assert played.result.lineup["first_0"] == "reader"


def test_envs_made_for_the_memory_show_each_opponent_what_it_decides_from(store: SnapshotStore) -> None:
    spec, seats = SPEC.observing("ram"), np.arange(4)
    assert spec.learnt_obs_type == "ram"
    assert SPEC.observing("rgb_image").learnt_obs_type == ""
    played = {}
    for one in (SPEC, spec):
        with make_vector_env(one, 2) as env:
            opponents = Opponents(one, env.places, games=2, show=env.shown)
            for place in env.places:
                store.get("reader").check(place)
            opponents.hold({"reader": store.get("reader")}, needed={"reader"})
            opponents.begin(seats, seats)
            env.reset(np.arange(2), np.arange(2))
            numbers = np.array([opponents.number("reader"), opponents.number("scripted")] * 2)
            actions = []
            for _ in range(12):
                (group,) = env.groups
                seen = group.observations.reshape(4, *group.observations.shape[2:])
                actions.append(opponents.act(numbers, seats, seen, None))
                env.step([actions[-1].reshape(2, 2)])
            assert opponents.dropped == {}
            played[one.own_obs_type] = np.array(actions).tolist()
    assert played["ram"] == played["rgb_image"]


def test_a_policy_server_asks_for_the_memory(store: SnapshotStore, tmp_path: Path) -> None:
    clock, path = Clock(), tmp_path / "remote.replay"
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server, LocalStage(SPEC) as stage:
        remote = RemoteController(server.endpoint, "reader", clock=clock)
        writer = ReplayWriter(path)
        mapping = {"first_0": remote, "second_0": RandomController()}
        match = Match(stage, mapping, seed=3, rate=60, clock=clock, max_ticks=30, recorders=[writer])
        match.start()
        while not match.over:
            for _ in range(4):
                server.serve_once(timeout=0.001)
            turn(match, clock, 0.5)
        report = remote.report()
        remote.close()
        writer.close()
    assert match.result is not None
    assert (match.result.lineup["first_0"], report["errors"]) == ("reader", 0)
    assert report["answered"] >= 28
    assert verify(read_replay(path)).ok


def test_a_policy_server_refuses_a_seat_without_the_memory(store: SnapshotStore) -> None:
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server, LocalStage(SPEC) as stage:
        remote = RemoteController(server.endpoint, "reader")
        remote.reset(replace(stage.seat("first_0"), other_spaces={}), seed=1)
        remote.observe(Turn("first_0", 0, np.zeros((210, 160, 3), np.uint8)))
        with pytest.raises(ControllerError, match="expected a seat that shows 'ram' to snapshot 'reader'"):
            ask(remote, server)
        remote.close()


def ask(remote: RemoteController, server: PolicyServer) -> None:
    """Wait for an answer."""
    for _ in range(1000):
        server.serve_once(timeout=0.01)
        if remote.act() is not None:
            return


def test_a_seat_changes_to_it_in_the_midst_of_a_match(store: SnapshotStore) -> None:
    clock = Clock()
    with HostedStage(SPEC, render=False) as stage:
        stage.wait_ready()
        match = Match(stage, {a: RandomController() for a in SPEC.agents}, seed=3, rate=60, clock=clock, max_ticks=40)
        match.start()
        while match.tick is None or match.tick.index < 10:
            turn(match, clock, 5)
        match.replace("first_0", SnapshotController(store.get("reader")))
        while not match.over:
            turn(match, clock, 5)
    assert match.error is None
    assert match.result is not None
    assert match.result.late["first_0"] <= 1


def test_insight_of_a_replay_sees_what_the_snapshot_does(store: SnapshotStore, tmp_path: Path) -> None:
    data = json.loads(run("play", BOXING, "--headless", "--seat", "*=random", "--seed", "4", "--max-ticks", "20",
                          "--record", "--json"))  # fmt: skip
    with LocalStage(SPEC, render=True) as stage:
        playback = Playback(stage, read_replay(Path(data["replays"][0])), rate=60)
        insights = Insights(SPEC, playback)
        insights.put({"first_0": SnapshotController(store.get("reader"))})
        playback.seek(5)
        while not playback.settled:
            playback.advance(0.0)
        insights.look(playback.tick)
        found = insights.insight("first_0")
        assert found is not None
        assert sum(found.shares) == pytest.approx(1, abs=1e-5)


def test_a_game_without_such_observations_refuses_it(store: SnapshotStore) -> None:
    with LocalStage(find_game("house/volley")) as stage:
        place = replace(stage.seat("left_0"), game=BOXING)
        with pytest.raises(SnapshotError, match="expected a game that shows 'ram', which snapshot 'reader'"):
            store.get("reader").check(place)
    with pytest.raises(GameError, match="seats can observe ram, got: house/volley"):
        find_game("house/volley").observing("ram")
