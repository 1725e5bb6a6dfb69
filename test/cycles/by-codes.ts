/**
 * A run of riper or dptr that is driven by codes: each report is settled as the runtime settles an agent's, through the
 * run's own session, without agents or gates. For tests of codes, rounds and counters alone.
 */
import { canonicalJson } from "../../src/lib/hash.ts";
import type { AskCommand, Command, DispatchCommand } from "../../src/kernel/command.ts";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { presentAsk } from "../../src/engine/asks/present.ts";
import { showAsk } from "../../src/engine/asks/show.ts";
import type { FamilyRun } from "../../src/family/family.ts";
import { activeState } from "../../src/families/cycles/active-state.ts";
import { payloadSchemas } from "../../src/dispatch/channel/payload-schemas.ts";
import { renderPrompt } from "../../src/dispatch/prompt/prompt.ts";
import { deliver } from "../../src/dispatch/settle.ts";
import { collectDecisions } from "../../src/dispatch/channel/decisions.ts";
import { openRun } from "../../src/families/open-run.ts";
import type { World } from "../orchestrate/world.ts";
import { oneCycle, withoutSessionName } from "./world.ts";

export interface ByCodes {
  readonly run: string;
  readonly context: FamilyRun;
  open(): Command;
  /** The open dispatch in the wire form, with `{sid}` for its session. */
  line(): string;
  lines(): readonly string[];
  /** Reports a code for the open dispatch, or sets a gate's verdict. */
  say(code: string, message?: string, payload?: unknown): Promise<void>;
  prompt(): Promise<string>;
  state(): ReturnType<typeof activeState>;
  /** The text of the open question to a person. */
  shown(): Promise<string>;
  answer(outcome: string, text: string): Promise<void>;
}

export const design = {
  architecture_design: "Two functions.",
  module_specifications: [
    { name: "auth", specification: "checks a password" },
    { name: "mail", specification: "sends a mail" },
  ],
  tech_stack: "JavaScript",
};

export const plan = {
  cycles: ["auth()", "mail()"].map((method, index) => ({
    method,
    task: `Make ${method}.`,
    tests: [`test/${index}.test.js`],
    criteria: [{ id: `C${index}`, text: "It works." }],
    files: [],
  })),
};

export const issues = {
  issues: [
    { problem: "no salt", suggestion: "salt it" },
    { problem: "no retry", suggestion: "try again once" },
  ],
};

export async function byCodes(world: World, protocol: "riper" | "dptr"): Promise<ByCodes> {
  const run = await world.start((await oneCycle()) as never, { protocol });
  const context = await openRun(world.host, { run });
  const { session, payloads } = context;
  const open = (): Command => {
    const [command] = session.state.open.filter(({ type }) => type !== "spawn");
    if (!command) throw new Error("nothing is open");
    return command;
  };
  const waiting = (): AskCommand => {
    const command = open();
    if (command.type !== "ask") throw new Error(`${command.state} is no ask`);
    return command;
  };
  const settle = async (key: string, settlement: Parameters<typeof session.settle>[1]): Promise<void> => {
    const { ignored } = await session.settle(key, settlement);
    if (ignored !== null) throw new Error(ignored);
  };
  return {
    run,
    context,
    open,
    line: () => withoutSessionName(session.view.commands[open().key]?.line ?? ""),
    lines: () =>
      session.view.order.flatMap((key) => withoutSessionName(session.view.commands[key]?.line ?? "") || []),
    async say(code, message = "", payload = payloadOf(code)) {
      const command = open();
      if (command.type !== "dispatch") return settle(command.key, { outcome: code, text: message });
      const told = { status: code, message, ...(payload === undefined ? {} : { payload }) };
      const role = context.protocol.roles[command.role];
      const offer = collectDecisions(command, [], payloadSchemas(context.payloadKinds, command, role)).offer(
        told,
        "mcp",
      );
      if (offer.type === "refused") throw new Error(offer.why);
      await settle(command.key, {
        outcome: code,
        text: message,
        payload: await payloads.put(canonicalJson({ status: code, message, payload: payload ?? null })),
        ...(await deliver(context, command, { status: code, payload })),
      });
    },
    async prompt() {
      return (await renderPrompt(context, open() as DispatchCommand, { asks: true })).text;
    },
    state: () => activeState(context),
    async shown() {
      await showAsk(context, waiting());
      return presentAsk(context, waiting());
    },
    async answer(outcome, text) {
      const ask = waiting();
      const by = { answeredBy: "tty", authenticated: true, who: "the test" } as const;
      await settle(ask.key, await answerAsk(context, { ask, outcome, text, by }));
    },
  };
}

/** Up to the plan loop. */
export async function approveDesign(run: ByCodes): Promise<void> {
  await run.say("PC", "designed", design);
  while (run.open().mode === "Ω₂ᴬ") await run.say("ACCEPT", "good");
}

/** The default payload of a code. */
function payloadOf(code: string): unknown {
  switch (code) {
    case "REVISE":
      return issues;
    case "PC":
    case "PR":
      return plan;
    default:
      return undefined;
  }
}
