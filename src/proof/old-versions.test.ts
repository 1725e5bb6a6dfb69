/**
 * Each supported version of a runner end to end, in a project with unusual names of test files and a coverage threshold that
 * its tests do not reach: an honest change passes RED and GREEN, and each cheat is refused by name (PRV-25, faults R3, E4, E8,
 * E25).
 */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { failedChecks } from "../../test/support/failed-checks.ts";
import { newFolder } from "../../test/support/folder.ts";
import { verifiesInCi } from "../../test/verifies.ts";
import { wide } from "../../test/wide.ts";
import { environmentOf, modulesOf } from "../evidence/fixtures/runner-versions.ts";
import { versionProjects } from "../evidence/fixtures/version-projects.ts";
import { run } from "../process/run.ts";

const versions: Readonly<Record<string, readonly string[]>> = {
  jest: ["here", "26.0.0", "26", "27", "28", "29", "30"],
  vitest: ["here", "0.34.0", "1.0.0", "1.2.0", "1.3.0", "1", "2", "3.0", "3.1", "3.2", "4"],
  mocha: ["here", "1.18.0", "1", "2", "3", "4", "5", "6", "7.0", "7", "8", "9", "10", "11", "12"],
  pytest: ["here", "4.0", "5", "6.0", "6", "7", "8", "9"],
};
const all = Object.entries(versions).flatMap(([name, ones]) =>
  ones.map((version) => [name, version] as const),
);

/** What the project's own test command prints. */
async function ownCommand({ repo }: ProofProject, name: string): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: newFolder(), CI: "1" };
  const [file, argv] =
    name === "pytest" ? [join(repo.dir, ".venv/bin/python"), ["-m", "pytest"]] : ["npm", ["test"]];
  const ran = await run(file, argv, { cwd: repo.dir, env, timeoutMs: 120_000 });
  return `exit code ${ran.exitCode}: ${ran.stdout.toString()}${ran.stderr.toString()}`;
}

const inCi = all.filter(([name, version]) => version === "here" && ["mocha", "pytest"].includes(name));

describe.each(wide ? all : inCi)("%s %s", (name, version) => {
  verifiesInCi(
    "PRV-25",
    "an honest change passes, each cheat is refused by name, and a coverage threshold decides nothing",
    async ({ skip }) => {
      const own = versionProjects[name];
      if (own === undefined) throw new TypeError(name);
      // What measures coverage is installed with the other versions only.
      const isHere = version === "here";
      const threshold = isHere ? {} : own.threshold;
      const ignored = "node_modules\n.venv\ncoverage\n.coverage\n.nyc_output\n__pycache__\n";
      const project = await proofProject({ ...own.base, ...threshold, ".gitignore": ignored });
      if (name !== "pytest") {
        await symlink(await modulesOf(name, version), join(project.repo.dir, "node_modules"));
      } else if (!isHere) {
        const environment = await environmentOf(version);
        if (environment === null) return skip(`pip has no pytest ${version}, or there is no Python for it`);
        await symlink(environment, join(project.repo.dir, ".venv"));
      }
      if (!isHere) expect(await ownCommand(project, name)).toMatch(own.missed);

      const request = { planned: own.planned, criteria: ["FR1"] };
      const red = await project.commitOn(project.base, own.tests);
      const reds = await project.red(red, request);
      expect([failedChecks(reds.verdict), reds.required]).toEqual([[], own.required]);
      const green = async (files: Readonly<Record<string, string>>) => {
        const head = await project.commitOn(red, files);
        return failedChecks((await project.green({ red, head, required: own.required })).verdict);
      };
      expect(await green(own.honest)).toEqual([]);

      const skips = await project.red(await project.commitOn(project.base, own.skips), request);
      expect(failedChecks(skips.verdict)).toEqual([
        expect.stringMatching(/^fail no_skip: no test may be hidden/),
      ]);
      expect((await green(own.exits))[0]).toMatch(/^fail required: early_exit: /);
      expect(await green(own.replaces)).toEqual([
        expect.stringMatching(/^fail canary: a false assertion passed after these tests ran/),
      ]);
    },
    400_000,
  );
});
