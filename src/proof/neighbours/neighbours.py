"""Runs the body of a test once more with neighbouring inputs, in a child process that ends with it.

The text is written to the end of a control copy, with other names for `try_neighbours` and what begins with `_NEAR`.
`body` takes `through`, which gives each literal or its neighbour, and `note`, which takes each answer. The result is
`site=answer/answer*count,…` for each assertion, separated by `;`. Equal answers have equal numbers; 0 is nothing, -1 an error,
-2 the changed input itself.
"""


def try_neighbours(body, limits, spent=[0.0]):
    try:
        import os, select, signal, threading, time, warnings
        if not hasattr(os, "fork") or threading.current_thread() is not threading.main_thread():
            return ""
        if spent[0] > limits["total"]:
            return ""
        start = time.monotonic()
        readable, writable = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            child = os.fork()
    except Exception:
        return ""
    if child == 0:
        try:
            os.close(readable)
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            os.write(writable, _NEAR_answers(body, limits).encode()[:60000])
        finally:
            os._exit(0)
    os.close(writable)
    parts = []
    try:
        end = start + limits["test"] + 0.5
        while True:
            ready, _, _ = select.select([readable], [], [], max(0, end - time.monotonic()))
            part = os.read(readable, 65536) if ready else b""
            if not part:
                break
            parts.append(part)
    finally:
        os.close(readable)
        try:
            os.kill(child, signal.SIGKILL)
        except OSError:
            pass
        os.waitpid(child, 0)
        spent[0] += time.monotonic() - start
    return b"".join(parts).decode()


class _NEAR_Late(BaseException):
    pass


def _NEAR_answers(body, limits):
    import re, signal, time, zlib

    def late(*_):
        raise _NEAR_Late()

    signal.signal(signal.SIGALRM, late)
    end = time.monotonic() + limits["test"]

    def text_of(value):
        if value is None or value != value:
            return "0"
        if hasattr(value, "__next__"):
            import itertools

            value = list(itertools.islice(value, 50))
        shown = repr(value)
        if re.search(r" at 0x[0-9a-f]+>", shown) and hasattr(value, "__dict__"):
            shown = type(value).__name__ + repr(sorted(vars(value).items()))
        shown = type(value).__name__ + re.sub(r"0x[0-9a-f]+", "", shown)
        return str(zlib.crc32(shown.encode("utf-8", "replace")) + 1)

    def run(change, literals):
        answers = {}
        state = {"site": None, "changed": change is None, "echo": None}

        def through(value, index):
            if change is None:
                literals[index] = state["site"]
                return value
            if index != change[0]:
                return value
            other = _NEAR_neighbour(value, change[1], limits["known"])
            if other is None or other == value:
                return value
            state["changed"] = True
            state["echo"] = text_of(other)
            return other

        def note(at, actual):
            before = state["site"]
            state["site"] = at
            try:
                answer = text_of(actual())
                if answer == state["echo"]:
                    answer = "-2"
            except Exception:
                answer = "-1"
            finally:
                state["site"] = before
            answers.setdefault(at, []).append(answer)

        # With the test's own inputs the body has passed already: it may use what is left, for example on a busy machine.
        most = max(0.001, end - time.monotonic()) if change is None else limits["run"]
        try:
            signal.setitimer(signal.ITIMER_REAL, most, most)
            try:
                body(through, note)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except _NEAR_Late:
            return None
        except BaseException:
            pass
        return answers if state["changed"] else None

    literals = {}
    first = run(None, literals)
    if first is None:
        return ""
    tested = {at: " ".join(answers) for at, answers in first.items()}
    found = {at: {} for at in tested}
    for number in range(limits["neighbours"]):
        for index, site in literals.items():
            if time.monotonic() > end:
                break
            other = run((index, number), literals)
            if other is None:
                continue
            concerned = [site] if site is not None else list(tested)
            answers = [(at, " ".join(other.get(at, ["-1"]))) for at in concerned]
            # A literal outside of assertions may be an expected value.
            if site is None and all(answer == tested.get(at) for at, answer in answers):
                continue
            for at, answer in answers:
                if at in found:
                    found[at][answer] = found[at].get(answer, 0) + 1
    return ";".join(
        "%d=%s/%s" % (at, tested[at], ",".join("%s*%d" % one for one in found[at].items()))
        for at in tested
        if found[at]
    )


def _NEAR_neighbour(value, number, known):
    """None for a value without neighbours."""
    if isinstance(value, bool):
        return not value if number == 0 else None
    if isinstance(value, (int, float)):
        steps = (1, -1, 2, 3, -2, 5, 4, -3, 7, 6, 9, 11, 8, 13, 17, 10, 19, 12)
        near = (value + (step if isinstance(value, int) else step / 2) for step in steps)
        # A number that no test uses, and of the same sign.
        fresh = [one for one in near if one not in known and (one < 0) == (value < 0)]
        return fresh[number] if number < len(fresh) else None
    if isinstance(value, str):
        return _NEAR_text(value, number)
    if isinstance(value, (list, tuple)) and value:
        near = list(value)
        at = (number * 5 + 2) % len(near)
        if number % 3 == 0 and len(near) > 1:
            del near[at]
        elif number % 3 == 1:
            near.insert(at, near[(at + 1) % len(near)])
        else:
            one = _NEAR_neighbour(near[at], number, known)
            if one is None:
                return None
            near[at] = one
        return type(value)(near)
    if isinstance(value, dict) and value:
        key = list(value)[number % len(value)]
        one = _NEAR_neighbour(value[key], number, known)
        return None if one is None else {**value, key: one}
    return None


def _NEAR_text(text, number):
    if text == "":
        return "ab1"[number % 3]
    at = (number * 7 + 3) % len(text)
    other = (at + 1 + number) % len(text)
    digit = max((index for index, letter in enumerate(text) if letter in "0123456789"), default=-1)
    if digit != -1 and number % 2 == 0:
        return text[:digit] + str((int(text[digit]) + 1 + number) % 10) + text[digit + 1 :]
    swapped = list(text)
    swapped[at], swapped[other] = swapped[other], swapped[at]
    made = (
        text[:at] + text[at + 1 :],
        text[:at] + text[other] + text[at:],
        text[:at] + text[other] + text[at + 1 :],
        "".join(swapped),
        text + text[at],
    )[number % 5]
    return text + text[other] if made == text else made
