/**
 * Compares what a change computes with what its tests ask. A solution that special-cases its tests holds their inputs as
 * literals, and gives one answer, nothing or an error for all other inputs. Honest code may do one of both: a table holds
 * inputs, a validator refuses most texts. Pure.
 */
import type { Assertion } from "../../source/neighbours/assertion.ts";
import { isUsual, wordsOfValue } from "../../source/neighbours/found-literal.ts";
import { echo, nothing, thrown, type Answers, type ChangedLiteral, type TriedFile } from "./answers.ts";

/** What is suspicious about one function that tests call. */
export interface Suspicion {
  /** The called name, as the tests write it. */
  readonly subject: string;
  readonly file: string;
  /** Names of its tests, as in a test id without the file. */
  readonly tests: readonly string[];
  /** The literals of tests that the change contains; null for few. */
  readonly literals: LiteralEvidence | null;
  /** The answers for neighbouring inputs; null where they differ. */
  readonly collapse: Collapse | null;
  /** Whether both together prove it. */
  readonly isProven: boolean;
}

export interface LiteralEvidence {
  /** Calls in the tests, and those whose inputs the change contains. */
  readonly calls: number;
  readonly held: number;
  /** `path:line`, in order. */
  readonly places: readonly string[];
  /** Whether an answer is chosen by them for most calls, and by few others. */
  readonly isClear: boolean;
}

export interface Collapse {
  readonly neighbours: number;
  /** Those with the same answer, without an answer or with an error. */
  readonly same: number;
  /** Different answers for the inputs of the tests; 1 proves nothing, since an honest table or default does the same. */
  readonly distinct: number;
  /** Whether it is suspicious on its own. */
  readonly isClear: boolean;
}

export function suspicions(
  files: readonly TriedFile[],
  literals: readonly ChangedLiteral[],
): readonly Suspicion[] {
  const all = files.flatMap(({ assertions }) => assertions);
  return files.flatMap(({ file, assertions, answers }) => {
    const index = indexOf(
      literals.filter(({ unconcerned = [] }) => !unconcerned.includes(file)),
      all,
    );
    const subjects = new Set(assertions.map(({ subject }) => subject));
    return [...subjects].flatMap((subject): readonly Suspicion[] => {
      if (subject === "") return [];
      const own = assertions.filter((one) => one.subject === subject);
      const evidence = literalEvidence(own, index);
      const found = collapseOf(own.flatMap(({ site }) => answers.get(site) ?? []));
      // One yes or no among others is usual, and so is one value that a test only describes.
      const collapse = found?.distinct === 1 && !own.every(hasValue) ? null : found;
      const isClear = collapse?.isClear === true;
      if (evidence === null && !isClear) return [];
      const tests = [...new Set(own.map(({ test }) => test))];
      const measured = own.filter(({ site }) => answers.has(site)).length;
      const isProven =
        evidence?.isClear === true &&
        collapse !== null &&
        collapse.distinct > 1 &&
        measured * 2 >= own.length;
      const shown = isClear || isProven ? collapse : null;
      return [{ subject, file, tests, literals: evidence, collapse: shown, isProven }];
    });
  });
}

function hasValue({ expected }: Assertion): boolean {
  return expected !== null && !/^(?:true|false|null|undefined|None)$/i.test(expected);
}

/**
 * Shares of calls and of neighbours, as measured in docs/adr/0025-neighbouring-inputs.md. Literals that choose the answers of
 * most calls prove something; a finding needs fewer.
 */
const provingShare = 0.8;
const heldShare = 0.6;
const rareShare = 0.3;
const sameShare = 0.8;
const clearShare = 0.85;
const minNeighbours = 6;

interface LiteralIndex {
  /** Literals by which an answer can be chosen. */
  readonly choosing: Lookup;
  /** The same without tables that have more keys. */
  readonly tight: Lookup;
  readonly all: Lookup;
  readonly digests: readonly ChangedLiteral[];
}

interface Lookup {
  readonly byText: ReadonlyMap<string, readonly ChangedLiteral[]>;
  readonly byWords: ReadonlyMap<string, readonly ChangedLiteral[]>;
}

