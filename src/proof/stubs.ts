/** Writes stubs for planned modules that do not exist yet, into one checkout only (CORE-23). */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Runner } from "../evidence/runner.ts";
import { reexportsPlanned } from "../gates/suite/reexporting-files.ts";
import { isOfTests, isFixture, kindOf, type PathRules } from "../source/paths.ts";
import { stubsFor, type Stub } from "../source/stubs/script.ts";
import { loadParser } from "../source/syntax.ts";
import { isTestText } from "../source/test-marks.ts";
import { filesChanged, type Checkout } from "./checkout/checkout.ts";
import type { Package } from "./project/packages.ts";
import { projectIn, type Project } from "./project/project.ts";
import { owns } from "./setting.ts";
import { foreignStubs } from "./stubs-of-languages.ts";

export interface StubRequest {
  readonly checkout: Checkout;
  readonly head: Project;
  readonly rules: PathRules;
  readonly packages: readonly Package[];
  /** Paths changed since the base. */
  readonly changed: readonly string[];
  readonly planned: readonly string[];
  /** See source/stubs/script.ts. */
  readonly late?: boolean;
}

export interface Stubs {
  readonly stubs: readonly Stub[];
  /** Imported files that re-export planned ones. */
  readonly reexporting: readonly string[];
}

export async function writeStubs(request: StubRequest): Promise<Stubs> {
  const found = new Map<string, Stub>();
  const reexporting = new Set<string>();
  for (const one of request.packages) {
    const own = await packageStubs(request, one);
    for (const stub of own.stubs) if (!found.has(stub.path)) found.set(stub.path, stub);
    for (const path of own.reexporting) reexporting.add(path);
  }
  for (const { path, content } of found.values()) {
    const file = join(request.checkout.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  if (found.size > 0) filesChanged(request.checkout);
  return { stubs: [...found.values()], reexporting: [...reexporting] };
}

async function packageStubs(request: StubRequest, one: Package): Promise<Stubs> {
  const { head, rules } = request;
  const scripts = request.changed.filter(
    (path) =>
      owns(one, path) &&
      kindOf(path, rules) === "test" &&
      // Any extension: the runner decides how to read it.
      (isTestText(path) || (one.found.program === null && !isFixture(path))),
  );
  const source = request.planned
    .map((path) => path.replace(/^\.?\//, ""))
    .filter((path) => kindOf(path, rules) === "source");
  const ask = { runner: one.found.runner, late: request.late ?? false };
  // A script may import from another package; other languages name modules relative to their package.
  const mayLead = (path: string) => !isOfTests(path, rules);
  if (one.found.program === null) return findStubs({ ...ask, head, scripts, source, mayLead });
  const inside = (paths: readonly string[]) =>
    paths.filter((path) => owns(one, path)).map((path) => path.slice(one.prefix.length));
  const own = projectIn(head, one.prefix, one.inner);
  const at = (path: string) => `${one.prefix}${path}`;
  const { stubs, reexporting } = await findStubs({
    ...ask,
    head: own,
    scripts: inside(scripts),
    source: inside(source),
    mayLead: (path) => mayLead(at(path)),
  });
  return { stubs: stubs.map((stub) => ({ ...stub, path: at(stub.path) })), reexporting: reexporting.map(at) };
}

interface Search {
  readonly runner: Runner;
  readonly late: boolean;
  readonly head: Project;
  /** Changed test files. */
  readonly scripts: readonly string[];
  /** Planned source files. */
  readonly source: readonly string[];
  mayLead(path: string): boolean;
}

async function findStubs({ runner, late, head, scripts, source, mayLead }: Search): Promise<Stubs> {
  const tests = [...(await head.texts(scripts))].map(([path, text]) => ({ path, text }));
  const manifests = await head.texts(
    [...head.files.keys()].filter((path) => /(^|\/)package\.json$/.test(path)),
  );
  const foreign = await foreignStubs(runner, head);
  const parse = await loadParser();
  const known = new Map<string, string>();
  const planned = new Set(source);
  // The search requests files while it runs; each round reads those missing in the previous one.
  for (;;) {
    const missing = new Set<string>();
    const read = (path: string) => {
      if (!head.files.has(path)) return undefined;
      if (!known.has(path)) missing.add(path);
      return known.get(path) ?? "";
    };
    const reexporting = new Set<string>();
    const passesOn = (path: string) => {
      if (reexporting.has(path)) return true;
      const leads = mayLead(path) && reexportsPlanned(path, { planned, read });
      if (leads) reexporting.add(path);
      return leads;
    };
    const facts = { tests, planned: source, read, late, passesOn };
    const stubs =
      foreign?.(facts) ??
      stubsFor({
        ...facts,
        packageType: (path) => packageType(path, manifests),
        transforms: runner.name === "vitest",
        parse,
      });
    if (missing.size === 0) return { stubs, reexporting: [...reexporting] };
    const texts = await head.texts([...missing]);
    for (const path of missing) known.set(path, texts.get(path) ?? "");
  }
}

/** The nearest package.json decides, as in node. */
function packageType(path: string, manifests: ReadonlyMap<string, string>): "module" | "commonjs" {
  const parts = path.split("/");
  for (let depth = parts.length - 1; depth >= 0; depth--) {
    const text = manifests.get([...parts.slice(0, depth), "package.json"].join("/"));
    if (text !== undefined) return /"type"\s*:\s*"module"/.test(text) ? "module" : "commonjs";
  }
  return "commonjs";
}
