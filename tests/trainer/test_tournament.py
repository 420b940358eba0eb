"""Tournaments played for real: lock-step like matches alone, forfeits, kills, the command."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from agents.errors import UserError
from agents.home import folder, home
from agents.ladder.ladder import Ladder
from agents.policies.random import RandomController
from agents.seats.controller import ControllerError
from arcade.games import find_game
from arcade.match.play.lineup import open_store
from arcade.match.stage.local import LocalStage
from arcade.tournaments.entrants import find_entrants
from arcade.tournaments.formats import rounds_of
from arcade.tournaments.outcomes import booked, outcome_of
from arcade.tournaments.plan import Plan, read_plan
from arcade.tournaments.table import make_table
from trainer.tournament.__main__ import main
from trainer.tournament.alone import AloneTable
from trainer.tournament.child import play
from trainer.tournament.lockstep import LockStep
from trainer.tournament.watched import Clock, WatchedController
from trainer.tournament.workers import RayWorkers

BAD = """
import os
import pathlib
import time

def crash(observation, mask, rng):
    os._exit(3)

def stall(observation, mask, rng):
    while True:
        pass

def illegal(observation, mask, rng):
    return 99

def slow(observation, mask, rng):
    time.sleep(0.02)
    return 0

print("what players print is no part of what the command prints")

def gate(observation, mask, rng):
    print("nor this")
    if pathlib.Path("closed").exists():
        pathlib.Path("half").write_text(str(os.getpid()))
        pathlib.Path("half").rename("waiting")
    while pathlib.Path("closed").exists():
        pass
    return 0
