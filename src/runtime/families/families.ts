/** The protocol families that there are. A new one is its folder and a line here. */
import { gates } from "../checks/known-gates.ts";
import { cycles } from "./cycles/family.ts";
import { plain, type Families, type Family } from "../family.ts";
import { graph } from "./graph/family.ts";
import { steps } from "./steps/family.ts";

export const shipped: readonly Family[] = [graph, steps, cycles];

export function familiesOf(list: readonly Family[]): Families {
  return {
    of: (protocol) => list.find((family) => family.owns(protocol)) ?? plain,
    gates: Object.assign({}, gates, ...list.map((family) => family.gates)),
  };
}

export const shippedFamilies: Families = familiesOf(shipped);
