"""Options of ``arcade train``: the run or sweep that they begin, resume or start from."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agents.files import folder, home
from arcade.games import find_game, missing, open_game
from arcade.games.spec import GameSpec
from trainer.cluster.ray_cluster import cores
from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS
from trainer.config.reading import (
    check_trust,
    make_config,
    override,
    read_config,
    read_recipe,
    with_preset,
    with_recipe,
)
from trainer.config.tuning import TuneSettings, read_tune

NEWEST = "newest"

CORES = 3
"""Cores of a machine that has one for games, one for the learner and one for the window."""

RUN_FILE, SWEEP_FILE = "config.toml", "sweep.json"
"""Files that every folder of a run, or of a sweep, has."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A run that can begin or be resumed."""

    config: RunConfig
    spec: GameSpec  # as the catalogue has it
    folder: Path
    resume: bool = False
    from_best: bool = False  # of the run that is resumed
    trust_checkpoint: bool = False  # though this machine has not signed it
    tune: TuneSettings | None = None  # a sweep: `folder` is the sweep's
    base: dict[str, Any] = field(default_factory=dict)  # of a sweep: the settings that its runs have in common


def choose_run(
    *, game: str = "", config: Path | None = None, tune: Path | None = None, settings: Sequence[str] = (),
    run: str = "", resume: str | None = None, from_best: bool = False, trust: bool = False,
    trust_checkpoint: bool = False, dry_run: bool = False,
) -> Chosen:  # fmt: skip
    """Check the options of the command line; raises ConfigError or GameError.

    `config` and `tune` are files, which with `trust` may name code; `settings` are ``section.key=value``, over those of
    the file; `run` is the id of a new run, `resume` that of an old run or sweep, or NEWEST.
    """
    if resume is not None:
        run_folder, starts = find_run(resume), any(word.startswith("start_from=") for word in settings)
        if game or config or run or tune or starts:
            raise ConfigError("expected --resume [RUN_ID] with no game, --config, --tune, --run or --from, got some")
        choose = _choose_old_sweep if (run_folder / SWEEP_FILE).exists() else _choose_old
        chosen = choose(run_folder, settings, from_best=from_best, trust=trust, imports=trust and not dry_run)
        return replace(chosen, trust_checkpoint=trust_checkpoint)
    for option, given_alone in (("--from-best", from_best), ("--trust-checkpoint", trust_checkpoint)):
        if given_alone:
            raise ConfigError(f"expected {option} with --resume, got it alone")
    given: dict[str, Any] = read_config(config) if config else {}
    swept = read_config(tune) if tune else {}
    swept = swept.get("tune", swept) or given.get("tune", {})
    given = override({key: value for key, value in given.items() if key != "tune"}, settings)
    return _choose_new(given, swept, typed=override({}, settings), game=game, run=run, trust=trust, imports=not dry_run)


def _choose_new(
    settings: dict[str, Any], swept: dict[str, Any], *, typed: dict[str, Any], game: str, run: str, trust: bool,
    imports: bool,
) -> Chosen:  # fmt: skip
    named = game or settings.get("game", "")
    if not named:
        raise ConfigError("expected a game such as house/volley, got none; see: arcade games")
    if not trust:
        check_trust(settings | {"game": named, "tune": swept}, typed=[typed, {"game": game}])
    spec = find_installed(named, imports=imports)
    settings = complete(settings | ({"run": run} if run else {}), spec, alone=not swept)
    config = make_config(settings)
    check_new(config.run)
    if not swept:
        return Chosen(config, spec, folder("runs") / config.run)
    tune = read_tune(swept, settings)
    return Chosen(config, spec, home() / "sweeps" / config.run, tune=tune, base=settings)


def complete(settings: dict[str, Any], spec: GameSpec, *, alone: bool = True) -> dict[str, Any]:
    """`settings` with the game's preset, layers and observations of the snapshot to start from, and a run id.

    A run that is `alone` on this machine uses its free cores.
    """
    stem = f"{spec.stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    if isinstance(settings.get("start_from", 0), str):
        from agents.snapshots.store import SnapshotError, open_store

        with suppress(SnapshotError):  # reported by the check of all settings
            snapshot = open_store().get(settings["start_from"], game=spec.id)
            settings = _observing(with_recipe(settings, read_recipe(snapshot.onnx)), snapshot.card.obs_type)
    settings = with_preset(with_overlap(settings) if alone else settings, spec)
    return settings | {"game": spec.id, "run": settings.get("run") or stem}


def _observing(settings: dict[str, Any], obs_type: str) -> dict[str, Any]:
    """`settings` with observations of that type, where they say nothing of them."""
    own = settings.get("wrappers", {})
    return settings | {"wrappers": {"observe": obs_type} | own} if obs_type and isinstance(own, dict) else settings


