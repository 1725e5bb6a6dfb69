/**
 * The library: protocols, the kernel, and the data formats of a run. Everything here is pure; the program `mettle` is the
 * runtime. `examples/drive-the-kernel.mjs` is an example that CI runs.
 */
export { loadProtocol, type ProtocolSources } from "./protocol/load.ts";
export { checkProtocol, type CheckOptions, type Problem } from "./protocol/check.ts";
export { toMermaid } from "./protocol/mermaid.ts";
export type { Machine, Protocol, Route, State } from "./protocol/machine.ts";

export { fold, init, step, type Step } from "./kernel/step.ts";
export { isEnded, openCommands, waitingAsks } from "./kernel/inspect.ts";
export type { Command } from "./kernel/command.ts";
export { KernelEvent } from "./kernel/event.ts";
export { RunEvent, type EventOf, type Recorded } from "./log/run-event.ts";
export type { RunState } from "./kernel/state.ts";

export { EvidenceRecord } from "./evidence/record.ts";
export type { Verdict } from "./gates/verdict.ts";
export type { Agent, AgentEvent, AgentOutcome, AgentSpec } from "./agents/agent.ts";
export type { Journal, NewEvent, StoredEvent } from "./journal/journal.ts";
export { parseAnswer, type Answer } from "./lib/answer.ts";
export { AppError, errorCodes, type ErrorCode } from "./lib/errors.ts";
