/** The commands in printed protocols and slash commands parse, and answer with the fields that the texts name (ENV-17). */
import { readFileSync } from "node:fs";
import { beforeAll, expect } from "vitest";
import { envoy } from "../../src/envoy/envoy.ts";
import { commands } from "../../src/envoy/table.ts";
import { callHere } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { createPlanWorld, promptText, walkthrough, type PlanWorld } from "./plan-world.ts";

interface Step {
  readonly where: string;
  readonly text: string;
}

const slash = ["plan", "continue"].map((name) => `protocols/envoy/claude/commands/${name}.md`);

let world: PlanWorld;
let steps: readonly Step[] = [];
beforeAll(async () => {
  world = await createPlanWorld();
  await world.ok(["plan", "init"]);
  await world.ok(["plan", "write-prompt", "1", ...promptText]);
  const printed: Step[] = [];
  for (const name of ["implementation", "debugging", "discovery", "bug-discovery"]) {
    const { stdout } = await callHere(
      ["protocol", name],
      { cwd: world.repository.dir, env: world.env },
      envoy,
    );
    printed.push(...cut(name, stdout, /^(?=\d+: )/mu));
  }
  steps = [...printed, ...slash.flatMap((file) => cut(file, readFileSync(file, "utf8"), /^(?=\d+\. )/mu))];
});

const cut = (where: string, text: string, at: RegExp): readonly Step[] =>
  text.split(at).map((part) => ({ where: `${where} ${/^\d+/u.exec(part)?.[0] ?? "head"}`, text: part }));
const linesOf = ({ text }: Step) => [...text.matchAll(/`envoy ([^`]+)`/gu)].map(([, line = ""]) => line);

/** The command with and without its optional parts. */
function filled(line: string): readonly (readonly string[])[] {
  const values: readonly (readonly [RegExp, string])[] = [
    [/<(?:PROMPT_NUM|prompt_num|N|N1|N2|K|approach_num|ITERATION)>/gu, "1"],
    [/<(?:VARIANT|variant|V|LETTER)>/gu, "A"],
    [/<(?:AGENT_NAME|specialist_name)>/gu, "backend_1"],
    [/<WORKTREE_BRANCH>/gu, "feature/x--implementation-1"],
    [/<file([12])>/gu, "src/$1.ts"],
    [/<STRUCTURED_WALKTHROUGH>/gu, "@@walkthrough"],
    [/<[^<>]+>/gu, "some words"],
  ];
  return [line.replaceAll(/\[([^\]]*)\]/gu, "$1"), line.replaceAll(/\s*\[[^\]]*\]/gu, "")].map((one) => {
    const whole = values.reduce((text, [hole, value]) => text.replaceAll(hole, value), one);
    return [...whole.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, plain]) =>
      (quoted ?? plain ?? "").replace("@@walkthrough", walkthrough(1)),
    );
  });
}

verifiesInCi("ENV-17", "each named command is accepted by the parser", async () => {
  const seen = new Set<string>();
  const called = new Set<string>();
  for (const step of steps)
    for (const line of linesOf(step))
      for (const words of filled(line)) {
        if (called.has(words.join("\n"))) continue;
        called.add(words.join("\n"));
        const { code, stdout, stderr } = await callHere(
          [...words, ...(words[0] === "protocol" ? ["--json"] : ["--wait", "0"])],
          { cwd: world.repository.dir, env: world.env },
          envoy,
        );
        expect([step.where, line, stderr]).not.toEqual([
          step.where,
          line,
          expect.stringMatching(/^error\[(usage|internal)\]/mu),
        ]);
        expect([step.where, line, code, JSON.parse(stdout)]).toMatchObject([
          step.where,
          line,
          code,
          { status: code === 0 ? "success" : "error" },
        ]);
        seen.add(commands.find(({ name }) => words.join(" ").startsWith(name))?.name ?? words[0] ?? "");
      }
  expect(seen.size).toBeGreaterThan(20);
});

const published = JSON.parse(readFileSync("docs/envoy.schema.json", "utf8")) as {
  readonly commands: Readonly<Record<string, unknown>>;
};

/** The names of all fields in an answer, at any depth. */
function fieldsOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(fieldsOf);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => [
    ...(key === "properties" ? Object.keys(Object(value)) : []),
    ...fieldsOf(value),
  ]);
}

verifies("ENV-17", "each field that a step names is in the answers of its commands", () => {
  /** Words in backticks that are not fields of an answer. */
  const others = new Set([
    "main",
    "alternative",
    "discard",
    "surveyor",
    "worker",
    "backend_1",
    "backend_2",
    "approach_references",
    "feature_branch",
  ]);
  const anywhere = new Set(Object.values(published.commands).flatMap(fieldsOf));
  const named: string[] = [];
  for (const step of steps) {
    const called = linesOf(step).flatMap(
      (line) => commands.find(({ name }) => line.startsWith(name))?.name ?? [],
    );
    const prose = step.text.replaceAll(/`(?:envoy |\{)[^`]*`/gu, "");
    const returned = [...prose.matchAll(/^\s*\* Returns: \{ (.*) \}$/gmu)].flatMap(([, list = ""]) =>
      list
        .replaceAll(/\[[^\]]*\]/gu, "")
        .split(",")
        .map((field) => field.trim().replace(/[?:].*$/u, "")),
    );
    const inline = [...prose.matchAll(/`([a-z]+(?:_[a-z0-9]+)*)`/gu)].map(([, word = ""]) => word);
    const answered = new Set(called.flatMap((name) => fieldsOf(published.commands[name])));
    for (const field of returned)
      expect([step.where, field, answered.has(field)]).toEqual([step.where, field, true]);
    // A step may also name fields that an earlier step answered.
    for (const field of inline.filter((word) => !others.has(word)))
      expect([step.where, field, anywhere.has(field)]).toEqual([step.where, field, true]);
    named.push(...returned, ...inline);
  }
  expect(named).toEqual(
    expect.arrayContaining([
      "verdict",
      "passed",
      "user_required_changes",
      "variant_solution",
      "pending_refinement",
      "done",
    ]),
  );
});
