/** Merges a steps protocol with its bases: replaced, appended and inserted steps, renumbered for printing. */
import type { AppError } from "../../lib/errors.ts";
import type { YamlFault } from "../../lib/yaml/yaml-fault.ts";
import { yamlError } from "../../lib/yaml/yaml-document.ts";
import type { StepsFile } from "../steps-schema.ts";
import { ErrorCollector } from "./error-collector.ts";
import { anchorOf, compareKeys } from "./key.ts";
import type { StepsLayer, SourceStep } from "./read.ts";
import { splitCode } from "./code-spans.ts";

export interface MergedStep {
  readonly number: number;
  readonly key: string;
  /** The protocol that defines the step. */
  readonly from: string;
  readonly content: string;
}

export interface StepsProtocol {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<NonNullable<StepsFile["inputs"]>>;
  readonly outputs: Readonly<NonNullable<StepsFile["outputs"]>>;
  readonly steps: readonly MergedStep[];
}

const maxChain = 16;

/** The next base of a chain that starts with the protocol itself; null at its end. Refuses cycles and long chains. */
export function nextBase(chain: readonly StepsLayer[]): string | null {
  const last = chain.at(-1);
  const base = last?.file.extends ?? null;
  if (last === undefined || base === null) return null;
  const names = [...chain.map(({ name }) => name), base];
  if (names.indexOf(base) < chain.length)
    throw yamlError("extends_cycle", [
      last.baseFault(`extends refers back to itself: ${names.join(" -> ")}`),
    ]);
  if (chain.length >= maxChain)
    throw yamlError("invalid_schema", [last.baseFault(`extends: a chain has at most ${maxChain} protocols`)]);
  return base;
}

/** @param chain the protocol and its bases, nearest first */
export function mergeSteps(chain: readonly StepsLayer[]): StepsProtocol {
  const { protocol, errors } = examineMerge(chain);
  const [first] = errors;
  if (first !== undefined) throw first;
  return protocol;
}

/** Like `mergeSteps`, with all errors. */
export function examineMerge(chain: readonly StepsLayer[]): {
  readonly protocol: StepsProtocol;
  readonly errors: readonly AppError[];
} {
  const [top] = chain;
  if (top === undefined) throw new Error("a chain has at least the protocol itself");
  const errors = new ErrorCollector();
  const merged = new Map<string, ComposedStep>();
  for (const layer of chain.toReversed()) apply(layer, merged, errors);
  const keys = [...merged.keys()].toSorted(compareKeys);
  const numbers = new Map(keys.map((key, index) => [key, index + 1]));
  const steps = keys.flatMap((key, index): readonly MergedStep[] => {
    const held = merged.get(key);
    if (held === undefined) return [];
    const printed = held.pieces.map((piece) => errors.attempt(() => renumberReferences(piece, numbers)));
    return [{ number: index + 1, key, from: held.from, content: printed.join("\n") }];
  });
  const { name, description } = top.file;
  const protocol = {
    name,
    description,
    inputs: nearest(chain.map(({ file }) => file.inputs)),
    outputs: nearest(chain.map(({ file }) => file.outputs)),
    steps,
  };
  return { protocol, errors: errors.all() };
}

interface ComposedStep {
  readonly from: string;
  /** The step's own text and appended texts. */
  readonly pieces: readonly SourceStep[];
}

function apply({ name, steps }: StepsLayer, merged: Map<string, ComposedStep>, errors: ErrorCollector): void {
  const missing: YamlFault[] = [];
  for (const step of steps) {
    const inherited = merged.get(step.key);
    if (!step.append) merged.set(step.key, { from: name, pieces: [step] });
    else if (inherited !== undefined)
      merged.set(step.key, { from: inherited.from, pieces: [...inherited.pieces, step] });
    else missing.push(step.fault(`cannot append to step ${step.key}: no base defines it`));
  }
  errors.add("append_to_missing_step", missing);
  const lost = steps.flatMap((step) => {
    const anchor = anchorOf(step.key);
    return anchor === null || merged.has(anchor)
      ? []
      : [step.fault(`cannot insert step ${step.key}: there is no step ${anchor} before it`)];
  });
  errors.add("insert_without_step", lost);
}

/** A list, even an empty one, replaces the base's; null or absent inherits. */
function nearest<T>(lists: readonly (readonly T[] | null | undefined)[]): readonly T[] {
  return lists.find((list) => list !== null && list !== undefined) ?? [];
}

/** "Go to step 7" refers to key 7 of the merged protocol and is printed with the new number. */
const reference = /\b(go\s+to\s+)?(step\s+)(\d+(?:\.\d+)*)(?!\w|\.\d)/giu;

/** @param numbers key -> printed number */
function renumberReferences(written: SourceStep, numbers: ReadonlyMap<string, number>): string {
  const faults: YamlFault[] = [];
  let at = 0;
  const parts = splitCode(written.text).map(({ text, code }) => {
    const from = at;
    at += text.length;
    if (code) return text;
    return text.replaceAll(
      reference,
      (whole, go: string | undefined, word: string, key: string, index: number) => {
        const number = numbers.get(key);
        if (number !== undefined) return `${go ?? ""}${word}${number}`;
        if (go !== undefined) faults.push(written.faultIn(from + index, `there is no step ${key} to go to`));
        return whole;
      },
    );
  });
  if (faults.length > 0) throw yamlError("unknown_step_reference", faults);
  return parts.join("");
}
