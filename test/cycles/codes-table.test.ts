/** Every status code of the seeds at every dispatch of riper and dptr, through the agents' channel. */
import { afterEach, describe, expect } from "vitest";
import type { DispatchCommand } from "../../src/kernel/command.ts";
import { play, type Play } from "../../src/kernel/fixtures/play.ts";
import { protocolNamed } from "../../src/kernel/fixtures/protocols.ts";
import type { State } from "../../src/protocol/machine.ts";
import { openChannel, type Channel } from "../../src/channel/channel.ts";
import { callChannel } from "../../src/channel/client.ts";
import type { ChannelAnswer } from "../../src/channel/wire.ts";
import { dispatchLine } from "../../src/families/cycles/dispatch-line.ts";
import { channelCalls } from "../../src/dispatch/channel/channel-calls.ts";
import { collectDecisions } from "../../src/dispatch/channel/decisions.ts";
import { payloadKinds } from "../../src/families/cycles/payload-kinds.ts";
import { payloadSchemas } from "../../src/dispatch/channel/payload-schemas.ts";
import { verifies } from "../verifies.ts";
import { design, issues, plan } from "./by-codes.ts";

const always = ["ME", "TO", "EX", "BL"];
const seeds = [
  "ACCEPT REVISE REJECT PC PR NR PA DG EN RC TA GC TI RTC RIC APPROVED NEEDS_CHANGE".split(" "),
  always,
].flat();

type Step = readonly [string, string];
const accepts: readonly Step[] = [
  ["critic", "ACCEPT"],
  ["critic", "ACCEPT"],
];
const approvedDesign = {
  riper: [["design", "PC"], ["arch", "ACCEPT"], ...accepts],
  dptr: [["design", "PC"], ...accepts],
};
const cycle: readonly Step[] = [
  ["plan", "PC"],
  ["critic", "PA"],
];
const afterRed: readonly Step[] = [...cycle, ["red", "RC"], ["red_gate", "pass"]];
const green: readonly Step[] = [...afterRed, ["green", "GC"], ["green_gate", "pass"]];
const refactored: readonly Step[] = [
  ...green,
  ["test", "RTC"],
  ["qa_validation", "pass"],
  ["impl", "RIC"],
  ["de_validation", "pass"],
];
const reviewed: readonly Step[] = [
  ...refactored,
  ["de_review", "APPROVED"],
  ["qa_review", "APPROVED"],
  ["integration_test", "pass"],
  ["interface_check", "pass"],
];

