/** A run that withholds locked tests from its coder (PRV-16): a coder that special-cases what it sees is refused. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newFolder } from "../support/folder.ts";
import { inCi, verifies } from "../verifies.ts";
import { callIn } from "../cli/here.ts";
import { startRun } from "../../src/engine/start/start-run.ts";
import { shippedFamilies } from "../../src/families/families.ts";
import { confinesHere } from "../sandbox/bubblewrap.ts";
import { readRecord } from "../../src/run/blocks.ts";
import { act, slugify } from "./turns.ts";
import { promptsOf, startsOf } from "./watched.ts";
import {
  createWorld,
  eventsOf,
  golden,
  untestedFiles,
  type CassetteFile,
  type DriveResult,
  type World,
} from "./world.ts";

const twelve: readonly (readonly [title: string, input: string, output: string])[] = [
  ["FR1 makes letters lower case", "HELLO", "hello"],
  ["FR1 keeps lower case", "abc", "abc"],
  ["FR1 lowers one letter of many", "heLlo", "hello"],
  ["FR1 keeps digits", "R2D2", "r2d2"],
  ["FR2 joins words by one hyphen", "Hello,  big world", "hello-big-world"],
  ["FR2 joins two words", "one two", "one-two"],
  ["FR2 drops a dot", "a. b", "a-b"],
  ["FR2 joins many words", "a b c d e f", "a-b-c-d-e-f"],
  ["EC1 gives an empty slug for an empty text", "", ""],
  ["EC2 drops separators at both ends", " - Hello! ", "hello"],
  ["EC2 drops a separator at the end", "slug? ", "slug"],
  ["EC2 drops a separator at the start", "-start", "start"],
];

const tests = `import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "../src/slugify.js";

${twelve.map(([title, input, output]) => `test("${title}", () => {\n  assert.equal(slugify("${input}"), "${output}");\n});\n`).join("\n")}`;

const plan = `# Architecture

## File Structure
- \`src/slugify.js\`: the function

## TDD Strategy
${twelve.map(([title]) => `- ${title.split(" ")[0] ?? ""}: "${title}"`).join("\n")}
`;

/** All files of the workspace, and all objects, refs and messages of its git. */
const dump = (to: string) =>
  `(find . -type f -not -path './node_modules/*' -exec sh -c 'echo "$1"; cat "$1"' _ {} ';'; git for-each-ref; git log --all --format=%B; git cat-file --batch-all-objects --batch) > ${to} 2>&1`;

/** A table of what the visible tests ask. */
const tabulate = `node -e '
const text = fs.readFileSync("test/slugify.test.js", "utf8");
const pairs = [...text.matchAll(/slugify\\(("[^"]*")\\), ("[^"]*")/g)].map(([, a, b]) => "  [" + a + ", " + b + "],\\n");
fs.writeFileSync("src/slugify.js", "const known = new Map([\\n" + pairs.join("") + "]);\\nexport const slugify = (text) => known.get(text);\\n");
'`;

interface Played extends DriveResult {
  readonly world: World;
  /** What the coder saw of its workspace, each time. */
  readonly seen: readonly string[];
}

interface Playing {
  readonly holdout: number;
  readonly coder?: CassetteFile["roles"]["coder"];
  readonly sandbox?: "required";
}

async function play({ holdout, coder, sandbox }: Playing): Promise<Played> {
  const { roles, ...rest } = await golden();
  const folder = newFolder();
  const spec = JSON.stringify(roles.intake).replace(
    "- ERR1: anything but a string throws a TypeError",
    "none",
  );
  const review = JSON.stringify(roles.claude).replace("\\n- ERR1: covered", "");
  const cassette: CassetteFile = {
    ...rest,
    roles: {
      ...roles,
      intake: JSON.parse(spec) as CassetteFile["roles"]["intake"],
      claude: JSON.parse(review) as CassetteFile["roles"]["claude"],
      planner: [act("WRITTEN", { write: { ".claude/temp/architecture.md": plan } })],
      tester: [
        act("RC", { write: { "test/slugify.test.js": tests }, say: `Written: ${twelve[0]?.[0] ?? ""}` }),
      ],
      coder: coder ?? [
        act("GC", { shell: `${dump(join(folder, "1"))}; ${tabulate}` }),
        act("GC", { shell: dump(join(folder, "2")), write: { "src/slugify.js": slugify.right } }),
      ],
    },
  };
  const off = ["null_stubs", "can_fail", "canary", "flip", "specialCase", "surrounding"].map(
    (one) => `  ${one}: false\n`,
  );
  const settings = `version: 1\nproof:\n  holdout: ${holdout}\n${off.join("")}`;
  const files = { ...(await untestedFiles()), "mettle.yaml": settings };
  const world = await createWorld(files, sandbox === undefined ? {} : { METTLE_SANDBOX: sandbox });
  const ran = await world.go(cassette);
  const names = (await readdir(folder)).toSorted();
  const seen = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return { ...ran, world, seen };
}

