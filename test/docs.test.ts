import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { EndOutcome, readEventLine } from "../src/agents/event-line.ts";
import { CassetteStep } from "../src/agents/scripted/cassette.ts";
import { program } from "../src/cli/table.ts";
import { parseSettings } from "../src/config/settings.ts";
import { namesOf } from "../src/lib/command-line/help.ts";
import { errorCodes } from "../src/lib/errors.ts";
import { newFolder } from "./support/folder.ts";
import { wrongCommand } from "./wrong-command.ts";
import { inCi } from "./verifies.ts";

/** Documents that people and agents follow: everything they name must exist. */
const documents = [
  "README.md",
  "AGENTS.md",
  "CONTRIBUTING.md",
  "REVIEW.md",
  "CHANGELOG.md",
  "protocols/README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
].map((file) => ({ file, text: readFileSync(file, "utf8") }));

/** Code spans, and the lines of bash fences. */
const code = documents.flatMap(({ file, text }) => {
  const fences = [...text.matchAll(/^```bash\n([\s\S]*?)^```/gmu)].flatMap(([, lines = ""]) =>
    lines.trim().split("\n"),
  );
  const spans = [...text.replaceAll(/^```[\s\S]*?^```/gmu, "").matchAll(/`([^`\n]+)`/gu)].map(
    ([, span = ""]) => span,
  );
  return [...fences, ...spans].map((words) => ({ file, words }));
});

test("docs/cassettes.md describes every step of a cassette (fault L7)", () => {
  const text = readFileSync("docs/cassettes.md", "utf8");
  const steps = CassetteStep.options.flatMap(({ shape }) => Object.keys(shape));
  expect(steps).toContain("observe");
  expect(steps.filter((step) => !text.includes(`\n| \`${step}: `))).toEqual([]);
});

test("there is something to check", () => {
  expect(code.length).toBeGreaterThan(200);
});

test("every path that a document names exists", () => {
  const inRepository =
    /^(\.\/)?((src|test|docs|scripts|protocols|promises|bench|examples|\.ci)\/[\w./-]*|[A-Z]+\.md|\.npmrc|\.oxlintrc\.json)$/u;
  const missing = code.filter(({ words }) => inRepository.test(words) && !existsSync(words));
  expect(missing).toEqual([]);
});

test("every npm script that a document names exists", () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  const named = code.flatMap(({ words }) => [
    ...words.matchAll(/\bnpm (?:run )?((?!run\b|link\b|ci\b|install\b)[a-z][\w:]*)/gu),
  ]);
  const names = [...new Set(named.map(([, name = ""]) => name))];
  expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(["demo", "test", "check", "promises"]));
});

test("every command and flag of mettle that a document names exists", () => {
  const named = code.filter(({ words }) => /^mettle [a-z]/u.test(words));
  expect(named.length).toBeGreaterThan(100);
  expect(
    named.flatMap(({ file, words }) => {
      const wrong = wrongCommand(words);
      return wrong === null ? [] : [`${file}: ${words}: ${wrong}`];
    }),
  ).toEqual([]);
});

test("docs/reference.md matches the tables of commands", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/reference.mjs", "--check"], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});

test("the README names every command except those that only the help names", () => {
  const readme = documents.find(({ file }) => file === "README.md")?.text ?? "";
  const unnamed = namesOf(program)
    .map(([name]) => name)
    .filter((name) => !readme.includes(`mettle ${name}`) && !readme.includes(`npm run ${name}`));
  expect(unnamed).toEqual(["watch", "log", "abort", "protocol", "queues", "clean"]);
});

test("the error codes and exit codes equal the documented ones", () => {
  const text = documents.find(({ file }) => file === "docs/errors.md")?.text ?? "";
  const sections = text.split(/^## /mu).flatMap((section) => {
    const exit = /\(exit (\d)\)/u.exec(section)?.[1];
    const rows = [...section.matchAll(/^\| `([a-z_]+)`/gmu)].map(
      ([, name = ""]) => [name, Number(exit)] as const,
    );
    return exit === undefined ? [] : rows;
  });
  expect(Object.fromEntries(sections)).toEqual(errorCodes);
  expect(sections).toHaveLength(Object.keys(errorCodes).length);
});

test("every error code is used", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "lib/errors.ts")
    .map((name) => readFileSync(join("src", name), "utf8"))
    .join("\n");
  expect(Object.keys(errorCodes).filter((name) => !sources.includes(`"${name}"`))).toEqual([]);
});

test("every settings file in a document is valid", () => {
  const shown = documents
    .filter(({ file }) => file === "docs/agents.md" || file === "docs/settings.md")
    .flatMap(({ text }) => [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gmu)].map(([, yaml = ""]) => yaml));
  const programs = shown.map((yaml) => {
    const { commands, servers } = parseSettings(yaml).agents;
    return { ...commands, ...servers };
  });
  expect(programs).toEqual([
    { mine: { run: ["my-agent", "--file", "{prompt}"], vendor: "someone" } },
    { gemini: { run: ["npx", "gemini-mcp-tool"], tool: "ask-gemini", vendor: "google" } },
    {
      zed: { acp: ["my-agent", "--acp", "--model", "some-model"], vendor: "someone" },
      other: {
        acp: ["gemini", "--acp", "--model", "gemini-2.5-pro"],
        login: "gemini-api-key",
        vendor: "google",
      },
    },
    { mine: { run: ["my-agent", "{prompt}"], vendor: "someone" } },
  ]);
});

test("docs/agents.md shows one valid event line of each type", () => {
  const text = documents.find(({ file }) => file === "docs/agents.md")?.text ?? "";
  const lines = text.split("\n").filter((line) => line.startsWith('{"mettle":1'));
  expect(lines.map((line) => readEventLine(line)?.type)).toEqual([
    "text",
    "tool",
    "running",
    "alive",
    "denied",
    "retry",
    "usage",
    "report",
    "end",
  ]);
  for (const outcome of EndOutcome.options) expect(text).toContain(`\`${outcome}\``);
});

test("AGENTS.md and REVIEW.md are short", () => {
  const lines = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n").length;
  expect(lines("AGENTS.md")).toBeLessThanOrEqual(60);
  expect(lines("REVIEW.md")).toBeLessThanOrEqual(40);
});

inCi("the first steps of the README run in an empty repository", () => {
  const folder = newFolder();

  execFileSync("git", ["init", "-q", folder]);
  const env = { ...process.env, METTLE_HOME: join(folder, ".git", "home") };
  const bin = join(process.cwd(), "dist/bin/mettle.js");
  const mettle = (...argv: string[]) =>
    spawnSync(process.execPath, [bin, ...argv], { cwd: folder, encoding: "utf8", env });
  expect(mettle("init")).toMatchObject({ status: 0, stderr: "" });
  expect(mettle("init", "--remove")).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(folder)).toEqual([".git"]);
  expect(mettle("status")).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^error\[no_commit\]: .*\nhint: /u),
  });
  const identity = ["-c", "user.name=A", "-c", "user.email=a@invalid"];
  execFileSync("git", ["-C", folder, ...identity, "commit", "-q", "--allow-empty", "-m", "Start"]);
  expect(mettle("status")).toMatchObject({ status: 0, stdout: expect.stringContaining("no runs yet") });
});
