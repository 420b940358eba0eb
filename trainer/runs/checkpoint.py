"""Checkpoints of a run, and the reference snapshot that it keeps for the KL penalty.

A checkpoint has the learner's state by RLlib beside the run's own, and is written whole or not at all.

RLlib writes pickles.  They are read only where this machine has signed them (`agents.seal`) or the user trusts
them; share snapshots instead.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch

from agents.files import PART, begin_folder, finish_folder, replace_file, write_folder
from agents.seal import DamagedError, UnsignedError, check_seal, seal
from agents.snapshots.store import Snapshot, SnapshotStore
from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS
from trainer.runs.array_file import read_arrays, write_arrays

STATE_FILE, SCORE_FILE, RUNNERS_FILE = "state.json", "standing.json", "runners.json"
MEASURED_FILE = "measured.json"
"""Beside the checkpoints: the figures of those that evaluation measured after they were written, by their names."""

ALGORITHM_FOLDER, RANDOM_FILE = "algorithm", "random.npz"
OLD_RANDOM_FILE = "random.pt"
"""The file of earlier versions, which torch reads as plain tensors."""

REFERENCE, OLD_REFERENCE = "reference", "pull"
"""Folders of the reference snapshot."""


_POLL_SECONDS = 0.1

NO_GENERATORS: Mapping[str, Any] = {}


class AbandonedError(Exception):
    """The checkpoint is replaced by the next one before it is whole."""


class CheckpointFolder:
    """``runs/ID/checkpoints``: numbered checkpoints, ranked by a metric.

    That is the mean of an iterations' metric since the last checkpoint (`add`), or what evaluation has measured of the
    very policies of a checkpoint (`note`).
    """

    def __init__(
        self, root: Path, *, keep_last: int = 2, keep_best: int = 0, metric: str = "score",
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """Once `stopped`, a checkpoint that the next one replaces is not waited for."""
        self.root, self._keep_last, self._keep_best, self.metric = root, keep_last, keep_best, metric
        self._stopped = stopped
        self._values: list[float] = []  # of the metric since the last checkpoint
        self._measuring: int | None = None  # the number of the checkpoint that is measured
        self._finishing: Future[None] | None = None
        self._aside: Path | None = None  # the checkpoint under way, while it can be abandoned
        self._abandoned = -1  # the number of the newest that was
        self._lock = threading.Lock()  # while checkpoints are deleted, or one is abandoned
        root.mkdir(parents=True, exist_ok=True)

    def add(self, metrics: Mapping[str, Any]) -> None:
        """Add the metrics of an iteration."""
        if (value := metric_of(metrics, self.metric)) is not None:
            self._values.append(value)

    def save(
        self, algorithm: Any, state: Mapping[str, Any], *, step: int, generators: Mapping[str, Any] = NO_GENERATORS,
        waits: bool = True,
    ) -> Path:  # fmt: skip
        """Write a checkpoint, then delete all but the newest and the best.

        `generators` are those of a RunnerGroup, so that no runner is waited for.
        Without `waits` its checksums are computed, and its files flushed, in a thread: it is there after `settle`.
        Raises the error of the checkpoint before, too, where that was not settled.
        """
        self._make_way()
        values = self._values
        score = {"metric": self.metric, "value": sum(values) / len(values) if values else None, "step": step}

        def fill(aside: Path) -> None:
            algorithm.save_to_path(aside / ALGORITHM_FOLDER)
            write_arrays(aside / RANDOM_FILE, *_random_state())
            (aside / RUNNERS_FILE).write_text(json.dumps(generators), "utf-8")
            (aside / SCORE_FILE).write_text(json.dumps(score), "utf-8")
            (aside / STATE_FILE).write_text(json.dumps(state), "utf-8")

        path = self._next_path()
        aside = begin_folder(path, fill)
        self._values, self._aside = [], aside
        thread = ThreadPoolExecutor(1, "checkpoint")
        self._finishing = thread.submit(self._finish, aside, path, values)
        thread.shutdown(wait=False)
        if waits:
            self.settle()
        return path

    def settle(self) -> None:
        """Wait for the checkpoint under way; raises what it failed by, after which there is none."""
        self.wait()
        finishing, self._finishing = self._finishing, None
        if finishing is not None:
            finishing.result()

    def wait(self) -> None:
        """Wait for the checkpoint under way, whether it fails or not."""
        if self._finishing is not None:
            wait([self._finishing])

    def _make_way(self) -> None:
        """Settle the checkpoint under way, or abandon it: of gigabytes, it takes longer than a stop may."""
        while self._finishing is not None and wait([self._finishing], _POLL_SECONDS).not_done:
            if self._stopped() and self._numbers() and self._abandon():
                self.wait()
                self._finishing = None
        self.settle()

    def _abandon(self) -> bool:
        """Empty the files of the checkpoint under way, so that its checksums and flushes end; False: it is too late."""
        with self._lock:
            aside, self._aside = self._aside, None
            if aside is None:
                return False
            self._abandoned = self._next_number()
            with contextlib.suppress(OSError):  # it has just failed by itself
                for file in aside.rglob("*"):
                    if file.is_file():
                        os.truncate(file, 0)
        return True

    def _finish(self, aside: Path, path: Path, values: list[float]) -> None:
        try:
            finish_folder(aside, path, seal, self._keep)
        except BaseException:
            self._values[:0] = values  # the next checkpoint is ranked by them
            raise
        self._prune()

    def _keep(self) -> None:
        """From now on it cannot be abandoned any more."""
        with self._lock:
            if self._aside is None:
                raise AbandonedError
            self._aside = None

    def begin_measuring(self, path: Path) -> None:
        """Keep this checkpoint until its figures are there."""
        self._measuring = int(path.name)

    def note(self, path: Path, figures: Mapping[str, Any]) -> None:
        """Keep the figures of a checkpoint of ours, and rank it by them."""
        self.wait()
        self._measuring = None
        measured = read_measured(self.root) | {path.name: dict(figures)}
        there = {name: own for name, own in measured.items() if (self.root / name).exists()}
        replace_file(self.root / MEASURED_FILE, json.dumps(there, indent=1))
        self._prune()

    def value(self, path: Path) -> float | None:
        """By which that checkpoint is ranked; None where it is not known, and of a damaged one."""
        if (value := metric_of(read_measured(self.root).get(path.name, {}), self.metric)) is not None:
            return value
        try:
            score = read_score(path)
        except (OSError, ValueError):
            return None
        return cast(float | None, score.get("value")) if score.get("metric") == self.metric else None

    def best_facts(self) -> dict[str, Any] | None:
        """The best one's name, env step, and the metric and value that it is ranked by; None without a score."""
        with self._lock:
            best = self.best()
            if best is None:
                return None
            step = read_score(best)["step"]
            return {"metric": self.metric, "value": self.value(best), "step": step, "checkpoint": best.name}

    def adopt(self, other: Path) -> Path:
        """Copy another run's checkpoint as the newest."""
        return self._write(lambda aside: shutil.copytree(other, aside, dirs_exist_ok=True))

    def newest(self) -> Path | None:
        """The last complete checkpoint, None before the first."""
        return next(iter(self.newest_first()), None)

    def newest_first(self) -> list[Path]:
        """All complete checkpoints."""
        return [self._path(number) for number in reversed(self._numbers())]

    def best(self) -> Path | None:
        """The checkpoint with the highest score, the newer of two alike; None without a score."""
        return next(iter(self.best_first()), None)

    def best_first(self) -> list[Path]:
        """The checkpoints with a score."""
        return [self._path(number) for number in reversed(self._ranked())]

    def _write(self, fill: Any) -> Path:
        path = self._next_path()
        write_folder(path, fill)
        self._prune()
        return path

    def _next_path(self) -> Path:
        return self._path(self._next_number())

    def _next_number(self) -> int:
        return max([*self._numbers(), self._abandoned]) + 1

    def _path(self, number: int) -> Path:
        return self.root / f"{number:08d}"

    def _numbers(self) -> list[int]:
        return sorted(int(path.name) for path in self.root.iterdir() if path.name.isdecimal())

    def _ranked(self) -> list[int]:
        """Numbers of the checkpoints with a score, the worst first."""
        values = {number: self.value(self._path(number)) for number in self._numbers()}
        known = [(value, number) for number, value in values.items() if value is not None]
        return [number for _, number in sorted(known)]

    def _prune(self) -> None:
        with self._lock:
            numbers, ranked = self._numbers(), self._ranked()
            best = ranked[-self._keep_best :] if self._keep_best else []
            for number in set(numbers) - {*numbers[-self._keep_last :], *best, self._measuring}:
                with contextlib.suppress(OSError):  # the next checkpoint tries again
                    self._path(number).rename(self.root / f".{number:08d}{PART}")  # a kill leaves no half of it
            for path in self.root.glob(f".*{PART}"):
                shutil.rmtree(path, ignore_errors=True)


