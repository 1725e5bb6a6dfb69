/**
 * `envoy protocol` of what is shipped, without the parser and its schemas, which are most of a start: the build has read the
 * shipped files with the very loader, and that result counts as long as every file that would be read holds the same bytes.
 * Null for whatever is not as plain as that; the whole program answers it then, faults too.
 */
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { environment } from "../config/env.ts";
import { findCheckout } from "../config/find-checkout.ts";
import { answerVersion } from "../lib/answer.ts";
import { readInputs } from "../protocol/steps/inputs.ts";
import { printSteps, stepsJson } from "../protocol/steps/print.ts";
import { envoyCall } from "../agents/envoy-on-path.ts";
import type { ShippedSteps } from "../families/steps/shipped-steps.ts";
import { readProtocolLine } from "./protocol-line.ts";

export interface QuickPaths {
  readonly cwd: string;
  /** What the build made of the shipped protocols. */
  readonly compiled: string;
  /** The shipped files. */
  readonly shipped: string;
}

/** @returns all that is printed */
export async function printQuickly(
  words: readonly string[],
  where: () => QuickPaths,
): Promise<string | null> {
  try {
    const places = where();
    if (words.includes("--help") || words.includes("-h")) return null;
    const { name, json, inputs } = readProtocolLine(words);
    const known = JSON.parse(readFileSync(places.compiled, "utf8")) as ShippedSteps;
    const entry = Object.hasOwn(known, name) ? known[name] : undefined;
    const root = mainCheckout(places.cwd);
    if (entry === undefined || root === null) return null;
    const folders = [join(root, ".claude", "protocols"), join(root, ".mettle", "protocols"), places.shipped];
    for (const [file, text] of Object.entries(entry.files)) if (firstOf(folders, file) !== text) return null;
    const options = {
      call: await envoyCall(environment()["PATH"] ?? ""),
      given: inputs === null ? [] : readInputs(entry.protocol, inputs),
    };
    if (!json) return `${printSteps(entry.protocol, options)}\n`;
    const data = stepsJson(entry.protocol, options);
    return `${JSON.stringify({ version: answerVersion, status: "success", data })}\n`;
  } catch {
    return null;
  }
}

function firstOf(folders: readonly string[], name: string): string | null {
  for (const folder of folders) {
    const file = join(folder, `${name}.yaml`);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return readFileSync(file, "utf8");
  }
  return null;
}

/** Null where only git can say: outside, in a submodule, with a work tree elsewhere, in somebody else's repository. */
function mainCheckout(cwd: string): string | null {
  const found = findCheckout(cwd);
  if (found === null || basename(found.gitDir) !== ".git" || `${cwd}/`.includes("/.git/")) return null;
  if (statSync(found.gitDir).uid !== process.getuid?.()) return null;
  const config = readFileSync(join(found.gitDir, "config"), "utf8");
  return /^\s*(?:worktree(?:config)?\s*=|\[include)/imu.test(config) ? null : dirname(found.gitDir);
}
