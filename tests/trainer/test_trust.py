"""Code that a settings file names is run only where the user says so, and never by a dry run."""

from __future__ import annotations

import json
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from agents.seats import kinds
from agents.seats.kinds import GROUP
from agents.trust import UntrustedError, trust, untrusted, what_runs
from arcade.games import open_game
from arcade.tournaments.pairings import Entrant
from arcade.tournaments.plan import TournamentPlan, write_plan
from arcade.tournaments.tournament import resume
from trainer.command import main
from trainer.config import ConfigError
from trainer.config.reading import make_config, write_config
from trainer.runs.choice import choose_run
from trainer.runs.launch import check

MODULE = """
from pathlib import Path
Path({marker!r}).touch()

def play(observation, action_mask):
    return 0

def env(**kwargs):
    from pettingzoo.classic import rps_v2
    return rps_v2.parallel_env(**kwargs)
"""
VOLLEY, SEARCH = {"game": "house/volley"}, {"steps": 1000, "game": "house/volley"}


@pytest.fixture
def marker(tmp_path, monkeypatch, arcade_home):
    """A file that is there once the module `marking` was imported, here or in a child."""
    marker = tmp_path / "imported"
    (tmp_path / "marking.py").write_text(MODULE.format(marker=str(marker)))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "marking", raising=False)
    return marker


@pytest.fixture
def write(tmp_path):
    """Puts settings into a file; the words that name it."""

    def write(settings, option="--config"):
        path = tmp_path / "settings.json"
        path.write_text(json.dumps(settings))
        return [option, str(path)]

    return write


def begin(game="", *, settings=(), **options):
    """All that comes before a run starts ray."""
    return check(choose_run(game=game, settings=settings, **options), imports=True)


@pytest.mark.parametrize("how", [["--dry-run"], []])
@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"game": "marking:env"}, "game = 'marking:env'"),
        (VOLLEY | {"opponents": {"fixed": ["random", "python:marking:play"]}},
         "opponents.fixed = 'python:marking:play'"),
        (VOLLEY | {"opponents": {"fixed": ["remote:tcp://127.0.0.1:1"]}}, "opponents.fixed = 'remote:tcp://127.0.0.1:1'"),
        (VOLLEY | {"evaluation": {"against": ["uci:sh"]}}, "evaluation.against = 'uci:sh'"),
        (VOLLEY | {"evaluation": {"against": ["gtp:sh"]}}, "evaluation.against = 'gtp:sh'"),
        (SEARCH | {"tune": {"search": {"opponents.fixed": {"choice": [["python:marking:play"]]}}}},
         "tune.search.opponents.fixed.choice = 'python:marking:play'"),
        (SEARCH | {"tune": {"search": {"game": {"grid": ["marking:env"]}}}}, "tune.search.game.grid = 'marking:env'"),
    ],
)  # fmt: skip
def test_code_that_a_file_names_is_refused(settings, named, how, marker, write, capsys, arcade_home):
    assert main([*write(settings), *how]) == 2
    said = capsys.readouterr().err
    assert named in said
    assert "--trust" in said
    assert not marker.exists()
    assert not (arcade_home / "trusted.json").exists()


def test_code_that_the_file_of_a_sweep_names_is_refused(marker, write, capsys):
    tune = {"search": {"evaluation.against": {"choice": [["python:marking:play"]]}}}
    assert main(["house/volley", "--steps", "1000", *write(tune, "--tune")]) == 2
    assert "python:marking:play" in capsys.readouterr().err
    assert not marker.exists()


FIXED = VOLLEY | {"opponents": {"fixed": ["python:marking:play"]}}


def test_a_file_that_is_trusted_may_name_code(marker, write):
    begin(config=Path(write(FIXED)[1]), trust=True)
    assert marker.exists()


def test_a_file_that_is_trusted_may_name_a_game(marker, write):
    assert begin(config=Path(write({"game": "marking:env"})[1]), trust=True).entry == "marking:env"


def test_words_that_are_typed_need_no_trust(marker, write):
    begin("house/volley", settings=["opponents.fixed=python:marking:play"])
    assert marker.exists()
    assert begin("marking:env").entry == "marking:env"
    assert (
        begin("marking:env", config=Path(write(FIXED)[1]), settings=["opponents.fixed=random"]).entry == "marking:env"
    )


