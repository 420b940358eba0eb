"""What people hear and feel of a match: hits for the seat that hits, points for both sides."""

from __future__ import annotations

from types import SimpleNamespace

from arcade.games.house.volley import parallel_env
from arcade.scenes.match.feedback import HIT, POINT, POINT_LOST, play_events, sound_of
from arcade.session.match.monitor import MatchEvent, MatchMonitor


def tick(rewards: dict, infos: dict | None = None) -> SimpleNamespace:
    return SimpleNamespace(rewards=rewards, infos=infos or {}, executed={})


def test_a_point_is_heard_from_the_side_of_the_people_here():
    point = MatchEvent("point", ("left",), ("right",))
    assert sound_of(point, ["left"]) == "point"
    assert sound_of(point, ["right"]) == "point lost"
    assert sound_of(point, ["left", "right"]) == "point"
    assert sound_of(point, []) == "point"
    assert sound_of(MatchEvent("bounce"), ["left"]) is None


def test_each_pad_feels_its_own_side():
    felt, heard = [], []
    host = SimpleNamespace(
        sound=SimpleNamespace(play=heard.append),
        devices=SimpleNamespace(rumble=lambda word, rumble: felt.append((word, rumble))),
    )
    hands = {"left": SimpleNamespace(word="gamepad:0"), "right": SimpleNamespace(word="gamepad:1"), "ai": object()}
    match = SimpleNamespace(spec=SimpleNamespace(agents=("left", "right", "ai")), mapping=hands)
    play_events(host, match, [MatchEvent("point", ("left",), ("right", "ai")), MatchEvent("hit", ("right",))])
    assert felt == [("gamepad:0", POINT), ("gamepad:1", POINT_LOST), ("gamepad:1", HIT)]
    assert heard == ["point", "hit"]


def test_the_monitor_sees_points_by_rewards_and_hits_by_the_game():
    monitor = MatchMonitor()
    monitor.tick(tick({"left": 1.0, "right": -1.0}, {"left": {"event": "point", "by": ()}}), {}, 0.0)
    monitor.tick(tick({"left": 0.0, "right": 0.0}, {"left": {"event": "hit", "by": ("right",)}}), {}, 0.1)
    assert monitor.take_events() == [MatchEvent("point", ("left",), ("right",)), MatchEvent("hit", ("right",))]
    assert monitor.take_events() == []


def test_volley_names_the_player_that_hits_the_ball():
    env = parallel_env()
    env.reset(seed=3)
    hitters = set()
    for _ in range(600):
        if not env.agents:
            break
        infos = env.step({"left_0": 3, "right_0": 3})[4]
        for agent, info in infos.items():
            if info["event"] == "hit":
                (hitter,) = info["by"]
                hitters.add(hitter)
            else:
                assert info["by"] == ()
            assert agent in infos
    assert hitters <= {"left_0", "right_0"}
    assert hitters
