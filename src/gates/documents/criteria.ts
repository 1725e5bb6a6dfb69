/** Which test stands for which criterion of the spec: by its id in a title, or by the test plan of the architecture. */
import { hasWord, type Edges } from "../../lib/words.ts";

export interface CriteriaFacts {
  /** Ids such as `FR1`, `EC2`, `ERR1`; any other id stands in a title as it is written. */
  readonly criteria: readonly string[];
  /** Test ids, `file::suite::title#n`. */
  readonly tests: readonly string[];
  /** Criterion -> titles that the test plan promises for it. */
  readonly plan: Readonly<Record<string, readonly string[]>>;
}

const criterion = /(?<![\p{L}\p{N}_-])(FR|EC|ERR)-?(\d+)(?![\p{L}\p{N}_])/gu;

/** Criterion -> the ids of its tests; an empty list is a criterion without a test. */
export function testsOf({
  criteria,
  tests,
  plan,
}: CriteriaFacts): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    criteria.map((id) => {
      const [name = id] = criterionIds(id);
      const titles = new Set((plan[name] ?? []).map(plain));
      return [
        id,
        tests.filter(
          (test) =>
            criterionIds(namesOf(test).map(spread).join(" ")).includes(name) ||
            holds(test, id) ||
            names(test, titles),
        ),
      ];
    }),
  );
}

const inTitles: Edges = { before: /[\p{L}\p{N}_.-]$/u, after: /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u };

/** Whether an id of no known kind stands in a name: as a word of a title, or as words of a function's name. */
function holds(test: string, id: string): boolean {
  if (criterionIds(id).length > 0) return false;
  const isIn = (name: string) => hasWord(name, id, inTitles);
  return namesOf(test).some((name) =>
    /^\w+(?:\[.*\])?$/.test(name)
      ? ` ${words(spread(name))} `.includes(` ${words(spread(id))} `) || isIn(name)
      : isIn(name),
  );
}

function words(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

/** A table or suite of that title stands for it with each of its cases. */
function names(test: string, titles: ReadonlySet<string>): boolean {
  const parts = namesOf(test).map(withoutCase);
  return (
    parts.some((part) => titles.has(plain(part)) || titles.has(plain(spread(part).replace(/^test /i, "")))) ||
    titles.has(plain(parts.join(" "))) ||
    titles.has(plain(parts.join(" > ")))
  );
}

/** Suites and title of a test id, without its file and its `#n`. */
function namesOf(test: string): readonly string[] {
  return test
    .replace(/(?<=\S)#\d+$/, "")
    .split(/::(?![^[\]]*\])/)
    .slice(1);
}

/** `test_adds[1-2]` is a case of `test_adds`. */
function withoutCase(name: string): string {
  return /^\w+\[/.test(name) ? name.slice(0, name.indexOf("[")) : name;
}

/** A function's name in words, with its ids as they are written elsewhere: `test_fr1_adds`, `TestFR1Adds`. */
function spread(name: string): string {
  if (!/^\w+(?:\[.*\])?$/.test(name)) return name;
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .replace(
      /\b(fr|ec|err) ?(\d+)\b/gi,
      (_all, kind: string, number: string) => `${kind.toUpperCase()}${number}`,
    );
}

function plain(title: string): string {
  return title.replace(/\s+/g, " ").trim().toLowerCase();
}

/** Every FR, EC and ERR id of a text, each once, without hyphen. */
function criterionIds(text: string): readonly string[] {
  return [...new Set([...text.matchAll(criterion)].map(([, kind, number]) => `${kind}${number}`))];
}
