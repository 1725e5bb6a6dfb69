/** The project's own build in a clean checkout: it passes, it fails with its output, or there is none. */
import { beforeAll, expect, test } from "vitest";
import { proofProject, rules, type ProofProject } from "../../../test/proof-project.ts";
import { buildCommands, runBuild, type BuildResult } from "./build.ts";
import type { RecordDraft } from "../draft.ts";
import { packagesOf } from "../project/packages.ts";
import { projectAt } from "../project/project.ts";
import { inCheckout, proofSetting } from "../setting.ts";

let project: ProofProject;
beforeAll(async () => {
  project = await proofProject({
    "package.json": '{ "type": "module" }\n',
    "src/a.js": "export const a = 1;\n",
    "tests/a.test.js": 'import test from "node:test";\ntest("a", () => {});\n',
  });
});

async function build(
  script: string | null,
): Promise<BuildResult & { readonly made: readonly RecordDraft[] }> {
  const scripts = script === null ? "" : `, "scripts": { "build": ${JSON.stringify(script)} }`;
  const commit = await project.commitOn(project.base, { "package.json": `{ "type": "module"${scripts} }\n` });
  const of = await projectAt(project.repository, commit);
  const settings = { runner: "node:test", paths: rules };
  const packages = await packagesOf(project.repository, of, settings);
  const cache = { get: async () => null, put: async () => undefined };
  const setting = await proofSetting({ ports: project.ports, cache, rules, base: of, packages });
  const made: RecordDraft[] = [];
  const built = await inCheckout(setting, { files: [...of.files.values()] }, (checkout) =>
    runBuild(setting, { checkout, of, purpose: "squash.build" }, made),
  );
  expect(built.commands).toEqual(await buildCommands(setting, of));
  return { ...built, made };
}

test("a build that succeeds passes, and its record names the command and the tree", async () => {
  const { check, output, made } = await build("node -e \"console.log('built')\" && cat src/a.js");
  expect([check.verdict, output]).toEqual(["pass", "built\nexport const a = 1;\n"]);
  expect(made.map(({ purpose, title, exitCode }) => [purpose, title, exitCode])).toEqual([
    ["squash.build", "npm run build", 0],
  ]);
  expect(made[0]?.tree).toMatch(/^[0-9a-f]{40}$/);
});

test("a build that fails reports its output", async () => {
  const { check, output, made } = await build("echo no such type >&2; exit 3");
  expect(check).toMatchObject({ name: "build", verdict: "fail" });
  expect(check.reason).toBe("npm run build must succeed: exit code 3");
  expect(output).toBe("no such type\n");
  expect(made[0]?.lastLines).toEqual(["no such type"]);
});

test("a project without a build passes and has no command", async () => {
  const { check, commands, made } = await build(null);
  expect([check.verdict, commands, made]).toEqual(["pass", [], []]);
});
