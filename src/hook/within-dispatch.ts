/** Within a dispatch of Mettle a hook is a client of its channel: what the role may write is the runtime's to say (CORE-98). */
import { channelFromEnvironment } from "../channel/environment.ts";
import { callChannel } from "../channel/client.ts";
import type { HookFacts } from "../run/hook-files.ts";
import { pass, type Answer, type HookCall } from "./call.ts";
import { judgeWrites } from "./writes.ts";

const timeoutMs = 1_000;

/** The sandbox and the gates hold the agent too: where the runtime says nothing, the call passes. */
export async function answerWithinDispatch(
  call: HookCall,
  ignores: (checkout: string, path: string) => Promise<boolean>,
): Promise<Answer> {
  if (call.event !== "PreToolUse") return pass;
  const answer = await callChannel(channelFromEnvironment(), { call: "hook" }, timeoutMs);
  if (!answer.ok) throw new Error(`error[${answer.error.code}]: ${answer.error.message}`);
  const facts = answer.result as HookFacts;
  return judgeWrites(facts, call, (path) => ignores(facts.checkout, path));
}
