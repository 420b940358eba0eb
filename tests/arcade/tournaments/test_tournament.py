"""Tournaments played for real: vectorised like one by one, forfeits, kills, the command."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from agents.errors import UserError
from agents.files import home
from agents.ladder.ladder import Ladder
from agents.policies.random import RandomController
from agents.seats.controller import ControllerError
from agents.seats.kinds import parse_seat
from agents.snapshots.store import open_store
from arcade.commands.cli import app
from arcade.games import find_game
from arcade.match.batch.guarded import Clock, GuardedController, GuardedMatches
from arcade.match.batch.plan import decides_together
from arcade.match.batch.processes import Processes
from arcade.match.batch.vectorised import VectorisedMatches
from arcade.tournaments.entrants import find_entrants
from arcade.tournaments.pairings import booked, outcome_of
from arcade.tournaments.plan import TournamentPlan, read_plan, rounds_of
from arcade.tournaments.standings import standings_of
from arcade.tournaments.tournament import fixture_of, match_plan, row_of

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


class Played:
    """A tournament's plan, and its first round by each way to play it."""

    def __init__(self, game, *patterns, **more):
        self.spec, store = find_game(game), open_store()
        self.plan = TournamentPlan(
            id="t", game=game, entrants=find_entrants(patterns, self.spec, store), **more
        )  # fmt: skip
        self.matches = match_plan(self.plan, self.spec, store)
        rounds = rounds_of(self.plan, {}, sides=2, cooperative=len(self.spec.teams) == 1)
        self.pairings = {pairing.number: pairing for pairing in next(rounds)}
        self.fixtures = [fixture_of(pairing, self.spec) for pairing in self.pairings.values()]

    def row(self, played):
        return row_of(self.plan, self.spec, self.pairings[played.fixture.number], played)

    def alone(self, fixture):
        """The row of a match in this process."""
        clock = Clock(np.zeros(3 + len(self.spec.agents)))
        with GuardedMatches(self.matches, clock) as matches:
            return self.row(matches.play(fixture))

    def of(self, *entrants):
        """The first fixture of these entrants."""
        number = next(number for number, pairing in self.pairings.items() if pairing.entrants == entrants)
        return self.fixtures[number]


COLUMNS = ("seed", "ticks", "ended", "lineup", "placements")


def told(row):
    plain = {name: row[name] for name in COLUMNS}
    return plain | {"returns": pytest.approx(row["returns"], rel=1e-6)}  # batches keep float32


