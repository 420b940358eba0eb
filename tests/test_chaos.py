"""The figures of the chaos benchmark, from rests that are made up."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.chaos.process_table import Sample
from tests.benchmarks.chaos.watching import WARM_SECONDS, growth_figures


def figures(folder: Path, rests: list[tuple[int, bool]]) -> dict[str, object]:
    """Of rests every ten seconds: open descriptors, and whether a trainer was followed."""
    path, first = folder / "rests.jsonl", (0.0, (30, False))
    times = ((WARM_SECONDS + 10.0 * number, one) for number, one in enumerate(rests))
    samples = [Sample(at, 200.0, 215.0, {"pipe:[N]": fds}, 10, follows) for at, (fds, follows) in (first, *times)]
    path.write_text("".join(json.dumps(asdict(one)) + "\n" for one in samples))
    return growth_figures(path)


def test_a_trainer_that_comes_is_no_leak(tmp_path: Path) -> None:
    found = figures(tmp_path, [(30, False)] * 10 + [(38, True)] * 11)
    assert found["leaked_fds"] == 0
    assert found["compared_rests"] == 11


def test_a_leak_is_found_beside_a_trainer_that_comes_and_goes(tmp_path: Path) -> None:
    rests = [(38 + number if number % 3 else 30 + number, number % 3 > 0) for number in range(24)]
    assert figures(tmp_path, rests)["leaked_fds"] == 16  # of those that follow it: from 42 to 58


def test_a_spare_game_that_was_killed_at_an_early_rest_is_no_leak_and_hides_none(tmp_path: Path) -> None:
    rests = [(36, True), (33, True), *[(36, True)] * 10]
    assert figures(tmp_path, rests)["leaked_fds"] == 0
    leaking = [(36, True)] * 8 + [(39, True), (36, True), (39, True), (39, True)]
    assert figures(tmp_path, leaking)["leaked_fds"] == 3


def test_few_rests_tell_nothing(tmp_path: Path) -> None:
    assert figures(tmp_path, [(30, False)] * 7 + [(38, True)] * 7)["leaked_fds"] is None
