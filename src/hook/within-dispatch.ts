/** Within a dispatch a hook asks the channel what the role may write (CORE-98). */
import { channelFromEnvironment } from "../channel/environment.ts";
import { callChannel } from "../channel/client.ts";
import type { HookFacts } from "../run/hook-files.ts";
import { pass, type HookDecision, type HookCall } from "./call.ts";
import { judgeWrites } from "./writes.ts";

const timeoutMs = 1_000;

/** @throws if the runtime does not answer; the call then passes, since sandbox and gates check the agent too */
export async function answerWithinDispatch(
  call: HookCall,
  ignores: (checkout: string, path: string) => Promise<boolean>,
): Promise<HookDecision> {
  if (call.event !== "PreToolUse") return pass;
  const answer = await callChannel(channelFromEnvironment(), { call: "hook" }, timeoutMs);
  if (!answer.ok) throw new Error(`error[${answer.error.code}]: ${answer.error.message}`);
  const facts = answer.result as HookFacts;
  return judgeWrites(facts, call, (path) => ignores(facts.checkout, path));
}
