/** A sixth family as a developer would write it: its own gate, prompt and view, and nothing elsewhere. */
import type { Gates } from "../../../src/family/gate.ts";
import { plain } from "../../../src/engine/plain.ts";
import type { Family } from "../../../src/family/family.ts";
import type { RunContext } from "../../../src/run/context.ts";

const gates: Gates = {
  three_lines: {
    outcomes: ["pass", "fail"],
    check: ({ context }) => {
      const lines = poemOf(context);
      const verdict = lines.length === 3 ? "pass" : "fail";
      const reason = `the poem has ${lines.length} lines, and three are wanted`;
      const check = { name: "three lines", verdict, reason, tests: [] } as const;
      return Promise.resolve({ verdict: { verdict, outcome: verdict, checks: [check], findings: [] } });
    },
  },
};

export const haiku: Family = {
  ...plain,
  name: "haiku",
  gates,
  owns: ({ features }) => features["haiku"] === true,
  prompt: ({ started }) => {
    const text = `Write a haiku: ${started.task}. Report DONE with its lines, joined by " / ".`;
    return Promise.resolve({ text, message: text, codes: "DONE", tools: [], model: null });
  },
  askContext: (context) => Promise.resolve(poemOf(context).map((line) => `  ~ ${line}`)),
};

function poemOf({ session: { view } }: RunContext): readonly string[] {
  const reported = view.order.findLast((key) => view.commands[key]?.result?.outcome === "DONE");
  return (view.commands[reported ?? ""]?.result?.text ?? "").split(" / ");
}
