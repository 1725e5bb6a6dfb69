/** Reads the channel of the current dispatch from the environment. It loads no library, for programs that start often. */
import { variable } from "../config/env.ts";
import type { ChannelAddress } from "./channel.ts";

export const socketVariable = "METTLE_SOCKET";
export const tokenVariable = "METTLE_TOKEN";
/** Key of the dispatch, inherited by every process that an agent starts. */
export const dispatchVariable = "METTLE_DISPATCH";

/** True even if the address is incomplete: the process belongs to an agent all the same. */
export function isWithinDispatch(): boolean {
  return [socketVariable, tokenVariable, dispatchVariable].some((name) => variable(name) !== null);
}

/** A missing value is an empty string, and calls on the channel then fail. */
export function channelFromEnvironment(): ChannelAddress {
  return { socket: variable(socketVariable) ?? "", token: variable(tokenVariable) ?? "" };
}
