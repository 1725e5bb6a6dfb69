"""Changes the clock, the names of host and user or the number of processors, or hides pytest's variables in a second run
of tests, so that code which decides by them gives another answer (PRV-17). It follows mettle_paths.py in the `sitecustomize` of that run, with KINDS filled in.
"""

import os

KINDS = []  # of "clock", "variables", "host", "user", "workers"


def shift_clock(by):
    """Later, and at another time of the day. Dates that are computed from given parts stay the same."""
    import datetime
    import time

    plain, plain_ns, form = time.time, time.time_ns, time.strftime
    time.time = lambda: plain() + by
    time.time_ns = lambda: plain_ns() + by * 10**9
    for name in ("localtime", "gmtime", "ctime"):
        setattr(time, name, from_now(getattr(time, name), time))
    time.strftime = lambda text, *parts: form(text, *(parts or (time.localtime(),)))
    date, moment = datetime.date, datetime.datetime

    class Kind(type):
        def __instancecheck__(cls, value):
            return isinstance(value, plain_of[cls]) if cls in plain_of else type.__instancecheck__(cls, value)

        def __subclasscheck__(cls, other):
            return issubclass(other, plain_of[cls]) if cls in plain_of else type.__subclasscheck__(cls, other)

    class Date(date, metaclass=Kind):
        @classmethod
        def today(cls):
            return cls.fromtimestamp(time.time())

        def __repr__(self):
            return repr(date(self.year, self.month, self.day))

    class Moment(moment, metaclass=Kind):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(time.time(), tz)

        @classmethod
        def today(cls):
            return cls.now()

        @classmethod
        def utcnow(cls):
            return cls.now(datetime.timezone.utc).replace(tzinfo=None)

        def __repr__(self):
            parts = self.timetuple()[:6]
            return repr(moment(*parts, self.microsecond, self.tzinfo, fold=self.fold))

    plain_of = {Date: date, Moment: moment}
    for kind, was in plain_of.items():
        kind.__name__ = kind.__qualname__ = was.__name__
        kind.__module__ = "datetime"
        setattr(datetime, was.__name__, kind)


def from_now(function, time):
    return lambda seconds=None: function(time.time() if seconds is None else seconds)


def hide_variables(names):
    """pytest sets and removes some of them around each test."""
    kind = type(os.environ)
    put, take = kind.__setitem__, kind.pop
    for name in names:
        os.environ.pop(name, None)
    kind.__setitem__ = lambda self, name, value: None if name in names else put(self, name, value)
    kind.pop = lambda self, name, *default: None if name in names else take(self, name, *default)


def change_host(name):
    import platform
    import socket

    socket.gethostname = platform.node = lambda: name
    socket.getfqdn = lambda given="": given or name


def change_user(name):
    import getpass

    getpass.getuser = os.getlogin = lambda: name


def change_processors():
    count = os.cpu_count
    os.cpu_count = os.process_cpu_count = lambda: (count() or 1) + 1


if "host" in KINDS:
    change_host("build-7")
if "user" in KINDS:
    change_user("mira")
if "workers" in KINDS:
    change_processors()
if "clock" in KINDS:
    shift_clock(437 * 86400 + 5 * 3600)
if "variables" in KINDS:
    hide_variables({"PYTEST_CURRENT_TEST", "PYTEST_VERSION", "PYTEST_XDIST_WORKER"})
