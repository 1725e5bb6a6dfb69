/** `envoy` at the channel: the commands of Envoy that only read, for an agent that may not open the store itself (CORE-98). */
import { z } from "zod";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { Calls } from "../../channel/server.ts";
import { okAnswer, firstFault, errorAnswer, type Answer } from "../../channel/wire.ts";
import type { RunContext } from "../../run/context.ts";
import { loadEnvoy, type ToolAnswer } from "../../plans/envoy-program.ts";

const EnvoyCall = z.object({ tool: z.string(), args: z.unknown().optional() });

/** What the caller of a channel reads at most, less what stands around it. */
const maxBytes = 3 << 20;

/** An isolated role shares nothing with others but what its documents say: null. */
export function envoyOfDispatch(
  { protocol, repository }: Pick<RunContext, "protocol" | "repository">,
  { role }: Pick<DispatchCommand, "role">,
): Calls | null {
  return protocol.roles[role]?.isolated === false ? envoyCalls(repository.checkout) : null;
}

/** @param cwd the person's checkout, whose branch has the plan; what an agent's workspace says of its repository is its own word */
export function envoyCalls(cwd: string): Calls {
  return envoyCallsBy(async ({ tool, args }) => {
    const { callTool } = await loadEnvoy();
    return callTool(tool, args, { cwd, texts: "literal", which: "reading" });
  });
}

export type EnvoyCall = z.infer<typeof EnvoyCall>;

/** @param execute what a well-formed call is obeyed by */
export function envoyCallsBy(execute: (called: EnvoyCall) => Promise<ToolAnswer>): Calls {
  return {
    async envoy(request: unknown): Promise<Answer> {
      const read = EnvoyCall.safeParse(request);
      if (!read.success) {
        const { field, why } = firstFault(read.error, "");
        const message = `${field}: ${why}`;
        return errorAnswer({ code: "bad_request", message, hint: "envoy has tool and args", field });
      }
      const answer = await execute(read.data);
      const bytes = Buffer.byteLength(answer.text);
      if (bytes <= maxBytes) return okAnswer(answer);
      return errorAnswer({
        code: "bad_request",
        message: `the answer has ${bytes} bytes; within a dispatch at most ${maxBytes} are told`,
        hint: "ask for less",
      });
    },
  };
}
