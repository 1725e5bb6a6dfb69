import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { newFolder } from "./support/folder.ts";
import { inCi } from "./verifies.ts";

/** A sample report of vitest's JSON reporter with only the fields that the tool reads. */
const report = {
  success: true,
  testResults: [
    {
      assertionResults: [
        { title: "all that cite it passed [ORC-01]", status: "passed" },
        { title: "so did this one [ORC-01 ORC-02]", status: "passed" },
        { title: "one passed [ORC-03]", status: "passed" },
        { title: "one failed [ORC-04]", status: "failed" },
        { title: "failed beats skipped [ORC-05]", status: "failed" },
        { title: "a prefix may hold a digit [V3-01]", status: "passed" },
        { title: "an id inside [CORE-01] a title cites nothing", status: "passed" },
      ],
    },
    {
      assertionResults: [
        { title: "one was skipped [ORC-03]", status: "skipped" },
        { title: "skipped by the runner's other word [ORC-06]", status: "pending" },
        { title: "not written yet [ORC-07]", status: "todo" },
        { title: "also passed [ORC-04]", status: "passed" },
        { title: "skipped too [ORC-05]", status: "skipped" },
      ],
    },
  ],
};

const Summary = z.strictObject({
  total: z.number(),
  proved: z.number(),
  byPrefix: z.record(
    z.string(),
    z.strictObject({
      total: z.number(),
      proved: z.number(),
      skipped: z.array(z.string()),
      unproved: z.array(z.string()),
    }),
  ),
});

let folder = "";
let ran: ReturnType<typeof tool>;
beforeAll(() => {
  folder = newFolder();
  ran = tool(report, "--json");
});

function tool(content: unknown, ...args: string[]) {
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify(content));
  return spawnSync(process.execPath, ["scripts/promises.mjs", "--from", file, ...args], { encoding: "utf8" });
}

function allIds(): string[] {
  return readdirSync("promises")
    .sort()
    .flatMap((file) =>
      z.array(z.object({ id: z.string() })).parse(parse(readFileSync(join("promises", file), "utf8"))),
    )
    .map(({ id }) => id);
}

test("a promise is proved only when every test that cites it ran and passed", () => {
  expect(ran.stderr).toBe("");
  expect(ran.status).toBe(0);
  const { total, proved, byPrefix } = Summary.parse(JSON.parse(ran.stdout));
  const ids = allIds();
  expect({ total, proved }).toEqual({ total: ids.length, proved: 3 });
  expect(byPrefix["ORC"]).toEqual({
    total: 93,
    proved: 2,
    skipped: ["ORC-03", "ORC-06", "ORC-07"],
    unproved: ids.filter((id) => id.startsWith("ORC-") && !/-0[12367]$/.test(id)),
  });
  expect(byPrefix["V3"]).toMatchObject({ proved: 1 });
  expect(byPrefix["CORE"]?.unproved).toEqual(ids.filter((id) => id.startsWith("CORE-")));
});

inCi("a promise about each protocol is proved only when a test of each of them passed", () => {
  const proved = (...names: string[]) => {
    const title = `x [${names.map((name) => `CORE-76@${name}`).join(" ")}]`;
    const { stdout } = tool(
      { success: true, testResults: [{ assertionResults: [{ title, status: "passed" }] }] },
      "--json",
    );
    return Summary.parse(JSON.parse(stdout)).byPrefix["CORE"]?.proved;
  };
  const four = ["orchestrate", "riper", "dptr", "graph"];
  expect([proved(...four), proved(...four, "steps")]).toEqual([0, 1]);
});

test("--json prints one object and nothing else", () => {
  const { stdout } = ran;
  expect(stdout.endsWith("}\n")).toBe(true);
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
});

inCi("without --json the ids are listed by file and area", () => {
  const { stdout } = tool(report);
  expect(stdout).toContain("orchestrate.yaml: 2 of 93 proved\n");
  expect(stdout).toMatch(
    /\n {2}protocol: 2 of \d+\n {4}proved: {3}ORC-01 ORC-02\n {4}skipped: {2}ORC-03 ORC-06 ORC-07\n/,
  );
  expect(stdout).toMatch(/\nall: 3 of \d+ proved\n$/);
});

inCi("an unknown id and a failed test are reported with exit code 1", () => {
  const unknown = {
    success: true,
    testResults: [{ assertionResults: [{ title: "x [ORC-999]", status: "passed" }] }],
  };
  const first = tool(unknown);
  expect([first.status, first.stderr]).toEqual([1, "a test cites the unknown promise ORC-999\n"]);
  const second = tool({ ...report, success: false });
  expect([second.status, second.stderr]).toEqual([1, "some tests failed\n"]);
});

inCi("invalid arguments print the usage and exit with 2", () => {
  for (const args of [["--jsn"], ["--from", join(folder, "absent.json")]]) {
    const ran = spawnSync(process.execPath, ["scripts/promises.mjs", ...args], { encoding: "utf8" });
    expect([ran.status, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain("usage: npm run promises");
  }
});

inCi("npm prints nothing before the object", () => {
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify(report));
  const script = join(process.cwd(), "scripts/promises.mjs");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { promises: `node "${script}"` } }));
  copyFileSync(".npmrc", join(folder, ".npmrc"));
  const stdout = execFileSync("npm", ["run", "promises", "--", "--json", "--from", "report.json"], {
    cwd: folder,
    encoding: "utf8",
    env: withoutNpm(),
  });
  expect(JSON.parse(stdout)).toMatchObject({ proved: 3 });
});

/** The environment without the variables of an outer npm. */
function withoutNpm(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name)));
}
