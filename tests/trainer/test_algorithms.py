"""The table of algorithms: one object each, the package's own and those of other packages."""

from __future__ import annotations

import subprocess
import sys

import pytest

from trainer.config import ConfigError, algorithms
from trainer.config.algorithms import ALGORITHMS
from trainer.config.algorithms.algorithm import Algorithm, TrainingSettings
from trainer.config.reading import make_config


class ToySettings(TrainingSettings):
    """Settings of another package's algorithm."""

    patience: int = 3


TOY = Algorithm(name="TOY", settings=ToySettings, implementation="nowhere.toy", actions=("Discrete",))


class Point:
    def __init__(self, name: str, found: object) -> None:
        self.name, self.value, self._found = name, f"package:{name}", found

    def load(self) -> object:
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


def test_an_installed_algorithm_takes_its_own_settings(monkeypatch) -> None:
    points = [Point("toy", TOY), Point("broken", ImportError("no torch")), Point("odd", 5)]
    monkeypatch.setattr(algorithms, "entry_points", lambda group: points if group == "trainer.algorithms" else [])
    table = algorithms._table()
    assert list(table) == [*ALGORITHMS, "TOY"]
    monkeypatch.setitem(ALGORITHMS, "TOY", table["TOY"])
    run = make_config({"game": "house/volley", "algorithm": "TOY", "training": {"patience": 5}})
    assert run.training.patience == 5
    with pytest.raises(ConfigError, match=r"training.patience: .*this one is of TOY"):
        make_config({"game": "house/volley", "training": {"patience": 5}})


def test_an_unknown_algorithm_is_told_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"algorithm: expected PPO \| A2C .*, got: 'TD3'"):
        make_config({"game": "house/volley", "algorithm": "TD3"})


def test_the_table_needs_neither_ray_nor_torch() -> None:
    program = "import sys, trainer.config.algorithms; sys.exit('ray' in sys.modules or 'torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=120).returncode == 0
