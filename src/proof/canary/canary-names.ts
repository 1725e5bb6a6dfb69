/**
 * Random names for canaries in the style of the project's own tests, so that code under test cannot recognise one by its
 * file, title or compared values.
 */
import { pick } from "../../lib/ids.ts";

export interface CanaryNames {
  /** A file name beside the test file, with the same extension and test markers. */
  file(joiner: "-" | "_"): string;
  /** Several words, different each time, that do not appear as they are in the test file. */
  title(joiner: " " | "_"): string;
  /** Two words in `CamelCase` and a number. */
  type(): string;
  /** Two words that are not a keyword of any language. */
  name(): string;
  /** Two different numbers. */
  numbers(): readonly [number, number];
}

/** @param taken names of the files beside the test file */
export function canaryNames(file: string, text: string, taken: ReadonlySet<string>): CanaryNames {
  const words = wordsIn(text);
  const given = new Set<string>();
  const fresh = (make: () => string): string => {
    for (;;) {
      const made = make();
      if (given.has(made) || taken.has(made) || text.includes(made)) continue;
      given.add(made);
      return made;
    }
  };
  const some = (count: number) => Array.from({ length: count }, () => pick(words));
  const digits = () => String(pick(numbers));
  return {
    // The number prevents a last word such as `linux` from having a meaning to a tool.
    file: (joiner) => fresh(() => renamed(file, `${some(2).join(joiner)}${digits()}`)),
    title: (joiner) => fresh(() => [...some(4), digits()].join(joiner)),
    type: () => fresh(() => `${some(2).map(capital).join("")}${digits()}`),
    name: () => fresh(() => `${some(2).join("_")}${digits()}`),
    numbers: () => {
      const one = pick(numbers);
      return [one, pick(numbers.filter((other) => other !== one))];
    },
  };
}

const numbers: readonly number[] = Array.from({ length: 98 }, (_, at) => at + 2);

/** Words of the test file, and common words of tests. */
function wordsIn(text: string): readonly string[] {
  const own = [...text.matchAll(/[A-Za-z]{3,12}/gu)].map(([word]) => word.toLowerCase());
  return [...new Set([...own, ...usual])].slice(0, maxWords);
}

const maxWords = 400;
const usual = [
  "adds",
  "keeps",
  "gives",
  "value",
  "result",
  "total",
  "entry",
  "order",
  "items",
  "empty",
  "large",
  "first",
];

/** Words in a file name that mark it as a test. */
const marks = /^(?:tests?|specs?|check|unit|e2e|it)$/iu;

/**
 * Replaces everything except markers and extensions: `my-cart.test.js` becomes `NAME.test.js`, `test_cart.py` becomes
 * `test_NAME.py`.
 */
export function renamed(file: string, name: string): string {
  const [stem = "", ...endings] = file.split(".");
  const parts = stem.split(/([-_])/u);
  const first = parts.findIndex((part, at) => at % 2 === 0 && !marks.test(part));
  const last = parts.findLastIndex((part, at) => at % 2 === 0 && !marks.test(part));
  const kept = first === -1 ? [name] : [...parts.slice(0, first), name, ...parts.slice(last + 1)];
  return [kept.join(""), ...(first === -1 ? [stem] : []), ...endings].join(".");
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
