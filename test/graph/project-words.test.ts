/** A project's own commands in node prompts, and projects without a test runner. */
import { readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { packageRoot } from "../../src/config/package-root.ts";
import { EvidenceRecord } from "../../src/evidence/record.ts";
import { foldRun, recorded } from "../../src/run/list-runs.ts";
import { callIn } from "../cli/here.ts";
import { createWorld, eventsOf, type CliResult, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { nodesOf, specOf } from "./story.ts";

const top = { id: "top" };
const suite = "test/contract/top.test.js";
const running = ["run", "--protocol", "graph", "--spec", "spec.yaml"];
const spec = { "spec.yaml": JSON.stringify(specOf(top)) };

/** Renders a node's prompt for one of the shipped example inputs. */
async function renderPrompt(world: World, example: string, node = example): Promise<string> {
  const file = packageRoot(`src/families/graph/fixtures/prompts/${example}.json`);
  const { input } = z.object({ input: z.unknown() }).parse(JSON.parse(await readFile(file, "utf8")));
  await world.repository.write({ "in.json": JSON.stringify(input) });
  const called = await callIn(world, ["protocol", "render", "graph", node, "--input", "in.json"]);
  expect([example, called.code, called.stderr]).toEqual([example, 0, ""]);
  return called.stdout;
}

interface RefusedStart {
  readonly called: CliResult;
  readonly runs: readonly string[];
}

async function refusal(world: World): Promise<RefusedStart> {
  const called = await callIn(world, [...running, "--agent", "scripted:nobody.yaml"]);
  return { called, runs: await world.host.journal.runs() };
}

let haskell: World;
let empty: World;
let prompts: readonly string[];
const refused: RefusedStart[] = [];

beforeAll(async () => {
  haskell = await createWorld({
    ...spec,
    "shop.cabal": "cabal-version: 3.0\nname: shop\nversion: 0.1.0.0\n",
    "src/Types.hs": "module Types where\n",
  });
  empty = await createWorld({ ...spec, "README.md": "Nothing yet\n" });
  const examples = [
    ["scaffold-root", "scaffold"],
    ["merger"],
    ["impl-1", "impl"],
    ["tdd-write", "tdd"],
  ] as const;
  const all: string[] = [];
  for (const [example, node] of examples) all.push(await renderPrompt(haskell, example, node));
  prompts = all;
  for (const world of [haskell, empty]) refused.push(await refusal(world));
});

function expectHaskellPrompts(): void {
  const [scaffold = "", merger = "", impl = "", tdd = ""] = prompts;
  expect(scaffold).toContain("write a stub that is `undefined`.");
  expect(scaffold).toContain("The runtime commits it and runs `cabal build`.");
  expect(merger).toContain("- [ ] `cabal build` passes\n");
  expect(merger).toContain("passes: `cabal test --test-option=--match=Contract`\n");
  expect(merger).toContain("- [ ] the integration tests pass: `cabal test`\n");
  expect(impl).toContain("1. Run the tests (`cabal test`) and see them red.");
  expect(tdd).toContain("The runtime commits them and runs `cabal test`.");
}

/** Inconclusive and not failed, because nothing started. */
function isNotFound(): void {
  expect(refused).toHaveLength(2);
  for (const { called, runs } of refused) {
    expect([called.code, called.stderr.split("\n")[0]]).toEqual([
      5,
      "error[runner_not_found]: no test runner was found",
    ]);
    expect(runs).toEqual([]);
  }
}

test("a Haskell project is shown cabal commands, and neither it nor an empty project is started without a runner", () => {
  expectHaskellPrompts();
  isNotFound();
});

describe.skipIf(!wide)("a node of a project that uses vitest and has a build", () => {
  let world: World;
  let run: string;
  let lost: CliResult;
  let status: CliResult;
  let found: CliResult;

  beforeAll(async () => {
    world = await createWorld({
      ...spec,
      "package.json": JSON.stringify({
        type: "module",
        scripts: { build: "node --check src/shop.js", test: "vitest" },
        devDependencies: { vitest: "*" },
      }),
      // With the slash it does not match the symlink to the installed modules.
      ".gitignore": "node_modules/\n",
      "src/shop.js": "export const heading = 'Shop';\n",
    });
    const modules = join(world.repository.dir, "node_modules");
    await symlink(packageRoot("node_modules"), modules);
    const nodes = nodesOf(top);
    const [impl = {}] = nodes["top"]?.["impl"] ?? [];
    nodes["top"] = {
      ...nodes["top"],
      impl: [{ ...impl, does: [...(impl.does ?? []), { shell: `rm '${modules}'` }] }],
    };
    // With vitest's `expect`, since vitest reports a test without one.
    const text = JSON.stringify({ version: 1, kind: "cassette", nodes })
      .replaceAll(
        String.raw`{ test } from \"node:test\";\nimport assert from \"node:assert\"`,
        String.raw`{ expect, test } from \"vitest\"`,
      )
      .replaceAll(/assert\.equal\(([^,]+), ([^;]+)\);/gu, "expect($1).toBe($2);");
    const agent = await world.agent(JSON.parse(text) as Parameters<World["agent"]>[0]);
    lost = await callIn(world, [...running, "--agent", agent]);
    [run = ""] = await world.host.journal.runs();
    status = await callIn(world, ["status", run, "--json"]);
    await symlink(packageRoot("node_modules"), modules);
    found = await callIn(world, ["resume", run]);
    if (process.env["SHOW"])
      console.log((await callIn(world, ["log", run])).stdout, lost.stdout, found.stdout);
  }, 300_000);
  afterAll(() => rm(join(world.repository.dir, "node_modules"), { force: true }));

  verifies(
    "V3-43",
    "is shown its own commands, its contract suite runs by its path, and a missing runner costs no attempt",
    async () => {
      expect(found.code, found.stderr).toBe(0);
      const events = (await world.host.journal.read(run)).map(recorded);
      const started = eventsOf(events, "dispatch.started");
      const sent = new Map<string, string>();
      for (const { key, prompt } of started)
        sent.set(
          /[^/]+$/u.exec(key.replace(/#\d+$/u, ""))?.[0] ?? "",
          await world.host.payloads.text(prompt ?? ""),
        );
      expect([...sent.keys()]).toEqual(["scaffold", "write_tests", "impl", "review", "merger"]);
      sent.set("rebaser", await renderPrompt(world, "rebaser-breaking", "rebaser"));
      for (const [node, prompt] of sent)
        expect([node, /cabal|Types\.hs|`undefined`|--match/u.exec(prompt)]).toEqual([node, null]);
      const told = (node: string, ...texts: readonly string[]) => {
        for (const text of texts)
          expect([node, sent.get(node)]).toEqual([node, expect.stringContaining(text)]);
      };
      told("scaffold", 'throws an error whose message begins with "not implemented"', "runs `npm run build`");
      told("write_tests", "runs `npx vitest run`", "the interface `src/top-api.js`");
      told("impl", "Run the tests (`npx vitest run`)", "interface signatures (`src/top-api.js`)");
      told(
        "merger",
        "`npm run build` passes",
        `passes: \`npx vitest run ${suite}\``,
        "pass: `npx vitest run`",
      );
      told("rebaser", "```bash\nnpx vitest run\n```");

      const { records } = await foldRun(world.host.journal, run);
      const alone: string[][] = [];
      for (const { purpose, ref } of records) {
        if (!/contract/u.test(purpose)) continue;
        alone.push([purpose, ...EvidenceRecord.parse(JSON.parse(await world.host.payloads.text(ref))).argv]);
      }
      expect(alone.length).toBeGreaterThan(0);
      for (const argv of alone) {
        const files = argv.filter((word) => word.endsWith(".test.js"));
        expect(files.map((file) => file.split("/tree/").at(-1))).toEqual([suite]);
      }

      expect([lost.code, lost.stderr]).toEqual([
        5,
        expect.stringContaining("error[runner_not_found]: vitest"),
      ]);
      const { runs } = z
        .object({
          runs: z.array(
            z.object({ status: z.string(), nodes: z.array(z.looseObject({ attempt: z.string() })) }),
          ),
        })
        .parse(status.json());
      expect(runs.map((one) => [one.status, one.nodes.map(({ attempt }) => attempt)])).toEqual([
        ["waiting", ["1/5"]],
      ]);
      expect(started.filter(({ key }) => key.startsWith("impl#"))).toHaveLength(1);
      expectHaskellPrompts();
      isNotFound();
    },
  );
});