def not_kept(config: RunConfig, was_measuring: bool) -> list[str]:
    """What no checkpoint keeps, so that a resumed run differs from one that was never stopped."""
    lost = ["the games under way, which begin anew"]
    lost += ["the random generators of the remote learners"] if config.resources.learners else []
    lost += ["the earlier decisions that are learnt from again"] if ALGORITHMS[config.algorithm].searches else []
    return lost + (["the evaluation under way, which begins anew"] if was_measuring else [])


def first_sound(paths: Sequence[Path], *, trust: bool, say: Callable[[str], object]) -> Path | None:
    """The first of these checkpoints that can be read, None of none; says which ones before it cannot, and why.

    With `trust`, one that this machine did not sign is signed and taken.  Raises ConfigError where none can be read.
    """
    refused: list[str] = []
    for path in paths:
        try:
            check_seal(path)
        except UnsignedError as error:
            if trust:
                seal(path)
                say(f"trusted from now on: {path}")
                return path
            advice = "it holds pickles, which can run any code; if you trust where it comes from: --trust-checkpoint"
            refused.append(f"{error}; {advice}")
            continue
        except DamagedError as error:
            refused.append(str(error))
            continue
        for reason in refused:
            say(f"{reason}. Continuing from the checkpoint {path.name} instead")
        return path
    if refused:
        raise ConfigError(refused[0])
    return None


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
    """``metric``, ``value`` (None where not known, higher is better) and ``step``, as the checkpoint was written."""
    return cast(dict[str, Any], json.loads((path / SCORE_FILE).read_text("utf-8")))


