"""Videos of recordings, read back by the library that writes them; ordered by a command and from the window."""

from __future__ import annotations

import json
import re
import resource
import time
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from typer.testing import CliRunner

from agents.files import folder
from agents.seats.controller import SeatChoice
from agents.snapshots.store import SnapshotStore
from arcade.commands.cli import app
from arcade.engine.ui.theme import Theme
from arcade.games import find_game
from arcade.language import clock_text
from arcade.match.batch.in_process import Series, play_series
from arcade.match.play.result import RecordingSource
from arcade.match.playback.reader import read_replay
from arcade.scenes import routes
from arcade.scenes.videos.export import export_video
from arcade.scenes.videos.page import VideoScene
from arcade.session.videos import VideoJob, VideoSettings, parse_size, timetable
from arcade.video_formats import VideoError

DEADLINE = 300.0
SMALL = (320, 180)


def record(game: str, place: Path, *, ticks: int, who: str = "random") -> Path:
    spec = find_game(game)
    seats = dict.fromkeys(spec.agents, SeatChoice(who))
    series = Series(seed=3, max_ticks=ticks, record=place / "replays")
    return play_series(spec, seats, series, store=SnapshotStore(place / "none")).replays[0]


@pytest.fixture(scope="module")
def volley(tmp_path_factory) -> Path:
    return record("house/volley", tmp_path_factory.mktemp("volley"), ticks=120, who="scripted")


def read(path: Path) -> tuple[dict, list[np.ndarray]]:
    frames = imageio_ffmpeg.read_frames(str(path))
    about = next(frames)
    width, height = about["size"]
    return about, [np.frombuffer(frame, np.uint8).reshape(height, width, 3).astype(int) for frame in frames]


def test_a_video_shows_the_asked_part_in_its_own_time_and_says_how_far_it_is(volley, tmp_path) -> None:
    told: list[tuple[int, int]] = []
    out = tmp_path / "videos" / "part.mp4"
    part = VideoSettings(start=0.5, end=1.5, size=SMALL)
    video = export_video(read_replay(volley), out, part, progress=lambda *done: told.append(done))
    about, frames = read(out)
    assert about["fps"] == 30
    assert about["size"] == SMALL
    assert len(frames) == video.pictures == 60, "a second of play, and the last picture stands for another"
    assert told[-1] == (60, 60)
    assert video.differs_at is None
    assert abs(frames[0] - frames[29]).mean() > 0.5, "it moves"
    assert abs(frames[35] - frames[58]).mean() < 0.5, "it stands"
    assert [path.name for path in out.parent.iterdir()] == ["part.mp4"]


def test_slow_motion_takes_longer_and_a_summary_skips(volley, tmp_path) -> None:
    replay, out = read_replay(volley), Path("any.mp4")
    slow, fast = (timetable(replay, VideoSettings(speed=speed), out) for speed in (0.5, 4))
    assert (slow.pictures, fast.pictures) == (120 + 30, 15 + 30)
    assert [tick for tick, _ in slow.ticks()] == list(range(120 + 1))
    assert [tick for tick, _ in fast.ticks()] == list(range(0, 120 + 1, 8))
    assert sum(count for _, count in fast.ticks()) == fast.pictures


def test_a_game_that_we_draw_ourselves_becomes_a_gif_with_names_above_it(tmp_path) -> None:
    path, out = record("classic/tictactoe", tmp_path, ticks=9), tmp_path / "board.gif"
    video = export_video(read_replay(path), out, VideoSettings(hud=True, speed=4, size=SMALL))
    about, frames = read(out)
    assert about["codec"].startswith("gif")
    assert about["duration"] == pytest.approx(video.seconds, abs=0.5)
    bar = frames[0][:16]
    assert bar.min() < 60
    assert bar.max() > 180, "names and scores"
    assert abs(frames[0][16:] - frames[-1][16:]).mean() > 1, "marks were set"


