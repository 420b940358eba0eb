"""Checkpoints of a run, and weights that it keeps for resets and the KL penalty.

A checkpoint has the learner's state by RLlib beside the run's own, and is written whole or not at all.

RLlib writes pickles.  They are read only from the run's own folder on this machine; share snapshots instead.
"""

from __future__ import annotations

import io
import json
import random
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch

from agents.files import replace_file, write_folder
from agents.snapshots.store import Snapshot, SnapshotStore

STATE_FILE, SCORE_FILE, RUNNERS_FILE = "state.json", "standing.json", "runners.json"
ALGORITHM_FOLDER, RANDOM_FILE = "algorithm", "random.pt"

FIRST_WEIGHTS = "first_weights.pt"
REFERENCE, OLD_REFERENCE = "reference", "pull"
"""Folders of the reference snapshot."""


class CheckpointFolder:
    """``runs/ID/checkpoints``: numbered checkpoints, ranked by the mean of a metric since the last one."""

    def __init__(self, root: Path, *, keep_last: int = 2, keep_best: int = 0, metric: str = "score") -> None:
        self.root, self._keep_last, self._keep_best, self.metric = root, keep_last, keep_best, metric
        self._values: list[float] = []  # of the metric since the last checkpoint
        root.mkdir(parents=True, exist_ok=True)

    def add(self, metrics: Mapping[str, Any]) -> None:
        """Add the metrics of an iteration."""
        if (value := metric_of(metrics, self.metric)) is not None:
            self._values.append(value)

    def save(self, algorithm: Any, state: Mapping[str, Any], *, step: int) -> Path:
        """Write a checkpoint, then delete all but the newest and the best."""
        runners = algorithm.env_runner_group
        values, self._values = self._values, []
        score = {"metric": self.metric, "value": sum(values) / len(values) if values else None, "step": step}

        def fill(aside: Path) -> None:
            algorithm.save_to_path(aside / ALGORITHM_FOLDER)
            torch.save(_random_state(), aside / RANDOM_FILE)
            pairs = runners.foreach_env_runner(lambda r: (str(r.worker_index), r.rng.bit_generator.state))
            (aside / RUNNERS_FILE).write_text(json.dumps(dict(pairs)), "utf-8")
            (aside / SCORE_FILE).write_text(json.dumps(score), "utf-8")
            (aside / STATE_FILE).write_text(json.dumps(state), "utf-8")

        return self._write(fill)

    def adopt(self, other: Path) -> Path:
        """Copy another run's checkpoint as the newest."""
        return self._write(lambda aside: shutil.copytree(other, aside, dirs_exist_ok=True))

    def newest(self) -> Path | None:
        """The last complete checkpoint, None before the first."""
        numbers = self._numbers()
        return self._path(numbers[-1]) if numbers else None

    def best(self) -> Path | None:
        """The checkpoint with the highest score, the newer of two alike; None without a score."""
        ranked = self._ranked()
        return self._path(ranked[-1]) if ranked else None

    def _write(self, fill: Any) -> Path:
        path = self._path(max(self._numbers(), default=-1) + 1)
        write_folder(path, fill)
        self._prune()
        return path

    def _path(self, number: int) -> Path:
        return self.root / f"{number:08d}"

    def _numbers(self) -> list[int]:
        return sorted(int(path.name) for path in self.root.iterdir() if path.name.isdecimal())

    def _ranked(self) -> list[int]:
        """Numbers of the checkpoints with a score, the worst first."""
        values = {number: read_score(self._path(number)).get("value") for number in self._numbers()}
        known = [(value, number) for number, value in values.items() if value is not None]
        return [number for _, number in sorted(known)]

    def _prune(self) -> None:
        numbers, ranked = self._numbers(), self._ranked()
        kept = {*numbers[-self._keep_last :], *(ranked[-self._keep_best :] if self._keep_best else [])}
        for number in numbers:
            if number not in kept:
                shutil.rmtree(self._path(number), ignore_errors=True)
        for path in self.root.glob(".*.part"):
            shutil.rmtree(path, ignore_errors=True)


