/** Reads what can be mutated in source files, each with the reader of its language. */
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { parseJson } from "../../lib/json.ts";
import type { MutableFile, SourceLines } from "../../source/mutants/mutant.ts";
import { loadScriptMutator } from "../../source/mutants/script-mutants.ts";
import { isScript } from "../../source/syntax.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { makeRunFolders, clear } from "../execute/start-runner.ts";
import { startProgram } from "../execute/start-program.ts";
import type { ProofSetting } from "../proof-package.ts";
import { owns } from "../setting.ts";
import { ListedMutant } from "./known-results.ts";

/** Copied beside this module; the project's own interpreter executes it, so that its syntax is known. */
const pythonReader = fileURLToPath(new URL("mettle_python_mutants.py", import.meta.url));

/** Files of other languages, and files that do not parse, are left out. */
export async function mutableFiles(
  setting: ProofSetting,
  checkout: Checkout,
  sources: readonly SourceLines[],
): Promise<readonly MutableFile[]> {
  const scripts = sources.filter(({ path }) => isScript(path));
  const python = sources.filter(({ path }) => path.endsWith(".py"));
  return [
    ...(scripts.length === 0 ? [] : await scriptFiles(scripts)),
    ...(python.length === 0 ? [] : await pythonFiles(setting, checkout, python)),
  ];
}

/** Whether mutants of a language are known. */
export function isMutable(path: string): boolean {
  return (isScript(path) && !path.endsWith(".d.ts")) || path.endsWith(".py");
}

async function scriptFiles(sources: readonly SourceLines[]): Promise<readonly MutableFile[]> {
  const find = await loadScriptMutator();
  const found: MutableFile[] = [];
  for (const source of sources) {
    const file = await find(source);
    if (file !== null) found.push(file);
  }
  return found;
}

const Read = z.array(
  z
    .object({
      path: z.string(),
      mutants: z.array(ListedMutant),
      marks: z.array(
        z.object({
          start: z.number(),
          end: z.number(),
          first: z.number(),
          last: z.number(),
          before: z.string(),
          after: z.string(),
          lines: z.array(z.number()),
        }),
      ),
      definition: z.object({ at: z.number(), isLine: z.boolean() }),
    })
    .nullable(),
);

async function pythonFiles(
  { ports, packages }: ProofSetting,
  checkout: Checkout,
  sources: readonly SourceLines[],
): Promise<readonly MutableFile[]> {
  const program = packages.find(
    (one) => one.found.program !== null && sources.some(({ path }) => owns(one, path)),
  )?.found.program;
  if (program == null) return [];
  const place = await makeRunFolders(checkout);
  const { ran } = await startProgram(ports, {
    file: program.path,
    argv: ["-I", "-S", pythonReader],
    options: {
      cwd: checkout.path,
      env: { PATH: "", LANG: "C.UTF-8", PYTHONUTF8: "1" },
      timeoutMs: ports.timeoutMs,
      input: JSON.stringify(sources),
      keepBytes: 64 * 1024 * 1024,
      ...(ports.signal === undefined ? {} : { signal: ports.signal }),
    },
    checkout: checkout.path,
    place: place.folder,
    reads: [pythonReader],
  });
  await clear(place, null);
  const parsed = Read.safeParse(parseJson(ran.stdout.toString("utf8")));
  if (!parsed.success) return [];
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  return parsed.data.flatMap((file) =>
    file === null ? [] : [{ ...file, text: texts.get(file.path) ?? "" }],
  );
}
