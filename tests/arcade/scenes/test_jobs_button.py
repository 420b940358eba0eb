"""The button that says what runs in the background, on the home screen and over the games."""

from __future__ import annotations

import pytest

from arcade.scenes import routes
from tests.support.made_up_job import MadeUpJob


@pytest.mark.parametrize("route", [routes.Title, routes.Games])
def test_jobs_under_way_are_shown_and_lead_to_their_page(sit, keyboard, route) -> None:
    sitting, job = sit(), MadeUpJob("Export")
    sitting.engine.push(route())
    sitting.frame(20)
    assert not [one for one in sitting.engine.scene.focus.widgets if getattr(one, "key", "") == "jobs"]
    job.progress = 0.45
    sitting.services.jobs.add(job)
    sitting.until(lambda: sitting.services.jobs.running, "it to be listed")
    sitting.frame(20)
    button = sitting.widget("1 job, 45%")
    assert button.rect.w > 0
    assert button.rect.h > 0
    keyboard(sitting).choose("1 job, 45%")
    assert sitting.on == "JobsScene"
    job.end()