def with_overlap(settings: dict[str, Any]) -> dict[str, Any]:
    """`settings` with a remote runner that plays while the learner works, where they say nothing of runners and this
    machine has a core for it; a cluster shares its cores out by the settings alone."""
    own, known = settings.get("resources", {}), ALGORITHMS.get(str(settings.get("algorithm", "PPO")))
    if cores() < CORES or known is None or known.asynchronous or known.searches or not known.actor_critic:
        return settings
    if not isinstance(own, dict) or {"runners", "overlap", "ray_address"} & own.keys():
        return settings
    return settings | {"resources": own | {"runners": 1, "overlap": True}}


def check_new(run: str) -> None:
    """Raises ConfigError where a run or sweep of that id exists."""
    for kind, file in (("runs", RUN_FILE), ("sweeps", SWEEP_FILE)):
        if (home() / kind / run / file).exists():
            raise ConfigError(f"expected a new run id, got {run!r}, which exists; resume it with: --resume {run}")


def find_installed(game: str, *, imports: bool = True) -> GameSpec:
    """The game to train, by its id or a trusted module:function.

    Without `imports`, a module:function must have been opened on this machine before.  Raises GameError for an unknown
    game, ConfigError where its packages are not installed.
    """
    spec = open_game(game) if imports else find_game(game)
    if needed := missing(spec):
        raise ConfigError(f"expected the packages of {spec.id}; install them with: {needed}", code="not_installed")
    return spec


def find_run(word: str) -> Path:
    """The folder of the run or sweep `word`, or of the run written last."""
    runs = {path.parent.name: path.parent for path in folder("runs").glob(f"*/{RUN_FILE}")}
    if word == NEWEST and runs:
        return max(runs.values(), key=lambda path: (path / RUN_FILE).stat().st_mtime)
    runs |= {path.parent.name: path.parent for path in (home() / "sweeps").glob(f"*/{SWEEP_FILE}")}
    if word not in runs:
        raise ConfigError(
            f"expected one of the runs {', '.join(sorted(runs)) or '(none yet)'}, got: {word!r}", code="not_found"
        )
    return runs[word]


FIXED = ("game", "game_kwargs", "run", "seed", "start_from", "algorithm", "wrappers", "network", "policies")
"""Settings that a resumed run cannot change: networks, opponents and random numbers depend on them."""


def _choose_old(run_folder: Path, settings: Sequence[str], *, from_best: bool, trust: bool, imports: bool) -> Chosen:
    before = read_config(run_folder / "config.toml")
    if not trust:
        check_trust(before, typed=override({}, settings))
    if "format" not in before:
        raise ConfigError(
            f"expected a run of this version, got {run_folder.name!r} of 0.1.0 with other settings; "
            "begin another run from a snapshot of it with --from"
        )
    after = override(before, settings)
    old = make_config(before)
    if after.get("algorithm", old.algorithm) != old.algorithm:
        raise ConfigError(_contradiction("algorithm", old.run, old.algorithm, after["algorithm"]))
    new = make_config(after)
    if changed := contradictions(old, new):
        raise ConfigError("\n".join(changed))
    spec = find_installed(new.game, imports=imports)
    return Chosen(new, spec, run_folder, resume=True, from_best=from_best)


def _choose_old_sweep(
    run_folder: Path, settings: Sequence[str], *, from_best: bool, trust: bool, imports: bool
) -> Chosen:
    if from_best or settings:
        raise ConfigError(f"expected --resume {run_folder.name} with no setting beside it (it is a sweep), got some")
    base = read_config(run_folder / SWEEP_FILE)
    if not trust:
        check_trust(base, typed={})
    swept = base.pop("tune")
    config = make_config(base)
    tune = read_tune(swept, base)
    spec = find_installed(config.game, imports=imports)
    return Chosen(config, spec, run_folder, resume=True, tune=tune, base=base)


def contradictions(old: RunConfig, new: RunConfig) -> list[str]:
    """A line for each setting that a resumed run must not change and does."""
    before, now = _flat(old.model_dump(mode="json")), _flat(new.model_dump(mode="json"))
    fixed = [key for key in (before | now) if key.partition(".")[0] in FIXED or key == "opponents.league"]
    changed = [key for key in fixed if before.get(key) != now.get(key)]
    return [_contradiction(key, old.run, before.get(key), now.get(key)) for key in changed]


def _contradiction(key: str, run: str, before: Any, now: Any) -> str:
    return (
        f"{key}: expected {before!r} as in the run {run}, got: {now!r}; "
        "begin another run, from a snapshot of this one with --from"
    )


def _flat(settings: dict[str, Any], within: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        flat |= _flat(value, f"{within}{key}.") if isinstance(value, dict) else {f"{within}{key}": value}
    return flat
