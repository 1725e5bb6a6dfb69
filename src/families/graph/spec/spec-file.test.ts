import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { verifies } from "../../../../test/verifies.ts";
import { commitLinkFinder, type FindOutsideLink } from "../../../git/links.ts";
import { headCommit, openRepository } from "../../../git/repository.ts";
import { AppError } from "../../../lib/errors.ts";
import { createRepository, type TempRepository } from "../../../../test/support/repository.ts";
import { readSpec, readSpecFile } from "./spec-file.ts";

const camel = `# A spec
id: add
description: Add two numbers
acceptanceCriteria:
  - { id: AC-1, text: adds }
  - id: AC-2
    text: is exact
targetPath: ./src/add.ts
testPath: test/add/
complexityConstraints: { time: O(1), space: null }
`;
const snake = `description: Add two numbers
acceptance_criteria: [adds, is exact]
target_path: src/add.ts
test_path: test//add
complexity_constraints:
  time: O(1)
`;
const json = JSON.stringify({
  acceptanceCriteria: ["adds", { id: "AC-2", text: "is exact" }],
  complexityConstraints: { time: "O(1)" },
  description: "Add two numbers",
  id: "add",
  targetPath: "src/add.ts",
  testPath: "test/add",
});
const spec = {
  id: "add",
  description: "Add two numbers",
  acceptanceCriteria: [
    { id: "AC-1", text: "adds" },
    { id: "AC-2", text: "is exact" },
  ],
  targetPath: "src/add.ts",
  testPath: "test/add",
  complexityConstraints: { time: "O(1)" },
};

const inside: FindOutsideLink = () => null;

interface Refused {
  readonly code: string;
  readonly exit: number;
  /** Without the file. */
  readonly lines: readonly string[];
  readonly faults: unknown;
}

async function refusal(act: () => unknown): Promise<Refused> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const lines = error.message.split("\n").filter((line) => !/^\d+ faults$/u.test(line));
    return {
      code: error.code,
      exit: error.exitCode,
      lines: lines.map((line) => line.trim().replace(/^.*spec\.yaml:/u, "")),
      faults: (error.detail as { readonly faults: unknown }).faults,
    };
  }
  throw new Error("nothing was refused");
}

const refusedText = (text: string, linkOut: FindOutsideLink = inside): Promise<Refused> =>
  refusal(() => readSpec({ file: "spec.yaml", text }, linkOut));
/** The sound spec with one key replaced. */
const withKey = (key: string, value: string): string =>
  snake.replace(new RegExp(`^${key}: .*$`, "mu"), value === "" ? "" : `${key}: ${value}`);

let repository: TempRepository;
beforeAll(async () => void (repository = await createRepository()));

verifies("V3-89", "YAML and JSON, either spelling and plain criteria give one stored Spec", async () => {
  await repository.write({
    "a.yaml": camel,
    "specs/add.yml": snake,
    "add.json": json,
    "My first.add.yaml": snake,
  });
  const read = async (file: string) => (await readSpecFile(join(repository.dir, file), inside)).spec;
  expect(await read("a.yaml")).toEqual(spec);
  expect(await read("specs/add.yml")).toEqual(spec);
  expect(await read("add.json")).toEqual(spec);
  expect((await read("My first.add.yaml")).id).toBe("My-first-add");
  expect(readSpec({ file: "-", text: camel }, inside)).toEqual(spec);

  for (const [key, other] of [
    ["acceptance_criteria: [x]", "acceptanceCriteria"],
    ["target_path: src/x.ts", "targetPath"],
    ["test_path: test/x", "testPath"],
    ["complexity_constraints: { time: O(n) }", "complexityConstraints"],
  ]) {
    const refused = await refusedText(`${camel}${key}\n`);
    const [snakeCase] = (key ?? "").split(":");
    expect(refused).toMatchObject({ code: "spec_invalid", exit: 2 });
    expect(refused.lines).toEqual([`11:1: ${other}: is here twice, as ${other} and as ${snakeCase}`]);
    const turned = await refusedText(`${key}\n${camel}`);
    expect(turned.lines[0]).toContain(`is here twice, as ${snakeCase} and as ${other}`);
  }
});

