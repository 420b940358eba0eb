"""Every command and snippet of the README and of docs/, run."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.screen import MISSING, Screen

ROOT = Path(__file__).parents[1]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
ELSEWHERE = ("libraries", "reference", "tutorials")  # run by tests of their own, or generated
PAGES = [ROOT / "README.md", *(page for page in DOCS if page.parent.name not in ELSEWHERE)]


def commands_of(block: str) -> list[str]:
    """The commands of a block of shell text, each on one line."""
    return [" ".join(line.split()) for line in block.replace("\\\n", " ").splitlines() if line]


README = PAGES[0].read_text(encoding="utf-8")
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
FENCES = re.findall(r"```(\w+)\n(.*?)```", TEXT, flags=re.DOTALL)
COMMANDS = [command for language, body in FENCES if language == "sh" for command in commands_of(body)]
SNIPPETS = [
    (match[1], body)
    for language, body in FENCES
    if language == "python" and (match := re.match(r"# (\w+\.py)\n", body))
]
FILES = dict(SNIPPETS)
PROGRAMS = ("my_match.py", "my_matches.py", "my_search.py")

IN_WINDOW = [line for line in COMMANDS if line.startswith("arcade play") and "--headless" not in line]
TRAINING = [line for line in COMMANDS if line.startswith("arcade train")]
MAKE = ["make play", "make test"]
SERVING = ["arcade serve", "python my_server.py"]
RECORDINGS = [
    line
    for line in COMMANDS
    if line.startswith(("arcade recordings", "arcade replay", "arcade imitate")) or "clone" in line
]
HEADLESS = [
    line
    for line in COMMANDS
    if line.startswith("arcade") and line not in [*IN_WINDOW, *TRAINING, *SERVING, *RECORDINGS]
]
SHORTER = {"arcade imitate": " --epochs 1", "arcade ladder exploitability house": " --minutes 0.05 --games 8"}
"""Words that commands beginning so get too.  A later option replaces an earlier one."""
LIMIT = 300.0


def test_no_command_and_no_snippet_is_left_out() -> None:
    run_here = [*IN_WINDOW, *TRAINING, *SERVING, *RECORDINGS, *MAKE]
    assert sorted(set(COMMANDS) - set(run_here)) == sorted(HEADLESS)
    assert len(COMMANDS) == len(set(COMMANDS)) >= 44
    assert [name for name, _ in SNIPPETS] == [*dict.fromkeys(name for name, _ in SNIPPETS)], "one file of each name"
    assert set(FILES) == {
        "my_duel.py",
        "my_game.py",
        "my_tag.py",
        "my_agent.py",
        "my_server.py",
        "my_peer.py",
        *PROGRAMS,
    }
    assert len(README.encode()) <= 5000


def test_links_lead_to_pages_and_headings() -> None:
    for page in [ROOT / "README.md", *(page for page in DOCS if page.parent.name != "reference")]:
        for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
            file, _, heading = target.partition("#")
            linked = page.parent / file if file else page
            if linked.parent.name == "reference":  # generated
                continue
            assert linked.exists(), f"{page.name}: {target}"
            headings = re.findall(r"^#+ (.+)$", linked.read_text(encoding="utf-8"), re.M) if heading else []
            assert not heading or heading in [words.lower().replace(" ", "-") for words in headings]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """An empty folder with the files of the pages in it."""
    for name, body in FILES.items():
        (tmp_path / name).write_text(body, encoding="utf-8")
    return tmp_path


def environment(desk: Path, **extra: str) -> dict[str, str]:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    env = {key: value for key, value in os.environ.items() if key not in hidden}
    return env | {"ARCADE_HOME": str(desk / "home"), "PYTHONUNBUFFERED": "1"} | extra


def words_of(command: str) -> list[str]:
    """The command as a list, run by this Python whatever is on the PATH."""
    first, *rest = shlex.split(command)
    return [sys.executable, *(["-m", "arcade"] if first == "arcade" else []), *rest]


def run(command: str, desk: Path) -> str:
    command += "".join(words for start, words in SHORTER.items() if command.startswith(start))
    done = subprocess.run(
        words_of(command), cwd=desk, env=environment(desk), capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def start(command: str, desk: Path, **extra: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        words_of(command), cwd=desk, env=environment(desk, **extra), stdout=subprocess.PIPE, text=True
    )


def stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(LIMIT)
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


@pytest.mark.parametrize("command", [line for line in HEADLESS if "remote:" not in line])
def test_command(command: str, desk: Path) -> None:
    assert run(command, desk).strip()


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: str, desk: Path) -> None:
    assert run(f"python {program}", desk).strip()


def test_own_agent_on_a_server_plays(desk: Path) -> None:
    """The endpoint of the page, on a port that is free here."""
    import zmq

    with zmq.Context() as context, context.socket(zmq.ROUTER) as probe:
        port = probe.bind_to_random_port("tcp://127.0.0.1")
    code = desk / "my_server.py"
    code.write_text(code.read_text().replace("5555", str(port)))
    server = start("python my_server.py", desk)
    try:
        command = next(line for line in HEADLESS if "remote:" in line).replace("5555", str(port))
        assert "late" not in run(command, desk)
    finally:
        stop(server)


def test_serve_says_where_it_listens_and_stops_when_asked(desk: Path) -> None:
    server = start("arcade serve --endpoint tcp://127.0.0.1:*", desk)
    assert server.stdout is not None
    line = server.stdout.readline()
    stop(server)
    assert re.search(r"serving [1-9]\d* snapshots at tcp://127\.0\.0\.1:\d+", line)
    assert server.returncode == 0


def test_recordings(desk: Path) -> None:
    """One after the other, on what the first of them records."""
    record = next(line for line in HEADLESS if "--record" in line and "volley" in line)
    assert "replay: " in run(record + " --max-ticks 600", desk)
    printed = {command: run(command, desk) for command in RECORDINGS}
    replayed = [words for command, words in printed.items() if "replay" in command and "--video" not in command]
    assert len(replayed) == 2
    assert all("came out the same" in words for words in replayed)
    assert "clone-scripted-1" in printed[RECORDINGS[-1]]
    assert (desk / "rally.mp4").stat().st_size > 10_000
    assert list((desk / "data").glob("arcade/house/volley/*-v0/data/metadata.json"))


@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
@pytest.mark.parametrize("command", IN_WINDOW)
def test_window_command(command: str, desk: Path) -> None:
    with Screen(desk) as screen:
        process = start(command, desk, **screen.environment)
        try:
            deadline = time.monotonic() + LIMIT
            while not screen.window():
                assert process.poll() is None, "the window's process ended by itself"
                assert time.monotonic() < deadline, "no window came up"
        finally:
            stop(process)


def test_make_targets_are_those_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in [*MAKE, "make test-fast", "make setup", "make check", "make bench", "make shots"]:
        assert target in TEXT
        assert re.search(rf"^{target.removeprefix('make ')}:", makefile, flags=re.MULTILINE)


def test_training_commands(desk: Path) -> None:
    """With fewer steps: the first command trains and freezes, the next one resumes its run, others are checked."""
    short = (
        TRAINING[0].replace("200000", "4000") + " --run readme --set training.batch=1024 --set training.minibatch=256"
    )
    run(short, desk)
    assert (desk / "home" / "runs" / "readme" / "config.toml").exists()
    run("arcade train --resume --steps 6000", desk)
    run("arcade play house/volley --headless --record --max-ticks 600 --seat '*=scripted'", desk)
    run('arcade recordings rename latest "lost serve"', desk)
    checked = [line for line in TRAINING if line not in (TRAINING[0], "arcade train --resume")]
    for command in checked:
        ends = "--dry-run" in command or "--schema" in command
        assert isinstance(json.loads(run(command if ends else f"{command} --dry-run", desk)), dict), command
    assert len(checked) == len(TRAINING) - 2 >= 3
