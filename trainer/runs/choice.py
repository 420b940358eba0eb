"""Chooses the run or sweep that the options of ``arcade train`` begin or resume."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.home import folder, home
from arcade.games import find_game, missing, open_game
from arcade.games.spec import GameSpec
from trainer.config import ConfigError, RunConfig
from trainer.config.overrides import override
from trainer.config.reading import make_config, read_config, with_sizes
from trainer.config.trust import check_trust
from trainer.config.tuning import TuneSettings, read_tune

NEWEST = "newest"
RUN_FILE, SWEEP_FILE = "config.toml", "sweep.json"
"""Files that every folder of a run, or of a sweep, has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The options of the command line, unchecked."""

    game: str = ""
    config: Path | None = None  # file of settings
    tune: Path | None = None  # file of a sweep
    settings: Sequence[str] = ()  # ``section.key=value``, over those of the file
    run: str = ""  # id of a new run
    resume: str | None = None  # id of a run or sweep, or NEWEST
    from_best: bool = False
    trust: bool = False  # the files may name code
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """A run that can begin or be resumed."""

    config: RunConfig
    spec: GameSpec  # as the catalogue has it
    folder: Path
    resume: bool = False
    from_best: bool = False  # of the run that is resumed
    tune: TuneSettings | None = None  # a sweep: `folder` is the sweep's
    base: dict[str, Any] = field(default_factory=dict)  # of a sweep: the settings that its runs have in common


def choose_run(options: RunOptions) -> Chosen:
    """Raises ConfigError or GameError."""
    if options.resume is not None:
        return _choose_old(options, find_run(options.resume))
    if options.from_best:
        raise ConfigError("expected --from-best with --resume, got it alone")
    settings: dict[str, Any] = read_config(options.config) if options.config else {}
    swept = read_config(options.tune) if options.tune else {}
    swept = swept.get("tune", swept) or settings.pop("tune", {})
    settings.pop("tune", None)
    settings = override(settings, options.settings)
    game = options.game or settings.get("game", "")
    if not game:
        raise ConfigError("expected a game such as house/volley, got none; see: arcade games")
    if not options.trust:
        check_trust(
            settings | {"game": game, "tune": swept}, typed=[override({}, options.settings), {"game": options.game}]
        )
    spec = find_installed(game, imports=not options.dry_run)
    settings = complete(settings | ({"run": options.run} if options.run else {}), spec)
    config = make_config(settings)
    check_new(config.run)
    if not swept:
        return Chosen(config, spec, folder("runs") / config.run)
    tune = read_tune(swept, settings)
    return Chosen(config, spec, home() / "sweeps" / config.run, tune=tune, base=settings)


def complete(settings: dict[str, Any], spec: GameSpec) -> dict[str, Any]:
    """`settings` with sizes that suit the game, the layers of the snapshot to start from, and a run id."""
    stem = f"{spec.id.rpartition('/')[2].replace(':', '-')}-{time.strftime('%Y%m%d-%H%M%S')}"
    if isinstance(settings.get("start_from", 0), str):
        from agents.snapshots.store import open_store
        from trainer.league.initial_snapshot import with_start

        settings = with_start(settings, spec.id, open_store())
    settings = with_sizes(settings, spec)
    return settings | {"game": spec.id, "run": settings.get("run") or stem}


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
        raise ConfigError(f"expected the packages of {spec.id}; install them with: {needed}")
    return spec


def find_run(word: str) -> Path:
    """The folder of the run or sweep `word`, or of the run written last."""
    runs = {path.parent.name: path.parent for path in folder("runs").glob(f"*/{RUN_FILE}")}
    if word == NEWEST and runs:
        return max(runs.values(), key=lambda path: (path / RUN_FILE).stat().st_mtime)
    runs |= {path.parent.name: path.parent for path in (home() / "sweeps").glob(f"*/{SWEEP_FILE}")}
    if word not in runs:
        raise ConfigError(f"expected one of the runs {', '.join(sorted(runs)) or '(none yet)'}, got: {word!r}")
    return runs[word]


FIXED = ("game", "game_kwargs", "run", "seed", "start_from", "algorithm", "wrappers", "network", "policies")
"""Settings that a resumed run cannot change: networks, opponents and random numbers depend on them."""


def _choose_old(options: RunOptions, run_folder: Path) -> Chosen:
    starts = any(word.startswith("start_from=") for word in options.settings)
    if options.game or options.config or options.run or options.tune or starts:
        raise ConfigError("expected --resume [RUN_ID] with no game, --config, --tune, --run or --from, got some")
    if (run_folder / SWEEP_FILE).exists():
        return _choose_old_sweep(options, run_folder)
    before = read_config(run_folder / "config.toml")
    if "format" not in before:
        raise ConfigError(
            f"expected a run of this version, got {run_folder.name!r} of 0.1.0 with other settings; "
            "begin another run from a snapshot of it with --from"
        )
    after = override(before, options.settings)
    old = make_config(before)
    if after.get("algorithm", old.algorithm) != old.algorithm:
        raise ConfigError(_contradiction("algorithm", old.run, old.algorithm, after["algorithm"]))
    new = make_config(after)
    if changed := contradictions(old, new):
        raise ConfigError("\n".join(changed))
    spec = find_installed(new.game, imports=options.trust and not options.dry_run)
    return Chosen(new, spec, run_folder, resume=True, from_best=options.from_best)


def _choose_old_sweep(options: RunOptions, run_folder: Path) -> Chosen:
    if options.from_best or options.settings:
        raise ConfigError(f"expected --resume {run_folder.name} with no setting beside it (it is a sweep), got some")
    base = read_config(run_folder / SWEEP_FILE)
    swept = base.pop("tune")
    config = make_config(base)
    tune = read_tune(swept, base)
    spec = find_installed(config.game, imports=options.trust and not options.dry_run)
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
