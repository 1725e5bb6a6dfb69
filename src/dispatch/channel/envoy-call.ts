/** The channel's `envoy` call: read-only Envoy commands for an agent that may not open the store (CORE-98). */
import * as z from "zod";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { Calls } from "../../channel/server.ts";
import { okAnswer, firstFault, errorAnswer, type ChannelAnswer } from "../../channel/wire.ts";
import type { RunContext } from "../../run/context.ts";
import { loadEnvoy, type ToolAnswer } from "../../plans/envoy-program.ts";

const EnvoyCall = z.object({ tool: z.string(), args: z.unknown().optional() });

/** Max bytes that a channel's client reads, less the envelope. */
const maxBytes = 3 << 20;

/** @returns null for an isolated role, which shares only documents with others */
export function envoyOfDispatch(
  { protocol, repository }: Pick<RunContext, "protocol" | "repository">,
  { role }: Pick<DispatchCommand, "role">,
): Calls | null {
  return protocol.roles[role]?.isolated === false ? envoyCalls(repository.checkout) : null;
}

/** @param cwd the person's checkout, whose branch has the plan; an agent's workspace cannot be trusted to name it */
export function envoyCalls(cwd: string): Calls {
  return envoyCallsBy(async ({ tool, args }) => {
    const { callTool } = await loadEnvoy();
    return callTool(tool, args, { cwd, texts: "literal", which: "reading" });
  });
}

export type EnvoyCall = z.infer<typeof EnvoyCall>;

/** @param execute runs a well-formed call */
export function envoyCallsBy(execute: (called: EnvoyCall) => Promise<ToolAnswer>): Calls {
  return {
    async envoy(request: unknown): Promise<ChannelAnswer> {
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
        message: `the answer has ${bytes} bytes; within a dispatch at most ${maxBytes} are sent`,
        hint: "ask for less",
      });
    },
  };
}
