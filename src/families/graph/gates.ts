/** The gates of the graph family. */
import type { Gates } from "../../family/gate.ts";
import { nodeScaffoldGate } from "./gates/scaffold.ts";
import { nodeRedGate } from "./gates/red.ts";
import { nodeGreenGate } from "./gates/green.ts";
import { nodeContractsGate } from "./gates/contracts.ts";
import { squashGate } from "./gates/squash.ts";
import { publishGate } from "./gates/publish.ts";
import { ontoParentGate } from "./gates/onto-parent.ts";
import { nodeRebasedGate } from "./gates/rebased.ts";

export const gates: Gates = {
  node_scaffold: nodeScaffoldGate,
  node_red: nodeRedGate,
  node_green: nodeGreenGate,
  node_contracts: nodeContractsGate,
  squash: squashGate,
  publish: publishGate,
  onto_parent: ontoParentGate,
  node_rebased: nodeRebasedGate,
};
