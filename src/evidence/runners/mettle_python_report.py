"""Mettle's report of a Python test run: one JSON object per line, closed by {"type": "end"}; read by python-report.ts.

It stands beside pytest's and unittest's own output, which a person reads. It knows no more than it is told.
"""

import json
import os
import signal
import sys
import threading

MOST = 16384


class TimedOut(BaseException):
    """A test exceeded its time limit; a test's `except Exception` does not catch it."""


class Report:
    def __init__(self, path):
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self._owner = os.getpid()

    def line(self, kind, **facts):
        if os.getpid() == self._owner:  # a forked child writes no report
            os.write(self._file, (json.dumps({"type": kind, **facts}) + "\n").encode())


def thrown(error):
    """Names of the classes of an exception, its message, and its frames, innermost first."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.insert(0, [trace.tb_frame.f_code.co_filename, trace.tb_lineno])
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        frames.insert(0, [error.filename, error.lineno or 1])
    return {
        "names": [one.__name__ for one in type(error).__mro__] + _shared(error),
        "message": _text(error)[:MOST],
        "frames": frames[:100],
    }


def _shared(error):
    """A group of exceptions is an assertion if all of its members are."""
    inner = getattr(error, "exceptions", None)
    if not isinstance(inner, (list, tuple)) or not inner or "Group" not in type(error).__name__:
        return []
    assertions = all(isinstance(one, AssertionError) or _shared(one) for one in inner)
    return ["AssertionError"] if assertions else []


def _text(error):
    try:
        return str(error)
    except Exception:  # __str__ of the code under test fails
        return ""


class TimeLimit:
    """Raises TimedOut in the main thread. On a platform without such a timer only the run's deadline applies."""

    def __init__(self, seconds):
        usable = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self._seconds = seconds if usable else 0

    def __enter__(self):
        if self._seconds > 0:
            self._before = signal.signal(signal.SIGALRM, self._strike)
            signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(self, *_):
        if self._seconds > 0:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)

    def _strike(self, *_):
        raise TimedOut(f"took longer than {self._seconds} s")


def begin():
    """Reads the run's options; removes them from sys.argv, and this folder from sys.path, before the project's code loads."""
    options = json.loads(sys.argv[1])
    del sys.argv[1:]
    sys.path.pop(0)
    return options


def show(project, paths=None):
    """Puts the project's own files before the paths of its editable installation, in children too."""
    if paths:
        os.environ["PYTHONPATH"] = paths
        first, *given = paths.split(os.pathsep)
        sys.path[0:0] = [os.path.abspath(path) for path in given if path]
        place = os.path.join(first, "sitecustomize.py")
        with open(place) as file:
            exec(compile(file.read(), place, "exec"), {"__name__": "mettle_paths", "__file__": place})
    for folder in (os.path.join(project, "src"), project):
        if os.path.isdir(folder):
            sys.path.insert(0, folder)
