"""The loss of PPO for discrete actions, with its gradients in closed form: half the work of torch's autograd."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Coefficients:
    """The settings of the loss."""

    clip: float
    value_loss: float
    value_clip: float  # the largest squared error of a value; infinity for none
    entropy: float


class CategoricalLoss(torch.autograd.Function):
    """`gradients` for torch's autograd: logits and values to the loss."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, values: Tensor, batch: dict[str, Tensor], settings: Coefficients,
                terms: dict[str, Tensor]) -> Tensor:  # fmt: skip
        ctx.save_for_backward(*gradients(logits, values, batch, settings, terms))
        return add_losses(terms, settings, batch.get("loss_mask"))

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor | None, ...]:
        by_logits, by_values = ctx.saved_tensors
        return by_logits * upstream[0], by_values * upstream[0], None, None, None


def gradients(
    logits: Tensor, values: Tensor, batch: dict[str, Tensor], settings: Coefficients, terms: dict[str, Tensor]
) -> tuple[Tensor, Tensor]:
    """The gradients by logits (…, n) and values (…) of the mean loss over all rows, or those of the mask.

    The loss is -min(A r, A clip(r)) + c_v min((v - target)^2, value clip) - c_e H with r = exp(logp - old logp).  The
    gradients of log probability and entropy are those of a softmax: onehot - p and -p (logp + H).  `terms` is filled
    with what was found on the way, a row for each decision, from which `add_losses` makes the loss.
    """
    mask, advantages = batch.get("loss_mask"), batch["advantages"]
    logps = torch.log_softmax(logits, -1)
    places = batch["actions"].long().unsqueeze(-1)
    probabilities = logps.exp()
    logps.clamp_(min=torch.finfo(logps.dtype).min)  # 0 x -inf of an illegal action is no number
    entropy = (probabilities * logps).sum(-1).neg_()
    log_ratio = logps.gather(-1, places).squeeze(-1) - batch["action_logp"]
    ratio = log_ratio.exp()
    raw, clipped = advantages * ratio, ratio.clamp(1 - settings.clip, 1 + settings.clip).mul_(advantages)
    errors = values - batch["value_targets"]
    weight: Tensor | float = 1 / errors.numel() if mask is None else mask / mask.sum()

    # Where the clipped surrogate is the smaller one, it does not change with the ratio.
    slope = torch.where(raw > clipped, 0.0, raw).mul_(-weight)
    by_entropy = settings.entropy * weight
    by_logits = (logps + entropy.unsqueeze(-1)).mul_(by_entropy if mask is None else by_entropy.unsqueeze(-1))  # type: ignore[union-attr]
    by_logits.sub_(slope.unsqueeze(-1)).mul_(probabilities).scatter_add_(-1, places, slope.unsqueeze(-1))
    within = errors if settings.value_clip == math.inf else errors.where(errors.square() <= settings.value_clip, 0.0)
    terms |= {"raw": raw, "clipped": clipped, "entropy": entropy, "log_ratio": log_ratio, "errors": errors}
    return by_logits, within * (2 * settings.value_loss * weight)


def add_losses(terms: dict[str, Tensor], settings: Coefficients, mask: Tensor | None) -> Tensor:
    """The mean loss of what `gradients` has found; its parts, a row for each decision, join the `terms`."""
    surrogate, squares = torch.min(terms["raw"], terms["clipped"]), terms["errors"].square()
    value_loss = squares.clamp(max=settings.value_clip)
    terms |= {"surrogate": surrogate, "value_loss": value_loss, "squares": squares}
    return mean(value_loss * settings.value_loss - surrogate - settings.entropy * terms["entropy"], mask)


def loss_of(
    distribution: Any, values: Tensor, batch: dict[str, Tensor], settings: Coefficients, terms: dict[str, Tensor]
) -> Tensor:
    """The same loss for any distribution, by torch's autograd."""
    log_ratio, advantages = distribution.logp(batch["actions"]) - batch["action_logp"], batch["advantages"]
    ratio, entropy = torch.exp(log_ratio), distribution.entropy()
    surrogate = torch.min(advantages * ratio, advantages * ratio.clamp(1 - settings.clip, 1 + settings.clip))
    squares = torch.pow(values - batch["value_targets"], 2.0)
    value_loss = squares.clamp(max=settings.value_clip)
    terms |= {"surrogate": surrogate, "entropy": entropy, "log_ratio": log_ratio, "value_loss": value_loss,
              "squares": squares}  # fmt: skip
    losses = settings.value_loss * value_loss - surrogate - settings.entropy * entropy
    return mean(losses, batch.get("loss_mask"))


def mean(terms: Tensor, mask: Tensor | None) -> Tensor:
    """The mean over all rows, or those of the mask."""
    return terms.mean() if mask is None else terms[mask].sum() / mask.sum()
