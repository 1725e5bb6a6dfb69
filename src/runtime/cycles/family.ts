/** The family of dptr and riper: test-driven cycles of a plan, a memory bank in the checkout, a design that a person may edit. */
import { plain, type Family } from "../family.ts";
import { dialogueCalls, speaker } from "./dialogue-calls.ts";
import { dispatchLine } from "./dispatch-line.ts";
import { takeEditedDesign } from "./edited-design.ts";
import { failedCycles } from "./failures.ts";
import { hasMemoryBank, projectMemoryBank } from "./memory-bank.ts";
import { noteInWords } from "./note.ts";
import { observeText } from "./observe-text.ts";
import { cycleVariables } from "./variables.ts";
import { cycleWork } from "./work.ts";

export const cycles: Family = {
  ...plain,
  name: "cycles",
  owns: (protocol) =>
    hasMemoryBank(protocol) || Object.keys(protocol.gates).some((gate) => gate.startsWith("cycle_")),
  project: projectMemoryBank,
  rounds: (context) => ({
    before: async (busy) => busy.size === 0 && (await takeEditedDesign(context)).length > 0,
    // What was answered about a design that a person changed in the meantime counts no more.
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
  heard: observeText,
  facts: (change) => Promise.resolve(failedCycles(change)),
  line: dispatchLine,
  note: (session, note, proof) => noteInWords({ session, payloads: session.ports.payloads }, note, proof),
};
