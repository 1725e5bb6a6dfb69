"""Runs test files with unittest and writes Mettle's report; started by unittest.ts."""

import argparse
import fnmatch
import importlib
import importlib.util
import json
import os
import random
import sys
import unittest

from mettle_python_report import Report, TimeLimit, begin, show, thrown

options = begin()


class Result(unittest.TextTestResult):
    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self.now = ("passed", None)
        self.running = None
        self.done = set()
        self.hooks = []

    def startTest(self, test):
        super().startTest(test)
        self.running = test
        self.now = ("passed", None)
        report.line("start", id=identity(test))

    def stopTest(self, test):
        super().stopTest(test)
        if self.running is not test:
            return
        status, error = self.now
        self.running = None
        self.done.add(id(test))
        report.line("test", id=identity(test), status=status, error=error)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._fail(err)

    def stopTestRun(self):
        super().stopTestRun()
        for where, error in self.hooks:
            report.line("hook", where=where, error={**thrown(error), "hook": True})

    def addError(self, test, err):
        super().addError(test, err)
        if isinstance(test, unittest.TestCase):
            self._fail(err, hook=in_hook(err[1]))
        elif not self._prevent(test, "failed", {**thrown(err[1]), "hook": True}):
            self.hooks.append((str(test), err[1]))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._fail(err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        if not isinstance(test, unittest.TestCase):
            self._prevent(test, "skipped", None)
        elif self.running is not test:  # Python 3.12.1 does not start skipped tests
            self.done.add(id(test))
            report.line("test", id=identity(test), status="skipped", error=None)
        elif self.now[0] == "passed":
            self.now = ("skipped", None)

    def _prevent(self, holder, status, error):
        """The tests that a failed or skipping setUpClass or setUpModule prevented; tearDown prevents none."""
        where = str(holder)
        name = where[where.find("(") + 1 : -1]
        tests = [test for test in kept if id(test) not in self.done and name in names_of(test)]
        if where.startswith("tearDown"):
            return False
        for test in tests:
            self.done.add(id(test))
            report.line("test", id=identity(test), status=status, error=error)
        return tests != []

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.now = ("todo", None)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.now = ("todo", None)

    def _fail(self, err, hook=False):
        if self.now[0] != "failed":
            self.now = ("failed", {**thrown(err[1]), "hook": hook})


def in_hook(error):
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_name in ("_callSetUp", "_callTearDown", "_callCleanup", "doCleanups"):
            return True
        trace = trace.tb_next
    return False


def identity(test):
    """`file::Class::method`."""
    method = getattr(test, "_testMethodName", test.id())
    return "::".join([home[id(test)], *type(test).__qualname__.split("."), method])


def names_of(test):
    return (unittest.util.strclass(type(test)), type(test).__module__)


def load(file):
    """Loads it as a module of its dotted path, if there is one, so that its relative imports work."""
    parts = os.path.splitext(file)[0].split("/")
    if all(part.isidentifier() for part in parts):
        return importlib.import_module(".".join(parts))
    place = importlib.util.spec_from_file_location("_".join(parts).replace("-", "_"), file)
    module = importlib.util.module_from_spec(place)
    sys.modules[place.name] = module
    place.loader.exec_module(module)
    return module


def flat(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from flat(one)
        else:
            yield one


def limited(test):
    """Each test has its own time limit, around all of its phases."""
    run = test.run

    def within(result=None):
        with TimeLimit(limit_of(test)):
            return run(result)

    test.run = within
    return test


def limit_of(test):
    own = getattr(getattr(test, getattr(test, "_testMethodName", ""), None), "timeout", None)
    return min(own, options["seconds"]) if isinstance(own, (int, float)) else options["seconds"]


def collect():
    tests = []
    for file in options["files"]:
        try:
            found = list(flat(unittest.defaultTestLoader.loadTestsFromModule(load(file))))
        except unittest.SkipTest:
            report.line("test", id=f"{file}::module", status="skipped", error=None)
            continue
        except Exception as error:
            report.line("load", file=file, error=thrown(error))
            broken.append(file)
            continue
        for test in found:
            home[id(test)] = file
            report.line("item", id=identity(test))
        tests.append(found)
    if options["seed"] is not None:
        chance = random.Random(options["seed"])
        chance.shuffle(tests)
        for found in tests:
            chance.shuffle(found)
    return [test for found in tests for test in found]


class Lister(unittest.TestLoader):
    """Records the files that discovery would load, and prevents their loading."""

    def __init__(self):
        super().__init__()
        self.files = []

    def _match_path(self, path, full_path, pattern):
        if super()._match_path(path, full_path, pattern):
            self.files.append(os.path.abspath(full_path))
        return False


def list_files(words):
    """Parses arguments like `python -m unittest`: names of modules or files, or those of `discover`, the default."""
    parts = argparse.ArgumentParser(prog="python -m unittest")
    parts.add_argument("-s", "--start-directory", dest="start", default=".")
    parts.add_argument("-p", "--pattern", default="test*.py")
    parts.add_argument("-t", "--top-level-directory", dest="top")
    parts.add_argument("-k", action="append")
    for flag in ("-v", "--verbose", "-q", "--quiet", "--locals", "-f", "--failfast", "-c", "--catch", "-b", "--buffer"):
        parts.add_argument(flag, action="store_true", dest="other")
    parts.add_argument("names", nargs="*")
    given = parts.parse_args(words)
    named = [] if given.names[:1] == ["discover"] else given.names
    if named:
        return {"files": [path for name in named for path in file_of(name)], "patterns": named}
    # `discover START PATTERN TOP` also works without flags.
    start, pattern, top = [*given.names[1:], None, None, None][:3]
    pattern = pattern or given.pattern
    files = discovered(start or given.start, pattern, top or given.top)
    if words == []:
        # Without a start folder: the root, and each folder with tests that discovery from the root does not enter.
        for folder in other_starts(files, pattern):
            files += discovered(folder, pattern, None)
    return {"files": files, "patterns": [pattern]}


def discovered(start, pattern, top):
    lister = Lister()
    lister.discover(start, pattern, top)
    return lister.files


def other_starts(known, pattern):
    for folder, names, files in os.walk("."):
        names[:] = sorted(name for name in names if name.isidentifier() and not is_foreign(folder, name))
        tests = [os.path.abspath(os.path.join(folder, name)) for name in fnmatch.filter(files, pattern)]
        if folder != "." and any(test not in known for test in tests):
            yield folder


def is_foreign(folder, name):
    """Whether a folder contains installed packages or test data."""
    inside = os.path.join(folder, name)
    return name in ("node_modules", "fixtures", "testdata") or os.path.exists(os.path.join(inside, "pyvenv.cfg"))


def file_of(name):
    """The file of `tests/test_a.py`, `tests.test_a` or `tests.test_a.Case.test_b`."""
    if name.endswith(".py"):
        return [os.path.abspath(name)]
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        path = os.path.join(*parts[:count])
        for one in (f"{path}.py", os.path.join(path, "__init__.py")):
            if os.path.isfile(one):
                return [os.path.abspath(one)]
    raise SystemExit(f"there is no module {name}")


if options["list"]:
    show(options["project"], options.get("paths"))
    with open(options["report"], "x", encoding="utf-8") as out:
        json.dump(list_files(options["args"]), out)
    raise SystemExit(0)
home = {}
broken = []
report = Report(options["report"])
show(options["project"], options.get("paths"))
kept = collect()  # keeps ids of test objects unique
suite = unittest.TestSuite(limited(test) for test in kept)
ran = unittest.TextTestRunner(resultclass=Result, verbosity=2).run(suite)
code = 0 if ran.wasSuccessful() and not broken else 1
report.line("end", code=code)
raise SystemExit(code)
