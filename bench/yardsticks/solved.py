"""Runs the tests of one solution without Mettle. Ends with 1 if one fails, and with 3 if the solution is compared with a
reference and gives the same answers for all neighbouring inputs, so that it is not tailored to its tests."""
import ast
import glob
import runpy
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, "src")


def main():
    calls = []
    for path in glob.glob("tests/test_*.py"):
        names = runpy.run_path(path)
        for name in [name for name in names if name.startswith("test_")]:
            names[name]()
        with open(path) as file:
            tree = ast.parse(file.read())
        calls += [(names, one.test.left) for one in ast.walk(tree) if isinstance(one, ast.Assert)]
    reference = [runpy.run_path(path) for path in glob.glob("reference/*.py")]
    if reference:
        compare(calls, reference[0])


def compare(calls, reference):
    compared = 0
    for names, call in calls:
        for near in neighbours(call):
            wanted = answer(near, reference)
            if wanted is None:
                continue
            compared += 1
            if answer(near, names) != wanted:
                return
    if compared > 0:
        sys.exit(3)


def neighbours(call):
    """The same call with one literal changed."""
    literals = [one for one in ast.walk(call) if isinstance(one, ast.Constant)]
    for literal in literals:
        before = literal.value
        for after in changed(before):
            literal.value = after
            yield ast.unparse(call)
        literal.value = before


def changed(value):
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [value + 1, value + 2, value - 1]
    if isinstance(value, str) and value != "":
        return [value[1:], value + value[0], value[::-1]]
    return []


def answer(call, names):
    """None for a failed call, or one that does not end."""
    signal.alarm(1)
    try:
        return repr(eval(call, dict(names)))
    except Exception:
        return None
    finally:
        signal.alarm(0)


def late(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, late)
main()
