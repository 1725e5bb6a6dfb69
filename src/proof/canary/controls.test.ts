/** The negative controls of GREEN against five tricks with each runner, and against honest solutions that resemble them. */
import { beforeAll, describe, expect, test } from "vitest";
import { proofProject, type ProofProject } from "../../../test/proof-project.ts";
import { programOf } from "../../evidence/fixtures/run-native.ts";
import { pytest } from "../../evidence/runners/pytest.ts";
import { inCi, verifiesInCi } from "../../../test/verifies.ts";
import type { GateProof } from "../proof.ts";

interface World {
  readonly base: Readonly<Record<string, string>>;
  readonly tests: Readonly<Record<string, string>>;
  readonly required: readonly string[];
  readonly source: string;
  readonly honest: string;
  /** Name of the trick -> source that passes the tests by it. */
  readonly tricks: Readonly<Record<string, string>>;
  readonly settings?: { readonly paths: { readonly tests: readonly string[]; readonly source: readonly string[] } };
  readonly modules?: boolean;
}

const honest = "export const add = (a, b) => a + b;\nexport const pair = (a, b) => ({ a, b });\n";
/** Takes the expected values from the text of the test. */
const reading = `import { readFileSync } from "node:fs";
const text = readFileSync(new URL("../tests/add.test.js", import.meta.url), "utf8");
const after = (call) => text.split(call)[1].split(/\\)(?:\\.(?:toBe|toEqual|to\\.equal|to\\.deep\\.equal)\\()?(?:, )?|, /)`;

const worlds: Readonly<Record<string, World>> = {
  vitest: {
    base: { "package.json": '{ "type": "module", "devDependencies": { "vitest": "*" } }\n', "src/old.js": "" },
    tests: {
      "tests/add.test.js": `import { expect, test } from "vitest";
import { add, pair } from "../src/add.js";
test("FR1 adds", () => { expect(add(1, 2)).toBe(3); });
test("FR2 pairs", () => { expect(pair(1, 2)).toEqual({ a: 1, b: 2 }); });
`,
    },
    required: ["tests/add.test.js::FR1 adds", "tests/add.test.js::FR2 pairs"],
    source: "src/add.js",
    honest,
    modules: true,
    tricks: {
      "a replaced matcher": `import { expect } from "vitest";
expect.extend({ toBe: () => ({ pass: true, message: () => "" }), toEqual: () => ({ pass: true, message: () => "" }) });
export const add = () => 0;
export const pair = () => 0;
`,
      "an object that equals everything": `export const add = (a, b) => a + b;
export const pair = () => ({ $$typeof: Symbol.for("jest.asymmetricMatcher"), asymmetricMatch: () => true });
`,
      "a hook that changes results": `import { afterEach } from "vitest";
afterEach(({ task }) => { task.result.state = "pass"; delete task.result.errors; });
export const add = () => 0;
export const pair = () => 0;
`,
      "a source that reads its test": `import { readFileSync } from "node:fs";
const text = readFileSync(new URL("../tests/add.test.js", import.meta.url), "utf8");
export const add = () => Number(/add\\(1, 2\\)\\)\\.toBe\\(\\(?(-?\\d+)/.exec(text)[1]);
export const pair = () => Function("return " + /toEqual\\(([^)]*)\\)/.exec(text)[1])();
`,
    },
  },
};
void reading;

const projects = new Map<string, Promise<{ readonly project: ProofProject; readonly red: string }>>();

async function open(name: string) {
  const world = worlds[name];
  if (world === undefined) throw new TypeError(name);
  const made =
    projects.get(name) ??
    (async () => {
      const project = await proofProject(world.base, { modules: world.modules === true });
      return { project, red: await project.commitOn(project.base, world.tests) };
    })();
  projects.set(name, made);
  return { world, ...(await made) };
}

async function green(name: string, source: string): Promise<GateProof> {
  const { world, project, red } = await open(name);
  const head = await project.commitOn(red, { [world.source]: source });
  return project.green({
    red,
    head,
    required: world.required,
    ...(world.settings === undefined ? {} : { settings: world.settings }),
  });
}

const wrong = ({ verdict }: GateProof) =>
  verdict.checks.filter((check) => check.verdict !== "pass").map(({ name, reason }) => `${name}: ${reason}`);

for (const name of Object.keys(worlds)) {
  test(`${name}: try`, async () => {
    const { world } = await open(name);
    const seen: Record<string, unknown> = {};
    const proof = await green(name, world.honest);
    seen["honest"] = [wrong(proof), proof.drafts.at(-1)?.controls];
    for (const [trick, source] of Object.entries(world.tricks)) seen[trick] = wrong(await green(name, source));
    console.log(JSON.stringify(seen, null, 1));
  });
}
void [beforeAll, describe, expect, programOf, pytest, inCi, verifiesInCi];
