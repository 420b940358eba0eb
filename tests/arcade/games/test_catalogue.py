"""The catalogue says of every game what its env says, and finds games by the words that people type."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from gymnasium.spaces import Discrete

from arcade.games import GameError, GameSpec, catalogue, find_game, game_row, games, missing

IN_FAMILY = {"butterfly": 3, "classic": 10, "sisl": 2, "mpe": 12, "atari": 24, "house": 2}
SPECS = catalogue.built_in_games()


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")


def test_every_family_is_complete() -> None:
    counted = {family: sum(spec.family == family for spec in SPECS) for family in IN_FAMILY}
    assert counted == IN_FAMILY
    assert len({spec.id for spec in SPECS}) == len(SPECS)


@pytest.mark.parametrize(("package", "family"), [("mpe2", "mpe"), ("pettingzoo.atari", "atari"),
    ("pettingzoo.classic", "classic"), ("pettingzoo.butterfly", "butterfly"), ("pettingzoo.sisl", "sisl")])  # fmt: skip
def test_no_module_of_a_family_is_forgotten(package: str, family: str) -> None:
    found = find_spec(package)
    assert found is not None
    assert found.origin is not None
    modules = {file.stem for file in Path(found.origin).parent.glob("*_v[0-9]*.py")}
    ours = {"go_9x9_v5"}  # a module's game with other arguments
    assert {spec.id.partition("/")[2] for spec in SPECS if spec.family == family} - ours == modules


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_the_facts_are_those_of_the_real_env(spec: GameSpec) -> None:
    env = spec.make()
    try:
        env.reset(seed=1)
        assert tuple(env.possible_agents) == spec.agents
        assert env.metadata["render_fps"] == spec.fps
        assert hasattr(env, "agent_iter") != spec.entry.endswith(":parallel_env")
        assert sorted(agent for team in spec.teams for agent in team) == sorted(spec.agents)
        assert [spec.team_of(agent) for agent in spec.agents if agent in spec.teams[0]] == [0] * len(spec.teams[0])
        for agent in spec.agents:
            space = env.action_space(agent)
            if names := spec.names_of(agent):
                assert isinstance(space, Discrete)
                assert len(names) == space.n == len(set(names))
            else:
                assert not isinstance(space, Discrete) or spec.id == "classic/chess_v6"
        assert spec.turn_based == (spec.family == "classic")
        assert spec.outcome == "cooperative" or len(spec.teams) > 1
        assert spec.summary.endswith(".")
    finally:
        env.close()


def test_atari_words_are_what_the_emulator_does_with_them() -> None:
    from arcade.games.atari import ALE

    for spec in (spec for spec in SPECS if spec.family == "atari"):
        env = spec.make()
        codes = [int(code) for code in env.unwrapped.action_mapping]
        env.close()
        turned = {"right": "up", "left": "down"}  # an upright paddle's knob
        joystick = tuple(ALE[code] for code in codes)
        for agent in spec.agents:
            upright = tuple(" ".join(turned.get(part, part) for part in name.split()) for name in joystick)
            assert spec.names_of(agent) in (joystick, upright)


@pytest.mark.parametrize(
    ("agent", "x", "name"),
    [("first_0", 140, "up"), ("second_0", 16, "up"), ("first_0", 140, "down"), ("second_0", 16, "down")],
)
def test_a_pong_paddle_goes_where_its_word_says(agent: str, x: int, name: str) -> None:
    import numpy as np

    spec = find_game("atari/pong")
    env = spec.make()
    heights = []
    for action in (0, spec.names_of(agent).index(name)):
        env.reset(seed=3)
        for _ in range(60):
            seen, *_ = env.step({seat: action if seat == agent else 0 for seat in spec.agents})
        column = seen[agent][34:194, x].astype(int)
        heights.append(float(np.nonzero(np.abs(column - np.median(column, axis=0)).sum(axis=1))[0].mean()))
    env.close()
    assert (heights[1] < heights[0]) == (name == "up")


@pytest.mark.parametrize(
    ("word", "game"),
    [
        ("atari/pong_v3", "atari/pong_v3"),
        ("atari/pong", "atari/pong_v3"),
        ("pong_v3", "atari/pong_v3"),
        ("Pong", "atari/pong_v3"),
        ("simple", "mpe/simple_v3"),
        ("house/volley", "house/volley"),
        ("volley_2v2", "house/volley_2v2"),
        (" classic/go ", "classic/go_v5"),
    ],
)
def test_a_game_is_found_by_the_words_people_type(word: str, game: str) -> None:
    assert find_game(word).id == game


TYPOS = [("atari/pogn", "atari/pong_v3"), ("conect_four", "classic/connect_four_v3"), ("voley", "house/volley")]


@pytest.mark.parametrize(("word", "hint"), TYPOS)
def test_a_typo_is_answered_with_what_was_meant(word: str, hint: str) -> None:
    with pytest.raises(GameError, match=hint):
        find_game(word)


def test_a_word_for_two_games_is_answered_with_both(monkeypatch: pytest.MonkeyPatch) -> None:
    twin = GameSpec(id="other/pong_v1", title="", entry="a:b", agents=(0,), teams=((0,),), turn_based=False, fps=1)
    monkeypatch.setattr(catalogue, "built_in_games", lambda: (*SPECS, twin))
    with pytest.raises(GameError, match="atari/pong_v3, other/pong_v1"):
        find_game("pong")


def test_a_game_without_its_packages_is_listed_with_the_pip_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_is_importable", lambda package: package != "ale_py")
    row = next(row for row in map(game_row, games()) if row["id"] == "atari/pong_v3")
    assert not row["available"]
    assert row["pip"] == 'pip install "pettingzoo[atari]" ale-py'
    assert game_row(find_game("mpe/simple_tag"))["available"]


def test_making_a_game_without_its_packages_tells_the_pip_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mpe2.simple_tag_v3", None)
    with pytest.raises(GameError, match="pip install mpe2"):
        find_game("mpe/simple_tag").make()


def test_everything_can_be_played_on_a_full_installation() -> None:
    assert [spec.id for spec in SPECS if missing(spec)] == []


def test_rows_are_plain_data() -> None:
    rows = json.loads(json.dumps([game_row(spec) for spec in games()]))
    assert len(rows) == len(games())
    volley = next(row for row in rows if row["id"] == "house/volley_2v2")
    assert volley["seats"] == 4
    assert volley["teams"] == [["left_0", "left_1"], ["right_0", "right_1"]]


def test_the_listing_imports_no_game() -> None:
    code = "import sys, arcade.games as g; [g.game_row(spec) for spec in g.games()]; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"pettingzoo", "pygame", "gymnasium", "mpe2", "ale_py", "multi_agent_ale_py", "ray", "torch"}
    assert heavy.isdisjoint(loaded)


def test_notes_name_seats_of_the_game_in_a_few_words() -> None:
    noted = {spec.id for spec in SPECS if spec.seat_notes}
    assert {"house/volley", "atari/warlords_v3", "butterfly/pistonball_v6", "sisl/pursuit_v5"} <= noted
    for spec in SPECS:
        assert set(spec.seat_notes) <= set(spec.agents), spec.id
        assert all(0 < len(note) <= 26 for note in spec.seat_notes.values()), spec.id


def test_notes_repeat_no_word_of_the_title_beside_them() -> None:
    for spec in SPECS:
        for agent, note in spec.seat_notes.items():
            title = set(spec.seat_title(agent).casefold().split())
            assert title.isdisjoint(note.casefold().replace(",", " ").split()), f"{spec.id}: {title} {note}"


def test_games_that_wait_for_a_serve_say_so() -> None:
    for name in ("basketball_pong", "foozpong", "pong", "quadrapong", "tennis", "volleyball_pong"):
        spec = next(spec for spec in SPECS if spec.id.startswith(f"atari/{name}_v"))
        assert "serve" in " ".join(spec.rules.texts).casefold(), spec.id
        assert all(any("Serve" in row.words for row in spec.controls_of(agent).rows) for agent in spec.agents), spec.id


def test_where_notes_are_alike_the_seats_are_of_one_team() -> None:
    for spec in SPECS:
        teams: dict[str, set[int]] = {}
        for agent, note in spec.seat_notes.items():
            teams.setdefault(note, set()).add(spec.team_of(agent))
        assert all(len(found) == 1 for found in teams.values()), spec.id
