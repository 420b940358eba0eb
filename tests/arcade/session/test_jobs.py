"""Everything that takes long is listed while it lasts, with its progress, and can be cancelled."""

from __future__ import annotations

from arcade.session.jobs import MOST_ENDED, SHOWN_AFTER, Jobs
from tests.support.made_up_job import MadeUpJob


def last(jobs: Jobs) -> None:
    """Let what has begun become old enough to be listed."""
    jobs.update(0.0)
    jobs.update(SHOWN_AFTER)


def test_a_job_is_listed_once_it_has_lasted_and_until_it_ends() -> None:
    jobs, export = Jobs(), MadeUpJob("Export")
    jobs.add(export)
    jobs.update(0.0)
    jobs.update(SHOWN_AFTER / 2)
    assert (jobs.running, jobs.text) == ([], ""), "it may be over in a moment"
    jobs.update(SHOWN_AFTER)
    assert (jobs.running, jobs.lasting) == ([export], [export])
    jobs.running[0].cancel()
    assert jobs.lasting == []
    jobs.update(SHOWN_AFTER)
    assert (jobs.running, [*jobs.ended]) == ([], [export])


def test_only_the_newest_ended_jobs_are_listed() -> None:
    jobs = Jobs()
    for number in range(MOST_ENDED + 3):
        jobs.add(MadeUpJob(f"Job {number}"))
    last(jobs)
    for job in jobs.running:
        job.cancel()
    jobs.update(SHOWN_AFTER)
    assert [job.title for job in jobs.ended] == [f"Job {number}" for number in range(3, MOST_ENDED + 3)]
    before = jobs.version
    jobs.forget_ended()
    assert not jobs.ended
    assert jobs.version > before


def test_the_jobs_under_way_are_told_in_a_few_words() -> None:
    jobs = Jobs()
    assert jobs.text == ""
    first, second = MadeUpJob("Export"), MadeUpJob("Video")
    jobs.add(first)
    last(jobs)
    assert jobs.text == "1 job"
    first.progress = 0.6
    jobs.add(second)
    last(jobs)
    assert jobs.text == "2 jobs, 60%"
    second.progress = 0.3
    assert jobs.text == "2 jobs, 45%"
    first.end()
    jobs.update(SHOWN_AFTER)
    assert jobs.text == "1 job, 30%"


def test_a_job_that_is_over_in_a_moment_is_never_listed() -> None:
    jobs, short = Jobs(), MadeUpJob("Export")
    jobs.add(short)
    jobs.update(0.0)
    short.end()
    last(jobs)
    assert (jobs.running, [*jobs.ended], jobs.version) == ([], [], 0)


def test_a_job_that_nobody_ordered_is_listed_only_while_it_lasts() -> None:
    jobs, own = Jobs(), MadeUpJob("Loading the settings …")
    jobs.add(own, passing=True)
    last(jobs)
    assert jobs.running == [own]
    own.end()
    jobs.update(SHOWN_AFTER)
    assert (jobs.running, [*jobs.ended]) == ([], [])
