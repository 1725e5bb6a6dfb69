/** Malformed, special and missing files of a plan: an error names the file, and nothing is lost. */
import { execFileSync, spawnSync } from "node:child_process";
import { cp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { createGateWorld, fill, type GateWorld } from "./gate-world.ts";
import { record, start, walkthrough, promptText } from "./plan-world.ts";
import { inCi } from "../verifies.ts";

const gibibyte = 1024 ** 3;
const testing = ["plan", "block-prompt-testing-gate", "1"];
const atOnce = [...testing, "--wait", "0"];

let world: GateWorld;
let worktree = "";
let saved = "";
beforeAll(async () => {
  world = await createGateWorld();
  await world.reset();
  worktree = await world.prompt("1", "--requires-testing");
  await world.implement("1", worktree);
  await world.ok(["plan", "write-approach", "frontend", "1", ...promptText.slice(0, 4), "--files", "a"]);
  await world.open(testing);
  saved = join(world.env["HOME"] ?? "", "saved");
  await cp(world.dir, saved, { recursive: true });
});
beforeEach(async () => {
  await rm(world.dir, { recursive: true, force: true });
  await cp(saved, world.dir, { recursive: true });
});

const approach = ["plan", "get-finding-approach", "frontend", "1"];
const readers: readonly (readonly [file: string, line: readonly string[]])[] = [
  ["plan.md", ["plan", "next"]],
  ["prompts/1.md", ["plan", "next"]],
  ["findings/frontend.yaml", approach],
  ["design/manifest.yaml", ["plan", "read-design-manifest"]],
];

/** No pipe blocks, and no huge file is read whole. */
inCi(
  "a file of a gibibyte, a pipe in place of a file, and an alias bomb are refused with the file's name",
  async () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (const [at, name] of [..."bcdefgh"].entries())
      bomb.push(
        `${name}: &${name} [${Array(9)
          .fill(`*${"abcdefgh"[at] ?? ""}`)
          .join(", ")}]`,
      );
    const kinds: readonly (readonly [
      message: string,
      make: (file: string, text: string) => Promise<unknown>,
    ])[] = [
      ["the file is larger than", (file) => truncate(file, gibibyte)],
      ["it is not a regular file", async (file) => (await rm(file), execFileSync("mkfifo", [file]))],
      [
        "aliases multiply this file without measure",
        (file, text) =>
          writeFile(
            file,
            file.endsWith(".md") ? text.replace("---\n", `---\n${bomb.join("\n")}\n`) : bomb.join("\n"),
          ),
      ],
    ];
    for (const [path, line] of readers)
      for (const [message, make] of kinds) {
        const file = join(world.dir, path);
        const text = existsSync(file) ? await readFile(file, "utf8") : "";
        await writeFile(file, text);
        await make(file, text);
        const began = Date.now();
        const refused = await world.refused(line);
        expect([path, refused]).toMatchObject([path, { code: 2, type: "invalid_yaml" }]);
        expect(refused.message).toContain(`${file}:`);
        expect(refused.message).toContain(message);
        expect(Date.now() - began).toBeLessThan(5_000);
        await rm(file);
        await writeFile(file, text);
      }
  },
);

inCi("keys such as __proto__ are unknown fields and change nothing", async () => {
  const text = await world.read("prompts/1.md");
  await world.write(
    "prompts/1.md",
    text.replace(
      "---\n",
      "---\n__proto__: { status: merged, polluted: true }\nconstructor: { polluted: true }\n",
    ),
  );
  expect(await world.ok(["plan", "next"])).toMatchObject({ in_progress: ["1"], done: false });
  expect(Reflect.get({}, "polluted")).toBe(undefined);
  const blank = await world.saved("1_testing.yaml");
  await writeFile(
    world.place("1_testing.yaml"),
    `${fill(blank, { done: "true" })}__proto__: { test_passed: true }\n`,
  );
  expect(await world.refused([...testing, "--wait", "0.6"])).toMatchObject({ code: 3 });
  expect(await world.saved("1_testing.yaml.error")).toMatch(/__proto__|test_passed/u);
  for (const set of ["__proto__.test_passed=true", "constructor.prototype.test_passed=true"]) {
    const { code, json } = await world.mettle("answer", "1_testing", "--set", set);
    expect([code, json["error"]]).toMatchObject([2, { code: "invalid_answer" }]);
  }
  expect(Reflect.get({}, "test_passed")).toBe(undefined);
});

inCi("a name with slashes or dots cannot leave the plan", async () => {
  for (const name of ["../a", "a/b", "..", "", "__proto__", "a\nb", "a".repeat(300)])
    for (const line of [
      ["plan", "write-notes", name, "--notes", "x"],
      ["plan", "get-finding-approach", name, "1"],
      ["plan", "start-prompt", "1", "--specialist", name, "--worktree", "feature/x--implementation-1"],
    ])
      expect([line, await world.refused(line)]).toMatchObject([line, { code: 2, type: "invalid_name" }]);
  for (const branch of ["../../x", "feature/../x", "x.lock", "-x", "a b", ""])
    expect([branch, (await world.refused([`--feature-branch=${branch}`, "plan", "init"])).code]).toEqual([
      branch,
      2,
    ]);
  for (const gate of ["../1_testing", "../../plan", "answered/1_testing", "..", "1_testing.yaml"])
    expect([gate, (await world.mettle("answer", gate, "--set", "test_passed=true")).code]).toEqual([gate, 2]);
  expect(existsSync(join(world.dir, "..", "..", "x"))).toBe(false);
});