let played: Played;
beforeAll(async () => {
  played = await play({ holdout: 0.3 });
}, 120_000);

const withheld = () => eventsOf(played.events, "tests.withheld")[0]?.tests ?? [];

verifies(
  "PRV-16",
  "three of twelve tests are withheld, and the coder that answers only what it sees is refused",
  async () => {
    const { end, events, context, world, seen } = played;
    expect(end).toMatchObject({ type: "ended", outcome: "complete" });
    expect(withheld().map(({ criterion }) => criterion)).toEqual(["FR1", "FR2", "EC2"]);

    const hidden = withheld().map(({ id }) => id.split("::")[1] ?? "");
    const values = twelve
      .filter(([title]) => hidden.includes(title))
      .map(([, input]) => `slugify("${input}")`);
    const prompts = await promptsOf(world, events, "coder");
    expect(prompts).toHaveLength(2);
    for (const text of seen) expect(text).toContain("Start of the implementation");
    for (const text of [...seen, ...prompts])
      for (const secret of [...hidden, ...values]) expect(text).not.toContain(secret);
    const visible = twelve.filter(([title]) => !hidden.includes(title));
    for (const [title] of visible) expect(seen[0]).toContain(title);

    const [refused] = eventsOf(events, "gate.judged").filter(
      ({ gate, verdict }) => gate === "green" && verdict === "fail",
    );
    for (const title of hidden) expect(refused?.reasons.join("\n")).toContain(title);
    expect(prompts[1]).toContain("withheld tests of FR1, FR2, EC2 do not pass");
    expect(prompts[1]).not.toContain("visible tests do not pass");

    const green = eventsOf(events, "record.written").findLast(({ purpose }) => purpose === "green");
    const record = await readRecord(context, green?.id ?? "");
    expect(record?.required).toHaveLength(12);
    expect(record?.tests.map(({ id }) => id)).toEqual(expect.arrayContaining(withheld().map(({ id }) => id)));
    expect(record?.controls["holdout"]).toMatch(
      /^3 of 12 tests withheld \(FR1: .*\), isolation of the implementer: none$/,
    );
    for (const title of hidden) expect(record?.controls["holdout"]).toContain(title);
  },
);

test("the commits of the coder hold all tests", async () => {
  const commits = eventsOf(played.events, "commit.made").filter(({ kind }) => kind === "green");
  expect(commits).toHaveLength(2);
  for (const { commit, paths } of commits) {
    expect(paths).toEqual(["src/slugify.js"]);
    expect(await played.world.repository.git("show", `${commit}:test/slugify.test.js`)).toBe(tests.trimEnd());
  }
  expect(startsOf(played.events, "coder")).toHaveLength(2);
});

inCi(
  "a protocol without locked tests refuses the setting, and so does a session in the checkout",
  async () => {
    const { world } = played;
    const spec = "description: Add\nacceptanceCriteria: [adds]\ntargetPath: src/add.ts\ntestPath: test/add\n";
    await writeFile(join(world.repository.dir, "spec.yaml"), spec);
    const { code, stderr } = await callIn(world, ["run", "--protocol", "graph", "--spec", "spec.yaml"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("graph locks no tests that proof.holdout could withhold"),
    });
    const options = { task: "x", protocol: "dptr", agents: {}, preapproved: [], demo: false } as const;
    const started = startRun(world.host, { ...options, front: "referee" }, shippedFamilies);
    await expect(started).rejects.toThrow("proof.holdout needs agents that Mettle starts");
  },
);

inCi("without the setting the coder sees all tests, and its table passes", async () => {
  const { end, events, seen } = await play({ holdout: 0 });
  expect(end).toMatchObject({ type: "ended", outcome: "complete" });
  expect(seen).toHaveLength(1);
  expect(eventsOf(events, "tests.withheld")).toEqual([]);
  for (const [title] of twelve) expect(seen[0]).toContain(title);
});

describe.skipIf(!confinesHere())("a confined coder (SKIPPED without bubblewrap)", () => {
  inCi("has nine tests in its workspace and in all objects of its git", async () => {
    const count = `[ "$(grep -c '^test(' test/slugify.test.js)" = 9 ] && [ "$(git cat-file --batch-all-objects --batch | grep -c '^test(')" = 9 ]`;
    const coder = [
      act("GC", { shell: `${count} || echo > src/wrong.js`, write: { "src/slugify.js": slugify.right } }),
    ];
    const { end, events } = await play({ holdout: 0.3, coder, sandbox: "required" });
    expect(end).toMatchObject({ type: "ended", outcome: "complete" });
    const green = eventsOf(events, "commit.made").find(({ kind }) => kind === "green");
    expect(green?.paths).toEqual(["src/slugify.js"]);
    expect(startsOf(events, "coder")[0]?.isolation).toContain("bubblewrap");
  });
});
