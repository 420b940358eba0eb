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


def test_closing_lets_what_is_under_way_finish() -> None:
    begun, gate, written = threading.Event(), threading.Event(), []

    def write() -> None:
        begun.set()
        gate.wait(DEADLINE)
        written.append("row")

    worker = Worker()
    worker.submit(write)
    begun.wait(DEADLINE)
    threading.Timer(0.01, gate.set).start()
    worker.close(timeout=DEADLINE)
    worker.close()
    assert written == ["row"]