test("the file and its hash are kept with the spec, so that a later edit can be told", async () => {
  await repository.write({ "a.yaml": camel });
  const path = join(repository.dir, "a.yaml");
  const { file } = await readSpecFile(path, inside);
  expect(file).toEqual({ path, hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u) });
});

test("all faults of a file are told at once, each with line, field and what is expected", async () => {
  const text = `id: a--b
descripton: x
acceptanceCriteria:
  - { id: AC-1, text: adds }
  - { id: AC-1, text: "  " }
  - { id: AC-1.1, txt: more }
  - 3
targetPath: []
complexityConstraints: { speed: fast, time: "" }
`;
  const refused = await refusedText(text);
  expect(refused).toMatchObject({ code: "spec_invalid", exit: 2 });
  const rule = "expected letters and digits, single - or _ between them, at most 40 characters";
  expect(refused.lines).toEqual([
    `1:1: id: ${rule}`,
    "1:1: description: is missing, expected a text",
    "1:1: testPath: is missing, expected a path relative to the repository",
    "2:1: descripton: unknown key, did you mean description?",
    "5:11: acceptanceCriteria[1].id: expected an id of its own: AC-1 is criterion 1 already",
    "5:17: acceptanceCriteria[1].text: is blank: expected a text",
    "6:5: acceptanceCriteria[2].text: is missing, expected a text",
    `6:7: acceptanceCriteria[2].id: ${rule}`,
    "6:19: acceptanceCriteria[2].txt: unknown key, did you mean text?",
    "7:5: acceptanceCriteria[3]: expected a mapping, got the number 3",
    "8:13: targetPath: expected a text, got a list",
    "9:26: complexityConstraints.speed: unknown key, did you mean space?",
    "9:39: complexityConstraints.time: is blank: expected a text",
  ]);
  expect(refused.faults).toHaveLength(13);
  expect(refused.faults).toContainEqual({
    file: "spec.yaml",
    line: 2,
    column: 1,
    path: ["descripton"],
    message: "descripton: unknown key, did you mean description?",
  });
});

test.each([
  ["", "1:1: expected one mapping with id, description"],
  ["- a\n- b\n", "1:1: expected one mapping with id, description"],
  ["just text", "1:1: expected one mapping with id, description"],
  ["description: [\n", "2:1: "],
  [`${snake}---\n${snake}`, "7:1: one document is expected, and here begins another"],
  [`${snake}description: again\n`, "7:1: this key is here twice"],
  [`${snake}notes: x\n`, "7:1: notes: unknown key, expected id, description"],
  [`${snake}__proto__: x\n`, "7:1: __proto__: unknown key"],
  [
    withKey("acceptance_criteria", "[]"),
    "2:1: acceptanceCriteria: is empty: expected at least one criterion",
  ],
  [withKey("acceptance_criteria", "adds"), '2:22: acceptanceCriteria: expected a list, got the text "adds"'],
  [
    withKey("acceptance_criteria", '["a", "  "]'),
    "2:28: acceptanceCriteria[1].text: is blank: expected a text",
  ],
  [
    withKey("acceptance_criteria", "[a, { id: AC-1, text: b }]"),
    "2:32: acceptanceCriteria[1].id: expected an id of its own: AC-1 is criterion 1 already",
  ],
  [withKey("description", '" "'), "1:1: description: is blank: expected a text"],
  [withKey("description", ""), "2:1: description: is missing, expected a text"],
  [`id: result\n${snake}`, "1:1: id: expected another id than result, work, base"],
  [`id: Work\n${snake}`, "1:1: id: expected another id than result, work, base"],
  [`id: ${"a".repeat(41)}\n${snake}`, "1:1: id: expected letters and digits"],
  [`id: a-\n${snake}`, "1:1: id: expected letters and digits"],
  [`id: "a b"\n${snake}`, "1:1: id: expected letters and digits"],
  [`id: 3\n${snake}`, "1:5: id: expected a text, got the number 3"],
])("a spec is refused: %j", async (text, line) => {
  const refused = await refusedText(text);
  expect(refused).toMatchObject({ code: "spec_invalid", exit: 2 });
  expect(refused.lines).toEqual([expect.stringContaining(line)]);
  expect(refused.lines[0]?.startsWith(line)).toBe(true);
});

