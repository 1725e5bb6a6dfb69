/** Error codes that no single command provokes: each with a call of the module that throws it. */
import { putJson, readPointer } from "../../src/journal/payload-parts.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { ErrorCode } from "../../src/lib/errors.ts";
import { readMemoryFile } from "../../src/memory/bank/files.ts";
import { readAddress } from "../../src/memory/bank/lookup.ts";
import { openGraph } from "../../src/memory/graph/open.ts";
import { parseDispatch } from "../../src/notation/dispatch-line.ts";
import { readMode } from "../../src/notation/modes.ts";
import { readMemoryAddress, readMemoryName } from "../../src/notation/memory-reference.ts";
import { memoryPayloads } from "../../src/testing/memory-payloads.ts";
import { parseStatus } from "../../src/notation/status-line.ts";
import { newFolder } from "../support/folder.ts";

export const errorAttempts: readonly (readonly [code: ErrorCode, attempt: () => Promise<unknown>])[] = [
  ["unknown_memory", async () => readMemoryName("s9")],
  ["bad_reference", async () => readMemoryAddress("s1.")],
  ["unknown_section", () => readAddress("/nowhere", { memory: 1, target: null })],
  ["memory_unreadable", () => readMemoryFile("/", "dev/null")],
  ["unknown_mode", async () => readMode("Ω₂ˢ", "riper")],
  ["missing_param", async () => parseDispatch("Ω₃ᴾ[Sx]", "riper")],
  ["unexpected_param", async () => parseDispatch("Ω₆ⱽ[R1]", "riper")],
  ["bad_param", async () => parseDispatch("Ω₃ᴾ[Sx,R-1]", "riper")],
  ["bad_syntax", async () => parseDispatch("Ω₁ᴾ[] x", "riper")],
  ["unknown_status", async () => parseStatus("→XX")],
  ["bad_status", async () => parseStatus("RC")],
  ["entity_unknown", () => observeUnknownEntity()],
  ["pointer_not_found", () => readMissingPointer()],
];

async function readMissingPointer(): Promise<unknown> {
  const payloads = memoryPayloads();
  return readPointer(payloads, { ref: await putJson(payloads, {}), pointer: "/nowhere" });
}

async function observeUnknownEntity(): Promise<unknown> {
  const home = newFolder();
  const graph = await openGraph({ home, clock: systemClock });
  try {
    return await graph.addObservations([{ entityName: "nobody", contents: ["x"] }]);
  } finally {
    await graph.close();
  }
}
