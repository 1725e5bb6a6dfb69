/** The channel of one dispatch: a socket and a token, from before the first turn until the end of the dispatch. */
import { AppError } from "../lib/errors.ts";
import { newToken } from "../lib/ids.ts";
import { makeFolder, removeFolder, sweepFolders } from "./folder.ts";
import { listenAt, type Calls } from "./server.ts";

export interface ChannelAddress {
  /** Path of the socket. */
  readonly socket: string;
  readonly token: string;
}

export interface Channel extends ChannelAddress {
  close(): Promise<void>;
}

/** @param parents folders to try for the socket's folder, in order; default: the temporary folder of the system */
export async function openChannel(calls: Calls, parents?: readonly string[]): Promise<Channel> {
  await (swept ??= sweepFolders());
  try {
    const socket = await makeFolder(parents);
    const token = newToken();
    const listening = await listenAt({ path: socket, token, calls });
    return {
      socket,
      token,
      async close() {
        await listening.close();
        await removeFolder(socket);
      },
    };
  } catch (cause) {
    throw new AppError("channel_failed", `no socket could be opened for the agent: ${String(cause)}`, {
      hint: "make room in the folder for temporary files, or name another one in TMPDIR, then `mettle resume`",
      cause,
    });
  }
}

/** Once per process. */
let swept: Promise<void> | undefined;
