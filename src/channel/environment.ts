/** The channel of the dispatch around this process, as its environment names it. For programs that start often: nothing is loaded. */
import { variable } from "../config/env.ts";
import type { ChannelAddress } from "./channel.ts";

export const socketVariable = "METTLE_SOCKET";
export const tokenVariable = "METTLE_TOKEN";
/** Tells every process below an agent's whose it is. */
export const dispatchVariable = "METTLE_DISPATCH";

/** Also where only a part of its address is there: an agent's process it is all the same. */
export function isWithinDispatch(): boolean {
  return [socketVariable, tokenVariable, dispatchVariable].some((name) => variable(name) !== null);
}

/** What is missing is empty, and answered by nobody. */
export function channelFromEnvironment(): ChannelAddress {
  return { socket: variable(socketVariable) ?? "", token: variable(tokenVariable) ?? "" };
}
