"""A file that came from somebody else names its game, and that is code: nothing imports it until somebody here asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from arcade.match.playback.replay import ReplayError
from arcade.recordings.datasets.episodes import episodes
from arcade.recordings.library import RecordingLibrary
from tests.support.foreign_games import GAME, Received, receive

ASK_FOR_CODE = [
    ["replay", "gift", "--verify"],
    ["replay", "gift", "--video", "film.gif"],
    ["recordings", "export", "--to", "npz", "--out", "out"],
    ["recordings", "export", "--to", "npz", "--out", "other", "--game", GAME],
]


@pytest.fixture
def received(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Received:
    return receive(tmp_path, monkeypatch)


def test_a_gift_runs_no_code_until_its_game_was_opened_here(
    received: Received, caplog: pytest.LogCaptureFixture
) -> None:
    assert GAME in received.run("recordings", "list", "--json").stdout
    assert GAME in received.run("recordings", "show", "gift").stdout
    assert not received.mark.exists()
    for words in [["replay", "gift"], *ASK_FOR_CODE]:  # that one would open a window
        caplog.clear()
        done = received.run(*words)
        assert done.exit_code != 0, words
        assert received.refuses(done.stderr + caplog.text), words  # exports say what they leave out, and go on
    recording = RecordingLibrary(received.recording.parent).get("gift")
    with pytest.raises(ReplayError) as refused:
        recording.replay().spec()
    assert received.refuses(str(refused.value))
    assert [len(episode) for episode in episodes(recording, ["ann"])] == [30]  # what was seen is in the file itself
    assert not received.mark.exists()

    opened = received.run("play", GAME, "--headless", "--seat", "*=random")
    assert opened.exit_code == 0, opened.output
    assert received.mark.exists()
    for words in ASK_FOR_CODE:
        done = received.run(*words, "--json")
        assert done.exit_code == 0, (words, done.output)


def test_another_file_of_that_name_is_not_what_was_opened(received: Received, tmp_path: Path) -> None:
    assert received.run("play", GAME, "--headless", "--seat", "*=random").exit_code == 0
    received.mark.unlink()
    came_along = tmp_path / "gift"
    came_along.mkdir()
    (tmp_path / "game_of_a_stranger.py").rename(came_along / "game_of_a_stranger.py")
    with pytest.MonkeyPatch.context() as there:
        there.chdir(came_along)
        done = received.run("replay", "gift", "--verify")
    assert str(came_along) in done.stderr
    assert received.refuses(done.stderr)
    assert not (came_along / "MARK").exists()
