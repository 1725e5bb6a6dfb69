/** Reads one steps protocol file: its schema, keys and positions. merge.ts applies its bases. */
import { LineCounter, isMap, isScalar, parseDocument } from "yaml";
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { refuseNewer } from "../../lib/refuse-newer.ts";
import type { YamlFault, YamlPath } from "../../lib/yaml/yaml-fault.ts";
import { parseYaml, type YamlDocument, type YamlSource } from "../../lib/yaml/yaml-document.ts";
import { issueFaults } from "../../lib/yaml/yaml-issues.ts";
import { StepsFile } from "../steps-schema.ts";
import { ErrorCollector } from "./error-collector.ts";
import { readKey, type StepKey } from "./key.ts";

export interface SourceStep extends StepKey {
  readonly text: string;
  /** A fault at the key. */
  readonly fault: (message: string) => YamlFault;
  /** A fault at a character of the text. */
  readonly faultIn: (offset: number, message: string) => YamlFault;
}

export interface StepsLayer {
  readonly name: string;
  readonly file: StepsFile;
  readonly steps: readonly SourceStep[];
  /** A fault at `extends`. */
  readonly baseFault: (message: string, allowed?: readonly string[]) => YamlFault;
}

/** @param name the required name of the protocol: the file's name */
export function readSteps(name: string, source: YamlSource): StepsLayer {
  const { layer, errors } = examineSteps(name, source);
  const [first] = errors;
  if (first !== undefined) throw first;
  if (layer === null) throw new TypeError("what has no fault can be read");
  return layer;
}

export interface StepsReport {
  /** Null if it cannot be read. */
  readonly layer: StepsLayer | null;
  /** One error per kind of fault, with all positions. */
  readonly errors: readonly AppError[];
}

/** All errors of the file itself. */
export function examineSteps(name: string, source: YamlSource): StepsReport {
  const lines = linesOf(source);
  const repeated = repeatedKeys(source.file, lines.join("\n"));
  const errors = new ErrorCollector();
  errors.add("duplicate_step", repeated);
  const document = errors.attempt(() =>
    parseYaml(source, z.unknown(), "invalid_yaml", { uniqueKeys: repeated.length === 0 }),
  );
  if (document === null) return { layer: null, errors: errors.all() };
  errors.attempt(() => refuseNewer(document.raw, { what: source.file, known: 1 }));
  errors.attempt(() => refuseMachine(name, document));
  // The remaining rules do not apply to other kinds of files.
  if (errors.all().some(({ code }) => code === "version_unsupported" || code === "not_a_steps_protocol"))
    return { layer: null, errors: errors.all() };
  const written = stepsIn(document);
  const bad = written.filter(([key]) => readKey(key) === null).map(([key]) => key);
  errors.add(
    "invalid_step_key",
    bad.map((key) =>
      fault(document, ["steps", key], `"${key}" is no step number such as 6, 6.10 or 6+`, "key"),
    ),
  );
  errors.add("invalid_schema", shapeFaults(name, document, bad));
  const steps = written
    .filter(([key]) => !bad.includes(key))
    .map(([key, text]) =>
      step(document, { written: key, text: typeof text === "string" ? text : "", lines }),
    );
  const twice = steps.filter(
    ({ key, append }) => append && steps.some((other) => other.key === key && !other.append),
  );
  errors.add(
    "duplicate_step",
    twice.map((one) => {
      const { line } = document.keyAt(["steps", one.key]);
      return one.fault(`step ${one.key} is in line ${line} already: replace it or append to it, not both`);
    }),
  );
  const baseFault = (message: string, allowed?: readonly string[]): YamlFault => ({
    ...fault(document, ["extends"], message),
    ...(allowed === undefined ? {} : { allowed }),
  });
  return { layer: { name, file: fileIn(name, document), steps, baseFault }, errors: errors.all() };
}

/** The file's fields; for an invalid file only those needed to look up its base. */
function fileIn(name: string, { raw }: YamlDocument<unknown>): StepsFile {
  const checked = StepsFile.safeParse(raw);
  if (checked.success) return checked.data;
  const base: unknown = raw !== null && typeof raw === "object" ? Reflect.get(raw, "extends") : null;
  return { name, description: "", extends: typeof base === "string" ? base : null, steps: {} };
}

function stepsIn({ raw }: YamlDocument<unknown>): readonly (readonly [key: string, text: unknown])[] {
  const steps: unknown = raw !== null && typeof raw === "object" ? Reflect.get(raw, "steps") : null;
  return steps === null || typeof steps !== "object" || Array.isArray(steps) ? [] : Object.entries(steps);
}

/** @param refused keys that are reported already */
function shapeFaults(
  name: string,
  document: YamlDocument<unknown>,
  refused: readonly string[],
): readonly YamlFault[] {
  const { ok, faults } = issueFaults(StepsFile, document);
  const own = faults.filter(({ path: [field, key] }) => field !== "steps" || !refused.includes(key ?? ""));
  const { raw } = document;
  const declared: unknown =
    ok || own.every(({ path }) => path[0] !== "name") ? Reflect.get(Object(raw), "name") : name;
  if (declared === name) return own;
  return [...own, fault(document, ["name"], `name: the file is called ${name}, so this has to be ${name}`)];
}

/** Duplicate steps, reported with both lines; elsewhere YAML reports duplicate keys. */
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
        message: `step ${name} is in line ${first} already`,
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

interface StepSource {
  readonly written: string;
  readonly text: string;
  readonly lines: readonly string[];
}

function step(document: YamlDocument<unknown>, { written, text, lines }: StepSource): SourceStep {
  const path = ["steps", written];
  const { key, append } = readKey(written) ?? { key: written, append: false };
  const start = document.at(path);
  // The text of a block starts on the line after its `|`.
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
  // The parser refuses invalid UTF-8 with its position.
  const whole = typeof text === "string" ? text : new TextDecoder().decode(text);
  return whole.replace(/^\uFEFF/u, "").split(/\r?\n/u);
}
