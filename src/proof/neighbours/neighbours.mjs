/**
 * Runs the bodies of tests once more with neighbouring inputs, inside the process of a test run. The text of `tryNeighbours`
 * is written to the end of a control copy, so it uses nothing from this file.
 * @param bodies functions of `through`, which gives each literal or its neighbour, and `note`, which takes each answer
 * @param limits milliseconds of one body and of all, the number of neighbours for each literal, the numbers that tests use, and
 *   the clock and timer that no test has replaced
 * @returns `site=answer/answer*count,…` for each assertion, separated by `;`. Equal answers have equal numbers; 0 is nothing, -1
 *   an error, -2 the changed input itself
 */
export async function tryNeighbours(bodies, limits) {
  const vm =
    process.getBuiltinModule?.("node:vm") ?? (typeof require === "function" ? require("node:vm") : null);
  if (!vm) return "";
  const { now, wait } = limits;
  const end = now() + limits.totalMs;
  const place = { body: null };
  const script = new vm.Script("body()");
  const context = vm.createContext(place);
  /** Ends endless loops, which nothing else could. */
  const inTime = (body, timeout) => {
    place.body = body;
    return script.runInContext(context, { timeout });
  };

  const words = new Map();
  const numberOf = (answer) => {
    if (answer === "") return 0;
    if (answer === "!") return -1;
    if (answer === "echo") return -2;
    if (!words.has(answer)) words.set(answer, words.size + 1);
    return words.get(answer);
  };
  const textOf = (value) => {
    if (value === undefined || value === null || Number.isNaN(value)) return "";
    const seen = new Set();
    const plain = (_key, one) => {
      if (typeof one === "bigint" || typeof one === "symbol" || typeof one === "function")
        return String(one).slice(0, 200);
      if (typeof one === "number" && !Number.isFinite(one)) return String(one);
      if (typeof one !== "object" || one === null) return one;
      if (seen.has(one)) return "seen";
      seen.add(one);
      if (one instanceof Map || one instanceof Set) return [...one];
      return one instanceof Error ? [one.name, one.message] : one;
    };
    return `${typeof value} ${JSON.stringify(value, plain)}`.slice(0, 20_000);
  };

  /** One run of a body; `change` is the index of the changed literal and the number of its neighbour. */
  const run = async (body, change, literals) => {
    const answers = new Map();
    let [site, isLate, isChanged, echo] = [null, false, change === null, null];
    const through = (value, index) => {
      if (change === null) {
        literals.set(index, { site, value });
        return value;
      }
      if (index !== change.index) return value;
      const other = neighbour(value, change.number);
      if (other === undefined) return value;
      isChanged = true;
      echo = textOf(other);
      return other;
    };
    const note = (at, actual, throws) => {
      const before = site;
      const add = (answer) => {
        if (!isLate) answers.set(at, [...(answers.get(at) ?? []), answer === echo ? "echo" : answer]);
      };
      site = at;
      try {
        const value = actual();
        if (typeof value?.then === "function")
          return Promise.resolve(value).then(
            (one) => add(textOf(one)),
            () => add("!"),
          );
        if (throws && typeof value === "function") value();
        add(textOf(value));
      } catch (error) {
        if (error?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
        add("!");
      } finally {
        site = before;
      }
      return undefined;
    };
    let ended = true;
    // With the test's own inputs the body has passed already: it may use what is left, for example on a busy machine.
    const timeout = change === null ? Math.max(1, Math.ceil(end - now())) : limits.runMs;
    try {
      const result = inTime(() => body(through, note), timeout);
      if (typeof result?.then === "function")
        await Promise.race([result, new Promise((resolve) => wait(resolve, timeout))]);
    } catch (error) {
      if (error?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
      ended = false;
    }
    isLate = true;
    return isChanged ? { answers, ended } : null;
  };

  const sites = new Map();
  const plans = [];
  for (const body of bodies) {
    const literals = new Map();
    const first = await run(body, null, literals);
    if (first === null) continue;
    for (const [at, answers] of first.answers)
      sites.set(at, { tested: answers.map(numberOf).join(" "), found: new Map() });
    plans.push({ body, literals, first });
  }
  for (let number = 0; number < limits.neighbours; number++)
    for (const { body, literals, first } of plans)
      for (const [index, { site }] of literals) {
        if (now() > end) break;
        const other = await run(body, { index, number }, literals);
        if (other === null) continue;
        const concerned = site === null ? [...first.answers.keys()] : [site];
        const now_ = concerned.map((at) => [at, (other.answers.get(at) ?? ["!"]).map(numberOf).join(" ")]);
        // A literal outside of assertions may be an expected value.
        if (site === null && now_.every(([at, answer]) => answer === sites.get(at)?.tested)) continue;
        for (const [at, answer] of now_) {
          const found = sites.get(at)?.found;
          found?.set(answer, (found.get(answer) ?? 0) + 1);
        }
      }
  const counted = (found) => [...found].map(([answer, count]) => `${answer}*${count}`).join(",");
  return [...sites]
    .filter(([, { found }]) => found.size > 0)
    .map(([at, { tested, found }]) => `${at}=${tested}/${counted(found)}`)
    .join(";");

  /** Undefined for a value without neighbours. */
  function neighbour(value, number) {
    switch (typeof value) {
      case "number":
        return nearNumber(value, number);
      case "bigint":
        return value + BigInt(number + 1);
      case "boolean":
        return number === 0 ? !value : undefined;
      case "string":
        return nearText(value, number);
      case "object":
        if (Array.isArray(value)) return nearList(value, number);
        return value === null || Object.getPrototypeOf(value) !== Object.prototype
          ? undefined
          : nearObject(value, number);
      default:
        return undefined;
    }
  }
  /** A number that no test uses, and of the same sign. */
  function nearNumber(value, number) {
    const isInteger = Number.isInteger(value);
    const near = [1, -1, 2, 3, -2, 5, 4, -3, 7, 6, 9, 11, 8, 13, 17, 10, 19, 12].map(
      (step) => value + (isInteger ? step : step / 2),
    );
    return near.filter((one) => !limits.known.includes(one) && one < 0 === value < 0)[number];
  }
  function nearText(text, number) {
    if (text === "") return "ab1"[number % 3];
    const letters = [...text];
    const at = (number * 7 + 3) % letters.length;
    const other = (at + 1 + number) % letters.length;
    const digit = letters.findLastIndex((letter) => /\d/.test(letter));
    if (digit !== -1 && number % 2 === 0)
      return letters.with(digit, String((Number(letters[digit]) + 1 + number) % 10)).join("");
    const made = [
      () => letters.toSpliced(at, 1),
      () => letters.toSpliced(at, 0, letters[other]),
      () => letters.with(at, letters[other]),
      () => letters.with(at, letters[other]).with(other, letters[at]),
      () => [...letters, letters[at]],
    ]
      [number % 5]()
      .join("");
    return made === text ? text + letters[other] : made;
  }
  function nearList(list, number) {
    if (list.length === 0) return undefined;
    const at = (number * 5 + 2) % list.length;
    if (number % 3 === 0 && list.length > 1) return list.toSpliced(at, 1);
    if (number % 3 === 1) return list.toSpliced(at, 0, list[(at + 1) % list.length]);
    const near = neighbour(list[at], number);
    return near === undefined ? undefined : list.with(at, near);
  }
  function nearObject(object, number) {
    const keys = Object.keys(object);
    const key = keys[number % keys.length];
    const near = key === undefined ? undefined : neighbour(object[key], number);
    return near === undefined ? undefined : { ...object, [key]: near };
  }
}
