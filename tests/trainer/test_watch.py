"""Watching: the moves that the trainer streams, stepped again in the game itself, show the same episode."""

import numpy as np

from agents.wire.control import ControlClient
from arcade.games import find_game
from arcade.match.stage.local import LocalStage
from tests.support.event_log import EventLog
from tests.support.runs import VOLLEY, finish, make_run


def test_a_viewer_sees_a_training_game_by_its_moves(tmp_path, ray_cluster, monkeypatch):
    settings = VOLLEY | {"steps": 1_000_000, "evaluation": {"steps": 0}, "freeze": {"placement_games": 0}}
    run = make_run("house/volley", settings, tmp_path)
    endpoints, ticks, over = run.server.endpoints, [], []
    with (
        EventLog.of(run.server._publisher, endpoints["events"]) as log,
        ControlClient(endpoints["control"]) as asker,
    ):
        asker.call("watch", {"on": True})

        def gather(*_, **__):
            for piece in (event.data for event in log.poll() if event.name == "watch"):
                if piece["first"]:
                    ticks.append((piece["seed"], []))
                ticks[-1][1].extend(piece["ticks"])
                over.extend([True] if piece["over"] else [])
            if len(over) >= 2:
                run.server.request("stop")

        monkeypatch.setattr(run.progress, "show", gather)
        finish(run)
    spec = find_game("house/volley")
    for seed, moves in ticks[:2]:
        assert played_to_the_end(spec, seed, moves)


def played_to_the_end(spec, seed, moves):
    """Whether the game is over with the last move, and not before it."""
    with LocalStage(spec) as stage:
        stage.reset(seed)
        tick = stage.wait()
        by_word = {str(agent): agent for agent in spec.agents}
        for move in moves:
            assert not tick.over
            assert set(move) == {str(agent) for agent in tick.acting}
            stage.step({by_word[word]: np.int64(action) for word, action in move.items()})
            tick = stage.wait()
        return tick.over
