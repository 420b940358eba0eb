"""Every code block of the README and of docs/ is run by a test: they are counted here, and those without one run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import test_libraries, test_readme, test_tutorials

ROOT = Path(__file__).parents[1]
DOCS = [page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name != "reference"]  # is generated
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")] + DOCS
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LIMIT = 240.0  # seconds until something is printed, or ends


def blocks(page: Path) -> list[tuple[str, str]]:
    """Language and text of each, without the directives of the site."""
    return [found for found in FENCE.findall(page.read_text("utf-8")) if not found[0].startswith("{")]


def runs_in(page: Path, language: str, body: str) -> str:
    """The test that runs a block, "" for none."""
    name = page.relative_to(ROOT).as_posix()
    if name.startswith("docs/tutorials/"):
        return "test_tutorials" if (language, body) in test_tutorials.fences(page.stem) else ""
    if name.startswith("docs/libraries/"):
        return "test_libraries" if (language, body) in test_libraries.FENCES else ""
    if name == "docs/maintain/architecture.md":
        return "test_architecture" if language == "python" else ""
    if language == "sh":
        return "test_readme" if set(test_readme.commands_of(body)) <= set(test_readme.COMMANDS) else ""
    if language == "python":
        return "test_readme" if body in test_readme.FILES.values() else ""
    return "here" if language in ("bash", "toml") else ""


def test_every_block_is_run() -> None:
    found = Counter[str]()
    for page in PAGES:
        text = page.read_text("utf-8")
        assert text.count("\n```") + text.startswith("```") == 2 * len(FENCE.findall(text)), f"unclosed block: {page}"
        for language, body in blocks(page):
            test = runs_in(page, language, body)
            assert test, f"no test runs this block of {page.relative_to(ROOT)}:\n{body}"
            found[test] += 1
    least = {"test_readme": 31, "test_tutorials": 28, "test_architecture": 10, "test_libraries": 5, "here": 5}
    assert all(found[test] >= count for test, count in least.items()), f"a block dropped out: {found}"


def own(page: str) -> list[str]:
    """Commands of the blocks that are run here, without comments."""
    lines = [body.splitlines() for language, body in blocks(ROOT / page) if language == "bash"]
    return [" ".join(shlex.split(line, comments=True)) for part in lines for line in part]


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "ARCADE_HOME": str(home), "SDL_VIDEODRIVER": "dummy", "PYTHONPATH": str(ROOT)}


def ends(command: list[str], desk: Path, env: dict[str, str]) -> str:
    """Run a command in the folder `desk`, and return what it printed."""
    done = subprocess.run(command, cwd=desk, env=env, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def started(line: str, home: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        test_readme.words_of(line), env=environment(home), stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str], words: str) -> str:
    """What follows the words in what a program says."""
    assert process.stderr is not None
    for line in process.stderr:
        if words in line:
            return line.partition(words)[2].strip()
    raise AssertionError(f"expected to hear {words!r}, got the end")


def plays(host: str, join: str, desk: Path) -> None:
    with started(f"{host} --address 127.0.0.1 --max-ticks 120 --seed 1", desk / "one") as hosting:
        code = said(hosting, "arcade join ")
        with started(join.replace("CODE", code), desk / "two") as joined:
            assert joined.wait(LIMIT) == 0
        assert hosting.wait(LIMIT) == 0


def test_two_machines_play(tmp_path: Path) -> None:
    host, join, *_ = own("docs/play/online.md")
    plays(host, join, tmp_path)


def test_two_machines_play_through_a_relay(tmp_path: Path) -> None:
    _, join, relay, host = own("docs/play/online.md")
    with started(f"{relay} --port 0 --host 127.0.0.1", tmp_path / "relay") as relaying:
        port = said(relaying, "relay on port ").partition(";")[0]
        through = host.replace("relay.example:5900", f"127.0.0.1:{port}")
        plays(f"{through} --seat left_0=random", join, tmp_path)


def test_a_sweep_is_read(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    [(_, body)] = [found for found in blocks(ROOT / "docs/train/sweeps.md") if found[0] == "toml"]
    assert "tune" in tomllib.loads(body)
    (tmp_path / "sweep.toml").write_text(body, "utf-8")
    [line] = own("docs/train/sweeps.md")
    ends([*test_readme.words_of(line), "--dry-run"], tmp_path, environment(tmp_path))


def test_the_parsers_are_fuzzed_and_their_seeds_written(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__", "pictures"))
    env = environment(tmp_path / "home") | {"PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}
    fuzz, seeds = own("docs/maintain/checks.md")
    for line in (fuzz.replace("1000000", "50"), seeds):
        printed = ends(test_readme.words_of(line), tmp_path, env)
    assert str(tmp_path / "tests" / "corpus") in printed