function indexOf(literals: readonly ChangedLiteral[], assertions: readonly Assertion[]): LiteralIndex {
  const choosing = literals.filter(({ role }) => role !== "plain");
  const lookup = (some: readonly ChangedLiteral[]): Lookup => ({
    byText: grouped(some, ({ text }) => text),
    byWords: grouped(some, ({ text }) => wordsOfValue(text)),
  });
  return {
    choosing: lookup(choosing),
    tight: lookup(withoutWiderTables(choosing, assertions)),
    all: lookup(literals),
    digests: choosing.filter(
      ({ text }) => /^(?:[\da-f]{8,128}|[A-Za-z\d+/]{22,86}={1,2})$/.test(text) && /\d/.test(text),
    ),
  };
}

function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function literalEvidence(own: readonly Assertion[], index: LiteralIndex): LiteralEvidence | null {
  const calls = distinctCalls(own);
  if (calls.length === 0) return null;
  const chosen = calls.map((call) => chosenBy(call, index.choosing));
  const rare = calls.map(({ inputs }) =>
    inputs.filter((text) => !isUsual(text)).flatMap((text) => matches(text, index.all)),
  );
  const held = countOf(chosen);
  if (held >= heldShare * calls.length) {
    const tight = countOf(calls.map((call) => chosenBy(call, index.tight)));
    const isTable = isEnumeration(calls) || isTableOfFactors(calls, index);
    const isClear = tight >= provingShare * calls.length && !isTable;
    return { calls: calls.length, held, places: placesOf(chosen.flat()), isClear };
  }
  const { digests } = index;
  if (calls.length > 1 && digests.length >= provingShare * calls.length)
    return { calls: calls.length, held: calls.length, places: placesOf(digests), isClear: true };
  return countOf(rare) >= rareShare * calls.length
    ? { calls: calls.length, held: countOf(rare), places: placesOf(rare.flat()), isClear: false }
    : null;
}

/**
 * The literals that can choose the answer of a call: of an unusual input, of half of the usual ones, or of half of the values
 * in its lists.
 */
function chosenBy({ inputs }: Assertion, choosing: Lookup): readonly ChangedLiteral[] {
  const found = inputs.map((text) => ({ text, literals: matches(text, choosing) }));
  const held = found.filter(({ literals }) => literals.length > 0);
  const isHeld = held.some(({ text }) => !isUsual(text)) || held.length * 2 >= inputs.length;
  if (isHeld) return held.flatMap(({ literals }) => literals);
  const parts = [...new Set(inputs.flatMap(partsOf))].filter((part) => !trivial.test(part));
  const heldParts = parts.map((part) => matches(part, choosing)).filter((some) => some.length > 0);
  return heldParts.length > 1 && heldParts.length * 2 >= parts.length ? heldParts.flat() : [];
}

/** Values that any program compares with. */
const trivial = /^(?:-?[0-3]|\D?|true|false|null)$/;

/** The texts and numbers in a list, or the value itself. */
function partsOf(text: string): readonly string[] {
  return text.startsWith("[") ? (text.match(/"(?:[^"\\]|\\.)*"|[\w.+-]+/g) ?? []).map(unquoted) : [text];
}

function unquoted(text: string): string {
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}

/**
 * Words or numbers with a label each, or places in a list: nothing could compute them, so tests ask for a table. Two words
 * with any value each are too few to tell.
 */
function isEnumeration(calls: readonly Assertion[]): boolean {
  const all = (pattern: RegExp) =>
    calls.every(({ inputs: [text = "", ...more] }) => more.length === 0 && pattern.test(text));
  const mostly = (pattern: RegExp) =>
    calls.filter(
      ({ expected }) =>
        expected !== null && !/^(?:true|false|null)$/.test(expected) && pattern.test(expected),
    ).length *
      2 >=
    calls.length;
  const numbers = calls.map(({ inputs }) => Number(inputs[0]));
  const isRange =
    new Set(numbers).size === Math.max(...numbers) - Math.min(...numbers) + 1 && calls.length > 2;
  return (
    (all(/^-?\d+$/) && isRange) ||
    (all(/^[a-z][a-z_-]*$/i) && (calls.length < 3 || mostly(/^[a-z][a-z _-]*$/i))) ||
    (all(/^-?\d+$/) && mostly(/^[A-Za-z]*[a-z]{2}[A-Za-z _-]*$/))
  );
}

/**
 * A factor for each word, applied to a number that the change does not hold, as in `age("mars", 2129871239)`: the answer is
 * computed.
 */
