import { packageRoot } from "../../src/config/package-root.ts";
import type { CliResult } from "../orchestrate/world.ts";
import { runAsPerson, type AsPerson } from "./as-person.ts";

/** Starts the built program as a person's shell does. */
export async function runMettle(args: readonly string[], options: AsPerson): Promise<CliResult> {
  const ran = await runAsPerson(process.execPath, [packageRoot("dist/bin/mettle.js"), ...args], options);
  const stdout = ran.stdout.toString("utf8");
  return {
    code: ran.exitCode ?? -1,
    stdout,
    stderr: ran.stderr.toString("utf8"),
    json: () => JSON.parse(stdout) as Record<string, unknown>,
  };
}
