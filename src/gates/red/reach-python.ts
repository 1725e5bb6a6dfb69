/** Rewrites a Python module so that every call from a test, and every missing name, raises the marker; see reach-script.ts. */
import type { RewriteRequest } from "./reach-script.ts";

/** @param lacking names that a test did not find on a class */
export function throwingPython({ text, mark, whole }: RewriteRequest, lacking: readonly string[]): string {
  const given = `globals(), ${JSON.stringify(mark)}, ${whole ? "True" : "False"}, ${JSON.stringify(lacking)}`;
  return `${text}\n${guard}_mettle_unit(${given})\n`;
}

const guard = `# Written by Mettle for this check only: what a test calls raises.
def _mettle_unit(scope, mark, whole, lacking):
    import functools
    import sys

    def loading():
        frame = sys._getframe(2)
        while frame is not None:
            if frame.f_code.co_name == "<module>":
                return True
            if "_pytest" in frame.f_code.co_filename or "/unittest/" in frame.f_code.co_filename:
                return False
            frame = frame.f_back
        return False

    def stop(name):
        raise NotImplementedError(name + " " + mark)

    def guarded(function):
        @functools.wraps(function)
        def call(*args, **named):
            if not loading():
                stop(getattr(function, "__qualname__", "call"))
            return function(*args, **named)

        return call

    def absent(name):
        return lambda *_args, **_named: stop(name)

    def module_attribute(name):
        if name.startswith("__") or loading():
            raise AttributeError("module has no attribute " + repr(name))
        return absent(name)

    def instance_attribute(_self, name):
        if name.startswith("__") or loading():
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
                change(one, name, type(value)(guarded(value.__func__)))
            elif isinstance(value, property):
                change(one, name, property(value.fget and guarded(value.fget), value.fset, value.fdel))
            elif type(value).__name__ == "function" and name not in ("__init_subclass__", "__repr__", "__hash__"):
                change(one, name, guarded(value))
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