"""


@pytest.fixture
def bad_players(tmp_path, monkeypatch):
    """A module of players that misbehave, in the current folder."""
    (tmp_path / "bad_players.py").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("bad_players", None)


def table_of(game, *patterns, **more):
    spec, store = find_game(game), open_store(folder("snapshots"))
    plan = Plan(id="t", game=spec.id, entrants=find_entrants(patterns, spec, store), **more)
    table = make_table(plan, spec, store)
    (fixtures,) = rounds_of(plan, {}, sides=2, cooperative=len(spec.teams) == 1)
    return table, fixtures


def told(row):
    plain = {name: row[name] for name in ("seed", "ticks", "ended", "lineup", "placements")}
    return plain | {"returns": pytest.approx(row["returns"], rel=1e-6)}  # batches keep float32


@pytest.mark.parametrize(
    ("game", "patterns"),
    [
        ("house/volley", ("snapshot:volley-[17]", "scripted", "random")),
        ("classic/tictactoe_v3", ("random", "random?noise=0.5")),
        ("mpe/simple_speaker_listener_v4", ("random",)),
    ],
)
def test_a_match_in_lock_step_is_the_one_that_would_have_been_played_alone(arcade_home, game, patterns):
    table, fixtures = table_of(game, *patterns, games=3, max_ticks=120)
    fixtures = [one if table.is_in_lock_step(one) else replace(one, entrants=(0, 0)) for one in fixtures]
    steps = LockStep(table, fixtures)
    rows = {row["settings"]["tournament"]["number"]: row for rows in steps.play() for row in rows}
    assert len(rows) == len(fixtures)
    assert not steps.left
    with LocalStage(table.spec) as stage:
        for fixture in fixtures[:: max(1, len(fixtures) // 6)]:
            alone = play(table, stage, Clock(np.zeros(2 + len(stage.agents))), fixture)
            assert told(rows[fixture.number]) == {**told(alone), "returns": alone["returns"]}


def test_players_that_are_the_same_play_the_same_game_on_either_side_of_a_seed(arcade_home):
    store = open_store(folder("snapshots"))
    one = store.get("volley-5")
    store.save(one.card.model_copy(update={"name": "twin"}), one.onnx)
    table, fixtures = table_of("house/volley", "snapshot:volley-5", "snapshot:twin", games=4, max_ticks=400)
    rows = [row for rows in LockStep(table, fixtures).play() for row in rows]
    games = {}
    for row in rows:
        games.setdefault(row["seed"], []).append((row["ticks"], row["returns"]))
    assert len(games) == 4
    assert all(len(own) == 2 and own[0] == own[1] for own in games.values())
    assert len({row["lineup"]["left_0"] for row in rows}) == 2


def test_whoever_crashes_stalls_or_plays_what_is_not_legal_forfeits_and_the_rest_goes_on(arcade_home, bad_players):
    words = [f"python:bad_players:{name}" for name in ("crash", "stall", "illegal")]
    table, fixtures = table_of("house/volley", *words, "random", games=1, max_ticks=40, move_seconds=2)
    chosen = {one.entrants: one for one in fixtures}
    with AloneTable(table) as alone:
        rows = [alone.play(chosen[pair]) for pair in [(0, 3), (3, 1), (2, 3)]]
    whys = ["exit code 3", "within 2 s, got nothing", "got: 99"]
    with Ladder(home() / "ladder.sqlite") as ladder:
        for number, (row, why) in enumerate(zip(rows, whys, strict=True)):
            assert row["ended"] == "forfeit"
            forfeit = row["settings"]["tournament"]["forfeit"]
            assert (forfeit["entrant"], forfeit["label"]) == (number, words[number].partition(":")[2])
            assert why in forfeit["why"]
            assert row["placements"][forfeit["agent"]] == 2
            ladder.add(row, source="tournament", settings=row["settings"], key=table.plan.key(number))
        ratings = ladder.ratings("house/volley")
        assert ratings[0].name == "random"
        assert sum(one.losses for one in ratings) == 3


def test_a_process_that_ended_behind_its_match_harms_nobody(arcade_home):
    table, fixtures = table_of("house/volley", "random", "random?noise=0.5", games=1, max_ticks=40)
    with AloneTable(table) as alone:
        rows = [alone.play(fixtures[0])]
        os.kill(alone._process.pid, signal.SIGKILL)
        alone._process.join()
        rows.append(alone.play(fixtures[1]))
    assert [row["ended"] for row in rows] == ["max_ticks", "max_ticks"]


def test_whoever_fails_without_a_word_has_failed_all_the_same():
    class Wordless(RandomController):
        def act(self):
            raise ControllerError

    seat = WatchedController(Wordless(), 0, Clock(np.zeros(3)), move_seconds=1)
    with pytest.raises(ControllerError, match=r"^ControllerError$"):
        seat.act()
    assert seat.wrong == "ControllerError"


def test_who_gives_no_answer_is_told_with_what_its_server_complained_of():
    class Refused(RandomController):
        def act(self):
            return None

        def report(self):
            return {"last_error": "failed: ValueError: no such move"}

    seat = WatchedController(Refused(), 0, Clock(np.zeros(3)), move_seconds=-1)
    with pytest.raises(ControllerError, match="within -1 s, got failed: ValueError: no such move"):
        seat.act()


def test_a_match_counts_for_as_much_after_a_break_as_when_it_was_played(arcade_home, monkeypatch):
    class Renamed(RandomController):
        """Goes by another name in mid-match, as a remote may."""

        def observe(self, turn):
            super().observe(turn)
            self.label = "old" if turn.tick < 10 else "new"

    monkeypatch.setattr("trainer.tournament.child._make", lambda *_: Renamed())
    table, fixtures = table_of("house/volley", "random", "random?noise=0.5", games=1, max_ticks=40)
    with LocalStage(table.spec) as stage, Ladder(home() / "ladder.sqlite") as ladder:
        row = play(table, stage, Clock(np.zeros(2 + len(stage.agents))), fixtures[0])
        ladder.add(row, source="tournament", settings=row["settings"], key=table.plan.key(0))
        [kept] = ladder.results("house/volley")
    assert row["settings"] == kept["settings"]
    assert outcome_of(row) == outcome_of(kept)
    assert outcome_of(row).ranks == ()


def test_a_match_that_takes_too_long_is_forfeited_by_who_took_the_time(arcade_home, bad_players):
    table, fixtures = table_of("house/volley", "random", "python:bad_players:slow", games=1, match_seconds=1)
    with AloneTable(table) as alone:
        forfeit = alone.play(fixtures[0])["settings"]["tournament"]["forfeit"]
    assert (forfeit["agent"], forfeit["label"]) == ("right_0", "bad_players:slow")
    assert "to end within 1 s" in forfeit["why"]


def test_a_snapshot_that_cannot_decide_forfeits_and_the_others_play_on_in_lock_step(arcade_home, monkeypatch):
    from agents.seats.controller import ControllerError
    from agents.snapshots.onnx_policy import OnnxPolicy

    decide = OnnxPolicy.decide

    def fails(self, *words, **more):
        if self.card.name == "volley-2":
            raise ControllerError("expected finite numbers, got nan")
        return decide(self, *words, **more)

    monkeypatch.setattr(OnnxPolicy, "decide", fails)
    table, fixtures = table_of("house/volley", "snapshot:volley-[123]", games=2, max_ticks=50)
    steps = LockStep(table, fixtures)
    rows = [row for rows in steps.play() for row in rows]
    assert {number for row in rows for number in row["settings"]["tournament"]["entrants"]} == {0, 2}
    assert sorted(f.number for f in steps.left) == [f.number for f in fixtures if 1 in f.entrants]
    with LocalStage(table.spec) as stage:
        row = play(table, stage, Clock(np.zeros(4)), steps.left[0])
    assert row["settings"]["tournament"]["forfeit"]["label"] == "volley-2"


def test_killed_in_the_middle_it_goes_on_and_counts_every_match_once(arcade_home, bad_players, capsys):
    (bad_players / "closed").touch()
    words = ["--entrant", "snapshot:volley-[16]", "scripted", "python:bad_players:gate", "--games", "1"]
    command = [sys.executable, "-m", "trainer.tournament", "house/volley", *words, "--max-ticks", "100", "--seed", "3"]
    command += ["--workers", "1", "--move-seconds", "25"]
    process = subprocess.Popen(command, env=dict(os.environ), stdout=subprocess.PIPE)
    wait_for((bad_players / "waiting").exists)  # the six matches without the gate are booked
    process.send_signal(signal.SIGKILL)
    assert process.communicate(timeout=60)[0] == b""
    child = int((bad_players / "waiting").read_text())
    wait_for(lambda: is_gone(child))
    (bad_players / "closed").unlink()
    plan = read_plan("newest")
    with Ladder(home() / "ladder.sqlite") as ladder:
        before = booked(ladder.results(plan.game), plan)
    assert sorted(before) == [0, 1, 2, 3, 6, 7]

    assert main(["--resume", "--workers", "1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["matches"], result["played_now"], result["forfeits"]) == (12, 6, [])
    assert main(["--resume", plan.id, "--workers", "1", "--json"]) == 0  # over: nothing is left
    assert json.loads(capsys.readouterr().out)["played_now"] == 0
    with Ladder(home() / "ladder.sqlite") as ladder:
        rows = ladder.results(plan.game)
        assert ladder.keys(plan.prefix) == {plan.key(number) for number in range(12)}
    assert sorted(row["settings"]["tournament"]["number"] for row in rows) == list(range(12))
    assert [row for row in rows if row["settings"]["tournament"]["number"] in before] == list(before.values())


def wait_for(is_so):
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_gone(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_chunks_are_played_by_ray(arcade_home, ray_cluster):
    table, fixtures = table_of("house/volley", "snapshot:volley-[17]", games=3, max_ticks=60)
    rows = [row for rows in RayWorkers(2).play(table, [fixtures[::2], fixtures[1::2]]) for row in rows]
    own = [row for rows in LockStep(table, fixtures).play() for row in rows]
    assert sorted(map(json.dumps, rows)) == sorted(map(json.dumps, own))


def test_the_command_prints_the_table_of_a_swiss_tournament(arcade_home, capsys):
    words = ["--entrant", "snapshot:volley-[1357]", "--format", "swiss", "--games", "1", "--max-ticks", "200"]
    assert main(["house/volley", *words, "--seed", "1", "--workers", "1"]) == 0
    text = capsys.readouterr().out
    assert "8 matches" in text
    assert "points" in text
    assert text.index("volley-7") < text.index("volley-1 ")


def test_in_a_game_of_roles_no_first_seat_is_told_of(arcade_home, capsys):
    words = ["--entrant", "random", "--entrant", "random?reaction_ms=200", "--games", "1", "--max-ticks", "5"]
    assert main(["mpe/simple_adversary_v3", *words, "--workers", "1"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "first seat" not in text
    assert "all roles together; arcade ladder show mpe/simple_adversary_v3 rates each by itself: adversary" in text


@pytest.mark.parametrize(
    ("patterns", "words"),
    [
        (["snapshot:chess-*"], "there is volley-1"),
        (["keyboard"], "nobody at the keyboard"),
        (["python:nowhere:play"], "expected to import"),
        (["random", "random?noise=0"], "names of their own"),
        (["snapshot:volley-1?noise=2"], "noise <= 1"),
    ],
)
def test_entrants_that_cannot_be_are_refused(arcade_home, patterns, words):
    with pytest.raises(UserError, match=words):
        find_entrants(patterns, find_game("house/volley"), open_store(folder("snapshots")))


def test_patterns_mean_every_snapshot_once_and_limits_make_another_player(arcade_home):
    patterns = ["snapshot:volley-[12]", "snapshot:volley-*", "snapshot:volley-7?noise=0.1", "scripted"]
    entrants = find_entrants(patterns, find_game("house/volley"), open_store(folder("snapshots")))
    names = [f"volley-{number}" for number in range(1, 8)]
    assert [one.label for one in entrants] == [*names, "volley-7 (noise 0.1)", "scripted"]
    assert [one.in_lock_step for one in entrants] == [True] * 7 + [False, True]
