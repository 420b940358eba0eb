"""RunConfig: everything that decides how a run goes, typed and validated before the first import of ray."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import tomlkit
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents.errors import UserError
from arcade.games.spec import GameSpec
from trainer.files import write_atomically


class ConfigError(UserError):
    """Settings that cannot be run; the message names the field and what would have been right."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PPOSettings(_Section):
    """Proximal policy optimisation (Schulman et al. 2017, arXiv 1707.06347), by RLlib's names."""

    lr: float = Field(5e-4, gt=0, le=1)  # step size of Adam
    gamma: float = Field(0.995, gt=0, le=1)  # discount a decision
    lambda_: float = Field(0.95, ge=0, le=1)  # of generalised advantage estimation
    clip: float = Field(0.2, gt=0)  # of the probability ratio
    entropy: float = Field(0.01, ge=0)  # coefficient of the entropy bonus
    value_loss: float = Field(0.5, ge=0)  # coefficient of the value loss
    grad_clip: float = Field(0.5, gt=0)  # norm of the gradient at most
    epochs: int = Field(3, ge=1, le=100)  # passes over a batch
    minibatch: int = Field(2048, ge=1)  # decisions a gradient step
    batch: int = Field(16384, ge=1)  # env steps an iteration, all games together
    hidden: tuple[int, ...] = Field((64, 64), min_length=1, max_length=4)  # widths of policy and of critic


class SamplingSettings(_Section):
    """Where the games are played."""

    games: int = Field(256, ge=1, le=65536)  # in lock-step, in each runner
    runners: int = Field(0, ge=0, le=64)  # remote runners; 0: in the trainer's own process


class OpponentSettings(_Section):
    """Who sits in the seats that are not learning; shares of the episodes."""

    live: float = Field(0.5, ge=0, le=1)  # share against the learning policy itself; every seat then learns
    latest: float = Field(0.5, ge=0, le=1)  # of the rest, share against the newest snapshot
    scripted: float = Field(0.0, ge=0, le=1)  # share against the game's scripted player, where one ships
    window: int = Field(0, ge=0)  # older opponents come from the newest so many snapshots; 0: from all
    inherit: int = Field(8, ge=0)  # with start_from: so many of the store's newest snapshots are in the pool at once
    names_a_fragment: int = Field(8, ge=1, le=256)  # different snapshots in play at once, so that cost stays flat


class FreezeSettings(_Section):
    """When the learning policy becomes a snapshot."""

    every_steps: int = Field(1_000_000, ge=0)  # env steps between two; 0: never by steps
    win_rate: float = Field(0.75, ge=0, le=1)  # against the pool since the last one; 0: never by win rate
    min_steps: int = Field(300_000, ge=0)  # by win rate not earlier than this after the last
    min_games: int = Field(100, ge=1)  # decided against the pool since the last one
    at_start: bool = True  # the untrained policy too, so that the pool is never empty
    placement_games: int = Field(8, ge=0)  # ladder matches against each of three snapshots after a freeze


class RunConfig(_Section):
    """One run. `run` names its folder below ARCADE_HOME/runs; the same settings and seed train alike."""

    game: str
    run: str = Field("", max_length=100, pattern=r"^[A-Za-z0-9._-]*$")  # "": named after game and time
    seed: int = Field(0, ge=0, lt=2**31)
    start_from: str = ""  # snapshot whose weights it goes on from (NAME, latest, best or a path); "": from scratch
    steps: int = Field(0, ge=0)  # env steps until it ends by itself; 0: until stopped
    checkpoint_seconds: float = Field(60.0, gt=0)
    evaluate_steps: int = Field(1_000_000, ge=0)  # env steps between matches with the scripted player; 0: never
    nice: int = Field(0, ge=0, le=19)
    threads: int = Field(1, ge=1, le=64)  # of torch; 1 leaves the other cores to the window
    algorithm: Literal["ppo"] = "ppo"
    ppo: PPOSettings = PPOSettings()
    sampling: SamplingSettings = SamplingSettings()
    opponents: OpponentSettings = OpponentSettings()
    freeze: FreezeSettings = FreezeSettings()

    @model_validator(mode="after")
    def _agree(self) -> RunConfig:
        if self.ppo.minibatch > self.ppo.batch:
            raise ValueError(f"expected ppo.minibatch <= ppo.batch = {self.ppo.batch}, got: {self.ppo.minibatch}")
        if self.sampling.games * max(1, self.sampling.runners) > self.ppo.batch:
            raise ValueError(
                f"expected sampling.games x runners <= ppo.batch = {self.ppo.batch}, got: "
                f"{self.sampling.games} x {max(1, self.sampling.runners)}"
            )
        if self.opponents.live + self.opponents.scripted > 1:
            raise ValueError("expected opponents.live + opponents.scripted <= 1, got more")
        return self

    @property
    def ticks(self) -> int:
        """Ticks that each runner plays an iteration."""
        return -(-self.ppo.batch // (self.sampling.games * max(1, self.sampling.runners)))


def make_config(settings: dict[str, Any], overrides: Iterable[str] = ()) -> RunConfig:
    """Validate nested `settings` with ``section.key=value`` words on top; raises ConfigError naming the field."""
    merged = {k: dict(v) if isinstance(v, dict) else v for k, v in settings.items()}
    for word in overrides:
        _override(merged, word)
    try:
        return RunConfig.model_validate(merged)
    except ValidationError as error:
        raise ConfigError("\n".join(_explain(e) for e in error.errors())) from error


SINGLE_STAGES = {"sampling": {"games": 32}, "ppo": {"batch": 2048, "minibatch": 256}}
"""Sizes for games without a batch engine, each of whose games costs a step of its own."""


def with_sizes(settings: dict[str, Any], spec: GameSpec) -> dict[str, Any]:
    """`settings` with the sizes that suit the game, where they name none themselves."""
    sizes = {} if spec.batch else SINGLE_STAGES
    return settings | {section: values | settings.get(section, {}) for section, values in sizes.items()}


def read_config(path: Path) -> dict[str, Any]:
    """The settings of a TOML file as `make_config` takes them."""
    try:
        return tomlkit.parse(path.read_text("utf-8")).unwrap()
    except (OSError, tomlkit.exceptions.TOMLKitError) as error:
        raise ConfigError(f"expected a TOML file of settings at {path}, got: {error}") from error


def write_config(path: Path, config: RunConfig) -> None:
    write_atomically(path, tomlkit.dumps(config.model_dump(mode="json")).encode())


def _override(settings: dict[str, Any], word: str) -> None:
    key, equals, text = word.partition("=")
    if not equals or not key:
        raise ConfigError(f"expected --set KEY=VALUE such as ppo.lr=1e-3, got: {word!r}")
    *sections, leaf = key.strip().split(".")
    for section in sections:
        settings = settings.setdefault(section, {})
        if not isinstance(settings, dict):
            raise ConfigError(f"expected {section!r} to be a section in --set, got: {word!r}")
    leaf = "lambda_" if leaf == "lambda" else leaf
    settings[leaf] = [int(v) for v in text.split(",")] if leaf == "hidden" else text


def _explain(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"]) or "settings"
    return f"{where}: {error['msg']}, got: {error['input']!r}" if error["loc"] else f"{where}: {error['msg']}"
