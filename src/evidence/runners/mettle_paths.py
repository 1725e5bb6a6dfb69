"""Redirects Python, and every Python that a test starts, from the user's checkout to the one under proof.

An editable installation puts the user's checkout into sys.path, or a finder that knows its folders. A copy of this file
with the two names below filled in is the `sitecustomize` of the run. It reads in every version of Python.
"""

import os
import sys

ROOTS = []  # the user's checkouts
PLACES = []  # [the checkout under proof, the folder of the package in it]


def moved(path):
    # An environment inside the checkout belongs to the interpreter.
    for own in (sys.prefix, getattr(sys, "base_prefix", sys.prefix)):
        if path == own or path.startswith(own + os.sep):
            return path
    for root in ROOTS:
        if path == root or path.startswith(root + os.sep):
            return PLACES[0] + path[len(root) :]
    return path


def move(values):
    """The strings in a dictionary or list that are paths, at any depth."""
    pairs = values.items() if isinstance(values, dict) else enumerate(values)
    for name, value in list(pairs):
        if isinstance(value, str):
            values[name] = moved(value)
        elif isinstance(value, (dict, list)):
            move(value)


def move_finders():
    for finder in sys.meta_path:
        own = finder if isinstance(finder, type) else type(finder)
        if "editable" not in (own.__module__ + own.__name__).lower():
            continue
        for holder in (vars(sys.modules[own.__module__]), getattr(finder, "__dict__", {})):
            for value in list(dict(holder).values()):
                if isinstance(value, (dict, list)) and value is not sys.path:
                    move(value)


def lead():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [moved(path) for path in sys.path]
    move_finders()
    # Before installed packages and after Python's own: a module of the project must not hide one of the library.
    own = [os.path.join(PLACES[1], "src"), PLACES[1]]
    installed = [at for at, path in enumerate(sys.path) if os.path.basename(path) in ("site-packages", "dist-packages")]
    at = installed[0] if installed else len(sys.path)
    sys.path[at:at] = [path for path in own if os.path.isdir(path) and path not in sys.path[:at]]
    # The file that Python would have read without this one.
    for path in sys.path:
        other = os.path.join(path, "sitecustomize.py")
        if path != here and os.path.isfile(other):
            with open(other) as file:
                exec(compile(file.read(), other, "exec"), {"__name__": "sitecustomize", "__file__": other})
            break


if PLACES:
    lead()