test("a file that is not there, is none, or is too large, and a text without a name or an id are refused", async () => {
  const at = (name: string) => join(repository.dir, name);
  await mkdir(at("folder"), { recursive: true });
  await writeFile(at("large.yaml"), `${snake}# ${"x".repeat(1024 * 1024)}\n`);
  await writeFile(at("latin.yaml"), Buffer.from("description: caf\xe9\n", "latin1"));
  for (const [name, line] of [
    ["none.yaml", "none.yaml:1:1: there is no such file"],
    ["folder", "folder:1:1: expected a file"],
    ["large.yaml", "large.yaml:1:1: the file is larger than 1 MiB"],
    ["latin.yaml", "latin.yaml:1:17: not valid UTF-8 here"],
  ] as const) {
    const refused = await refusal(() => readSpecFile(at(name), inside));
    expect(refused).toMatchObject({ code: "spec_invalid", exit: 2, lines: [at(line)] });
  }
  const nameless = await refusal(() => readSpec({ file: "-", text: snake }, inside));
  expect(nameless.lines).toEqual(["-:1:1: id: is missing, expected a text"]);
});

test("a path that leaves the repository or lies where it may not is refused with field, value and reason", async () => {
  const files = { "src/a.ts": "export const a = 1;\n" };
  await repository.write(files);
  await symlink("/tmp", join(repository.dir, "out"));
  await symlink("src", join(repository.dir, "in"));
  await repository.commit("links");
  const opened = await openRepository(repository.dir, { path: process.env["PATH"] ?? "" });
  const linkOut = await commitLinkFinder(opened, await headCommit(opened));
  for (const [path, reason] of [
    ["../x", "it may leave the repository by .."],
    ["src/../../x", "it may leave the repository by .."],
    ["/etc/x", "it is absolute; paths are relative to the repository"],
    ["out/x.ts", "the symbolic link out leads out of the repository"],
    [".git/hooks/x", "git keeps its own files there"],
    [".mettle/templates/x", "Mettle keeps its own files there"],
    ["mettle.yaml", "Mettle keeps its own files there"],
    [".", "it names the whole repository"],
  ] as const)
    for (const [key, field, line] of [
      ["target_path", "targetPath", 3],
      ["test_path", "testPath", 4],
    ] as const) {
      const refused = await refusedText(withKey(key, path), linkOut);
      expect(refused).toMatchObject({ code: "path_refused", exit: 2 });
      const column = key.length + 3;
      expect(refused.lines).toEqual([`${line}:${column}: ${field}: "${path}" is refused: ${reason}`]);
    }
  expect(readSpec({ file: "spec.yaml", text: withKey("target_path", "in/a.ts") }, linkOut).targetPath).toBe(
    "in/a.ts",
  );
  const same = await refusedText(withKey("test_path", "./src/add.ts"));
  expect(same.code).toBe("path_refused");
  expect(same.lines).toEqual(['4:12: testPath: "./src/add.ts" is refused: it is the targetPath too']);
  // Beside other faults it is one of them.
  const both = await refusedText(`${withKey("test_path", "../x")}notes: x\n`);
  expect([both.code, both.lines.length]).toEqual(["spec_invalid", 2]);
});

test("what docs/graph.md shows of a spec and its faults is so", async () => {
  const page = await readFile(new URL("../../../../docs/graph.md", import.meta.url), "utf8");
  const [, example = ""] = /^```yaml\n([\s\S]*?)^```$/mu.exec(page) ?? [];
  expect(readSpec({ file: "spec.yaml", text: example }, inside)).toEqual({
    id: "cart",
    description: "A shopping cart",
    acceptanceCriteria: [
      { id: "AC-1", text: "A cart adds up" },
      { id: "TAX", text: "Tax is included" },
    ],
    targetPath: "src/cart.ts",
    testPath: "test/cart",
    complexityConstraints: { time: "O(n)", space: "O(1)" },
  });
  const [, shown = ""] = /^```text\n(error\[[\s\S]*?)^```$/mu.exec(page) ?? [];
  const wrong = `id: cart\ndescripton: x\nacceptanceCriteria:\n  - adds\n  - { id: AC-1, text: y }\n${"description: x\ntargetPath: a\ntestPath: b\n"}`;
  const { code, lines } = await refusedText(wrong);
  const told = lines.map((line) => `  spec.yaml:${line}`);
  expect(shown).toBe([`error[${code}]: ${lines.length} faults`, ...told, ""].join("\n"));
});
