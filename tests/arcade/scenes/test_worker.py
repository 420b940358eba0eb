"""Slow jobs beside the window."""

import threading

import pytest

from arcade.session.worker import Worker

DEADLINE = 300.0


def test_the_outcome_comes_back_on_the_thread_that_polls_and_not_before() -> None:
    gate, got = threading.Event(), []
    with Worker() as worker:
        worker.submit(lambda: gate.wait(DEADLINE), done=lambda _: got.append(threading.current_thread()))
        worker.poll()
        assert not got
        gate.set()
        worker.settle(timeout=DEADLINE)
    assert got == [threading.current_thread()]


def test_an_error_goes_to_the_one_who_asked_or_is_raised() -> None:
    def fail() -> None:
        raise OSError("disk full")

    errors: list[BaseException] = []
    with Worker() as worker:
        worker.submit(fail, failed=errors.append)
        worker.settle(timeout=DEADLINE)
        assert [str(error) for error in errors] == ["disk full"]
        worker.submit(fail)
        with pytest.raises(OSError, match="disk full"):
            worker.settle(timeout=DEADLINE)


def test_a_job_leaves_the_frame_that_asks_for_it_alone() -> None:
    begun = threading.Event()
    with Worker(threads=1) as worker:
        worker.submit(lambda: None)
        worker.settle(timeout=DEADLINE)  # the thread waits for work
        worker.submit(begun.set)
        assert not begun.wait(0.1)  # it would take a millisecond
        worker.poll()  # of the next frame
        assert begun.wait(DEADLINE)


def test_closing_does_what_has_not_started() -> None:
    written: list[str] = []
    worker = Worker()
    worker.submit(lambda: written.append("row"))
    worker.close(timeout=DEADLINE)
    assert written == ["row"]
    with pytest.raises(RuntimeError, match="got one after it"):
        worker.submit(lambda: written.append("another"))


def test_closing_lets_what_is_under_way_finish() -> None:
    begun, gate, written = threading.Event(), threading.Event(), []

    def write() -> None:
        begun.set()
        gate.wait(DEADLINE)
        written.append("row")

    worker = Worker()
    worker.submit(write)
    worker.poll()
    begun.wait(DEADLINE)
    threading.Timer(0.01, gate.set).start()
    worker.close(timeout=DEADLINE)
    worker.close()
    assert written == ["row"]
