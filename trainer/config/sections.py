"""Sections of a run's settings that do not depend on the algorithm."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_STEPS = 10**15
"""Env steps of the longest run."""

Width = Annotated[int, Field(ge=1, le=8192)]


class Section(BaseModel):
    """Immutable settings; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True, allow_inf_nan=False)


class WrapperSettings(Section):
    """Changes to observations (inside the network, so that a snapshot takes raw ones) and to the rules."""

    observe: Literal["", "ram", "rgb_image", "grayscale_image"] = ""
    """Observations of the learning policies in Atari games: the console's memory (ram), the picture, or the picture in
    grey; snapshots keep it, and their seats are shown these in matches too.  Empty: the game's own."""
    grey: bool = True
    """Convert pictures to greyscale."""
    resize: int = Field(42, ge=0, le=256)
    """Largest number of rows and columns of a picture, by averaging; 0: unchanged."""
    stack: int = Field(1, ge=1, le=16)
    """Number of newest observations that are stacked."""
    normalise: bool = False
    """Normalise vectors by their running mean and deviation."""
    sticky_actions: float = Field(0.0, ge=0, lt=1)
    """Probability that a seat repeats its last action (Machado et al. 2018, arXiv 1709.06009); snapshots keep it, and
    their seats do so in matches and evaluation too."""
    frame_skip: int = Field(1, ge=1, le=16)
    """Ticks of a real-time game for which each action is held, together one env step; snapshots keep it, and their
    seats hold actions in matches and evaluation too."""
    max_ticks: int = Field(0, ge=0, le=10**9)
    """Ticks after which an episode is truncated, once the current action was held; 0: only the game ends episodes."""
    reward_scale: float = Field(1.0, gt=0, le=1e9)
    """Factor of rewards for learning; results stay in the game's own units."""


class NetworkSettings(Section):
    """The shape of policy and critic."""

    hidden: tuple[Width, ...] = Field((64, 64), min_length=1, max_length=4)
    """Widths of the layers of policy and of critic."""
    activation: Literal["tanh", "relu"] = "tanh"
    """Activation of policy and critic; convolutions always use relu."""
    convolution: bool = True
    """Encode pictures by convolutions (Mnih et al. 2015, scaled to their size), else flatten them."""
    residual_blocks: int = Field(0, ge=0, le=40)
    """Residual blocks over the planes of a board, before the layers of policy and critic; 0: boards are flattened."""
    filters: int = Field(64, ge=1, le=512)
    """Filters of the residual blocks."""
    lstm: int = Field(0, ge=0, le=1024)
    """Cells of a recurrent layer before the heads; 0: none."""
    sequence: int = Field(16, ge=2, le=256)
    """Length of the sequences, in decisions, for a recurrent layer."""


PolicyKind = Literal["self_play", "parameter_sharing", "independent", "teams", "shared_value_function"]


class PolicySettings(Section):
    """Assigns policies to agents."""

    kind: PolicyKind = "self_play"
    """self_play: one policy per role, against its own past; parameter_sharing: one for all agents with equal spaces;
    independent: one per agent; teams: one per team; shared_value_function: one per agent with a central critic."""
    mapping: dict[str, str] = Field(default_factory=dict)
    """Agent id to policy id, which overrides `kind`; the agents of a policy have equal spaces."""
    train: tuple[str, ...] = ()
    """Policies that learn; the others keep their initial weights.  Empty: all."""
    shared_encoder: bool = False
    """Share one encoder between all policies with equal observations."""


POOL = "pool"
"""The partners that are the run's own snapshots."""

Weighting = Literal[
    "uniform", "variance", "hard", "nash", "alpha_rank"
]  # as in agents.wire.trainer_events, which imports numpy


class OpponentSettings(Section):
    """Opponents of the learning policies, as shares of the episodes."""

    play_against_latest_model_ratio: float | None = Field(None, ge=0, le=1)
    """Share of episodes against the learning policy itself, in which every seat learns (ML-Agents' term).
    None: 0.5 where policies.kind is self_play, else 1; 1 for AlphaZero."""
    fixed: tuple[str, ...] = ()
    """Fixed opponents as seat words: scripted, random, snapshot:NAME, snapshot:PATH, python:M:F, remote:ADDRESS."""
    fixed_ratio: float = Field(0.0, ge=0, le=1)
    """Share of episodes against one of `fixed`; in a game of one team, with it as partner."""
    partner_ratio: float = Field(0.0, ge=0, le=1)
    """Share of episodes in which a partner takes seats of the learner's own team, one of `partners`."""
    partners: tuple[str, ...] = (POOL,)
    """Partners, drawn evenly: pool for the run's snapshots (Fictitious Co-Play), and seat words as in `fixed`."""
    newest_ratio: float = Field(0.5, ge=0, le=1)
    """Share of the newest snapshot in the episodes against snapshots."""
    weighting: Weighting = "variance"
    """How older snapshots are drawn: by prioritised fictitious self-play, which prefers even matches (variance) or
    strong opponents (hard), uniformly, or by their share in the Nash equilibrium (nash) or alpha-rank (alpha_rank) of
    their matches with each other on the ladder (PSRO: Lanctot et al. 2017, arXiv 1711.00832).  The snapshots of each
    policy are a population of their own; until all have one they are drawn as by variance.  alpha_rank takes up to four
    policies."""
    window: int = Field(0, ge=0, le=10**6)
    """Number of newest snapshots that can be drawn; 0: all."""
    swap_steps: int = Field(0, ge=0, le=MOST_STEPS)
    """Env steps after which the snapshots in play change; 0: at every fragment."""
    names_a_fragment: int = Field(6, ge=1, le=256)
    """Snapshots in play at once, which bounds the cost."""
    inherit: int = Field(8, ge=0, le=10**5)
    """With start_from: number of the store's newest snapshots in the pool from the start."""
    league: bool = False
    """Train a main policy, a main exploiter and a league exploiter (Vinyals et al. 2019)."""

    @property
    def partner_words(self) -> tuple[str, ...]:
        """The partners that are seat words."""
        return tuple(word for word in self.partners if word != POOL) if self.partner_ratio else ()

    @property
    def words(self) -> tuple[str, ...]:
        """The seat words of all fixed opponents and partners."""
        return tuple(dict.fromkeys((*self.fixed, *self.partner_words)))

    @property
    def pool_mates(self) -> bool:
        """Whether the run's snapshots are partners."""
        return self.partner_ratio > 0 and POOL in self.partners


