"""A person at the keyboard who sees the screen, against a snapshot that sees the console's memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame

from agents.policies.snapshot_controller import SnapshotController
from agents.seats.kinds import parse_seat
from agents.snapshots.store import open_store
from arcade.controls.device_controllers import make_devices
from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.hosted import HostedStage
from tests.support.small_snapshots import save_memory_snapshot


def test_both_play_one_match_whose_recording_repeats(turns: Any, tmp_path: Path) -> None:
    spec, store = find_game("atari/boxing_v2"), open_store()
    save_memory_snapshot(store, "reader", spec.id)
    choice = parse_seat("keyboard:wasd")
    with HostedStage(spec) as stage:
        stage.wait_ready()
        person = make_devices(turns.engine.devices)["keyboard"](choice, stage.seat("first_0"))
        writer = ReplayWriter(tmp_path / "a.replay")
        mapping = {"first_0": person, "second_0": SnapshotController(store.get("reader"))}
        match = Match(
            stage, mapping, seed=3, rate=spec.fps, clock=lambda: turns.now, max_ticks=40, recorders=[writer]
        )  # fmt: skip
        match.start()
        turns.key(pygame.K_d)
        while not match.over:
            turns.frame(1.001 / spec.fps)
            match.advance(turns.now)
            while match.stepping and not match.over:
                match.listen(turns.now)
        person.close()
        writer.close()
    assert match.error is None
    assert match.frame is not None
    assert match.frame.shape == (210, 160, 3)
    assert match.result is not None
    assert match.result.late["second_0"] == 0
    replay = read_replay(tmp_path / "a.replay")
    right = spec.names_of("first_0").index("right")
    assert [actions["first_0"] for actions in replay.actions].count(right) > 30
    assert len({actions["second_0"] for actions in replay.actions}) > 1
    verdict = verify(replay)
    assert verdict.ok, verdict
