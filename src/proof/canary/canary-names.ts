/**
 * What canaries are called: as the project's own tests are, drawn at random from their words, so that code under test cannot
 * know one by its file, its title or the values that it compares.
 */
import { pick } from "../../lib/ids.ts";

export interface CanaryNames {
  /** A name of a file beside the test file, with the same ending and marks. */
  file(joiner: "-" | "_"): string;
  /** Several words, other ones each time, that the test file does not hold as they are. */
  title(joiner: " " | "_"): string;
  /** `CamelCase` of two words and a number. */
  type(): string;
  /** Two words, and no keyword of any language. */
  name(): string;
  /** Two numbers that differ. */
  numbers(): readonly [number, number];
}

/** @param taken names of files beside the test file */
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
    // The number keeps a last word such as `linux` from meaning something to a tool.
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

/** Words of the test file, and some that tests everywhere use. */
function wordsIn(text: string): readonly string[] {
  const own = [...text.matchAll(/[A-Za-z]{3,12}/gu)].map(([word]) => word.toLowerCase());
  return [...new Set([...own, ...usual])].slice(0, mostWords);
}

const mostWords = 400;
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

/** Words in a name that say that it is a test. */
const marks = /^(?:tests?|specs?|check|unit|e2e|it)$/iu;

/** Everything but marks and endings is replaced: `my-cart.test.js` becomes `NAME.test.js`, and `test_cart.py` `test_NAME.py`. */
function renamed(file: string, name: string): string {
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