def test_a_video_names_people_only_where_the_recording_may(tmp_path, monkeypatch) -> None:
    replay = read_replay(record("classic/tictactoe", tmp_path, ticks=5))
    crosses, noughts = replay.spec().agents
    people = {
        crosses: RecordingSource(tick=0, agent=str(crosses), kind="keyboard", label="person 1", human=True),
        noughts: RecordingSource(tick=0, agent=str(noughts), kind="keyboard", label="Ada", person="Ada", human=True),
    }
    monkeypatch.setattr(type(replay), "source_at", lambda self, agent, tick: people[agent])
    lines: list[str] = []
    draw = Theme.draw_text
    monkeypatch.setattr(Theme, "draw_text", lambda *a, **k: lines.append(a[2]) or draw(*a, **k))
    export_video(replay, tmp_path / "named.gif", VideoSettings(hud=True, speed=64, size=SMALL))
    assert lines[0] == "move 1", "as in the match"
    assert {"Crosses", "Ada"} <= set(lines)
    assert "person 1" not in lines


def test_a_recording_that_comes_out_another_way_ends_the_video_before_it(volley, tmp_path) -> None:
    replay = read_replay(volley)
    replay.digests[60:] = [digest ^ 1 for digest in replay.digests[60:]]
    video = export_video(replay, tmp_path / "cut.mp4", VideoSettings(size=SMALL))
    assert video.differs_at == 60
    assert video.pictures == 30
    replay.digests[0] ^= 1
    with pytest.raises(VideoError, match="to come out as recorded"):
        export_video(replay, tmp_path / "none.mp4", VideoSettings(size=SMALL))
    assert [path.name for path in tmp_path.iterdir()] == ["cut.mp4"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--video", "video.avi"], "*.mp4 or *.gif"),
        (["--video", "video.mp4", "--size", "large"], "a size like 1280x720"),
        (["--video", "video.mp4", "--size", "33x33"], "two even numbers"),
        (["--video", "video.mp4", "--from", "90"], "the seconds of the recording"),
        (["--video", "video.mp4", "--from", "2", "--to", "1"], "expected 0 <= from < to"),
        (["--video", "video.mp4", "--view", "nobody"], "a seat of left_0, right_0"),
        (["--video", "/proc/video.mp4"], "expected to write a video at /proc/video.mp4"),
    ],
)
def test_what_cannot_be_a_video_is_told_and_leaves_nothing(volley, tmp_path, monkeypatch, options, words) -> None:
    monkeypatch.chdir(tmp_path)
    said = CliRunner().invoke(app, ["replay", str(volley), *options])
    assert said.exit_code == 2
    assert words in said.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["video.mp4", "video.gif"])