def metric_of(metrics: Mapping[str, Any], name: str) -> float | None:
    """The metric `name`, or its mean over policies (name/POLICY); None without either."""
    if name in metrics:
        return float(metrics[name])
    own = [float(value) for key, value in metrics.items() if key.startswith(f"{name}/")]
    return sum(own) / len(own) if own else None


def read_state(path: Path) -> dict[str, Any]:
    """The `state` passed to `save`."""
    return cast(dict[str, Any], json.loads((path / STATE_FILE).read_text("utf-8")))


def read_score(path: Path) -> dict[str, Any]:
    """``metric``, ``value`` (None where not known, higher is better) and ``step``."""
    return cast(dict[str, Any], json.loads((path / SCORE_FILE).read_text("utf-8")))


def restore_algorithm(path: Path, algorithm: Any) -> None:
    """Restore weights, optimizers, counters, and the random states of driver and runners."""
    algorithm.restore_from_path((path / ALGORITHM_FOLDER).absolute())
    saved = torch.load(path / RANDOM_FILE, weights_only=True)
    torch.set_rng_state(saved["torch"])
    torch.cuda.set_rng_state_all(saved["cuda"][: torch.cuda.device_count()])
    version, keys, *rest = saved["numpy"]
    np.random.set_state((version, np.array(keys, np.uint32), *rest))
    version, numbers, gauss = saved["python"]
    random.setstate((version, tuple(numbers), gauss))
    states = json.loads((path / RUNNERS_FILE).read_text("utf-8"))

    def restore(runner: Any) -> None:
        if state := states.get(str(runner.worker_index)):
            runner.rng.bit_generator.state = state

    algorithm.env_runner_group.foreach_env_runner(restore)


def _random_state() -> dict[str, Any]:
    numpy_state: Any = np.random.get_state()  # numpy annotates the tuple as the dictionary that it may be
    version, keys, position, has_gauss, gauss = numpy_state
    python_version, numbers, python_gauss = random.getstate()
    return {
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        "numpy": [version, keys.tolist(), position, has_gauss, gauss],
        "python": [python_version, list(numbers), python_gauss],
    }


def reference_snapshot(run_folder: Path, find: Callable[[], Snapshot]) -> Snapshot:
    """The snapshot in the run's folder, or that of `find`, which is saved there so that a resumed run has it too."""
    old = run_folder / OLD_REFERENCE
    store = SnapshotStore(old if old.exists() else run_folder / REFERENCE)
    if saved := store.list():
        return store.get(saved[0].name)
    found = find()
    return store.save(found.card, found.onnx)


def keep_first_weights(run_folder: Path, states: dict[str, Any]) -> None:
    """Save the initial states of policies, by id, once per run."""
    if (path := run_folder / FIRST_WEIGHTS).exists():
        return
    tensors = {id: {name: torch.as_tensor(np.asarray(a)) for name, a in own.items()} for id, own in states.items()}
    buffer = io.BytesIO()
    torch.save(tensors, buffer)
    replace_file(path, buffer.getvalue())


def load_first_weights(run_folder: Path, policy: str) -> dict[str, Any]:
    """The initial state of a policy."""
    tensors = torch.load(run_folder / FIRST_WEIGHTS, weights_only=True)[policy]
    return {name: tensor.numpy() for name, tensor in tensors.items()}


def reset_policy(algorithm: Any, policy: str, state: dict[str, Any]) -> None:
    """Give a policy the weights of `state` everywhere, and optimizers without momentum.

    RLlib's `set_state` leaves optimizers alone; their moments are cleared here and made anew at the next step.
    """

    def clear(learner: Any) -> None:
        for _, optimizer in learner.get_optimizers_for_module(policy):
            optimizer.state.clear()

    algorithm.learner_group.foreach_learner(clear)
    set_state(algorithm, policy, state)


def set_state(algorithm: Any, policy: str, state: dict[str, Any]) -> None:
    """Give a policy the weights of `state` in the learners, and from there in the runners."""
    group = algorithm.learner_group
    group.set_state({"learner": {"rl_module": {policy: state}}})
    algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=group)
