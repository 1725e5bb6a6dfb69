/** The steps of a cassette that need no separate process. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { AgentEvent } from "../agent.ts";
import type { Reply, CassetteStep } from "./cassette.ts";

export interface StepContext {
  /** The folder in which the agent works. */
  readonly cwd: string;
  readonly emit: (event: AgentEvent) => void;
}

type PlainStep = Extract<
  CassetteStep,
  | { say: unknown }
  | { write: unknown }
  | { edit: unknown }
  | { delete: unknown }
  | { usage: unknown }
  | { denied: unknown }
>;

export type PlainReply = Omit<Reply, "does"> & { readonly does: readonly PlainStep[] };

export function isPlain(step: CassetteStep): step is PlainStep {
  return ["say", "write", "edit", "delete", "usage", "denied"].some((kind) => kind in step);
}

export function performPlain(step: PlainStep, { cwd, emit }: StepContext): void {
  if ("say" in step) return emit({ type: "text", text: step.say });
  if ("write" in step) return write(resolve(cwd, step.write.path), step.write.content);
  if ("edit" in step) return edit(resolve(cwd, step.edit.path), step.edit);
  if ("delete" in step) return rmSync(resolve(cwd, step.delete), { recursive: true, force: true });
  if ("usage" in step) return emit({ type: "usage", ...step.usage });
  return emit({ type: "denied", ...step.denied });
}

export function report({ report: given }: Pick<Reply, "report">, emit: StepContext["emit"]): void {
  if (given === undefined) return;
  const { status, message, payload } = given;
  emit({ type: "report", status, message, payload });
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function edit(path: string, change: { find: string; replace: string }): void {
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replace(change.find, () => change.replace),
  );
}
