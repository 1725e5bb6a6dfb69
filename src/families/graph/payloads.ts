/** Reads stored payloads of nodes. They were validated before they were stored. */
import type * as z from "zod";
import { invariant } from "../../lib/assert-never.ts";
import { readJson } from "../../journal/payload-parts.ts";
import type { NodeExit } from "../../log/node-events.ts";
import type { NodeEntry } from "../../log/nodes.ts";
import type { RunContext } from "../../run/context.ts";

type WithPayloads = Pick<RunContext, "payloads">;

export async function readStored<T>({ payloads }: WithPayloads, ref: string, type: z.ZodType<T>): Promise<T> {
  return type.parse(await readJson(payloads, ref));
}

/** The accepted payload of an exit; null if none was accepted. */
export async function acceptedOf<T>(
  store: WithPayloads,
  { entry, exit, type }: { readonly entry: NodeEntry; readonly exit: NodeExit; readonly type: z.ZodType<T> },
): Promise<T | null> {
  const ref = entry.accepted[exit];
  return ref === undefined ? null : readStored(store, ref, type);
}

/** The same, at a point where the protocol guarantees it. */
export async function requireAccepted<T>(
  store: WithPayloads,
  of: { readonly entry: NodeEntry; readonly exit: NodeExit; readonly type: z.ZodType<T> },
): Promise<T> {
  const found = await acceptedOf(store, of);
  invariant(found, `${of.entry.node} works with a ${of.exit} that it does not have`);
  return found;
}

/** The payload of an agent's decision, as its dispatch was settled. */
export async function decisionPayload(store: WithPayloads, ref: string): Promise<unknown> {
  const stored = (await readJson(store.payloads, ref)) as { readonly payload?: unknown };
  return stored.payload;
}