def read_generators(path: Path) -> dict[str, Any]:
    """The states of the runners' random generators, for a RunnerGroup."""
    return cast(dict[str, Any], json.loads((path / RUNNERS_FILE).read_text("utf-8")))


def read_measured(root: Path) -> dict[str, dict[str, float]]:
    """Name of a checkpoint to its figures; empty where nothing was measured, or the file is damaged."""
    try:
        return cast(dict[str, dict[str, float]], json.loads((root / MEASURED_FILE).read_text("utf-8")))
    except (OSError, ValueError):
        return {}


def restore_algorithm(path: Path, algorithm: Any) -> None:
    """Restore weights, optimizers, counters, and the random state of the driver."""
    algorithm.restore_from_path((path / ALGORITHM_FOLDER).absolute())
    _restore_random_state(*_read_random_state(path))


def _random_state() -> tuple[dict[str, Any], dict[str, Any]]:
    """The states of torch's generators as arrays; those of numpy and Python as JSON."""
    numpy_state: Any = np.random.get_state()  # numpy annotates the tuple as the dictionary that it may be
    version, keys, position, has_gauss, gauss = numpy_state
    python_version, numbers, python_gauss = random.getstate()
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    arrays = {"torch": torch.get_rng_state().numpy(), **{f"cuda{n}": one.numpy() for n, one in enumerate(cuda)}}
    numpy_facts = [version, keys.tolist(), position, has_gauss, gauss]
    return arrays, {"numpy": numpy_facts, "python": [python_version, list(numbers), python_gauss]}


def _read_random_state(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    if (path / RANDOM_FILE).exists():
        return read_arrays(path / RANDOM_FILE)
    saved = torch.load(path / OLD_RANDOM_FILE, weights_only=True)
    arrays = {"torch": saved["torch"].numpy(), **{f"cuda{n}": one.numpy() for n, one in enumerate(saved["cuda"])}}
    return arrays, saved


def _restore_random_state(arrays: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    torch.set_rng_state(torch.as_tensor(arrays["torch"]))
    for number in range(min(len(arrays) - 1, torch.cuda.device_count())):
        torch.cuda.set_rng_state(torch.as_tensor(arrays[f"cuda{number}"]), number)
    version, keys, *rest = facts["numpy"]
    np.random.set_state((version, np.array(keys, np.uint32), *rest))
    version, numbers, gauss = facts["python"]
    random.setstate((version, tuple(numbers), gauss))


def reference_snapshot(run_folder: Path, find: Callable[[], Snapshot]) -> Snapshot:
    """The snapshot in the run's folder, or that of `find`, which is saved there so that a resumed run has it too."""
    old = run_folder / OLD_REFERENCE
    store = SnapshotStore(old if old.exists() else run_folder / REFERENCE)
    if saved := store.list():
        return store.get(saved[0].name)
    found = find()
    return store.save(found.card, found.onnx)
