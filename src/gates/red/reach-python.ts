/** Rewrites a Python module so that every call from a test, and every missing name, raises the marker; see reach-script.ts. */
import type { RewriteRequest } from "./reach-script.ts";

/** @param lacking names that a test did not find on a class */
export function rewrittenPython({ text, answer, whole }: RewriteRequest, lacking: readonly string[]): string {
  const mark = answer.how === "throw" ? ` ${answer.mark}` : "";
  const stubs = answer.how === "by file" ? JSON.stringify(answer.stubs) : "None";
  const given = `globals(), ${JSON.stringify(mark)}, ${stubs}, ${whole ? "True" : "False"}, ${JSON.stringify(lacking)}`;
  return `${text}\n${guard}_mettle_unit(${given})\n`;
}

const guard = `# Written by Mettle for this check only: what a test calls does no work.
def _mettle_unit(scope, mark, stubs, whole, lacking):
    import functools
    import sys

    inside = []  # calls that work as usual: what they call in turn does too

    def loading():
        frame = sys._getframe(2)
        while frame is not None:
            if frame.f_code.co_name == "<module>":
                return True
            if "_pytest" in frame.f_code.co_filename or "/unittest/" in frame.f_code.co_filename:
                return False
            frame = frame.f_back
        return False

    def stub_now():
        frame = sys._getframe(2)
        while frame is not None and stubs is not None:
            name = frame.f_code.co_filename.rsplit("/", 1)[-1]
            if name in stubs:
                return stubs[name]
            if name == "python.py" and "pyfuncitem" in frame.f_locals:
                # The file may have inherited the test from a helper: pytest tells the file.
                running = frame.f_locals["pyfuncitem"].nodeid.split("::")[0]
                return stubs.get(running.rsplit("/", 1)[-1])
            frame = frame.f_back
        return "throw" if stubs is None else None

    def reply(stub, name, given):
        if stub == "throw":
            raise NotImplementedError(name + mark)
        return given[0] if stub == "identity" and given else None

    def guarded(function, skip=0):
        @functools.wraps(function)
        def call(*args, **named):
            stub = None if inside or loading() else stub_now()
            if stub is None:
                inside.append(1)
                try:
                    return function(*args, **named)
                finally:
                    inside.pop()
            result = reply(stub, getattr(function, "__qualname__", "call"), args[skip:] + tuple(named.values()))
            if function.__name__ == "__new__":
                return object.__new__(args[0])
            return None if function.__name__ == "__init__" else result

        return call

    def absent(name):
        return lambda *given, **_named: reply(stub_now() or "throw", name, given)

    def module_attribute(name):
        if name.startswith("__") or loading() or stub_now() is None:
            raise AttributeError("module has no attribute " + repr(name))
        return absent(name)

    def instance_attribute(_self, name):
        if name.startswith("__") or loading() or stub_now() is None:
            raise AttributeError("object has no attribute " + repr(name))
        return absent(name)

    def change(owner, name, value):
        try:
            setattr(owner, name, value)
        except Exception:  # a class that lets nobody change it
            pass

    def guard_class(one):
        for name, value in list(vars(one).items()):
            if isinstance(value, (staticmethod, classmethod)):
                skip = 1 if isinstance(value, classmethod) or name == "__new__" else 0
                change(one, name, type(value)(guarded(value.__func__, skip)))
            elif isinstance(value, property):
                change(one, name, property(value.fget and guarded(value.fget, 1), value.fset, value.fdel))
            elif type(value).__name__ == "function" and name not in ("__init_subclass__", "__repr__", "__hash__"):
                change(one, name, guarded(value, 1))
        if not hasattr(one, "__getattr__"):
            change(one, "__getattr__", instance_attribute)
        for name in lacking:
            if not hasattr(one, name):
                change(one, name, staticmethod(absent(name)))

    for name, value in list(scope.items()) if whole else []:
        if getattr(value, "__module__", None) != scope["__name__"] or name.startswith("_mettle"):
            continue
        if isinstance(value, type):
            guard_class(value)
        elif callable(value):
            scope[name] = guarded(value)
    scope.setdefault("__getattr__", module_attribute)


`;
