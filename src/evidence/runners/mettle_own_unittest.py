"""`python -m unittest` as users call it, with a report of each test besides its output; read by own-tests.ts."""

import inspect
import json
import os
import sys
import unittest


class Result(unittest.TextTestResult):
    def startTest(self, test):
        super().startTest(test)
        told[id(test)] = [identity(test), "passed"]

    def addFailure(self, test, err):
        super().addFailure(test, err)
        note(test, "failed")

    def addError(self, test, err):
        super().addError(test, err)
        note(test, "failed")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            note(test, "failed")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        note(test, "skipped")

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        note(test, "todo")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        note(test, "todo")


class Runner(unittest.TextTestRunner):
    resultclass = Result


def note(test, status):
    if isinstance(test, unittest.TestCase) and type(test).__name__ != "_FailedTest":
        told[id(test)] = [told.get(id(test), [identity(test)])[0], status]


def identity(test):
    kept.append(test)  # keeps ids of test objects unique
    path = inspect.getsourcefile(type(test)) or "?"
    name = getattr(test, "_testMethodName", test.id())
    return "::".join([os.path.relpath(os.path.realpath(path), where), *type(test).__qualname__.split("."), name])


report, *words = sys.argv[1:]
where = os.path.realpath(os.getcwd())
# As `-m` does.
sys.path[0] = os.getcwd()
told = {}
kept = []
try:
    unittest.main(module=None, argv=["python -m unittest", *words], testRunner=Runner)
finally:
    with open(report, "w", encoding="utf-8") as out:
        loaded = [one for one in told.values() if "_FailedTest" not in one[0]]
        json.dump([{"id": name, "status": status} for name, status in loaded], out)
