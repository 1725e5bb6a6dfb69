/** What an InitWork must deliver (V3-29, V3-30): interface, contract suite and stubs only, and a test for each criterion. */
import type { InitWork } from "../../protocol/graph-types/scaffold.ts";
import type { Spec } from "../../protocol/graph-types/shared.ts";
import { failed, shortList, passed } from "../check.ts";
import { checkLinks } from "../links.ts";
import { isImplemented, markersIn } from "./node-markers.ts";
import { cleanPath, holds } from "./node-paths.ts";
import type { Check } from "../verdict.ts";

export interface ScaffoldFacts {
  readonly spec: Spec;
  readonly work: InitWork;
  /** Paths changed since its base commit, and their texts now; a deleted path has no text. */
  readonly changed: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  /** Changed links and submodules that lead out of the tree. */
  readonly links: readonly string[];
  /** Whether the commit contains a file. */
  readonly has: (path: string) => boolean;
  /** Names listed in `interfaces` that their file does not export: `path: name`. */
  readonly missingExports: readonly string[];
  /** Interface files of all ancestors; read-only (V3-37). */
  readonly ancestors: readonly string[];
}

export function judgeScaffold(facts: ScaffoldFacts): readonly Check[] {
  return [
    onlyScaffold(facts),
    readOnly(facts),
    checkLinks(facts.links),
    filesExist(facts),
    exported(facts),
    openInterface(facts),
    ...judgePlan(facts),
  ];
}

/** Paths of the node and its children, where stubs may be. */
export function stubPlaces({ spec, work }: Pick<ScaffoldFacts, "spec" | "work">): readonly string[] {
  return [spec.targetPath, ...(work.childSpecs ?? []).map(({ targetPath }) => targetPath)];
}

export function interfacesOf({ interfaceFile, interfaces }: InitWork): readonly string[] {
  return [...new Set([interfaceFile, ...(interfaces ?? []).map(({ path }) => path)].map(cleanPath))];
}

function onlyScaffold(facts: ScaffoldFacts): Check {
  const { changed, work, texts, ancestors } = facts;
  const given = [...interfacesOf(work), cleanPath(work.contractSuite)];
  const places = stubPlaces(facts);
  const rest = changed.filter((path) => !given.some((own) => holds(own, path)) && !ancestors.includes(path));
  const outside = rest.filter((path) => !places.some((place) => holds(place, path)));
  if (outside.length > 0)
    return failed(
      "scaffold_only",
      `only interface (${shortList(interfacesOf(work))}), contract suite (${work.contractSuite}) and stubs in ${shortList(places)} may change here; also changed: ${shortList(outside)}`,
    );
  const whole = rest.filter((path) => isImplemented(path, texts.get(path) ?? ""));
  if (whole.length === 0) return passed("scaffold_only");
  return failed(
    "scaffold_only",
    `a stub fails with an error whose message begins with "not implemented" until Impl writes it; implemented already: ${shortList(whole)}`,
  );
}

function readOnly({ changed, ancestors }: ScaffoldFacts): Check {
  const touched = changed.filter((path) => ancestors.includes(path));
  if (touched.length === 0) return passed("read_only");
  return failed(
    "read_only",
    `interface files of a parent are read-only, restore them: ${shortList(touched)}`,
  );
}

function filesExist({ work, has }: ScaffoldFacts): Check {
  const missing = [...interfacesOf(work), cleanPath(work.contractSuite)].filter((path) => !has(path));
  if (missing.length === 0) return passed("files");
  return failed("files", `named but missing: ${shortList(missing)}`);
}

function exported({ missingExports }: ScaffoldFacts): Check {
  if (missingExports.length === 0) return passed("exports");
  return failed("exports", `listed in interfaces but not exported: ${shortList(missingExports)}`);
}

/** An interface file is read-only after the scaffold, so a stub in it could never be implemented. */
function openInterface({ work, texts }: ScaffoldFacts): Check {
  const stubs = interfacesOf(work).flatMap((path) => markersIn(path, texts.get(path) ?? ""));
  if (stubs.length === 0) return passed("interface_fixed");
  const places = stubs.map(({ path, line }) => `${path}:${line}`);
  return failed(
    "interface_fixed",
    `an interface file cannot be changed after the scaffold, so a stub in it could never be implemented; move it to another file and export it from here: ${shortList(places)}`,
  );
}

export function judgePlan({
  spec,
  work: { testPlan },
}: Pick<ScaffoldFacts, "spec" | "work">): readonly Check[] {
  const known = spec.acceptanceCriteria.map(({ id }) => id);
  const planned = new Set(testPlan.map(({ criterionId }) => criterionId));
  const missing = known.filter((id) => !planned.has(id));
  const unknown = [...planned].filter((id) => !known.includes(id));
  const names = testPlan.map(({ plannedTestName }) => plannedTestName.trim());
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  const blank = names.filter((name) => name === "").length;
  return [
    missing.length === 0 ? passed("plan_missing") : failed("plan_missing", shortList(missing)),
    unknown.length === 0 ? passed("criterion_unknown") : failed("criterion_unknown", shortList(unknown)),
    repeated.length === 0 && blank === 0
      ? passed("plan_name_repeated")
      : failed("plan_name_repeated", blank > 0 ? "a planned test has no name" : shortList(repeated)),
  ];
}
