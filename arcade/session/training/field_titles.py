"""The titles of the trainer's settings, as its schema names them: listed here so that they are translated."""

from __future__ import annotations

from arcade.language import N_, _

TITLES = (
    N_("activation"), N_("against"), N_("at end"), N_("at start"), N_("batch"), N_("best by"), N_("checkpoints"),
    N_("clip"), N_("convolution"), N_("cpus per learner"), N_("cpus per runner"), N_("entropy"), N_("epochs"),
    N_("evaluation"), N_("fixed"), N_("fixed ratio"), N_("frame skip"), N_("freeze"), N_("game kwargs"), N_("games"),
    N_("gamma"), N_("gpus per learner"), N_("grad clip"), N_("grey"), N_("hidden"), N_("inherit"), N_("keep best"),
    N_("keep last"), N_("kind"), N_("kl penalty"), N_("kl penalty steps"), N_("lambda"), N_("league"),
    N_("learners"), N_("lr"), N_("lstm"), N_("mapping"), N_("max ticks"), N_("min games"), N_("min steps"),
    N_("minibatch"), N_("minutes"), N_("network"), N_("newest ratio"), N_("nice"), N_("normalise"), N_("observe"),
    N_("opponents"), N_("overlap"), N_("placement games"), N_("play against latest model ratio"), N_("policies"),
    N_("ray address"), N_("resize"), N_("resources"), N_("reward scale"), N_("run"), N_("runners"), N_("save steps"),
    N_("seconds"), N_("seed"), N_("sequence"), N_("shared encoder"), N_("stack"), N_("start from"), N_("steps"),
    N_("sticky actions"), N_("swap steps"), N_("threads"), N_("train"), N_("training"), N_("value loss"),
    N_("earliest"), N_("latest"), N_("moments"), N_("ratio"), N_("recordings"), N_("start from recordings"),
    N_("weighting"), N_("win rate"), N_("window"), N_("wrappers"),
)  # fmt: skip


def shown_title(title: str) -> str:
    """Return what people read for the title of a field or a section."""
    words = _(title) if title in TITLES else title
    return words[:1].upper() + words[1:]
