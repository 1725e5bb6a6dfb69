/** Bundles that verify by signature and claim too much: each is a real one with one change (PRV-24). */
import type { Packet } from "./packet-edits.ts";
import { packetsOfChain } from "./packets-of-chain.ts";
import { packetsOfContents } from "./packets-of-contents.ts";
import { packetsOfResults } from "./packets-of-results.ts";

export const packets: readonly Packet[] = [...packetsOfChain, ...packetsOfResults, ...packetsOfContents];
