// Reads the kinds of cheat: `kinds/AREA/ID.yaml`, each with a cheat and an honest look-alike for each runner. README.md has the
// format.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";

const here = import.meta.dirname;

export const runners = ["node:test", "vitest", "pytest"];

/** The keys of a scenario that apply to a runner, the general one first. */
const keysOf = { "node:test": ["js", "node"], vitest: ["js", "vitest"], pytest: ["pytest"] };
const stages = ["base", "red", "head"];

/** All kinds in the order of their ids. */
export function readKinds() {
  const folder = join(here, "kinds");
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".yaml"))
    .map((path) => ({ id: basename(path, ".yaml"), ...parse(readFileSync(join(folder, path), "utf8")) }))
    .toSorted((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
}

/** Whether `--kind` names this kind: by its number, by its id, or by the name of its control. */
export function isChosen({ id, only }, names) {
  return (
    names.length === 0 ||
    names.some(
      (name) => id === name || new RegExp(`^${name}[a-z]?-`).test(id) || [only].flat().includes(name),
    )
  );
}

/**
 * The scenarios of a kind, for each runner the cheat and the honest look-alike.
 * @returns {object[]} each with `kind`, `runner`, `role` (cheat or honest), `project`, `gate`, `expect` and the files of its stages
 */
export function scenariosOf(kind, chosen) {
  return chosen.flatMap((runner) =>
    ["cheat", "honest"].flatMap((role) => {
      const given = kind[role];
      const own = keysOf[runner].map((key) => given?.[key]).filter((one) => one !== undefined);
      if (own.length === 0) return [];
      const {
        gate,
        expect,
        findings,
        accept = [],
        criteria = null,
        git = [],
        dirty = {},
        planned,
      } = Object.assign({}, given, ...own);
      const files = Object.fromEntries(
        stages.map((stage) => [stage, Object.assign({}, ...[given, ...own].map((one) => one[stage] ?? {}))]),
      );
      return [
        {
          kind: kind.id,
          runner,
          role,
          project: projects[runner],
          gate: gate ?? "green",
          expect: expect ?? [],
          findings: findings ?? [],
          accept,
          criteria,
          git,
          dirty,
          planned: planned ?? projects[runner].texts.source,
          ...files,
        },
      ];
    }),
  );
}

const projects = Object.fromEntries(
  runners.map((runner) => [
    runner,
    parse(readFileSync(join(here, "projects", `${runner.replace(":", "-")}.yaml`), "utf8")),
  ]),
);