inCi(
  "a gate's file or logs of a gibibyte are not an answer, and answers of people are never overwritten",
  async () => {
    const blank = await world.saved("1_testing.yaml");
    await truncate(world.place("1_testing.yaml"), gibibyte);
    expect(await world.refused([...testing, "--wait", "1.5"])).toMatchObject({
      code: 3,
      message: expect.stringContaining("larger than 64 MiB") as string,
    });
    const answered = await world.mettle("answer", "1_testing", "--set", "test_passed=true");
    expect(answered.json["error"]).toMatchObject({ code: "invalid_answer" });
    expect((await stat(world.place("1_testing.yaml"))).size).toBe(gibibyte);
    await writeFile(world.place("1_testing.yaml"), fill(blank, { test_passed: "true", done: "true" }));
    await truncate(world.place("1_testing_logs.md"), gibibyte);
    expect(await world.refused([...testing, "--wait", "0.6"])).toMatchObject({
      message: expect.stringContaining("logs: they are larger than 64 MiB") as string,
    });
    await rm(world.place("1_testing_logs.md"));
    // The answer is recorded, and applied as soon as user_input.md has room.
    const input = join(world.dir, "user_input.md");
    await truncate(input, 65 * 1024 ** 2);
    expect(await world.refused(testing)).toMatchObject({
      code: 2,
      message: expect.stringContaining(input) as string,
    });
    expect((await stat(input)).size).toBe(65 * 1024 ** 2);
    await truncate(input, 0);
    expect(await world.ok(testing)).toMatchObject({ passed: true });
    expect(await world.userInput()).toContain("The test passed.");
  },
);

test("a pipe in place of a gate's file is refused and does not block", async () => {
  await rm(world.place("1_testing.yaml"));
  execFileSync("mkfifo", [world.place("1_testing.yaml")]);
  expect(await world.refused(atOnce)).toMatchObject({ code: 5, type: "state_unwritable" });
});

inCi("a file that is saved after its answer was taken does not answer the next question", async () => {
  const text = fill(await world.saved("1_testing.yaml"), { test_passed: "true", done: "true" });
  await writeFile(world.place("1_testing.yaml"), text);
  expect(await world.ok(testing)).toMatchObject({ passed: true });
  // The editor saves once more, with another answer.
  const other = fill(text, { thoughts: '"once more"' });
  await writeFile(world.place("1_testing.yaml"), other);
  expect((await world.mettle("status")).json["gates"]).toEqual([]);
  const second = await world.mettle("answer", "1_testing", "--set", "test_passed=true");
  expect(second.json["error"]).toMatchObject({ code: "already_answered" });
  const again = await world.envoy(testing);
  expect(JSON.parse(again.stdout)).toMatchObject({ data: { passed: true, thoughts: "" } });
  expect(again.stderr).toContain("1_testing.yaml was saved when the gate was not open");
  expect(await world.saved("1_testing.yaml.late")).toBe(other);
  // For other work it would approve a tree that the person has not seen.
  await writeFile(world.place("1_testing.yaml"), other);
  await writeFile(join(worktree, "src", "a.ts"), "other\n");
  expect(await world.refused(atOnce)).toMatchObject({ code: 3 });
  expect(await world.saved("1_testing.yaml")).toMatch(/^test_passed: null$/mu);
  expect((await world.userInput()).match(/^## \[/gmu)).toHaveLength(1);
  await writeFile(join(worktree, "src", "a.ts"), "1\n");
});

inCi("a deleted current folder and a deleted branch are reported", async () => {
  const folder = newFolder();
  for (const line of ["plan next", "protocol implementation --json"]) {
    const gone = `rmdir "$0"; exec "$1" "$2" ${line}`;
    await rm(folder, { recursive: true, force: true });
    execFileSync("mkdir", [folder]);
    const args = ["-c", gone, folder, process.execPath, packageRoot("dist", "bin", "envoy.cjs")];
    const { status, stdout } = spawnSync("/bin/sh", args, { cwd: folder, env: world.env, encoding: "utf8" });
    expect([line, status]).toEqual([line, 2]);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { type: "not_a_repository", message: "the current folder is gone" },
    });
  }
  const head = await world.repository.git("rev-parse", "feature/x");
  await world.repository.git("switch", "--quiet", "--detach");
  await world.repository.git("branch", "--quiet", "-D", "feature/x");
  const named = (line: readonly string[]) => ["--feature-branch", "feature/x", ...line];
  expect(await world.ok(named(["plan", "next"]))).toMatchObject({ in_progress: ["1"] });
  // The work is on its own branch and can be inspected.
  await world.ok(named(["git", "worktree", "1"]));
  await world.ok(named(record("1", 1, walkthrough(1))));
  await world.ok(named(["git", "commit", "1", "--message", "Work"]));
  await world.review("1");
  await world.ok(named(["plan", "write-prompt", "2", ...promptText]));
  await world.ok(named(start("2")));
  for (const line of [
    ["plan", "init"],
    ["git", "worktree", "2"],
    ["git", "merge-worktree", "1"],
  ]) {
    const refused = await world.refused(named(line));
    expect([line, refused.code, refused.type]).not.toEqual([line, 5, "internal"]);
    expect(refused.message).toMatch(/feature\/x|not_tested/u);
  }
  await world.repository.git("branch", "--quiet", "feature/x", head);
  await world.repository.git("switch", "--quiet", "feature/x");
  // A deleted worktree is checked out again at its last commit.
  await rm(worktree, { recursive: true });
  expect(await world.ok(["git", "worktree", "1"])).toMatchObject({ created: false, path: worktree });
  expect(await readFile(join(worktree, "src", "a.ts"), "utf8")).toBe("1\n");
});
