/** Requests of the page to its server. Addresses are relative: the page's own path is a part of its security. */
import type { MemoryModel, ObservationModel } from "../../views/model/memory-model.ts";
import type { PlanModel } from "../../views/model/plan-model.ts";
import type { Decision, GateAnswer, GateForm, TextPart, WireError } from "./wire.ts";

export type Asked<Value> =
  | { readonly type: "ok"; readonly value: Value }
  | { readonly type: "failed"; readonly status: number; readonly error: WireError };

/** Where a run is: the id of its repository, and its own. */
export interface RunPlace {
  readonly repository: string;
  readonly run: string;
}

export function fetchText(repository: string, address: string, from: number): Promise<Asked<TextPart>> {
  return ask(`${repositoryPath(repository)}/texts/${encodeURIComponent(address)}?from=${from}`);
}

/** @param from null: the commit before it */
export function fetchDiff(
  repository: string,
  { commit, from }: { readonly commit: string; readonly from: string | null },
): Promise<Asked<TextPart>> {
  return ask(`${repositoryPath(repository)}/diffs/${commit}${from === null ? "" : `?from=${from}`}`);
}

export interface MemoryAnswer {
  readonly memory: MemoryModel;
}

/** @param query what entities of the knowledge graph must contain; empty: everything */
export function fetchMemory(repository: string, query: string): Promise<Asked<MemoryAnswer>> {
  return ask(`${repositoryPath(repository)}/memory?query=${encodeURIComponent(query)}`);
}

export function fetchDialogue(
  repository: string,
  name: string,
): Promise<Asked<{ readonly observations: readonly ObservationModel[] }>> {
  return ask(`${repositoryPath(repository)}/dialogues/${encodeURIComponent(name)}`);
}

/** Of the events with what agents say. @param keys of their dispatches */
export function saidAddress({ repository, run }: RunPlace, keys: readonly string[]): string {
  const query = new URLSearchParams(keys.map((key) => ["key", key]));
  return `${repositoryPath(repository)}/runs/${encodeURIComponent(run)}/said?${query.toString()}`;
}

export function fetchGates(repository: string): Promise<Asked<{ readonly gates: readonly GateForm[] }>> {
  return ask(`${repositoryPath(repository)}/gates`);
}

/** @returns null if the branch has no plan */
export function fetchPlan(
  repository: string,
  branch: string,
): Promise<Asked<{ readonly plan: PlanModel | null }>> {
  return ask(`${repositoryPath(repository)}/plan?branch=${encodeURIComponent(branch)}`);
}

export function sendDecision({ repository, run }: RunPlace, decision: Decision): Promise<Asked<unknown>> {
  return ask(`${repositoryPath(repository)}/runs/${encodeURIComponent(run)}/decisions`, decision);
}

export function sendGateAnswer(repository: string, answer: GateAnswer): Promise<Asked<unknown>> {
  return ask(`${repositoryPath(repository)}/gates`, answer);
}

/** Whether this browser still has a session; null: the server cannot be reached. */
export async function hasSession(): Promise<boolean | null> {
  const asked = await ask("api/session");
  if (asked.type === "ok") return true;
  return asked.status === 0 ? null : asked.status !== 401 && asked.status !== 404;
}

function repositoryPath(id: string): string {
  return `api/repositories/${encodeURIComponent(id)}`;
}

async function ask<Value>(path: string, body?: unknown): Promise<Asked<Value>> {
  const sent =
    body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const response = await fetch(path, { credentials: "same-origin", ...sent });
    const text = await response.text();
    if (response.ok) return { type: "ok", value: JSON.parse(text) as Value };
    return { type: "failed", status: response.status, error: errorIn(text) };
  } catch {
    return { type: "failed", status: 0, error: unreachable };
  }
}

const unreachable: WireError = {
  code: "unreachable",
  message: "the server of this page cannot be reached",
  hint: "start `mettle ui` again, and open the address that it prints",
};

function errorIn(text: string): WireError {
  try {
    return (JSON.parse(text) as { error: WireError }).error;
  } catch {
    return {
      code: "refused",
      message: text,
      hint: "press Enter where `mettle ui` runs, and open the address that it prints",
    };
  }
}