function isTableOfFactors(calls: readonly Assertion[], { choosing, all }: LiteralIndex): boolean {
  return calls.every(({ inputs, expected }) => {
    const single = inputs.filter((text) => !text.startsWith("["));
    const held = single.filter((text) => matches(text, choosing).length > 0);
    const others = single.filter((text) => !held.includes(text));
    return (
      held.every((text) => /^[a-z][a-z_-]*$/i.test(text)) &&
      others.some(
        (text) => /^-?\d[\d.]*$/.test(text) && !trivial.test(text) && matches(text, all).length === 0,
      ) &&
      (expected === null || matches(expected, all).length === 0)
    );
  });
}

function countOf(lists: readonly (readonly ChangedLiteral[])[]): number {
  return lists.filter((one) => one.length > 0).length;
}

/** Without the tables that have more keys than the tests ask for: they are more than answers to tests. */
function withoutWiderTables(
  choosing: readonly ChangedLiteral[],
  assertions: readonly Assertion[],
): readonly ChangedLiteral[] {
  const inputs = assertions.flatMap((one) => one.inputs.flatMap(formsOf));
  const asked = new Set([...inputs, ...inputs.map(wordsOfValue)]);
  const isAsked = ({ text }: ChangedLiteral) => asked.has(text) || asked.has(wordsOfValue(text));
  const tables = grouped(
    choosing.filter(({ role, within }) => role === "key" && within !== null),
    tableOf,
  );
  const isWider = (keys: readonly ChangedLiteral[]) => {
    const unasked = keys.filter((key) => !isAsked(key)).length;
    return unasked >= Math.max(2, (keys.length - unasked) / 4);
  };
  const wider = new Set([...tables].flatMap(([table, keys]) => (isWider(keys) ? [table] : [])));
  return choosing.filter((one) => one.role !== "key" || !wider.has(tableOf(one)));
}

function tableOf({ path, within }: ChangedLiteral): string {
  return `${path}:${within ?? ""}`;
}

/** Calls with literals; the same call twice counts once. */
function distinctCalls(own: readonly Assertion[]): readonly Assertion[] {
  const known = new Map(own.map((one) => [JSON.stringify([one.inputs, one.expected]), one]));
  return [...known.values()].filter(({ inputs }) => inputs.length > 0);
}

/** The same value, also where it is written as a text or in a list of arguments. */
function matches(text: string, { byText, byWords }: Lookup): readonly ChangedLiteral[] {
  const words = wordsOfValue(text);
  const same = formsOf(text).flatMap((form) => byText.get(form) ?? []);
  return same.length > 0 || !words.includes(" ") ? same : (byWords.get(words) ?? []);
}

/** A value, and a list of only this value. */
function formsOf(text: string): readonly string[] {
  return [text, `[${text}]`, `[${JSON.stringify(text)}]`];
}

function placesOf(literals: readonly ChangedLiteral[]): readonly string[] {
  return [...new Set(literals.map(({ path, line }) => `${path}:${line}`))];
}

function collapseOf(all: readonly Answers[]): Collapse | null {
  const measured = all.filter(({ tested }) => !tested.split(" ").includes(thrown));
  const found = new Map<string, number>();
  // The tested answer itself says nothing: the changed part of the input may be one that the code does not need.
  for (const { found: own, tested } of measured)
    for (const [answer, count] of own)
      if (answer !== tested) found.set(answer, (found.get(answer) ?? 0) + count);
  const neighbours = [...found.values()].reduce((sum, count) => sum + count, 0);
  const without = [thrown, nothing, echo].reduce((sum, answer) => sum + (found.get(answer) ?? 0), 0);
  const [top = "", most = 0] = [...found].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  const same = Math.max(without, most);
  const tested = new Set(measured.map((one) => one.tested));
  if (neighbours < minNeighbours || same < sameShare * neighbours) return null;
  if (tested.size < 2) {
    const isOther = most === neighbours && !tested.has(top) && ![thrown, nothing, echo].includes(top);
    return isOther ? { neighbours, same, distinct: 1, isClear: true } : null;
  }
  // A yes or no that stays the same is usual.
  const isClear = same >= clearShare * neighbours && (tested.size > 2 || !tested.has(top));
  return { neighbours, same, distinct: tested.size, isClear };
}
