/** The channel call `payload`: reads one field of a payload of the node, by reference and JSON pointer (V3-57). */
import { readPointer } from "../../../journal/payload-parts.ts";
import type { DispatchCommand } from "../../../kernel/command.ts";
import { AppError } from "../../../lib/errors.ts";
import type { Calls } from "../../../channel/server.ts";
import { okAnswer, firstFault, PayloadCall, errorAnswer, type ChannelAnswer } from "../../../channel/wire.ts";
import type { RunContext } from "../../../run/context.ts";
import { payloadsFor } from "../prompt/payload-references.ts";
import { nodeOf } from "../node.ts";

/** The limit of one channel answer, less its envelope. */
const maxBytes = 3 << 20;

/** Null in a run whose protocol has no nodes. */
export function payloadCall(context: RunContext, command: DispatchCommand): Calls | null {
  const node = nodeOf(context, command);
  if (node === null) return null;
  return {
    async payload(request: unknown): Promise<ChannelAnswer> {
      const read = PayloadCall.safeParse(request);
      if (!read.success) {
        const { field, why } = firstFault(read.error, "");
        const message = `${field}: ${why}`;
        return errorAnswer({ code: "bad_request", message, hint: "payload has ref and pointer", field });
      }
      const { ref, pointer } = read.data;
      const handed = await payloadsFor(context, command, node);
      if (!handed.some((one) => one.ref === ref))
        return errorAnswer({
          code: "not_allowed",
          message: `${ref} was not handed to this node`,
          hint: handed.map((one) => `${one.what} ${one.ref}`).join(", "),
        });
      return fieldAt(context, { ref, pointer });
    },
  };
}

async function fieldAt(
  { payloads }: RunContext,
  { ref, pointer }: { readonly ref: string; readonly pointer: string },
): Promise<ChannelAnswer> {
  try {
    const value = await readPointer(payloads, { ref, pointer });
    const bytes = Buffer.byteLength(JSON.stringify(value));
    if (bytes <= maxBytes) return okAnswer({ value });
    const message = `${pointer === "" ? "the whole payload" : pointer} has ${bytes} bytes`;
    return errorAnswer({ code: "bad_request", message, hint: "name a field of it", field: "pointer" });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, hint } = error;
    return errorAnswer({ code, message, hint });
  }
}
