"""The loss of PPO for discrete actions, with its gradients in closed form: half the work of torch's autograd."""

from __future__ import annotations

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
        loss, *slopes = gradients(logits, values, batch, settings, terms)
        ctx.save_for_backward(*slopes)
        return loss

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor | None, ...]:
        by_logits, by_values = ctx.saved_tensors
        return by_logits * upstream[0], by_values * upstream[0], None, None, None


def gradients(
    logits: Tensor, values: Tensor, batch: dict[str, Tensor], settings: Coefficients, terms: dict[str, Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    """The mean loss over all rows, or those of the mask, and its gradients by logits (…, n) and values (…).

    The loss is -min(A r, A clip(r)) + c_v min((v - target)^2, value clip) - c_e H with r = exp(logp - old logp).  The
    gradients of log probability and entropy are those of a softmax: onehot - p and -p (logp + H).  `terms` is filled
    with the parts of the loss, a row for each decision, for metrics.
    """
    mask, advantages = batch.get("loss_mask"), batch["advantages"]
    logps = torch.log_softmax(logits, -1)
    places = batch["actions"].long().unsqueeze(-1)
    probabilities = logps.exp()
    logps.clamp_(min=torch.finfo(logps.dtype).min)  # 0 x -inf of an illegal action is no number
    entropy = (probabilities * logps).sum(-1).neg_()
    log_ratio = logps.gather(-1, places).squeeze(-1) - batch["action_logp"]
    ratio = log_ratio.exp()
    raw, clipped = advantages * ratio, advantages * ratio.clamp(1 - settings.clip, 1 + settings.clip)
    surrogate = torch.min(raw, clipped)
    errors = values - batch["value_targets"]
    squares = errors.square()
    value_loss = squares.clamp(max=settings.value_clip)
    losses = value_loss * settings.value_loss - surrogate - settings.entropy * entropy
    weight: Tensor | float = 1 / losses.numel() if mask is None else mask / mask.sum()

    # Where the clipped surrogate is the smaller one, it does not change with the ratio.
    slope = torch.where(raw > clipped, 0.0, -raw) * weight
    by_logits = (logps + entropy.unsqueeze(-1)).mul_(probabilities)
    by_logits.mul_(settings.entropy * weight if mask is None else settings.entropy * weight.unsqueeze(-1))  # type: ignore[union-attr]
    by_logits.addcmul_(probabilities, slope.unsqueeze(-1), value=-1).scatter_add_(-1, places, slope.unsqueeze(-1))
    by_values = torch.where(squares > settings.value_clip, 0.0, errors) * (2 * settings.value_loss * weight)
    terms |= {"surrogate": surrogate, "entropy": entropy, "log_ratio": log_ratio, "value_loss": value_loss,
              "squares": squares}  # fmt: skip
    return (losses * weight).sum(), by_logits, by_values


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
