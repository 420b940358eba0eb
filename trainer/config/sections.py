"""The sections of a run's settings that do not depend on the algorithm."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Share = float

Width = Annotated[int, Field(ge=1, le=8192)]


class Section(BaseModel):
    """Unknown keys are refused, values never change once made."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class WrapperSettings(Section):
    """What is done to the game's observations (inside the network, so that a snapshot takes them raw) and rules."""

    grey: bool = True
    """Pictures lose their colours."""
    resize: int = Field(42, ge=0, le=256)
    """Rows and columns at most of a picture after averaging; 0: as it is."""
    stack: int = Field(1, ge=1, le=16)
    """So many newest observations are seen together."""
    normalise: bool = False
    """Vectors are shifted and scaled by their running mean and deviation."""
    sticky_actions: float = Field(0.0, ge=0, lt=1)
    """Chance that a seat's last action is repeated instead (Machado et al. 2018, arXiv 1709.06009)."""
    frame_skip: int = Field(1, ge=1, le=16)
    """Each action is held for so many ticks of a real-time game, one env step together; in training alone:
    measurements ask for an action at every tick, and so do matches without `--frame-skip`."""
    max_ticks: int = Field(0, ge=0)
    """An episode is truncated after so many ticks, once the action under way was held; 0: by the game alone."""
    reward_scale: float = Field(1.0, gt=0)
    """Rewards are multiplied by it for learning; results stay in the game's own units."""


class NetworkSettings(Section):
    """The shape of policy and critic."""

    hidden: tuple[Width, ...] = Field((64, 64), min_length=1, max_length=4)
    """Widths of the layers of policy and of critic."""
    activation: Literal["tanh", "relu"] = "tanh"
    """Between the layers of policy and critic; between convolutions it is always relu."""
    convolution: bool = True
    """Pictures go through convolutions (Mnih et al. 2015, scaled to their size), else they are flattened."""
    lstm: int = Field(0, ge=0, le=1024)
    """Cells of a recurrent layer before the heads; 0: none."""
    sequence: int = Field(16, ge=2, le=256)
    """Decisions through which a recurrent layer is trained."""


PolicyKind = Literal["self_play", "parameter_sharing", "independent", "teams", "shared_value_function"]


class PolicySettings(Section):
    """Which agents are played by which policy."""

    kind: PolicyKind = "self_play"
    """self_play: a policy a role, against its own past; parameter_sharing: one for all agents with equal spaces;
    independent: one an agent; teams: one a team; shared_value_function: one an agent, and one critic that sees all."""
    mapping: dict[str, str] = Field(default_factory=dict)
    """Agent id to policy id, over what `kind` says; the agents of a policy have equal spaces."""
    train: tuple[str, ...] = ()
    """Policies that learn; the others stay as they begin.  Empty: all."""
    shared_encoder: bool = False
    """The first layers are one encoder for all policies with equal observations."""


Weighting = Literal["uniform", "variance", "hard"]


class OpponentSettings(Section):
    """Who sits in the seats that are not learning; shares of the episodes."""

    play_against_latest_model_ratio: Share | None = Field(None, ge=0, le=1)
    """Share of the episodes against the learning policy itself, every seat of which then learns (ML-Agents' word).
    None: 0.5 where policies.kind is self_play, else 1."""
    fixed: tuple[str, ...] = ()
    """Opponents that stay as they are, as seat words: scripted, random, snapshot:NAME, snapshot:PATH, python:M:F,
    remote:ENDPOINT."""
    fixed_ratio: Share = Field(0.0, ge=0, le=1)
    """Share of the episodes against one of `fixed`."""
    newest_ratio: Share = Field(0.5, ge=0, le=1)
    """Of the episodes against snapshots, the share against the newest one."""
    weighting: Weighting = "uniform"
    """How the other snapshots are drawn: all alike, or by prioritised fictitious self-play: those that are an even
    match (variance) or those that win (hard)."""
    window: int = Field(0, ge=0)
    """Only the newest so many snapshots; 0: all."""
    swap_steps: int = Field(0, ge=0)
    """Env steps after which the few snapshots in play change; 0: at every fragment."""
    names_a_fragment: int = Field(6, ge=1, le=256)
    """Different snapshots in play at once, so that cost stays flat."""
    inherit: int = Field(8, ge=0)
    """With start_from: so many of the store's newest snapshots are in the pool at once."""
    league: bool = False
    """Train a main policy, a main exploiter and a league exploiter (Vinyals et al. 2019)."""


class FreezeSettings(Section):
    """When the learning policy becomes a snapshot."""

    save_steps: int = Field(1_000_000, ge=0)
    """Env steps between two; 0: never by steps (ML-Agents' word)."""
    win_rate: Share = Field(0.75, ge=0, le=1)
    """Against the snapshots of its pool since the last one, a draw being half a win; 0: never by win rate."""
    min_steps: int = Field(300_000, ge=0)
    """By win rate not earlier than this after the last."""
    min_games: int = Field(100, ge=1)
    """Played against them since the last one."""
    at_start: bool = True
    """The untrained policy too, so that the pool is never empty."""
    placement_games: int = Field(16, ge=0)
    """Ladder matches of each new snapshot, against whoever tells most of its strength."""


class ResourceSettings(Section):
    """Where the games are played and where is learnt."""

    games: int = Field(256, ge=1, le=65536)
    """In lock-step, in each runner."""
    runners: int = Field(0, ge=0, le=1024)
    """Remote runners; 0: in the trainer's own process."""
    overlap: bool = False
    """Remote runners play the next fragment while the learner works on the last, one update behind."""
    learners: int = Field(0, ge=0, le=64)
    """Remote learners, the batch shared out between them; 0: in the trainer's own process."""
    cpus_per_runner: float = Field(1, ge=0, le=1024)
    """Processors that ray sets aside for each; less than 1 shares one."""
    cpus_per_learner: float = Field(1, ge=0, le=1024)
    """Processors that ray sets aside for each remote learner."""
    gpus_per_learner: float = Field(0, ge=0, le=64)
    """Graphics cards a learner works on, in the trainer's own process too; 0: the processor."""
    threads: int = Field(1, ge=1, le=64)
    """Of torch; 1 leaves the other cores to the window."""
    nice: int = Field(0, ge=0, le=19)
    """Priority, 0 (normal) to 19 (lowest)."""
    ray_address: str = ""
    """Cluster to run on, as in ray://HOST:10001 or auto; empty: one of its own."""


class CheckpointSettings(Section):
    """What is kept of a run to go on from."""

    seconds: float = Field(60.0, gt=0)
    """Between two checkpoints; each freeze makes one too."""
    keep_last: int = Field(2, ge=1)
    """Newest checkpoints kept."""
    keep_best: int = Field(1, ge=0)
    """Best ones kept beside them."""
    best_by: str = "score"
    """Metric that says which is best, higher is better."""


class EvaluationSettings(Section):
    """Matches on the side that measure and do not teach."""

    steps: int = Field(1_000_000, ge=0)
    """Env steps between two measurements; 0: never."""
    games: int = Field(64, ge=1)
    """Of each measurement, against each of `against`."""
    against: tuple[str, ...] = ("scripted",)
    """Seat words; one that the game does not have is left out."""
