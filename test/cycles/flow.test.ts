/** The modes of riper and dptr, and every transition that random answers find. */
import fc from "fast-check";
import { describe, expect } from "vitest";
import type { Command } from "../../src/kernel/command.ts";
import { possibleAnswer } from "../../src/kernel/fixtures/random.ts";
import { protocolNamed } from "../../src/kernel/fixtures/protocols.ts";
import { init, step } from "../../src/kernel/step.ts";
import { verifiesInCi } from "../verifies.ts";

/** Forward, around the plan loop, and back by REVISE. */
const flow = ["Ω₁ᴾ→Ω₂ᴬ", "Ω₂ᴬ→Ω₃ᴾ", "Ω₃ᴾ→Ω₄ᶜ", "Ω₄ᶜ→Ω₃ᴾ", "Ω₄ᶜ→Ω₅ᵀ", "Ω₅ᵀ→Ω₆ⱽ", "Ω₂ᴬ→Ω₁ᴾ"];
/** Only by a person: a new plan after the review, and a repeated cycle. Edited designs are tested with TDP-61. */
const byPerson = ["Ω₆ⱽ→Ω₃ᴾ", "Ω₆ⱽ→Ω₅ᵀ"];

describe.each(["riper", "dptr"] as const)("%s", (name) => {
  const protocol = protocolNamed(name);

  verifiesInCi(
    "TDP-01",
    `${name}: random events find the edges of the flow, a person's, and no other`,
    () => {
      const found = new Set<string>();
      fc.assert(
        fc.property(fc.array(fc.nat({ max: 2 ** 31 - 1 }), { minLength: 150, maxLength: 300 }), (numbers) => {
          let { state } = step(protocol, init(protocol), { type: "start", stamp: "0" });
          let mode = "Ω₁ᴾ";
          for (const [index, pick] of numbers.entries()) {
            const stamp = String(index);
            const event = possibleAnswer({ protocol, state, stamp, pick });
            if (event === null) break;
            const asks = state.open.find((command) => event.type === "result" && command.key === event.key);
            const moved = step(protocol, state, event);
            state = moved.state;
            const next = modeOf(moved.commands) ?? mode;
            if (next === mode) continue;
            const edge = `${mode}→${next}`;
            found.add(edge);
            if (!flow.includes(edge)) {
              if (!byPerson.includes(edge)) throw new Error(`${edge} by ${JSON.stringify(event)}`);
              if (asks?.type !== "ask") throw new Error(`${edge} without a person`);
            }
            mode = next;
          }
        }),
        { numRuns: 150, seed: 1 },
      );
      for (const edge of flow) expect(found).toContain(edge);
    },
  );
});

/** The mode of the step's commands; the dispatches and gates of a cycle belong to Ω₅ᵀ. */
function modeOf(commands: readonly Command[]): string | null {
  const command = commands.findLast(({ type }) => type === "dispatch" || type === "check");
  return command === undefined ? null : (command.mode ?? "Ω₅ᵀ");
}