/** The dispatches after the design is approved -> the line, and the allowed codes. */
const dispatches: readonly (readonly [readonly Step[], string, readonly string[]])[] = [
  [[], "Ω₃ᴾ[S{sid},R0]", ["PC", "PR", "EN"]],
  [[["plan", "PC"]], "Ω₄ᶜ[S{sid},R0]", ["NR", "PA", "EN"]],
  [
    [
      ["plan", "PC"],
      ["critic", "NR"],
    ],
    "Ω₃ᴾ[S{sid},R1,CTX:revise]",
    ["PR", "DG", "EN"],
  ],
  [
    [
      ["plan", "PC"],
      ["critic", "NR"],
      ["replan", "PR"],
    ],
    "Ω₄ᶜ[S{sid},R1]",
    ["NR", "PA", "EN"],
  ],
  [
    [
      ["plan", "PC"],
      ["critic", "NR"],
      ["replan", "DG"],
    ],
    "Ω₄ᶜ[S{sid},R1,CTX:disagree]",
    ["NR", "PA", "EN"],
  ],
  [cycle, "QA[S{sid},R0,C1,P:ℜ]", ["RC"]],
  [afterRed, "DE[S{sid},R0,C1,P:ℜᴳ]", ["GC", "TI"]],
  [[...afterRed, ["green", "TI"]], "QA[S{sid},R1,C1,P:ℜ,CTX:test_issue]", ["TA", "RC"]],
  [
    [...afterRed, ["green", "TI"], ["dispute", "TA"], ["dispute_gate", "pass"]],
    "DE[S{sid},R2,C1,P:ℜᴳ]",
    ["GC", "TI"],
  ],
  [green, "QA[S{sid},R1,C1,P:ℜᶠᵗ]", ["RTC", "EN"]],
  [[...green, ["test", "RTC"], ["qa_validation", "pass"]], "DE[S{sid},R2,C1,P:ℜᶠⁱ]", ["RIC", "EN"]],
  [refactored, "DE[S{sid},R3,C1,P:review_tests,CTX:review_qa_work]", ["APPROVED", "NEEDS_CHANGE", "EN"]],
  [
    [...refactored, ["de_review", "NEEDS_CHANGE"]],
    "QA[S{sid},R4,C1,P:review_impl,CTX:review_de_work]",
    ["APPROVED", "NEEDS_CHANGE", "EN"],
  ],
  [reviewed, "QA[S{sid},R0,C2,P:ℜ]", ["RC"]],
];
const audit = ["ACCEPT", "REVISE", "REJECT"];
const table = {
  riper: [
    [[], "Ω₁ᴾ[]", ["PC"]],
    [approvedDesign.riper.slice(0, 1), "Ω₂ᴬ[CTX:Λ₁]", audit],
    [approvedDesign.riper.slice(0, 2), "Ω₂ᴬ[CTX:Λ₂:auth]", audit],
    [approvedDesign.riper.slice(0, 3), "Ω₂ᴬ[CTX:Λ₂:mail]", audit],
  ],
  dptr: [
    [[], "Ω₁ᴾ[]", ["PC"]],
    [approvedDesign.dptr.slice(0, 1), "Ω₂ᴬ[CTX:auth]", audit],
    [approvedDesign.dptr.slice(0, 2), "Ω₂ᴬ[CTX:mail]", audit],
  ],
} as const;

let channel: Channel | null = null;
afterEach(async () => {
  await channel?.close();
  channel = null;
});

describe.each(["riper", "dptr"] as const)("%s", (name) => {
  const protocol = protocolNamed(name);
  const rows: readonly (readonly [readonly (readonly string[])[], string, readonly string[]])[] = [
    ...table[name],
    ...dispatches.map(([steps, ...rest]) => [[...approvedDesign[name], ...steps], ...rest] as const),
  ];
  // Both cycles, then the last review.
  const second = reviewed.slice(2);
  const last = [...approvedDesign[name], ...reviewed, ...second, ["suite", "pass"]];
  const failed = [...approvedDesign[name], ...cycle, ["red", "ME"], ["suite_failed", "pass"]];
  const reviews = [last, failed].map((steps) => [steps, "Ω₆ⱽ[]", ["APPROVED", "NEEDS_CHANGE"]] as const);
  const all = [...rows, ...reviews];

  const at = (steps: readonly (readonly string[])[]): Play => {
    const run = play(protocol);
    for (const [path = "", code = ""] of steps) run.answer(path, code, payloadResult(path, code));
    return run;
  };

  verifies(
    "TDP-68",
    `${name}: every dispatch is printed with the parameters of its agent, in their order`,
    () => {
      const printed = all.map(([steps]) => lineOf(at(steps)));
      expect(printed).toEqual(all.map(([, line]) => line));
      const seen = all.map(([steps]) => dispatchOf(at(steps)).state);
      const states = Object.values(protocol.machines).flatMap((machine) =>
        Object.values(machine.states).flatMap(statesIn),
      );
      const dispatching = states.filter(({ kind }) => kind === "dispatch").map((state) => state.name);
      expect([...new Set(seen)].toSorted()).toEqual([...new Set(dispatching)].toSorted());
    },
  );

  verifies(
    "TDP-17",
    `${name}: each dispatch takes its own codes and the four errors; others are refused with those, and change nothing`,
    async () => {
      for (const [steps, line, own] of all) {
        const allowed = [...own, ...always];
        const command = dispatchOf(at(steps));
        const role = protocol.roles[command.role];
        for (const good of allowed) {
          const decisions = collectDecisions(command, [], payloadSchemas(payloadKinds, command, role));
          channel = await openChannel(channelCalls(command, decisions));
          const address = channel;
          const report = (status: string): Promise<ChannelAnswer> =>
            callChannel(address, { call: "report", status, message: "", payload: payloadOf(status) });
          if (good === allowed[0])
            for (const code of seeds.filter((each) => !allowed.includes(each))) {
              const answer = await report(code);
              expect([line, code, answer]).toEqual([
                line,
                code,
                { version: 1, ok: false, error: expect.anything() },
              ]);
              if (answer.ok) continue;
              expect(answer.error.code).toBe("code_not_allowed");
              expect(answer.error.codes?.toSorted()).toEqual(allowed.toSorted());
              for (const each of allowed) expect(answer.error.message).toContain(each);
            }
          expect(decisions.accepted()).toBeNull();
          expect([line, good, (await report(good)).ok]).toEqual([line, good, true]);
          expect(decisions.accepted()?.status).toBe(good);
          await address.close();
          channel = null;
          const run = at(steps);
          run.answer(command.path, good, payloadResult(command.path, good));
          expect(run.state().open.some(({ key }) => key === command.key)).toBe(false);
        }
      }
    },
  );
});

