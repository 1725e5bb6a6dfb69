/** One steps protocol file by itself: its shape, its keys and where each step stands. What it extends is merge.ts. */
import { LineCounter, isMap, isScalar, parseDocument } from "yaml";
import { z } from "zod";
import { AppError } from "../../lib/errors.ts";
import { refuseNewer } from "../../lib/newer.ts";
import {
  checkValue,
  parseYaml,
  yamlError,
  type YamlDocument,
  type YamlFault,
  type YamlPath,
  type YamlSource,
} from "../../lib/yaml-document.ts";
import { StepsFile } from "../steps-schema.ts";
import { readKey, type StepKey } from "./key.ts";

export interface WrittenStep extends StepKey {
  readonly text: string;
  /** Where the key stands, for faults. */
  readonly fault: (message: string) => YamlFault;
  /** Where this character of the text stands. */
  readonly faultIn: (offset: number, message: string) => YamlFault;
}

export interface StepsLayer {
  readonly name: string;
  readonly file: StepsFile;
  readonly steps: readonly WrittenStep[];
  /** At `extends`. */
  readonly baseFault: (message: string, allowed?: readonly string[]) => YamlFault;
}

/** @param name what the protocol has to be called: the file's name */
export function readSteps(name: string, source: YamlSource): StepsLayer {
  const lines = linesOf(source);
  const document = parsed(source, lines);
  refuseNewer(document.raw, { what: source.file, known: 1 });
  refuseMachine(name, document);
  refuseKeys(document);
  const file = checkValue(document, StepsFile, "invalid_schema");
  if (file.name !== name)
    throw yamlError("invalid_schema", [
      fault(document, ["name"], `name: the file is called ${name}, so this has to be ${name}`),
    ]);
  const steps = Object.entries(file.steps).map(([written, text]) => step(document, { written, text, lines }));
  const twice = steps.filter(
    ({ key, append }) => append && steps.some((other) => other.key === key && !other.append),
  );
  if (twice.length > 0)
    throw yamlError(
      "duplicate_step",
      twice.map((one) => {
        const { line } = document.keyAt(["steps", one.key]);
        return one.fault(
          `step ${one.key} stands in line ${line} already: replace it or append to it, not both`,
        );
      }),
    );
  const baseFault = (message: string, allowed?: readonly string[]): YamlFault => ({
    ...fault(document, ["extends"], message),
    ...(allowed === undefined ? {} : { allowed }),
  });
  return { name, file, steps, baseFault };
}

function parsed(source: YamlSource, lines: readonly string[]): YamlDocument<unknown> {
  const twice = repeatedKeys(source.file, lines.join("\n"));
  if (twice.length > 0) throw yamlError("duplicate_step", twice);
  return parseYaml(source, z.unknown(), "invalid_yaml");
}

/** A key twice is a fault of YAML elsewhere; of a step it is told with both lines. */
function repeatedKeys(file: string, text: string): readonly YamlFault[] {
  if (text.length > 1024 * 1024) return []; // refused by the parser below
  const counter = new LineCounter();
  const { contents, errors } = parseDocument(text, {
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: counter,
  });
  const steps = errors.length === 0 && isMap(contents) ? contents.get("steps") : null;
  if (!isMap(steps)) return [];
  const seen = new Map<string, number>();
  const faults: YamlFault[] = [];
  for (const { key } of steps.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    const { line, col: column } = counter.linePos(key.range?.[0] ?? 0);
    const first = seen.get(name);
    if (first === undefined) seen.set(name, line);
    else
      faults.push({
        file,
        line,
        column,
        path: ["steps", name],
        message: `step ${name} stands in line ${first} already`,
      });
  }
  return faults;
}

function refuseMachine(name: string, { raw, file }: YamlDocument<unknown>): void {
  if (raw === null || typeof raw !== "object" || Object.hasOwn(raw, "steps")) return;
  if (Reflect.get(raw, "kind") !== "machine" && !Object.hasOwn(raw, "machines")) return;
  throw new AppError(
    "not_a_steps_protocol",
    `${file}: ${name} is a machine that \`mettle run\` takes an agent through`,
    {
      hint: `mettle protocol graph ${name}`,
    },
  );
}

function refuseKeys(document: YamlDocument<unknown>): void {
  const { raw } = document;
  const steps: unknown = raw !== null && typeof raw === "object" ? Reflect.get(raw, "steps") : null;
  if (steps === null || typeof steps !== "object" || Array.isArray(steps)) return;
  const bad = Object.keys(steps).filter((key) => readKey(key) === null);
  if (bad.length === 0) return;
  throw yamlError(
    "invalid_step_key",
    bad.map((key) =>
      fault(document, ["steps", key], `"${key}" is no step number such as 6, 6.10 or 6+`, "key"),
    ),
  );
}

interface Written {
  readonly written: string;
  readonly text: string;
  readonly lines: readonly string[];
}

function step(document: YamlDocument<unknown>, { written, text, lines }: Written): WrittenStep {
  const path = ["steps", written];
  const { key, append } = readKey(written) ?? { key: written, append: false };
  const start = document.at(path);
  // The text of a block begins on the line after its `|`.
  const isBlock = /^[|>][-+\d]*\s*(?:#.*)?$/u.test(lines[start.line - 1]?.slice(start.column - 1) ?? "");
  return {
    key,
    append,
    text: text.endsWith("\n") ? text.slice(0, -1) : text,
    fault: (message) => fault(document, path, message, "key"),
    faultIn: (offset, message) => {
      if (!isBlock) return fault(document, path, message);
      const before = text.slice(0, offset).split("\n");
      const line = start.line + before.length;
      const indent = /^\s*/u.exec(lines[line - 1] ?? "")?.[0].length ?? 0;
      const own = /^\s*/u.exec(text.split("\n")[before.length - 1] ?? "")?.[0].length ?? 0;
      const column = (before.at(-1)?.length ?? 0) + 1 + indent - own;
      return { file: document.file, line, column, path, message };
    },
  };
}

function fault(
  document: YamlDocument<unknown>,
  path: YamlPath,
  message: string,
  at: "value" | "key" = "value",
): YamlFault {
  const position = at === "key" ? document.keyAt(path) : document.at(path);
  return { ...position, path: path.map(String), message };
}

function linesOf({ text }: YamlSource): readonly string[] {
  // What is no UTF-8 is refused with its place by the parser.
  const whole = typeof text === "string" ? text : new TextDecoder().decode(text);
  return whole.replace(/^\uFEFF/u, "").split(/\r?\n/u);
}
