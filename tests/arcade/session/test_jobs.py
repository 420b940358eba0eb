"""Everything that takes long is listed while it lasts, with its progress, and can be cancelled."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from arcade.session.jobs import CANCELLED, MOST_ENDED, SHOWN_AFTER, Jobs, WorkerJob
from arcade.session.worker import Worker


@pytest.fixture
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


def finish(worker: Worker, jobs: Jobs) -> None:
    worker.settle(timeout=300)
    jobs.update(10.0)


def last(jobs: Jobs) -> None:
    """Let what has begun become old enough to be listed."""
    jobs.update(0.0)
    jobs.update(SHOWN_AFTER)


def test_a_job_is_listed_with_its_progress_until_it_ends(worker) -> None:
    jobs, half_way, go = Jobs(worker), threading.Event(), threading.Event()
    outcomes: list[str] = []

    def export(job: WorkerJob) -> str:
        job.report(0.5, "2 of 4 recordings")
        half_way.set()
        go.wait(30)
        return "demos.zip"

    jobs.submit("Export of 4 recordings", export, done=outcomes.append, ended=lambda name: f"Saved: {name}")
    half_way.wait(30)
    jobs.update(0.0)
    assert (jobs.running, jobs.text) == ([], ""), "it may be over in a moment"
    last(jobs)
    [job] = jobs.running
    assert (job.title, job.progress, job.text, job.done) == ("Export of 4 recordings", 0.5, "2 of 4 recordings", False)
    go.set()
    finish(worker, jobs)
    assert (jobs.running, [job.text for job in jobs.ended], outcomes) == ([], ["Saved: demos.zip"], ["demos.zip"])


def test_a_cancelled_job_stops_at_its_next_report_and_has_no_outcome(worker) -> None:
    jobs, begun = Jobs(worker), threading.Event()
    outcomes: list[object] = []

    def endless(job: WorkerJob) -> None:
        while True:
            job.report(0.1)
            begun.set()

    jobs.submit("Export", endless, done=outcomes.append, failed=outcomes.append)
    last(jobs)
    begun.wait(300)
    jobs.running[0].cancel()
    finish(worker, jobs)
    assert [job.text for job in jobs.ended] == [CANCELLED]
    assert outcomes == []


def test_a_failed_job_says_why(worker) -> None:
    jobs = Jobs(worker)
    errors: list[BaseException] = []

    def fail(job: WorkerJob) -> None:
        raise OSError("no room on the disk")

    jobs.submit("Export", fail, failed=errors.append)
    last(jobs)
    finish(worker, jobs)
    assert [job.text for job in jobs.ended] == ["no room on the disk"]
    assert len(errors) == 1


def test_only_the_newest_ended_jobs_are_listed(worker) -> None:
    jobs = Jobs(worker)
    for number in range(MOST_ENDED + 3):
        jobs.submit(f"Job {number}", lambda job: None)
    last(jobs)
    finish(worker, jobs)
    assert [job.title for job in jobs.ended] == [f"Job {number}" for number in range(3, MOST_ENDED + 3)]
    before = jobs.version
    jobs.forget_ended()
    assert not jobs.ended
    assert jobs.version > before


def test_the_jobs_under_way_are_told_in_a_few_words(worker) -> None:
    jobs = Jobs(worker)
    assert jobs.text == ""
    first, second = WorkerJob("Export"), WorkerJob("Video")
    jobs.add(first)
    last(jobs)
    assert jobs.text == "1 job"
    first.report(0.6)
    jobs.add(second)
    last(jobs)
    assert jobs.text == "2 jobs, 60%"
    second.report(0.3)
    assert jobs.text == "2 jobs, 45%"
    first.end("Done")
    jobs.update(SHOWN_AFTER)
    assert jobs.text == "1 job, 30%"


def test_a_job_that_is_over_in_a_moment_is_never_listed(worker) -> None:
    jobs, short = Jobs(worker), WorkerJob("Export")
    jobs.add(short)
    jobs.update(0.0)
    short.end("Done")
    last(jobs)
    assert (jobs.running, [*jobs.ended], jobs.version) == ([], [], 0)


def test_a_job_that_nobody_ordered_is_listed_only_while_it_lasts(worker) -> None:
    jobs, own = Jobs(worker), WorkerJob("Loading the settings …")
    jobs.add(own, passing=True)
    last(jobs)
    assert jobs.running == [own]
    own.end("Done")
    jobs.update(SHOWN_AFTER)
    assert (jobs.running, [*jobs.ended]) == ([], [])