def test_a_disk_without_room_for_the_video_is_named_as_the_reason(volley, tmp_path, name) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))  # ffmpeg inherits it
    try:
        said = CliRunner().invoke(app, ["replay", str(volley), "--video", str(tmp_path / name), "--size", "160x90"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert said.exit_code == 2
    assert "File too large" in said.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_video_and_tells_of_it(volley, tmp_path) -> None:
    out = tmp_path / "video.gif"
    options = ["--video", str(out), "--to", "0.5", "--size", "160x90", "--json"]
    said = CliRunner().invoke(app, ["replay", str(volley), *options])
    assert said.exit_code == 0
    assert json.loads(said.stdout) == {
        "video": str(out), "seconds": 1.5, "pictures": 30, "size": [160, 90], "differs_at": None,
    }  # fmt: skip
    assert out.stat().st_size > 1000


def test_a_video_that_is_given_up_leaves_nothing(volley, tmp_path) -> None:
    job = VideoJob(volley, tmp_path / "long.mp4", VideoSettings(speed=1 / 64, size=(1280, 720)))
    deadline = time.monotonic() + DEADLINE
    while not job.progress and not job.done:
        assert time.monotonic() < deadline, "expected a first picture"
        job.wait(0.02)
    assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
    job.cancel()
    assert job.wait(DEADLINE)
    assert job.video is None
    assert job.text == "The video could not be made: it was cancelled"
    assert list(tmp_path.iterdir()) == []


def test_a_video_of_what_is_no_recording_says_why(tmp_path) -> None:
    (tmp_path / "note.replay").write_text("not a recording")
    job = VideoJob(tmp_path / "note.replay", tmp_path / "video.mp4")
    assert job.wait(DEADLINE)
    assert job.video is None
    assert job.text.startswith("The video could not be made: expected")


def test_a_size_is_two_numbers() -> None:
    assert parse_size("640x360") == (640, 360)


def test_the_page_makes_videos_beside_the_window_each_in_a_file_of_its_own(volley, sit, keyboard) -> None:
    sitting = sit()
    hand, page = keyboard(sitting), VideoScene(sitting.services, routes.Video(volley, seconds=2.0, start=1.5))
    sitting.engine.push(page)
    page.kind = 3
    page.rebuild()
    sitting.until(lambda: page.name, "the recording's card")
    length = page.length
    hand.choose("Make the video")
    hand.choose("Back")
    [job] = sitting.services.videos.jobs
    other = sitting.services.videos.order(volley, page.settings, suffix=job.out.suffix)
    assert job.wait(DEADLINE)
    assert other.wait(DEADLINE)
    sitting.frame(2)
    assert job.text in sitting.engine.toasts.messages
    assert job.video is not None, job.text
    assert f"Video of {clock_text(length)} " in job.text, "as long as the page said"
    assert other.video is not None, other.text
    assert {job.out.parent, other.out.parent} == {folder("videos")}
    assert read(job.out)[0]["size"] == (320, 180)
    assert other.out != job.out
    assert re.fullmatch(r"Volley, Scripted bot against Scripted bot, \d{4}-\d\d-\d\d\.gif", job.out.name)
    sitting.engine.push(page)
    page.job = job
    sitting.frame(2)
    assert str(folder("videos")) in page.texts[-1]
    assert sitting.widget("Open the folder").enabled


def test_the_page_is_used_with_each_hand_and_stops_a_video(volley, sit, make_hand) -> None:
    sitting = sit()
    hand, page = make_hand(sitting), VideoScene(sitting.services, routes.Video(volley, seconds=2.0))
    sitting.engine.push(page)
    hand.choose("Make the video")
    job = page.job
    hand.choose("Cancel")
    assert job.wait(DEADLINE)
    sitting.frame(2)
    assert sitting.engine.toasts.messages == ("The video could not be made: it was cancelled",)
    assert sitting.widget("Make the video").enabled
    assert list(folder("videos").iterdir()) == []


def test_a_long_video_tells_its_time_left_on_its_page_and_in_the_list_of_jobs(volley, sit) -> None:
    sitting = sit()
    slow = VideoSettings(speed=1 / 64, size=(3840, 2160))  # no machine is done before the estimate is sure
    job = sitting.services.videos.order(volley, slow)
    page = VideoScene(sitting.services, routes.Video(volley, seconds=2.0))
    sitting.engine.push(page)
    sitting.until(lambda: job.left_text, "the time left")
    sitting.frame(2)
    assert re.fullmatch(r"Making the video: \d+%, .+ left", page.texts[-1]), page.texts
    assert job.text.endswith(" left")
    job.cancel()
    assert job.wait(DEADLINE)


def test_from_and_to_keep_apart(volley, sit) -> None:
    sitting = sit()
    page = VideoScene(sitting.services, routes.Video(volley, seconds=10.0))
    sitting.engine.push(page)
    sitting.widget("To").set(4.0)
    sitting.widget("From").set(9.0)
    assert (page.begin, page.end) == (9.0, 9.5)
    sitting.widget("To").set(0.0)
    assert (page.begin, page.end) == (0.0, 0.5)
    assert sitting.widget("From").value == 0.0
    assert page.settings.end == 0.5
