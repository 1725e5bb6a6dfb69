/** The family of dptr and riper: test-driven cycles, a memory bank in the checkout, and an editable design. */
import { hasMemoryBank } from "../../memory/bank/files.ts";
import { plain } from "../../engine/plain.ts";
import type { Family } from "../../family/family.ts";
import { cycleNumber, cycleOf, cyclesIn } from "./cycle.ts";
import { dialogueCalls, speaker } from "./dialogue-calls.ts";
import { dispatchLine } from "./dispatch-line.ts";
import { disputeLines } from "./dispute-lines.ts";
import { takeEditedDesign } from "./edited-design.ts";
import { failedCycles } from "./failures.ts";
import { gates } from "./gates.ts";
import { requestedChanges, loopLines } from "./loop-lines.ts";
import { projectMemoryBank } from "./memory-bank.ts";
import { noteText } from "./note-text.ts";
import { observeText } from "./observe-text.ts";
import { payloadKinds } from "./payload-kinds.ts";
import { cycleVariableNames } from "./variable-names.ts";
import { cycleVariables } from "./variables.ts";
import { cycleWork } from "./work.ts";

export const cycles: Family = {
  ...plain,
  name: "cycles",
  gates,
  payloadKinds,
  variableNames: cycleVariableNames,
  owns: (protocol) =>
    hasMemoryBank(protocol) ||
    Object.keys(protocol.gates).some((gate) => gate.startsWith("cycle_")) ||
    Object.values(protocol.roles).some(({ label }) => label === "QA" || label === "DE"),
  writeDocuments: async (context) => {
    await plain.writeDocuments(context);
    await projectMemoryBank(context);
  },
  rounds: (context) => ({
    before: async (busy) => busy.size === 0 && (await takeEditedDesign(context)).length > 0,
    // An answer about a design that a person changed meanwhile is void.
    beforeResult: async () => {
      await takeEditedDesign(context);
    },
  }),
  work: async (context, command, writes) =>
    cycleWork(context, command) ?? plain.work(context, command, writes),
  variables: cycleVariables,
  calls: (context, command, calling) => ({
    ...plain.calls(context, command, calling),
    speaker: speaker(context, command, calling.isDecided),
    dialogue: dialogueCalls(context, command, calling.isDecided),
  }),
  planned: async (documented) => {
    const planned = await cyclesIn(documented);
    if (planned.length === 0) return plain.planned(documented);
    return {
      requirements: planned.flatMap(({ criteria }) => criteria),
      files: planned.flatMap(({ files }) => files),
      plannedTests: {},
    };
  },
  plannedTests: async (context, command) =>
    cycleNumber(context, command) === null ? null : (await cycleOf(context, command)).plan.tests,
  onAgentEnded: observeText,
  // In a cycle the message of a report is about its tests, so its claims are checked too (TDP-38).
  claimText: (finished) => {
    const { context, command, turns } = finished;
    const message = cycleNumber(context, command) === null ? "" : (turns.decision?.message ?? "");
    return `${plain.claimText(finished)}\n${message}`;
  },
  askContext: async (context, ask) => {
    if (ask.as === "escalated") return loopLines(context, ask);
    const wanted = await requestedChanges(context, ask);
    return wanted.length > 0 ? wanted.map((line) => `  ${line}`) : disputeLines(context, ask);
  },
  facts: (change) => Promise.resolve(failedCycles(change)),
  line: dispatchLine,
  note: (session, note, proof) => noteText({ session, payloads: session.ports.payloads }, note, proof),
};