def test_a_game_that_was_opened_here_may_stand_in_a_file(marker, write):
    open_game("marking:env")
    assert begin(config=Path(write({"game": "marking:env"})[1])).entry == "marking:env"


def test_a_dry_run_imports_no_code_however_it_is_named(marker, write, capsys):
    assert main(["house/volley", "--set", "opponents.fixed=python:marking:play", "--dry-run"]) == 0
    assert main([*write(FIXED), "--trust", "--dry-run"]) == 0
    for words in (["marking:env"], [*write({"game": "marking:env"}), "--trust"]):
        assert main([*words, "--dry-run"]) == 2
        assert "open it once: arcade play marking:env" in capsys.readouterr().err
    assert not marker.exists()


def write_run(arcade_home, settings, name="friends"):
    """The folder of a run as a friend may send it."""
    folder = arcade_home / "runs" / name
    folder.mkdir(parents=True)
    write_config(folder / "config.toml", make_config(settings | {"run": name}))
    return folder


@pytest.mark.parametrize("how", [["--dry-run"], []])
def test_code_that_the_folder_of_a_run_names_is_refused_on_resume(how, marker, arcade_home, capsys):
    write_run(arcade_home, FIXED)
    assert main(["--resume", "friends", *how]) == 2
    assert "opponents.fixed = 'python:marking:play'; if you trust what that runs: --trust" in capsys.readouterr().err
    assert not marker.exists()


def test_code_that_the_folder_of_a_sweep_names_is_refused_on_resume(marker, arcade_home, capsys):
    folder = arcade_home / "sweeps" / "friends"
    folder.mkdir(parents=True)
    search = {"opponents.fixed": {"choice": [["python:marking:play"]]}}
    (folder / "sweep.json").write_text(json.dumps(SEARCH | {"run": "friends", "tune": {"search": search}}))
    assert main(["--resume", "friends"]) == 2
    assert "python:marking:play" in capsys.readouterr().err
    assert not marker.exists()


def test_a_word_that_was_trusted_once_passes_until_it_means_another_file(marker, arcade_home, tmp_path, monkeypatch):
    write_run(arcade_home, FIXED)
    trust(["python:marking:play", "random"])
    assert choose_run(resume="friends").config.opponents.fixed == ("python:marking:play",)
    assert list(json.loads((arcade_home / "trusted.json").read_text())) == ["python:marking:play"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "marking.py").write_text(MODULE.format(marker=str(marker)))
    monkeypatch.syspath_prepend(str(elsewhere))
    with pytest.raises(ConfigError, match="python:marking:play"):
        choose_run(resume="friends")
    assert not marker.exists()


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("python:marking:play", True), (" python:marking:play?reaction_ms=5", True), ("uci:sh", True), ("gtp:sh", True),
        ("remote:tcp://127.0.0.1:1/a", True), ("scripted", False), ("snapshot:latest", False), ("random", False),
        ("house/volley", False), ("C:\\file", False), ("", False),
    ],
)  # fmt: skip
def test_every_kind_of_seat_says_whether_it_runs_something(word, runs):
    assert bool(what_runs(word)) == runs


def test_a_kind_of_another_package_is_asked_about_before_it_is_imported(monkeypatch):
    point = EntryPoint("marked", "marking:Kind", GROUP)
    monkeypatch.setattr(kinds, "_entry_points", lambda: EntryPoints([point]))
    assert what_runs("marked:it") == "the package that adds 'marked'"


def test_options_change_no_trust(arcade_home):
    trust(["uci:sh?skill=3"])
    assert untrusted(["uci:sh?skill=5", "uci:ls"]) == {"uci:ls": "a program: ls"}


def test_the_plan_of_a_tournament_names_only_code_that_was_typed_here(marker, arcade_home, tmp_path):
    words = ("python:marking:play", "random")
    entrants = tuple(Entrant(word=word, label=word, sides=(0, 1)) for word in words)
    plan = TournamentPlan(id="friends", game="house/volley", seed=1, entrants=entrants)
    write_plan(plan)
    with pytest.raises(UntrustedError, match="python:marking:play; if you trust what they run"):
        resume("friends", executor=None)
    assert not marker.exists()
