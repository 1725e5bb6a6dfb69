/** Writes stubs for planned modules that do not exist yet, into one checkout only (CORE-23). */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { kindOf, type PathRules } from "../../gates/paths.ts";
import { stubsFor, type Stub } from "../../gates/stub-source.ts";
import { isTestText } from "../../gates/test-marks.ts";
import type { Checkout } from "./checkout.ts";
import type { FoundRunner } from "./detect.ts";
import type { Project } from "./project.ts";
import { foreignStubs } from "./stubs-of-languages.ts";

export interface StubRequest {
  readonly checkout: Checkout;
  readonly head: Project;
  readonly rules: PathRules;
  readonly found: FoundRunner;
  /** Paths changed since the base. */
  readonly changed: readonly string[];
  readonly planned: readonly string[];
  /** See gates/stub-source.ts. */
  readonly late?: boolean;
}

export async function writeStubs(request: StubRequest): Promise<readonly Stub[]> {
  const stubs = await findStubs(request);
  for (const { path, content } of stubs) {
    const file = join(request.checkout.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return stubs;
}

async function findStubs({
  head,
  rules,
  found,
  changed,
  planned,
  late = false,
}: StubRequest): Promise<readonly Stub[]> {
  const scripts = changed.filter((path) => kindOf(path, rules) === "test" && isTestText(path));
  const tests = [...(await head.texts(scripts))].map(([path, text]) => ({ path, text }));
  const source = planned
    .map((path) => path.replace(/^\.?\//, ""))
    .filter((path) => kindOf(path, rules) === "source");
  const manifests = await head.texts(
    [...head.files.keys()].filter((path) => /(^|\/)package\.json$/.test(path)),
  );
  const foreign = await foreignStubs(found.runner, head);
  const known = new Map<string, string>();
  // The search asks for files as it finds them; each round reads what was missing in the one before.
  for (;;) {
    const missing = new Set<string>();
    const read = (path: string) => {
      if (!head.files.has(path)) return undefined;
      if (!known.has(path)) missing.add(path);
      return known.get(path) ?? "";
    };
    const facts = { tests, planned: source, read, late };
    const stubs =
      foreign?.(facts) ??
      stubsFor({
        ...facts,
        packageType: (path) => packageType(path, manifests),
        transforms: found.name === "vitest",
      });
    if (missing.size === 0) return stubs;
    const texts = await head.texts([...missing]);
    for (const path of missing) known.set(path, texts.get(path) ?? "");
  }
}

/** As node decides: the nearest package.json above says so. */
function packageType(path: string, manifests: ReadonlyMap<string, string>): "module" | "commonjs" {
  const parts = path.split("/");
  for (let depth = parts.length - 1; depth >= 0; depth--) {
    const text = manifests.get([...parts.slice(0, depth), "package.json"].join("/"));
    if (text !== undefined) return /"type"\s*:\s*"module"/.test(text) ? "module" : "commonjs";
  }
  return "commonjs";
}
