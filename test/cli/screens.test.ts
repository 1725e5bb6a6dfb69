/**
 * What a terminal shows of a run: a waiting, a proven and a refused one, at 80 and 120 columns, with and without colours. Each is
 * one real run, which four terminals watch at once; `screens/` has what they show, with ids and times masked.
 */
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readFile } from "node:fs/promises";
import type { Io } from "../../src/cli/command.ts";
import { runResult } from "../../src/cli/run-result.ts";
import { reporter } from "../../src/cli/reporter.ts";
import { personText } from "../../src/cli/screen/person-text.ts";
import { hasColours, isRedrawn } from "../../src/config/colours.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { drive } from "../../src/engine/drive.ts";
import { finishRun, prepareRun } from "../../src/engine/lifecycle.ts";
import { openRun } from "../../src/families/open-run.ts";
import { columnsOf } from "../../src/lib/columns.ts";
import {
  answerAll,
  answerOnly,
  createWorld,
  demoFiles,
  golden,
  type Answer,
  type CassetteFile,
} from "../orchestrate/world.ts";
import { screenOf } from "../support/screen.ts";
import { verifies, verifiesInCi } from "../verifies.ts";

const terminals = [80, 120].flatMap((columns) =>
  [true, false].map((isColoured) => ({ columns, isColoured })),
);
type Terminal = (typeof terminals)[number];

interface Screen extends Terminal {
  readonly bytes: string;
}

async function screensOf(cassette: CassetteFile, answer: Answer, limits = {}): Promise<readonly Screen[]> {
  const world = await createWorld(await demoFiles());
  const run = await world.start(cassette, { task: "Add slugify(text)", limits });
  const written = terminals.map(() => "");
  const ios = terminals.map((terminal, index) => ioOf(terminal, (text) => (written[index] += text)));
  const reporters = ios.map(reporter);
  const context = await openRun(world.host, {
    run,
    progress: (event) => reporters.forEach(({ progress }) => progress(event)),
  });
  for (const one of reporters) one.attach(context);
  await prepareRun(context);
  const end = await drive(context, {
    signal: new AbortController().signal,
    answer: (ask) => answer(context, ask),
  });
  for (const one of reporters) await one.flush();
  await finishRun(context, end);
  const { text } = await runResult(context, end);
  return terminals.map((terminal, index) => ({
    ...terminal,
    bytes:
      `${written[index]}\n${personText(text, { isTTY: true, columns: terminal.columns }, terminal.isColoured)}\n`.replaceAll(
        run,
        "RUNRUN",
      ),
  }));
}

function ioOf({ columns, isColoured }: Terminal, write: (text: string) => void): Io {
  return {
    cwd: "/",
    print: write,
    warn: write,
    draw: write,
    paint: write,
    interactive: false,
    isTerminal: true,
    hasColours: isColoured,
    live: true,
    verbose: false,
    columns,
    rows: 40,
    json: false,
    signal: new AbortController().signal,
    interrupt: () => undefined,
  };
}

/** The lines, with what differs between two runs masked at the same width. */
function masked(lines: readonly string[]): string {
  const text = lines
    .join("\n")
    .replaceAll(/ +(?:\d+\.\d|\d+)s(?=  )/gu, (found) => "0.0s".padStart(found.length))
    .replaceAll(/\b(?=[0-9a-f]*\d)(?:[0-9a-f]{40}|[0-9a-f]{12})\b/gu, (found) => "0".repeat(found.length))
    .replaceAll(/\/\S+\/mettle-repository-\w+/gu, "/REPOSITORY");
  return text.replaceAll(block, (_, exit: string) => `[EXECUTION_BLOCK, EXIT_CODE: ${exit}]`);
}

/** Whole frames, tones or not; what is in them differs between versions of Node. */
const block =
  /^(?:‹dim:)?┌─+┐›?\n(?:.*│›?\n|.*├─+┤›?\n)+?(?:‹dim:)?│›? EXIT_CODE: (\d+) +(?:‹dim:)?│›?\n.*TIMESTAMP.*\n(?:‹dim:)?└─+┘›?$/gmu;

async function expectScreens(name: string, screens: readonly Screen[]): Promise<void> {
  for (const { columns, isColoured, bytes } of screens) {
    const lines = screenOf(bytes, columns);
    const file = `screens/${name}-${columns}${isColoured ? "-colours" : ""}.txt`;
    await expect(`${masked(lines)}\n`).toMatchFileSnapshot(file);
    if (!isColoured) {
      // Nothing but the state line and the lists of the result is wider than the terminal; the phases never are.
      expect(["1", "2", "31", "32", "33"].filter((tone) => bytes.includes(`\u001b[${tone}m`))).toEqual([]);
      const phases = lines.filter((line) => /^ [✓✗•?!-] /u.test(line));
      expect(phases.length).toBeGreaterThan(3);
      expect(phases.filter((line) => columnsOf(line) > columns)).toEqual([]);
      // The spinner is gone, and each phase has one line.
      expect(lines.filter((line) => /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u.test(line))).toEqual([]);
      expect(new Set(phases).size).toBe(phases.length);
    }
  }
}

const honest = async () => demoCassette("honest");
const demoCassette = async (name: string) =>
  parse(await readFile(packageRoot(`protocols/orchestrate/demo/${name}.yaml`), "utf8")) as CassetteFile;

verifies(
  "SEE-01",
  "a waiting run: its phases, what is decided, and the commands that decide it",
  async () => {
    await expectScreens("waiting", await screensOf(await golden(), answerOnly("questions")));
  },
  60_000,
);

verifiesInCi(
  "SEE-01",
  "a proven run, of which one attempt was refused",
  async () => {
    await expectScreens("proven", await screensOf(await honest(), answerAll));
  },
  120_000,
);

verifiesInCi(
  "SEE-01",
  "a refused run, which waits at its breaker",
  async () => {
    await expectScreens("refused", await screensOf(await demoCassette("cheat"), answerAll, { green: 2 }));
  },
  120_000,
);

test("colours and redrawn lines: FORCE_COLOR decides, then NO_COLOR, then the terminal", () => {
  const at = (isTTY: boolean, env: Readonly<Record<string, string>>) => [
    hasColours({ isTTY }, env),
    isRedrawn({ isTTY }, env),
  ];
  expect(at(true, {})).toEqual([true, true]);
  expect(at(false, {})).toEqual([false, false]);
  expect(at(true, { NO_COLOR: "1" })).toEqual([false, false]);
  expect(at(true, { NO_COLOR: "" })).toEqual([true, true]);
  expect(at(true, { TERM: "dumb" })).toEqual([false, false]);
  expect(at(true, { CI: "true" })).toEqual([true, false]);
  expect(at(false, { CI: "true" })).toEqual([false, false]);
  expect(at(false, { FORCE_COLOR: "1" })).toEqual([true, false]);
  expect(at(false, { FORCE_COLOR: "1", NO_COLOR: "1" })).toEqual([true, false]);
  expect(at(true, { FORCE_COLOR: "0" })).toEqual([false, true]);
});