@pytest.mark.parametrize(
    ("game", "patterns"),
    [
        ("house/volley", ("snapshot:volley-[17]", "scripted", "random")),
        ("classic/tictactoe_v3", ("random", "random?noise=0.5")),
        ("mpe/simple_speaker_listener_v4", ("random",)),
    ],
)
def test_a_vectorised_match_is_the_same_as_one_by_one(arcade_home, game, patterns):
    own = Played(game, *patterns, games=3, max_ticks=120)
    together = [
        one if own.matches.is_vectorised(one) else replace(one, players=(0,) * len(one.players)) for one in own.fixtures
    ]
    matches = VectorisedMatches(own.matches, together)
    rows = {played.fixture.number: own.row(played) for more in matches.play() for played in more}
    assert len(rows) == len(together)
    assert not matches.left
    for fixture in together[:: max(1, len(together) // 6)]:
        alone = own.alone(fixture)
        row = rows[fixture.number]
        assert told(row) == {**told(alone), "returns": alone["returns"]}
        if "scripted" not in row["lineup"].values():  # at ties of its rounded figures a batch moves otherwise
            assert row["actions"] == alone["actions"] != ""


def test_players_that_are_the_same_play_the_same_game_on_either_side_of_a_seed(arcade_home):
    store = open_store()
    one = store.get("volley-5")
    store.save(one.card.model_copy(update={"name": "twin"}), one.onnx)
    own = Played("house/volley", "snapshot:volley-5", "snapshot:twin", games=4, max_ticks=400)
    rows = [own.row(one) for more in VectorisedMatches(own.matches, own.fixtures).play() for one in more]
    games = {}
    for row in rows:
        games.setdefault(row["seed"], []).append((row["ticks"], row["returns"]))
    assert len(games) == 4
    assert all(len(own) == 2 and own[0] == own[1] for own in games.values())
    assert len({row["lineup"]["left_0"] for row in rows}) == 2


def test_whoever_crashes_stalls_or_plays_what_is_not_legal_forfeits_and_the_rest_goes_on(arcade_home, bad_players):
    words = [f"python:bad_players:{name}" for name in ("crash", "stall", "illegal")]
    own = Played("house/volley", *words, "random", games=1, max_ticks=40, move_seconds=2)
    with Processes(own.matches, 1) as processes:
        rows = [own.row(one) for one in processes.play([own.of(0, 3), own.of(3, 1), own.of(2, 3)])]
    whys = ["exit code 3", "within 2 s, got nothing", "got: 99"]
    with Ladder(home() / "ladder.sqlite") as ladder:
        for number, (row, why) in enumerate(zip(rows, whys, strict=True)):
            assert row["ended"] == "forfeit"
            forfeit = row["settings"]["tournament"]["forfeit"]
            assert (forfeit["entrant"], forfeit["label"]) == (number, words[number].partition(":")[2])
            assert why in forfeit["why"]
            assert row["placements"][forfeit["agent"]] == 2
            ladder.add(row, source="tournament", settings=row["settings"], key=own.plan.key(number))
        ratings = ladder.ratings("house/volley")
        assert ratings[0].name == "random"
        assert sum(one.losses for one in ratings) == 3


def test_a_process_that_ended_behind_its_match_harms_nobody(arcade_home):
    own = Played("house/volley", "random", "random?noise=0.5", games=1, max_ticks=40)
    with Processes(own.matches, 1) as processes:
        rows = list(map(own.row, processes.play(own.fixtures[:1])))
        (child,) = multiprocessing.active_children()
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        rows += map(own.row, processes.play(own.fixtures[1:]))
    assert [row["ended"] for row in rows] == ["max_ticks", "max_ticks"]


def test_matches_with_a_limit_of_the_tournament_rank_its_entrants_and_are_not_rated(arcade_home):
    own = Played("house/volley", "scripted", "random", games=2, max_ticks=300)
    rows = [own.row(one) for more in VectorisedMatches(own.matches, own.fixtures).play() for one in more]
    assert {(row["ended"], row["settings"]["unrated"]) for row in rows} == {("max_ticks", "it was cut short")}
    table, _ = standings_of(own.plan, rows, cooperative=False)
    assert [place.label for place in table if place.wins] == ["scripted"]
    with Ladder(home() / "ladder.sqlite") as ladder:
        for number, row in enumerate(rows):
            ladder.add(row, source="tournament", settings=row["settings"], key=own.plan.key(number))
        assert ladder.ratings("house/volley") == []


def test_whoever_fails_without_a_word_has_failed_all_the_same():
    class Wordless(RandomController):
        def act(self):
            raise ControllerError

    errors = []
    seat = GuardedController(Wordless(), 0, Clock(np.zeros(4)), move_seconds=1, on_error=errors.append)
    for _ in range(2):
        with pytest.raises(ControllerError, match=r"^ControllerError$"):
            seat.act()
    assert errors == ["ControllerError"]


def test_who_gives_no_answer_is_told_with_what_its_server_complained_of():
    class Refused(RandomController):
        def act(self):
            return None

        def report(self):
            return {"last_error": "failed: ValueError: no such move"}

    seat = GuardedController(Refused(), 0, Clock(np.zeros(4)), move_seconds=-1)
    with pytest.raises(ControllerError, match="within -1 s, got failed: ValueError: no such move"):
        seat.act()


def test_a_match_counts_for_as_much_after_a_break_as_when_it_was_played(arcade_home, monkeypatch):
    class Renamed(RandomController):
        """Goes by another name in mid-match, as a remote may."""

        def observe(self, turn):
            super().observe(turn)
            self.label = "old" if turn.tick < 10 else "new"

    own = Played("house/volley", "random", "random?noise=0.5", games=1, max_ticks=40)
    monkeypatch.setattr("arcade.match.batch.in_process.make_controller", lambda *_, **__: Renamed())
    with Ladder(home() / "ladder.sqlite") as ladder:
        row = own.alone(own.fixtures[0])
        ladder.add(row, source="tournament", settings=row["settings"], key=own.plan.key(0))
        [kept] = ladder.results("house/volley")
    assert row["settings"] == kept["settings"]
    assert outcome_of(row) == outcome_of(kept)
    assert outcome_of(row).ranks == ()


def test_a_match_that_takes_too_long_is_forfeited_by_who_took_the_time(arcade_home, bad_players):
    own = Played("house/volley", "random", "python:bad_players:slow", games=1, match_seconds=1)
    with Processes(own.matches, 1) as processes:
        (row,) = map(own.row, processes.play(own.fixtures[:1]))
    forfeit = row["settings"]["tournament"]["forfeit"]
    assert (forfeit["agent"], forfeit["label"]) == ("right_0", "bad_players:slow")
    assert "to end within 1 s" in forfeit["why"]


def test_a_snapshot_that_cannot_decide_forfeits_and_the_others_are_played_together(arcade_home, monkeypatch):
    from agents.seats.controller import ControllerError
    from agents.snapshots.onnx_policy import OnnxPolicy

    decide = OnnxPolicy.decide

    def fails(self, *words, **more):
        if self.card.name == "volley-2":
            raise ControllerError("expected finite numbers, got nan")
        return decide(self, *words, **more)

    monkeypatch.setattr(OnnxPolicy, "decide", fails)
    own = Played("house/volley", "snapshot:volley-[123]", games=2, max_ticks=50)
    matches = VectorisedMatches(own.matches, own.fixtures)
    rows = [own.row(one) for more in matches.play() for one in more]
    assert {number for row in rows for number in row["settings"]["tournament"]["entrants"]} == {0, 2}
    assert sorted(f.number for f in matches.left) == [f.number for f in own.fixtures if 1 in f.players]
    row = own.alone(matches.left[0])
    assert row["settings"]["tournament"]["forfeit"]["label"] == "volley-2"


def test_killed_in_the_middle_it_goes_on_and_counts_every_match_once(arcade_home, bad_players):
    (bad_players / "closed").touch()
    words = ["--entrant", "snapshot:volley-[16]", "scripted", "python:bad_players:gate", "--games", "1"]
    words += ["--max-ticks", "100", "--seed", "3", "--workers", "1", "--move-seconds", "25"]
    command = [sys.executable, "-m", "arcade", "ladder", "run", "house/volley", *words]
    process = subprocess.Popen(command, env=dict(os.environ), stdout=subprocess.PIPE)
    wait_for((bad_players / "waiting").exists)  # the six matches without the gate are booked
    process.send_signal(signal.SIGKILL)
    assert process.communicate(timeout=300)[0] == b""
    child = int((bad_players / "waiting").read_text())
    wait_for(lambda: is_gone(child))
    (bad_players / "closed").unlink()
    plan = read_plan("newest")
    with Ladder(home() / "ladder.sqlite") as ladder:
        before = booked(ladder.results(plan.game), plan.id)
    assert sorted(before) == [0, 1, 2, 3, 6, 7]

    result = json.loads(run("--resume", "--workers", "1", "--json"))
    assert (result["matches"], result["played_now"], result["forfeits"]) == (12, 6, [])
    again = run("--resume", plan.id, "--workers", "1", "--json")  # over: nothing is left
    assert json.loads(again)["played_now"] == 0
    with Ladder(home() / "ladder.sqlite") as ladder:
        rows = ladder.results(plan.game)
    assert {row["key"] for row in rows} == {plan.key(number) for number in range(12)}
    assert sorted(row["settings"]["tournament"]["number"] for row in rows) == list(range(12))
    assert [row for row in rows if row["settings"]["tournament"]["number"] in before] == list(before.values())


def run(*words):
    """What the command prints."""
    done = CliRunner().invoke(app, ["ladder", "run", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return done.stdout


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


def test_the_number_of_processes_changes_no_match(arcade_home):
    own = Played("house/volley", "snapshot:volley-[17]", "random?noise=0.5", games=3, max_ticks=60)
    rows = []
    for count in (1, 2):
        with Processes(own.matches, count) as processes:
            played = sorted(processes.play(own.fixtures), key=lambda one: one.fixture.number)
            rows.append([[own.row(one)[name] for name in COLUMNS] for one in played])
    assert len(rows[0]) == len(own.fixtures)
    assert rows[0] == rows[1]


def test_the_command_prints_the_table_of_a_swiss_tournament(arcade_home):
    words = ["--entrant", "snapshot:volley-[1357]", "--format", "swiss", "--games", "1", "--max-ticks", "200"]
    text = run("house/volley", *words, "--seed", "1", "--workers", "1")
    assert "8 matches" in text
    assert "points" in text
    assert "provisional" in text
    assert text.index("volley-7") < text.index("volley-1 ")


def test_in_a_game_of_roles_no_first_seat_is_told_of(arcade_home):
    words = ["--entrant", "random", "--entrant", "random?reaction_ms=200", "--games", "1", "--max-ticks", "5"]
    text = " ".join(run("mpe/simple_adversary_v3", *words, "--workers", "1").split())
    assert "first seat" not in text
    assert "all roles together; arcade ladder show mpe/simple_adversary_v3 rates each by itself: adversary" in text


@pytest.mark.parametrize(
    ("patterns", "words"),
    [
        (["snapshot:chess-*"], "there is volley-1"),
        (["keyboard"], "one AI player"),
        (["python:no_such_players:play"], "expected to import"),
        (["random", "random?noise=0"], "names of their own"),
        (["snapshot:volley-1?noise=2"], "noise <= 1"),
    ],
)
def test_entrants_that_cannot_be_are_refused(arcade_home, patterns, words):
    with pytest.raises(UserError, match=words):
        find_entrants(patterns, find_game("house/volley"), open_store())


def test_patterns_mean_every_snapshot_once_and_limits_make_another_player(arcade_home):
    patterns = ["snapshot:volley-[12]", "snapshot:volley-*", "snapshot:volley-7?noise=0.1", "scripted"]
    entrants = find_entrants(patterns, find_game("house/volley"), open_store())
    names = [f"volley-{number}" for number in range(1, 8)]
    assert [one.label for one in entrants] == [*names, "volley-7 (noise 0.1)", "scripted"]
    assert [decides_together(parse_seat(one.word)) for one in entrants] == [True] * 7 + [False, True]


def test_a_plan_that_is_no_object_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    (tmp_path / "tournaments" / "odd").mkdir(parents=True)
    (tmp_path / "tournaments" / "odd" / "plan.json").write_text("[1]")
    with pytest.raises(UserError, match=r"expected a plan in .* got: a list"):
        read_plan("odd")
