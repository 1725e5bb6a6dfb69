/** The memory that Impl and TDD have of an attempt, from what was executed (V3-53, 54). */
import { canonicalJson } from "../../../lib/hash.ts";
import { outcomeOf } from "../../../gates/node/node-impl.ts";
import { criteriaOfTest, type CriteriaPlan } from "../../../gates/node/node-tests.ts";
import type { EventOf } from "../../../log/run-event.ts";
import { ImplMem, RequestRetry } from "../../../protocol/graph-types/impl.ts";
import { TDDMem } from "../../../protocol/graph-types/tdd.ts";
import type { RunContext } from "../../../run/context.ts";
import { conversationOf } from "../facts.ts";
import { resultOf } from "../history.ts";
import type { Node } from "../node.ts";
import { decisionPayload, readStored } from "../payloads.ts";

export interface Attempt {
  /** Key of the dispatch. */
  readonly key: string;
  /** Ids of tests that must pass. */
  readonly required: readonly string[];
  /** Ids of tests that were executed and passed. */
  readonly passed: readonly string[];
  /** Why it failed; null if it passed. */
  readonly reason: string | null;
}

type MemoryEvent = EventOf<"node.remembered">;

export async function rememberImpl(context: RunContext, node: Node, attempt: Attempt): Promise<MemoryEvent> {
  const { impl } = node.entry.memory;
  const before = impl === null ? null : await readStored(context, impl, ImplMem);
  const { key, required, passed, reason } = attempt;
  const left = (ids: readonly string[]) => required.filter((id) => !ids.includes(id)).length;
  const history = before?.attemptHistory ?? [];
  const record =
    reason === null
      ? []
      : [
          {
            strategy: await strategyOf(context, key),
            outcome: outcomeOf({
              failing: left(passed),
              all: required.length,
              before: left(before?.passedTests ?? []),
              reason,
            }),
          },
        ];
  const memory: ImplMem = {
    conversationId: conversationOf(context, key),
    passedTests: [...passed],
    attemptHistory: [...history, ...record],
  };
  return memoryEvent(context, { node: node.id, memory: "impl", value: memory });
}

/** Adds an attempt that Impl gave up, in its own words. The passed tests are those of the last run. */
export async function rememberRetry(
  context: RunContext,
  node: Node,
  { key, retry }: { readonly key: string; readonly retry: RequestRetry },
): Promise<MemoryEvent> {
  const { impl } = node.entry.memory;
  const before = impl === null ? null : await readStored(context, impl, ImplMem);
  const record = { strategy: retry.strategyFrom, outcome: `failed: ${retry.diagnosis}` };
  const memory: ImplMem = {
    conversationId: conversationOf(context, key),
    passedTests: before?.passedTests ?? [],
    attemptHistory: [...(before?.attemptHistory ?? []), record],
  };
  return memoryEvent(context, { node: node.id, memory: "impl", value: memory });
}

/** Stores which criteria have a passed test in this run, and which of the node's own tests did not pass (V3-53). */
export async function rememberTdd(
  context: RunContext,
  node: Node,
  {
    own,
    passed,
    ...belonging
  }: CriteriaPlan & { readonly own: readonly string[]; readonly passed: readonly string[] },
): Promise<MemoryEvent> {
  const { tdd } = node.entry.memory;
  const before = tdd === null ? null : await readStored(context, tdd, TDDMem);
  const covered = new Set(
    own.filter((id) => passed.includes(id)).flatMap((id) => criteriaOfTest(id, belonging)),
  );
  const memory: TDDMem = {
    conversationId: before?.conversationId ?? "",
    coveredCriteria: belonging.criteria.filter((id) => covered.has(id)),
    pendingTests: own.filter((id) => !passed.includes(id)),
  };
  return memoryEvent(context, { node: node.id, memory: "tdd", value: memory });
}

async function memoryEvent(
  { payloads }: RunContext,
  { node, memory, value }: { readonly node: string; readonly memory: "tdd" | "impl"; readonly value: object },
): Promise<MemoryEvent> {
  return { type: "node.remembered", node, memory, ref: await payloads.put(canonicalJson(value)) };
}

/** The strategy that a retry announced, else the message of Impl's result. */
async function strategyOf(context: RunContext, key: string): Promise<string> {
  const causes = context.session.view.commands[key]?.command.causes ?? [];
  const retry = causes.findLast(({ outcome }) => outcome === "RequestRetry");
  if (retry?.payload !== undefined) {
    const decided = RequestRetry.safeParse(await decisionPayload(context, retry.payload));
    if (decided.success) return decided.data.strategyTo;
  }
  return resultOf(context, key)?.text ?? "";
}
