/** docs/add.md is exact: everything it names exists, and all existing parts follow its rules. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { program } from "../src/cli/table.ts";
import { runners } from "../src/evidence/runners/registry.ts";
import { gates } from "../src/engine/checks/known-gates.ts";
import { shipped } from "../src/families/families.ts";

const page = readFileSync("docs/add.md", "utf8");
const sections = page.split(/^## /mu).slice(1);

test("each kind of part is added in at most ten lines", () => {
  const lengths = sections.map((section) => {
    const [title = "", ...lines] = section.split("\n");
    return [title, lines.filter((line) => line.trim() !== "").length] as const;
  });
  expect(lengths.map(([title]) => title)).toEqual([
    "A protocol",
    "A gate",
    "A family",
    "A runner",
    "An agent",
    "A command",
  ]);
  expect(lengths.filter(([, length]) => length > 10)).toEqual([]);
});

test("each name is exported by the file that the page names", () => {
  const named = [...page.replaceAll(/\s+/gu, " ").matchAll(/`(\w+)` of `(src\/[\w./-]+)`/gu)];
  expect(named.length).toBeGreaterThan(10);
  const missing = named.filter(
    ([, name = "", file = ""]) => !exportsOf(readFileSync(file, "utf8")).includes(name),
  );
  expect(missing.map(([words]) => words)).toEqual([]);
});

test("each existing part follows the page", () => {
  const exported = (folder: string) =>
    readdirSync(folder)
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => exportsOf(readFileSync(`${folder}/${file}`, "utf8")));
  const lines = (file: string) => readFileSync(file, "utf8");
  const files = program.rows.map(({ name }) =>
    name.includes(" ") ? name.replace(" ", "/") : `commands/${name}`,
  );
  expect(files.filter((file) => !existsSync(`src/cli/${file}.ts`))).toEqual([]);
  expect(
    Object.keys(runners).filter((name) => !existsSync(`src/evidence/runners/${fileOf(name)}.ts`)),
  ).toEqual([]);
  expect(shipped.filter(({ name }) => !existsSync(`src/families/${name}/family.ts`))).toEqual([]);
  const checks = exported("src/engine/checks");
  const known = [...lines("src/engine/checks/known-gates.ts").matchAll(/^ {2}(?:\w+: )?(\w+),$/gmu)];
  expect(known).toHaveLength(Object.keys(gates).length);
  expect(known.filter(([, name = ""]) => !checks.includes(name))).toEqual([]);
  const agents = lines("src/dispatch/agents/agents.ts");
  for (const vendor of ["claude", "codex", "gemini", "opencode"]) {
    expect(exportsOf(lines(`src/agents/${vendor}/adapter.ts`))).toContain(`${vendor}Agent`);
    expect(agents).toContain(`"./${vendor}.ts"`);
  }
});

test("a test runs the page's example of a protocol, a gate and a family", () => {
  for (const title of ["A protocol", "A family"])
    expect(sections.find((section) => section.startsWith(title))).toContain("`test/families/sixth.test.ts`");
  const followed = readFileSync("test/families/sixth.test.ts", "utf8");
  for (const step of [".mettle/protocols/haiku.yaml", ".mettle/templates/poet.md", "[...shipped, haiku]"])
    expect(followed).toContain(step);
  expect(readFileSync("test/families/haiku/family.ts", "utf8")).toContain("...plain,");
});

function exportsOf(text: string): readonly string[] {
  return [
    ...text.matchAll(/^export (?:async |declare )?(?:const|function|class|interface|type) (\w+)/gmu),
  ].map(([, name = ""]) => name);
}

/** The runner `node:test` is in node-test.ts. */
function fileOf(runner: string): string {
  return runner.replace(":", "-");
}
