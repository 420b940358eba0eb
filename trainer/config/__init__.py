"""RunConfig: all settings of a run, typed and validated before ray is imported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import (
    Field,
    SerializeAsAny,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)  # fmt: skip

from agents.errors import UserError
from agents.files.names import is_safe
from agents.seats.controller import SeatError
from agents.seats.kinds import find_kind, parse_seat
from trainer.config.algorithms import ALGORITHMS
from trainer.config.algorithms.algorithm import KLPenaltySettings, TrainingSettings
from trainer.config.algorithms.replay import ReplaySettings
from trainer.config.sections import (
    MOST_STEPS,
    POOL,
    CheckpointSettings,
    EvaluationSettings,
    FreezeSettings,
    NetworkSettings,
    OpponentSettings,
    PolicySettings,
    RecordedStartSettings,
    ResourceSettings,
    Section,
    WrapperSettings,
)

FORMAT = 1
"""Version of the settings and of their schema; higher versions are refused."""


NOT_OPPONENTS = ("level", "idle")
"""One-player seat kinds that cannot be opponents in a vectorised env."""

FIRST, LADDER = "first", "ladder"
RUN_OPPONENTS = (FIRST, LADDER)
"""Opponents of evaluation that each run chooses as it begins; the others are seat words."""

NO_PARTNERS = ("random", LADDER)
"""Those of `evaluation.against` that are no partners in games of one team."""

YARDSTICK = "yardstick"
"""The metric over all opponents of evaluation: the mean win rate, or the mean score of a game of one team."""

IGNORED_BY_LEAGUE = ("play_against_latest_model_ratio", "newest_ratio", "weighting", "window")
"""Settings that a league ignores."""


class ConfigError(UserError):
    """Wrong settings; the message names the field and the expected value."""


def _defaults(settings: dict[str, Any]) -> TrainingSettings:
    """The algorithm's defaults; PPO's if the name was invalid."""
    return ALGORITHMS[settings.get("algorithm", "PPO")].settings()


class RunConfig(Section):
    """One run.  The same settings and seed give the same training."""

    format: Annotated[int, Field(ge=1, le=FORMAT)] = FORMAT
    """Version of these settings."""
    game: str
    """Catalogue id as in house/volley, or module:function."""
    game_kwargs: dict[str, Any] = Field(default_factory=dict)
    """Arguments of the game over those of the catalogue, as in {"team_size": 2}."""
    run: str = Field("", max_length=100, pattern=r"^[A-Za-z0-9._-]*$")
    """Id of the run and name of its folder in ARCADE_HOME/runs; empty: game and time."""
    seed: int = Field(0, ge=0, lt=2**31)
    """Random seed."""
    start_from: str = ""
    """Snapshot to start from (NAME, latest, best or a path); empty: train from scratch."""
    steps: int = Field(0, ge=0, le=MOST_STEPS)
    """Env steps until the run ends; 0: until it is stopped."""
    minutes: float = Field(0.0, ge=0, le=60 * 24 * 365)
    """Minutes until the run ends, counted anew when it is resumed; 0: until it is stopped."""
    algorithm: str = "PPO"
    """Learning algorithm."""
    training: SerializeAsAny[TrainingSettings] = Field(default_factory=_defaults)
    """Settings of the algorithm."""
    wrappers: WrapperSettings = WrapperSettings()
    network: NetworkSettings = NetworkSettings()
    policies: PolicySettings = PolicySettings()
    opponents: OpponentSettings = OpponentSettings()
    start_from_recordings: RecordedStartSettings = RecordedStartSettings()
    freeze: FreezeSettings = FreezeSettings()
    resources: ResourceSettings = ResourceSettings()
    checkpoints: CheckpointSettings = CheckpointSettings()
    evaluation: EvaluationSettings = EvaluationSettings()

    @field_validator("algorithm")
    @classmethod
    def _is_known(cls, name: str) -> str:
        if name not in ALGORITHMS:
            raise ValueError(f"expected {' | '.join(ALGORITHMS)}, got: {name!r}")
        return name

    @field_validator("run")
    @classmethod
    def _is_safe(cls, run: str) -> str:
        if run and not is_safe(run):
            raise ValueError(f"expected a name that every system takes for a folder, got: {run!r}")
        return run

    @field_validator("training", mode="wrap")
    @classmethod
    def _of_algorithm(cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        known = ALGORITHMS.get(info.data.get("algorithm", ""))
        return known.settings.model_validate(value) if known and isinstance(value, dict) else handler(value)

    @model_validator(mode="after")
    def _agree(self) -> RunConfig:
        if not isinstance(self.training, ALGORITHMS[self.algorithm].settings):
            raise ValueError(
                f"training: expected the settings of {self.algorithm}, got: {type(self.training).__name__}"
            )
        if found := "\n".join(_disagreements(self)):
            raise ValueError(found)
        return self

    @property
    def play_against_latest_model_ratio(self) -> float:
        """Share of episodes against the live policy."""
        if (given := self.opponents.play_against_latest_model_ratio) is not None:
            return given
        by_pool = self.policies.kind == "self_play" and not ALGORITHMS[self.algorithm].searches
        return max(0.0, (0.5 if by_pool else 1.0) - self.opponents.fixed_ratio)

    @property
    def has_kl_penalty(self) -> bool:
        """Whether a KL penalty keeps policies near a reference, at least at first."""
        return isinstance(self.training, KLPenaltySettings) and self.training.kl_penalty > 0

    @property
    def schedule_steps(self) -> int:
        """Env steps over which the step size and the entropy coefficient fall."""
        own: int = getattr(self.training, "schedule_steps", 0)
        return own or self.steps

    @property
    def reference(self) -> str:
        """The snapshot that the KL penalty keeps policies near; "" for none."""
        own = self.training.kl_reference if isinstance(self.training, KLPenaltySettings) else ""
        return own or self.start_from

    @property
    def best_by(self) -> str:
        """The metric by which checkpoints are ranked."""
        return self.checkpoints.best_by or (YARDSTICK if self.evaluation.steps else "score")

    @property
    def fragments(self) -> int:
        """Fragments of an iteration: one per runner, or more where each of several learners gets whole ones."""
        runners, learners = max(1, self.resources.runners), max(1, self.resources.learners)
        return -(-runners // learners) * learners if ALGORITHMS[self.algorithm].asynchronous else runners

    @property
    def ticks(self) -> int:
        """Ticks of a fragment."""
        return -(-self.training.batch // (self.resources.games * self.fragments))


def _disagreements(run: RunConfig) -> Iterator[str]:
    """Contradictions between settings, for any game; each message begins with the field that is wrong."""
    yield from _sizes(run)
    yield from _opponents(run)
    if run.has_kl_penalty and not run.reference:
        penalty = getattr(run.training, "kl_penalty", 0.0)
        yield (
            f"training.kl_penalty: {penalty:g} needs start_from or training.kl_reference; set one to a snapshot, or "
            "kl_penalty to 0"
        )
    for name in ("lr_end", "entropy_end"):
        if (end := getattr(run.training, name, 1.0)) < 1 and not run.schedule_steps:
            yield f"training.{name}: {end:g} needs training.schedule_steps or steps; set one, or {name} to 1"
    starts = run.start_from_recordings
    if starts.earliest > starts.latest:
        yield f"start_from_recordings.earliest: expected at most latest, {starts.latest:g}, got: {starts.earliest:g}"
    if run.opponents.league and run.policies.kind != "self_play":
        yield f"opponents.league: needs policies.kind = self_play, got: {run.policies.kind}"
    against = [word for word in run.evaluation.against if word not in RUN_OPPONENTS]
    partners = [word for word in run.opponents.partners if word != POOL]
    fields = {"opponents.fixed": run.opponents.fixed, "opponents.partners": partners, "evaluation.against": against}
    for field, words in fields.items():
        for word in words:
            yield from _seat_word(field, word)


def _sizes(run: RunConfig) -> Iterator[str]:
    training, resources = run.training, run.resources
    if training.minibatch > training.batch and not isinstance(training, ReplaySettings):
        yield f"training.minibatch: expected at most training.batch = {training.batch}, got: {training.minibatch}"
    runners = max(1, resources.runners)
    if resources.games * runners > training.batch:
        yield (
            f"resources.games: expected games x runners <= training.batch = {training.batch}, got: "
            f"{resources.games} x {runners}"
        )
    if resources.overlap and not resources.runners:
        yield "resources.overlap: needs resources.runners >= 1, got: 0"


def _opponents(run: RunConfig) -> Iterator[str]:
    opponents = run.opponents
    for name in IGNORED_BY_LEAGUE if opponents.league else ():
        usual, got = type(opponents).model_fields[name].default, getattr(opponents, name)
        if got != usual:
            yield f"opponents.{name}: {got} has no effect in a league, which has its own shares; set it to {usual}"
    if opponents.league and opponents.partner_ratio:
        yield f"opponents.partner_ratio: expected 0 in a league, got: {opponents.partner_ratio:g}"
    if not opponents.partners:
        yield "opponents.partners: expected pool or seat words, got none; partner_ratio = 0 is without partners"
    if opponents.fixed_ratio > 0 and not opponents.fixed:
        yield "opponents.fixed: opponents.fixed_ratio > 0 needs some; add a seat word, or set fixed_ratio to 0"
    if run.play_against_latest_model_ratio + opponents.fixed_ratio > 1:
        yield (
            "opponents.fixed_ratio: expected play_against_latest_model_ratio + fixed_ratio <= 1, got: "
            f"{run.play_against_latest_model_ratio:g} + {opponents.fixed_ratio:g}"
        )


def _seat_word(field: str, word: str) -> Iterator[str]:
    try:
        choice = parse_seat(word)
    except SeatError as error:
        yield f"{field}: {error}"
        return
    if not find_kind(choice.kind).is_one_player or choice.kind in NOT_OPPONENTS or choice.limits:  # limits are for play
        yield f"{field}: expected an opponent such as scripted, random or snapshot:NAME, got: {word!r}"
