/** The gates of the graph. */
import type { Gates } from "../checks/check.ts";
import { nodeScaffoldGate } from "../checks/node/scaffold.ts";
import { nodeRedGate } from "../checks/node/red.ts";
import { nodeGreenGate } from "../checks/node/green.ts";
import { nodeContractsGate } from "../checks/node/contracts.ts";
import { squashGate } from "../checks/node/squash.ts";
import { publishGate } from "../checks/node/publish.ts";
import { ontoParentGate } from "../checks/node/onto-parent.ts";
import { nodeRebasedGate } from "../checks/node/rebased.ts";

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
