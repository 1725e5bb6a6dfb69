/** All shipped protocol families. A new one is its folder and a line here. */
import { cycles } from "./cycles/family.ts";
import { plain } from "../engine/plain.ts";
import type { Families, Family } from "../family/family.ts";
import { graph } from "./graph/family.ts";
import { steps } from "./steps/family.ts";

export const shipped: readonly Family[] = [graph, steps, cycles];

export function familiesOf(list: readonly Family[]): Families {
  const all = [plain, ...list];
  return {
    of: (protocol) => list.find((family) => family.owns(protocol)) ?? plain,
    gates: Object.assign({}, ...all.map(({ gates }) => gates)),
    payloadKinds: Object.assign({}, ...all.map(({ payloadKinds }) => payloadKinds)),
    variableNames: [...new Set(all.flatMap(({ variableNames }) => variableNames))],
    assertTemplates: (templates) => {
      for (const family of list) family.assertTemplates(templates);
    },
  };
}

export const shippedFamilies: Families = familiesOf(shipped);
