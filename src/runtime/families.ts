/** The protocol families that there are. A new one is its folder and a line here. */
import type { Protocol } from "../protocol/machine.ts";
import { cycles } from "./cycles/family.ts";
import { plain, type Family } from "./family.ts";
import { graph } from "./nodes/family.ts";
import { orchestrate } from "./orchestrate-family.ts";
import { steps } from "./steps/family.ts";

const families: readonly Family[] = [graph, steps, cycles, orchestrate];

export function familyOf(protocol: Protocol): Family {
  return families.find((family) => family.owns(protocol)) ?? plain;
}
