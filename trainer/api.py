"""The Python API of the trainer: `train` and `imitate`, which the command line calls too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.files import folder
from trainer.config import ConfigError, RunConfig
from trainer.config.reading import make_config
from trainer.runs import launch
from trainer.runs.choice import Chosen, check_new, complete, find_installed
from trainer.runs.progress import Progress
from trainer.runs.stopping import End

if TYPE_CHECKING:
    from trainer.imitation.cloning import Clone


@dataclass(frozen=True, slots=True)
class Run:
    """The result of `train`."""

    id: str
    """Resume it with ``train(run.config, resume=True)``."""
    config: RunConfig
    """All settings, with defaults put in."""
    folder: Path
    """With ``config.toml``, ``metrics.jsonl``, ``manifest.json``, checkpoints and TensorBoard's files."""
    step: int
    """Env steps in all, over all resumes."""
    snapshots: tuple[str, ...]
    """Names of its snapshots, oldest first; ``agents.load(name)`` plays one."""
    metrics: Mapping[str, Any]
    """Metrics of the last iteration; win rates are 0 … 1, scores in the game's own units."""


def train(
    config: RunConfig, *, resume: bool = False, from_best: bool = False, trust_checkpoint: bool = False,
    parent: int = 0, listen: str = "", insecure: bool = False, command: str = "",
    show: Callable[[Chosen], Progress] = launch.show_nothing, end: End | None = None,
) -> Run:  # fmt: skip
    """Train policies by self-play until ``config.steps`` are done, or a signal or another process asks for a stop.

        import trainer

        run = trainer.train(trainer.RunConfig(game="house/volley", steps=1_000_000))
        print(run.snapshots[-1], run.metrics["win_rate"])

    Sizes and the run's id default to values that suit the game. With `resume` the run ``config.run`` continues from
    its newest checkpoint, or `from_best` from its best; with `trust_checkpoint` also from one that this machine has not
    signed, which may run any code. The run stops when process `parent` ends, 0 for none; `command` is noted in its
    manifest, and `show` makes what shows the progress. Only the main thread receives signals; ``arcade runs stop``
    works in any. `end` is called in another thread, to end the program, where the main one does not come back from a
    call after a stop, or soon after a second signal. It takes requests from this machine, or at `listen`,
    tcp://HOST:PORT, from others whose keys ``arcade keys allow`` has let in, with `insecure` from anyone.

    Raises ConfigError for settings that contradict each other, the game or the machine, GameError for an unknown game,
    agents.run_lock.RunBusy where another process trains the run.
    """
    spec = find_installed(config.game)
    if not resume:
        config = make_config(complete(config.model_dump(exclude_unset=True), spec))
        check_new(config.run)
    chosen = Chosen(
        config, spec, folder("runs") / config.run, resume=resume, from_best=from_best,
        trust_checkpoint=trust_checkpoint,
    )  # fmt: skip
    run = launch.play(chosen, parent=parent, listen=listen, insecure=insecure, command=command, show=show, end=end)
    names = tuple(name for lineage in run.lineages for name in lineage.saved_names(run.run_id))
    return Run(run.run_id, config, chosen.folder, run.step, names, run.newest)


def imitate(
    game: str, *, recordings: Iterable[str] = (), corrections: str = "", start: str = "", name: str = "",
    settings: Mapping[str, Any] | None = None, layers: Mapping[str, Any] | None = None, command: str = "",
    quiet: bool = True, **seats: Any,
) -> Clone:  # fmt: skip
    """Make a snapshot that plays like recorded play.

        import trainer

        clone = trainer.imitate("house/volley", person="Ada", settings={"algorithm": "marwil"})
        print(clone.snapshot.card.name, clone.learnt.held_out.accuracy)

    `recordings` are names, ids or parts of them, or "latest"; `seats` are the other fields of a DatasetQuery, which
    select decisions: person, seat and label (patterns), kind, outcome, takeover, tag, min_return, max_return (in the
    game's own units), min_rating (stars).
    `corrections` names a snapshot that people took over from: it is trained further on their decisions.  `start` is
    another snapshot to start from.  `settings` are fields of ImitationSettings, `layers` the sections
    ``network`` and ``wrappers`` of a run's settings.  `command` is noted on the snapshot's card.

    Raises ConfigError for wrong settings, DatasetError where there is nothing to learn from, GameError for an
    unknown game, SnapshotError for an unknown snapshot.
    """
    launch.check_packages()
    from agents.snapshots.store import open_store
    from arcade.recordings.library import RecordingLibrary
    from arcade.recordings.query import DatasetQuery
    from trainer.imitation.order import Order, Selection, make_settings

    spec, library = find_installed(game), RecordingLibrary(folder("replays"))
    query = DatasetQuery(game=spec.id, recordings=tuple(library.get(word).id for word in recordings), **seats)
    given = make_settings(dict(settings or {}))
    if "weight" in given.model_fields_set and not corrections:
        raise ConfigError(f"expected --weight with --corrections SNAPSHOT, got it alone: {given.weight}")
    order = Order(
        spec=spec, selection=Selection(query=query, corrected=corrections), settings=given, layers=dict(layers or {}),
        start=start, name=name, command=command,
    )  # fmt: skip
    import torch

    from trainer.imitation.cloning import make_clone
    from trainer.imitation.report import Report

    torch.set_num_threads(RunConfig.model_fields["resources"].default.threads)
    with Report(epochs=given.epochs, quiet=quiet) as report:
        return make_clone(
            order, library.list()[0][::-1], open_store(), on_recording=report.on_recording, on_epoch=report.on_epoch
        )