class RecordedStartSettings(Section):
    """Episodes that start at moments of recorded matches."""

    recordings: tuple[str, ...] = ()
    """Recordings whose moments episodes start from, by id, name or file; NAME@TICK for one moment of it.  Empty: each
    episode starts as the game does."""
    ratio: float = Field(0.5, ge=0, le=1)
    """Share of the episodes that start at one of these moments, where there are recordings."""
    earliest: float = Field(0.0, ge=0, le=1)
    """Share of a recording before which no moment is drawn."""
    latest: float = Field(1.0, ge=0, le=1)
    """Share of a recording after which no moment is drawn."""
    moments: int = Field(64, ge=1, le=4096)
    """Moments that each runner draws as the run begins, from all recordings alike."""


class FreezeSettings(Section):
    """When a learning policy is frozen to a snapshot."""

    save_steps: int = Field(1_000_000, ge=0, le=MOST_STEPS)
    """Env steps between two snapshots; 0: never by steps (ML-Agents' term)."""
    minutes: float = Field(0.0, ge=0, le=60 * 24 * 365)
    """Minutes between two snapshots, a new policy's first after one; 0: never by time, so that a seed repeats its
    training."""
    win_rate: float = Field(0.75, ge=0, le=1)
    """Win rate against its pool since the last freeze, draws counting half; 0: never by win rate."""
    min_steps: int = Field(300_000, ge=0, le=MOST_STEPS)
    """Env steps since the last freeze before one by win rate."""
    min_games: int = Field(100, ge=1, le=10**9)
    """Games against the pool since the last freeze before one by win rate."""
    at_start: bool = True
    """Freeze the untrained policy too, so that the pool is never empty."""
    at_end: bool = False
    """Freeze the policy when the run ends, so that its last part can be played against too."""
    placement_games: int = Field(16, ge=0, le=10**5)
    """Ladder matches of each new snapshot against the most informative opponents."""


class ResourceSettings(Section):
    """Where games and learners run."""

    games: int = Field(256, ge=1, le=65536)
    """Vectorised envs of each runner."""
    runners: int = Field(0, ge=0, le=1024)
    """Remote runners; 0: in the trainer's process.  A new run has one, with `overlap`, where this machine has a core
    left for the window."""
    overlap: bool = False
    """Let remote runners play while the learner works on the last fragment, one update behind.  A new run on this
    machine does so by itself where cores are free: see `runners`."""
    learners: int = Field(0, ge=0, le=64)
    """Remote learners, which share the batch; 0: in the trainer's process."""
    cpus_per_runner: float = Field(1, ge=0, le=1024)
    """Processors that ray reserves for each runner; less than 1 shares one."""
    cpus_per_learner: float = Field(1, ge=0, le=1024)
    """Processors that ray reserves for each remote learner."""
    gpus_per_learner: float = Field(0, ge=0, le=64)
    """GPUs per learner, in the trainer's process too; 0: learn on the processor."""
    threads: int = Field(1, ge=1, le=64)
    """Threads of torch; 1 leaves the other cores to the window."""
    nice: int = Field(0, ge=0, le=19)
    """Priority, 0 (normal) to 19 (lowest)."""
    ray_address: str = ""
    """Cluster to run on, as in ray://HOST:10001 or auto; empty: a local one."""


class CheckpointSettings(Section):
    """Saved states of a run, from which it resumes."""

    seconds: float = Field(60.0, gt=0, le=10**7)
    """Seconds between two checkpoints; each freeze makes one too."""
    keep_last: int = Field(2, ge=1, le=10**5)
    """Number of newest checkpoints to keep."""
    keep_best: int = Field(1, ge=0, le=10**5)
    """Number of best checkpoints to keep as well."""
    best_by: str = ""
    """Metric by which checkpoints are ranked, higher is better; empty: yardstick, which evaluation measures against
    opponents that stay the same, or score without evaluation."""


class EvaluationSettings(Section):
    """Matches that measure the policies, without learning."""

    steps: int = Field(500_000, ge=0, le=MOST_STEPS)
    """Env steps between two evaluations, of which one more ends the run; 0: never."""
    games: int = Field(24, ge=1, le=10**5)
    """Games of an evaluation against each opponent."""
    against: tuple[str, ...] = ("random", "first", "scripted", "ladder")
    """Opponents that stay the same for the whole run: seat words; first: the run's first snapshots; ladder: two rated
    snapshots of each seat, chosen as the run begins.  What is not there is left out.  In a game of one team they are
    partners in half of the seats, but for random and ladder, which are left out."""
