"""The loss of actor-critics; for discrete actions with gradients in closed form, half the work of torch's autograd."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

Batch = dict[str, Tensor]

Estimate = Callable[[Batch, Tensor, Tensor], Batch]
"""From a minibatch, the log ratios of its actions and its values, both of the present network: the minibatch with
`advantages` and `value_targets`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """The settings of the loss."""

    clip: float | None  # range of the probability ratio; None: the plain policy gradient
    value_loss: float
    entropy: float
    value_clip: float = math.inf  # the largest squared error of a value
    estimate: Estimate | None = None  # None: the minibatch has both columns


class CategoricalLoss(torch.autograd.Function):
    """`gradients` for torch's autograd: logits and values to the loss."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, values: Tensor, batch: Batch, objective: Objective,
                terms: dict[str, Tensor]) -> Tensor:  # fmt: skip
        ctx.save_for_backward(*gradients(logits, values, batch, objective, terms))
        return add_losses(terms, objective)

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor | None, ...]:
        by_logits, by_values = ctx.saved_tensors
        return by_logits * upstream[0], by_values * upstream[0], None, None, None


def gradients(
    logits: Tensor, values: Tensor, batch: Batch, objective: Objective, terms: dict[str, Tensor]
) -> tuple[Tensor, Tensor]:
    """The gradients by logits (…, n) and values (…) of the mean loss over all rows, or those of the mask.

    The loss is -min(A r, A clip(r)) + c_v min((v - target)^2, value clip) - c_e H with r = exp(logp - old logp), or
    begins with -A logp where no clipping is set.  The gradients of log probability and entropy are those of a softmax:
    onehot - p and -p (logp + H).  `terms` is filled with what was found on the way, a row for each decision, of which
    `add_losses` makes the loss.
    """
    mask = batch.get("loss_mask")
    logps = torch.log_softmax(logits, -1)
    places = batch["actions"].long().unsqueeze(-1)
    probabilities = logps.exp()
    logps.clamp_(min=torch.finfo(logps.dtype).min)  # 0 x -inf of an illegal action is no number
    entropy = (probabilities * logps).sum(-1).neg_()
    logp = logps.gather(-1, places).squeeze(-1)
    log_ratio = logp - batch["action_logp"]
    if objective.estimate is not None:
        batch = objective.estimate(batch, log_ratio, values)
    advantages = batch["advantages"]
    if objective.clip is None:
        raw = clipped = advantages * logp
        slope = advantages
    else:
        ratio = log_ratio.exp()
        raw, clipped = advantages * ratio, ratio.clamp(1 - objective.clip, 1 + objective.clip).mul_(advantages)
        slope = torch.where(raw > clipped, 0.0, raw)  # where the clipped one is the smaller, the ratio changes nothing
    errors = values - batch["value_targets"]
    weight: Tensor | float = 1 / errors.numel() if mask is None else mask / mask.sum()

    slope, by_entropy = (slope * -weight).unsqueeze(-1), objective.entropy * weight
    by_logits = (logps + entropy.unsqueeze(-1)).mul_(by_entropy if mask is None else by_entropy.unsqueeze(-1))  # type: ignore[union-attr]
    by_logits.sub_(slope).mul_(probabilities).scatter_add_(-1, places, slope)
    within = errors if objective.value_clip == math.inf else errors.where(errors.square() <= objective.value_clip, 0.0)
    _note(terms, batch, raw=raw, clipped=clipped, entropy=entropy, log_ratio=log_ratio, values=values, errors=errors)
    return by_logits, within * (2 * objective.value_loss * weight)


def add_losses(terms: dict[str, Tensor], objective: Objective) -> Tensor:
    """The mean loss of what `gradients` has found; its parts, a row for each decision, join the `terms`."""
    surrogate, squares = torch.min(terms["raw"], terms["clipped"]), terms["errors"].square()
    value_loss = squares.clamp(max=objective.value_clip)
    terms |= {"surrogate": surrogate, "value_loss": value_loss, "squares": squares}
    losses = value_loss * objective.value_loss - surrogate - objective.entropy * terms["entropy"]
    return _mean(losses, terms.get("mask"))


def loss_of(
    distribution: Any, values: Tensor, batch: Batch, objective: Objective, terms: dict[str, Tensor]
) -> Tensor:  # fmt: skip
    """The same loss for any distribution, by torch's autograd."""
    logp, entropy = distribution.logp(batch["actions"]), distribution.entropy()
    log_ratio = logp - batch["action_logp"]
    if objective.estimate is not None:
        batch = objective.estimate(batch, log_ratio.detach(), values.detach())
    advantages = batch["advantages"]
    surrogate = advantages * logp
    if objective.clip is not None:
        ratio = log_ratio.exp()
        clipped = ratio.clamp(1 - objective.clip, 1 + objective.clip)
        surrogate = torch.min(advantages * ratio, advantages * clipped)
    squares = torch.pow(values - batch["value_targets"], 2.0)
    value_loss = squares.clamp(max=objective.value_clip)
    _note(terms, batch, surrogate=surrogate, entropy=entropy, log_ratio=log_ratio, values=values,
          value_loss=value_loss, squares=squares)  # fmt: skip
    losses: Tensor = objective.value_loss * value_loss - surrogate - objective.entropy * entropy
    return _mean(losses, batch.get("loss_mask"))


def _mean(losses: Tensor, mask: Tensor | None) -> Tensor:
    return losses.mean() if mask is None else losses[mask].sum() / mask.sum()


def _note(terms: dict[str, Tensor], batch: Batch, **parts: Tensor) -> None:
    """Fill `terms` with the parts of a loss, their targets, and the mask if there is one."""
    terms |= parts | {"targets": batch["value_targets"]}
    if "loss_mask" in batch:
        terms["mask"] = batch["loss_mask"]
