/**
 * Prints a shipped protocol without the parser and its schemas, which take most of the start time. The build has parsed the shipped
 * files with the same loader; its result is valid as long as every file that would be read has the same bytes. In all other cases
 * the result is null and the full program answers, including errors.
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
  /** The shipped protocols, parsed by the build. */
  readonly compiled: string;
  /** The shipped files. */
  readonly shipped: string;
}

/** @returns the whole output; null if the full program has to answer */
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

/** Null if only git can tell: outside of a repository, in a submodule, with another work tree, or under another owner. */
function mainCheckout(cwd: string): string | null {
  const found = findCheckout(cwd);
  if (found === null || basename(found.gitDir) !== ".git" || `${cwd}/`.includes("/.git/")) return null;
  if (statSync(found.gitDir).uid !== process.getuid?.()) return null;
  const config = readFileSync(join(found.gitDir, "config"), "utf8");
  return /^\s*(?:worktree(?:config)?\s*=|\[include)/imu.test(config) ? null : dirname(found.gitDir);
}
