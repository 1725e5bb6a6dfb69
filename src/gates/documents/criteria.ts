/** Maps each criterion of the spec to its tests: by its id in a title, or by the test plan of the architecture. */
import { hasWord, type Edges } from "../../lib/find-word.ts";

export interface CriteriaFacts {
  /** Ids such as `FR1`, `EC2`, `ERR1`; any other id must appear in a title as written. */
  readonly criteria: readonly string[];
  /** Test ids, `file::suite::title#n`. */
  readonly tests: readonly string[];
  /** Criterion -> planned titles of its tests. */
  readonly plan: Readonly<Record<string, readonly string[]>>;
}

const criterion = /(?<![\p{L}\p{N}_-])(FR|EC|ERR)-?(\d+)(?![\p{L}\p{N}_])/gu;

/** Criterion -> ids of its tests; empty for a criterion without tests. */
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

/** Whether a name contains an id of any other form, as a word of a title or as words of a function name. */
function holds(test: string, id: string): boolean {
  if (criterionIds(id).length > 0) return false;
  const isIn = (name: string) => hasWord(name, id, inTitles);
  return namesOf(test).some((name) =>
    /^\w+(?:\[.*\])?$/.test(name)
      ? ` ${words(spread(name))} `.includes(` ${words(spread(id))} `) || isIn(name)
      : isIn(name),
  );
}

/** The words of a name or a title, in lower case. */
export function words(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

/** Whether a planned title names the test, its suite or its table; a suite or table covers all of its cases. */
function names(test: string, titles: ReadonlySet<string>): boolean {
  const parts = namesOf(test).map(withoutCase);
  return (
    parts.some((part) => titles.has(plain(part)) || titles.has(plain(spread(part).replace(/^test /i, "")))) ||
    titles.has(plain(parts.join(" "))) ||
    titles.has(plain(parts.join(" > ")))
  );
}

/** The suites and the title of a test id, without its file and `#n`. */
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

/** Splits a function name into words and joins its ids as they are written elsewhere: `test_fr1_adds`, `TestFR1Adds`. */
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

/** A title as it is compared. */
export function plain(title: string): string {
  return title.replace(/\s+/g, " ").trim().toLowerCase();
}

/** All FR, EC and ERR ids of a text, without hyphens and duplicates. */
function criterionIds(text: string): readonly string[] {
  return [...new Set([...text.matchAll(criterion)].map(([, kind, number]) => `${kind}${number}`))];
}