verifies(
  ["TDP-05", "TDP-12", "TDP-16"],
  "a faulty payload is refused as bad_payload with its field and JSON pointer, and a valid one counts afterwards",
  async () => {
    const protocol = protocolNamed("riper");
    const faulty = { cycles: [plan.cycles[0], { ...plan.cycles[1], criteria: [] }] };
    const { tech_stack: _, ...without } = design;
    const cases = [
      [[], "PC", without, "tech_stack", design],
      [[], "PC", { ...design, module_specifications: [] }, "module_specifications", design],
      [[["design", "PC"]], "REVISE", { issues: [] }, "issues", issues],
      [approvedDesign.riper, "PC", faulty, "cycles/1/criteria", plan],
      [approvedDesign.riper, "PR", { cycles: [] }, "cycles", plan],
    ] as const;
    for (const [steps, code, bad, pointer, good] of cases) {
      const run = play(protocol);
      for (const [path = "", outcome = ""] of steps) run.answer(path, outcome, payloadResult(path, outcome));
      const command = dispatchOf(run);
      const decisions = collectDecisions(
        command,
        [],
        payloadSchemas(payloadKinds, command, protocol.roles[command.role]),
      );
      channel = await openChannel(channelCalls(command, decisions));
      const report = { call: "report", status: code, message: "" };
      expect(await callChannel(channel, { ...report, payload: bad })).toMatchObject({
        ok: false,
        error: {
          code: "bad_payload",
          field: `payload.${pointer.replaceAll("/", ".")}`,
          pointer: `/${pointer}`,
        },
      });
      expect(decisions.accepted()).toBeNull();
      expect(await callChannel(channel, { ...report, payload: good })).toMatchObject({ ok: true });
      await channel.close();
      channel = null;
    }
  },
);

function dispatchOf(run: Play): DispatchCommand {
  const command = run.state().open.find(({ type }) => type === "dispatch");
  if (command?.type !== "dispatch") throw new Error("no dispatch is open");
  return command;
}

function lineOf(run: Play): string {
  const line = dispatchLine(
    { session: { state: run.state() }, protocol: protocolNamed("riper") },
    dispatchOf(run),
  );
  return (line ?? "").replace(/S(?:PLAN|TDD)_t\d+(?:_C\d+)?/u, "S{sid}");
}

/** The list that the runtime makes of a payload. */
function payloadResult(path: string, code: string) {
  if (code !== "PC" && code !== "PR") return {};
  const [list, ids] =
    path === "design" ? (["modules", ["auth", "mail"]] as const) : (["cycles", ["C1", "C2"]] as const);
  return { list, items: ids.map((id) => ({ id, hash: id })) };
}

function payloadOf(code: string): unknown {
  if (code === "REVISE") return issues;
  return code === "PC" || code === "PR" ? { ...design, ...plan } : undefined;
}

function statesIn(state: State): readonly State[] {
  if (state.kind !== "parallel") return [state];
  return Object.values(state.regions).flatMap(({ states }) => Object.values(states).flatMap(statesIn));
}
