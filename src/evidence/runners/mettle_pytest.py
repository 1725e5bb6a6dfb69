"""Runs pytest with Mettle's plugin, which writes the report and, if asked, shuffles; started by pytest.ts.

What failed is read from the exceptions themselves, so that a hook of a conftest that rewrites reports changes nothing.
"""

import functools
import importlib.util
import inspect
import json
import os
import random

from mettle_python_report import Report, TimeLimit, begin, show, thrown

options = begin()

import pytest  # noqa: E402  only after this folder left sys.path

SILENT = ("Skipped", "SkipTest", "XFailed")


class WithoutCoverage:
    """Disables pytest-cov: a coverage threshold is no test, and a part of the suite cannot reach it."""

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self, early_config):
        early_config.known_args_namespace.no_cov = True
        yield

    def pytest_sessionstart(self, session):
        coverage = session.config.pluginmanager.getplugin("_cov")
        if coverage is not None:  # a version that started it earlier
            coverage.options.cov_fail_under = 0


class Plugin(WithoutCoverage):
    def __init__(self, report):
        self._report = report
        self._now = None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        if options["seed"] is not None:
            chance = random.Random(options["seed"])
            files = {item.location[0] for item in items}
            rank = {file: chance.random() for file in sorted(files)}
            items.sort(key=lambda item: (rank[item.location[0]], chance.random()))

    def pytest_collection_finish(self, session):
        for item in session.items:
            self._report.line("item", id=item.nodeid)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(self, collector):
        outcome = yield
        found = outcome.get_result()
        call = getattr(found, "call", None)
        error = call.excinfo.value if call is not None and call.excinfo is not None else None
        if error is None:
            return
        if type(error).__name__ in SILENT:
            self._report.line("test", id=f"{collector.nodeid}::module", status="skipped", error=None)
        else:
            self._report.line("load", file=collector.nodeid, error=thrown(error.__cause__ or error))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        self._now = Running()
        self._report.line("start", id=item.nodeid)
        with TimeLimit(seconds(item)):
            yield
        self._report.line("test", id=item.nodeid, **self._now.result())

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        if self._now is not None:
            self._now.note(call, outcome.get_result())

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem):
        now, function = self._now, pyfuncitem.obj
        if now is None or inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            yield
            return
        now.expects_call = True
        pyfuncitem.obj = now.watch(function)
        yield
        pyfuncitem.obj = function


class Collected:
    """Observes each file from which pytest would collect tests, before it is loaded."""

    # pytest reads the parameter's name, which changed in 7.0.
    if int(pytest.__version__.split(".")[0]) >= 7:

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_collect_file(self, file_path):
            self.see(str(file_path), (yield))

    else:

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_collect_file(self, path):
            self.see(str(path), (yield))


class Lister(Collected, WithoutCoverage):
    """Records these files and prevents their loading."""

    def __init__(self):
        self.files = []
        self.patterns = []

    def see(self, path, outcome):
        if outcome.get_result():
            self.files.append(path)
            outcome.force_result([])

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session):
        self.patterns = list(session.config.getini("python_files"))


class Chosen(Collected):
    """Excludes all files except these."""

    def __init__(self, files):
        self._files = {os.path.abspath(file) for file in files}

    def see(self, path, outcome):
        if path not in self._files:
            outcome.force_result([])


class Running:
    """The result of one test over all its phases and attempts: the worst one counts."""

    def __init__(self):
        self.expects_call = False
        self._called = False
        self._raised = None
        self._seen = []
        self._failure = None
        self._status = "passed"

    def watch(self, function):
        @functools.wraps(function)
        def watched(*args, **named):
            self._called = True
            try:
                return function(*args, **named)
            except BaseException as error:
                self._raised = error
                raise

        return watched

    def note(self, call, report):
        error = call.excinfo.value if call.excinfo is not None else None
        self._seen.append(error)
        if hasattr(report, "wasxfail"):
            self._status = "todo"
        elif error is not None and type(error).__name__ in SILENT:
            self._status = "skipped" if self._status == "passed" else self._status
        elif error is not None or report.outcome == "failed":
            self._failure = self._failure or (call.when, error, str(report.longrepr))

    def result(self):
        hidden = self._raised is not None and self._raised not in self._seen
        if self._failure is None and hidden and self._status == "passed":
            self._failure = ("call", self._raised, "")
        if self._failure is None and self._status == "passed" and self.expects_call and not self._called:
            self._failure = ("call", None, "a hook ended the test before its function was called")
        if self._failure is None:
            return {"status": self._status, "error": None}
        when, error, words = self._failure
        told = {"names": [], "message": words, "frames": []} if error is None else thrown(error)
        return {"status": "failed", "error": {**told, "hook": when != "call"}}


def seconds(item):
    """The shorter of the run's limit and pytest-timeout's marker."""
    mark = item.get_closest_marker("timeout")
    own = mark.args[0] if mark is not None and mark.args else None
    limit = options["seconds"]
    return min(own, limit) if isinstance(own, (int, float)) and own > 0 else limit


def existing():
    """pytest would run nothing if one file is missing, and everything if no file is named."""
    return [file for file in options["files"] if os.path.exists(file)]


def list_files():
    """Writes the list instead of running tests; pytest then exits with code 5 for no collected test."""
    lister = Lister()
    words = [*options["args"], *common(), "--collect-only", "-q"]
    code = int(pytest.main(words, plugins=[lister]))
    if code in (0, 5):
        found = {"files": lister.files, "patterns": lister.patterns}
        with open(options["report"], "x", encoding="utf-8") as out:
            json.dump(found, out)
    raise SystemExit(code)


def common():
    """Disables repetition, reordering and parallel runs of installed plugins; Mettle controls these."""
    installed = [
        ("xdist", ["-n0"]),
        ("pytest_rerunfailures", ["--reruns=0"]),
        ("pytest_randomly", ["-p", "no:randomly"]),
    ]
    return [
        "-c",
        options["config"],
        f"--rootdir={options['project']}",
        "-p",
        "no:cacheprovider",
        *[word for name, words in installed if importlib.util.find_spec(name) for word in words],
    ]


def arguments(files):
    return [
        *options.get("args", []),
        *common(),
        "--continue-on-collection-errors",
        "--maxfail=0",
        "-W",
        "ignore:Unknown pytest.mark.timeout",
        *files,
    ]


def run(files):
    """pytest parses a bracket or two colons in a path as a test name: then all files are collected and the others excluded."""
    if any("[" in file or "::" in file for file in files):
        return pytest.main(arguments(["."]), plugins=[Plugin(report), Chosen(files)])
    return pytest.main(arguments([os.path.join(".", file) for file in files]), plugins=[Plugin(report)])


# Relative paths start at the project, whose own folder may have any name.
os.chdir(options["project"])
show(options["project"], options.get("paths"))
if options["list"]:
    list_files()
report = Report(options["report"])
wanted = existing()
code = int(run(wanted)) if wanted else 5
report.line("end", code=code)
raise SystemExit(code)
