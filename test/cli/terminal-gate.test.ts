/** A person at a terminal decides about a plan: only `yes`, typed at the prompt, approves it. */
import { beforeAll, describe, expect, test } from "vitest";
import { parseTypedAnswer } from "../../src/cli/prompt/terminal-prompt.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { createWorld, eventsOf, golden, type World } from "../orchestrate/world.ts";
import { hasScript, openTerminal, type Terminal } from "../support/terminal.ts";
import { verifiesWhen } from "../verifies.ts";
import { callIn } from "./here.ts";

describe("a gate at a terminal", () => {
  let world: World;
  let run = "";
  beforeAll(async () => {
    if (!hasScript) return;
    world = await createWorld();
    const agent = await world.agent(await golden());
    run = String((await callIn(world, ["run", "@orchestrate x", "--agent", agent, "--json"])).json()["run"]);
    const answers = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`);
    expect((await callIn(world, ["answer", run, ...answers])).code).toBe(3);
  });

  const resume = (): Terminal =>
    openTerminal([process.execPath, packageRoot("dist/bin/mettle.cjs"), "resume", run], {
      cwd: world.repository.dir,
      env: world.env,
    });
  const decisions = async () =>
    eventsOf((await world.host.journal.read(run)).map(recorded), "result").filter(
      ({ key }) => key === "user_gate_plan#1",
    );
  const prompt = "decide later";

  /** Input at the prompt, none of which decides. */
  const typed: Readonly<Record<string, readonly string[]>> = {
    Enter: ["\r"],
    no: ["n", "o", "\r", "What is wrong? (Enter: decide later)", "\r"],
    "a pasted text with a yes in it": ["looks good\ryes\r"],
  };
  const alsoTyped: typeof typed = {
    maybe: ["maybe\r"],
    y: ["y\r"],
    "yes?": ["yes?\r"],
    approve: ["approve\r"],
    "arrow keys": ["\u001b[A\u001b[B\u001b[A", "\r"],
    "a pasted text that begins with yes": ["yes\rand more\r"],
    "a yes that the terminal marks as pasted": ["\u001b[200~yes\u001b[201~", "\r"],
  };

  async function staysOpen(inputs: typeof typed): Promise<void> {
    for (const [name, keys] of Object.entries(inputs)) {
      const terminal = resume();
      await terminal.shows(prompt);
      for (const key of keys) {
        if (key.startsWith("What")) await terminal.shows(key);
        else terminal.type(key);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect([name, await terminal.ended(), await decisions()], terminal.screen()).toEqual([name, 3, []]);
    }
  }

  verifiesWhen(
    hasScript,
    "a terminal made by util-linux's script",
    "SEE-03",
    "stays open after every other word and paste (fault L1)",
    { tags: "ci", timeout: 180_000 },
    () => staysOpen(alsoTyped),
  );

  verifiesWhen(
    hasScript,
    "a terminal made by util-linux's script",
    "SEE-03",
    "stays open after Enter, no, type-ahead and pasted text, and shows what yes approves (fault L1)",
    async () => {
      await staysOpen(typed);
      const ahead = resume();
      ahead.type("yes\r");
      await ahead.shows(prompt);
      ahead.type("\r");
      expect([await ahead.ended(), await decisions()], ahead.screen()).toEqual([3, []]);

      const shown = eventsOf((await world.host.journal.read(run)).map(recorded), "ask.shown").at(-1)?.shown;
      const yes = resume();
      await yes.shows(prompt);
      yes.type("yes\r");
      await yes.shows(
        `approved: spec ${shown?.["spec"]?.replace("sha256:", "").slice(0, 12)}, architecture `,
      );
      expect(await decisions()).toMatchObject([{ outcome: "approve", by: { answeredBy: "tty" } }]);
      yes.type("\u0003\u0003");
      await yes.ended();
    },
    180_000,
  );
});

describe("a typed line", () => {
  const words = ["yes", "no"];
  test.each([
    ["yes", "yes\r"],
    [" YES ", " YES \r"],
    ["no", "n\u007fno\r\n"],
  ])("%j decides", (text, received) => {
    expect(parseTypedAnswer(text, received, words)).toEqual({
      type: "word",
      word: text.trim().toLowerCase(),
    });
  });
  test.each([
    ["", "\r"],
    ["yes", "yes\rx"],
    ["yes", "yes\n\n"],
    ["yes", "\u001b[200~yes\u001b[201~\r"],
    ["yes please", "yes please\r"],
    ["y", "y\r"],
  ])("%j of %j decides nothing", (text, received) => {
    expect(parseTypedAnswer(text, received, words)).toMatchObject({ type: "unclear" });
  });
});
