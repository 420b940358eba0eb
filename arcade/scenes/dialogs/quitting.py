"""Asks before the arcade closes while something is under way that ends with the window."""

from __future__ import annotations

from collections.abc import Callable

from arcade.engine.window.scene import Host
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.session.services import Services

QUESTION = N_("Quit now?")
SAVED = N_("Training {game} stops. What it has learnt is saved, and you can continue it later.")
DROPPED = N_("Training {game} has not begun yet: nothing of it is kept.")
UNFINISHED = N_("{job} is not finished and stops.")
CONTINUES = N_("Training {game} continues without the window.")


def quit_arcade(engine: Host, services: Services, then: Callable[[], None] = lambda: None) -> bool:
    """Quit, after `then`, or ask first where something would end; True where it asks."""
    losses = at_stake(services)
    if not losses:
        then()
        engine.quit()
        return False

    def leave() -> None:
        then()
        engine.quit()

    text = "\n".join([*losses, *_continuing(services)])
    engine.push(routes.Confirm(_(QUESTION), text, _("Stop and quit"), leave, no=_("Stay")))
    return True


def at_stake(services: Services) -> list[str]:
    """What ends with the window before it is done, a sentence each."""
    trainings = services.trainings.ending_with_window if services.trainings is not None else ()
    losses = [one for one in trainings if one.link.state != "stopping"]  # that one has saved what it learnt
    texts = [_(SAVED if one.has_begun else DROPPED).format(game=_(one.spec.title)) for one in losses]
    others = (job for job in services.jobs.lasting if services.trainings is None or job not in services.trainings.all)
    return [*texts, *(_(UNFINISHED).format(job=job.title) for job in others)]


def _continuing(services: Services) -> list[str]:
    trainings = services.trainings.outliving_window if services.trainings is not None else ()
    return [_(CONTINUES).format(game=_(one.spec.title)) for one in trainings]
