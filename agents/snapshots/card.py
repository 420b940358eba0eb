"""SnapshotCard: a frozen policy's metadata: game, agents, spaces, training."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from agents.files.names import is_safe

FORMAT = 1
"""Version of card.json; a reader refuses a higher one."""

MAX_ONNX_BYTES = 256 * 2**20
MAX_CARD_BYTES = 256 * 2**10
RESERVED = ("latest", "best")

DType = Literal[
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float16", "float32", "float64",
]  # fmt: skip
Shape = Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(max_length=8)]

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")


def check_name(name: str) -> str:
    """`name` itself if a snapshot may have it; raises ValueError: it becomes the name of a folder."""
    if not _NAME.fullmatch(name) or name in RESERVED or not is_safe(name):
        raise ValueError(
            f"expected a name of a-z 0-9 . _ - (at most 100, none of {', '.join(RESERVED)}, con, aux …), got: {name!r}"
        )
    return name


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")


class ObservationSignature(_Frozen):
    """One observation as the env gives it, without the mask."""

    shape: Shape
    dtype: DType


class ActionSignature(_Frozen):
    """One action: which kind, and the limits that belong to the kind."""

    kind: Literal["discrete", "box", "multi_discrete", "multi_binary"]
    n: int | None = Field(default=None, ge=1)  # discrete: number of actions; multi_binary: number of bits
    start: int = 0  # discrete: the smallest action
    nvec: tuple[Annotated[int, Field(ge=1)], ...] | None = None  # multi_discrete: actions of each part
    shape: Shape | None = None  # box; multi_discrete and multi_binary: where it has not one axis
    dtype: DType | None = None  # box
    low: tuple[float, ...] | None = None  # box: smallest value of each entry, row by row
    high: tuple[float, ...] | None = None  # box: largest value of each entry, row by row

    @model_validator(mode="after")
    def _complete(self) -> ActionSignature:
        needs = {
            "discrete": "n",
            "multi_binary": "n",
            "multi_discrete": "nvec",
            "box": "shape dtype low high",
        }
        missing = [name for name in needs[self.kind].split() if getattr(self, name) is None]
        if missing:
            raise ValueError(f"expected {' and '.join(missing)} with kind {self.kind!r}, got none")
        return self


KLDirection = Literal["forward", "reverse"]
"""Of KL(reference || policy) and of KL(policy || reference)."""


class KLPenalty(_Frozen):
    """The KL penalty to a reference policy that a policy was trained with."""

    reference: Annotated[str, Field(max_length=4000)]  # name of the reference snapshot
    coefficient: Annotated[float, Field(gt=0, allow_inf_nan=False)]  # at the start of the run
    fade_steps: Annotated[int, Field(ge=0)] = 0  # env steps until it was 0; 0: it was constant
    direction: KLDirection = "forward"


class SnapshotCard(_Frozen):
    """card.json beside a policy.onnx."""

    format: Annotated[int, Field(ge=1, le=FORMAT)] = FORMAT
    name: Annotated[str, AfterValidator(check_name)]
    game: Annotated[str, Field(min_length=1, max_length=200)]  # catalogue id
    agents: tuple[str, ...] = ()  # str of the agent ids it can play; empty: any seat whose signature fits
    observation: ObservationSignature
    action: ActionSignature
    obs_type: Annotated[str, Field(max_length=100)] = ""  # of the observations that it decides from; "": the game's own
    masked: bool = False  # the graph takes an action_mask
    frame_skip: Annotated[int, Field(ge=1, le=16)] = 1  # ticks of a real-time game for which it holds each action
    sticky_actions: Annotated[float, Field(ge=0, lt=1)] = 0.0  # chance that its seat repeats its last action
    step: Annotated[int, Field(ge=0)] = 0  # env steps it was trained for
    trained_seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0  # that took, without pauses; 0: not known
    parent: str = ""  # name of the snapshot that its training continued
    algorithm: str = ""
    kl_penalty: KLPenalty | None = None  # that its training had
    run: str = ""  # id of the training run
    created: AwareDatetime = Field(default_factory=lambda: datetime.now(UTC))
    sha256: str = ""  # of policy.onnx, hexadecimal; filled in by the store
    size: Annotated[int, Field(ge=0, le=MAX_ONNX_BYTES)] = 0  # bytes of policy.onnx; filled in by the store
    note: Annotated[str, Field(max_length=4000)] = ""  # how it was made

    def plays(self, agent: str | int) -> bool:
        """Whether it was made for that agent's role; the signatures must fit as well."""
        return not self.agents or str(agent) in self.agents
