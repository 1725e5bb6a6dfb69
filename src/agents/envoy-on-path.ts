/** Whose `envoy` a shell would start: other programs have this name too. */
import { realpath, readFile, stat } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { findProgram } from "../process/find-program.ts";
import { fieldsOf, parseJson } from "../lib/json.ts";

/** @returns where another program named envoy comes first on PATH, or null when none does */
export async function foreignEnvoy(path: string): Promise<string | null> {
  for (const folder of path.split(delimiter)) {
    const found = await findProgram("envoy", folder);
    // A folder can be entered, but not be started.
    if (found !== null && (await stat(found)).isFile()) return (await isMettles(found)) ? null : found;
  }
  return null;
}

/** This installation's or another one's: a link to a file in `dist/bin/` of a package called mettle. */
async function isMettles(file: string): Promise<boolean> {
  const target = await realpath(file).catch(() => file);
  const text = await readFile(join(dirname(target), "..", "..", "package.json"), "utf8").catch(() => "");
  return fieldsOf(parseJson(text))["name"] === "mettle";
}

/** The command that prompts name. */
export async function envoyCall(path: string): Promise<"envoy" | "mettle envoy"> {
  return (await foreignEnvoy(path)) === null ? "envoy" : "mettle envoy";
}
