/**
 * Refusals of a node's payload beyond its type, reported while the agent can still correct it (V3-05 to 08, 16, 36,
 * 91). Pure; called by `judge-decision.ts`.
 */
import { pathFault } from "../../../gates/node/node-paths.ts";
import { graphNodes, nodeExits } from "../../../protocol/graph-types/nodes.ts";
import { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import { shapeOf, type Shape } from "../../../protocol/graph-types/shape.ts";
import { TDDApproval } from "../../../protocol/graph-types/shared.ts";
import { MoreTests } from "../../../protocol/graph-types/tdd.ts";
import { refusal, type RefusalRule, type Refusal, type TreeFacts } from "./refusal.ts";
import { childrenRefusal } from "./children-refusal.ts";

/** Expects a payload that already has the type of its exit. */
export function nodeRefusal(facts: TreeFacts): RefusalRule {
  return (status, payload) => {
    switch (status) {
      case "InitWork":
        return childrenRefusal(InitWork.parse(payload), facts);
      case "MoreTests":
        return emptyMoreTests(MoreTests.parse(payload));
      case "Approved":
        return blankSignOff(TDDApproval.parse(payload));
      default:
        return null;
    }
  };
}

function emptyMoreTests({ critiques, additionalTests }: MoreTests): Refusal | null {
  if (critiques.length > 0 || additionalTests.length > 0) return null;
  return refusal("nothing_asked", "additionalTests", "MoreTests names neither a test nor a critique");
}

function blankSignOff({ signOff }: TDDApproval): Refusal | null {
  return signOff.trim() === ""
    ? refusal("sign_off_missing", "signOff", "say in words what you checked and approve")
    : null;
}

/** Accepts a payload of any type. */
export function pathRefusal({ linkOut }: Pick<TreeFacts, "linkOut">): RefusalRule {
  return (status, payload) => {
    const shape = exits.get(status);
    for (const { field, path } of shape === undefined ? [] : pathsIn(payload, shape, [])) {
      const fault = pathFault(path, linkOut);
      if (fault !== null) return refusal("path_refused", field, `${path}: ${fault}`);
    }
    return null;
  };
}

interface PathField {
  readonly field: string;
  readonly path: string;
}

const exits: ReadonlyMap<string, Shape> = new Map(
  graphNodes.flatMap((node) =>
    Object.entries(nodeExits[node]).map(([status, type]): [string, Shape] => [status, shapeOf(type)]),
  ),
);

/** Every value of type FilePath, with its field. */
function pathsIn(value: unknown, shape: Shape, at: readonly string[]): readonly PathField[] {
  if (value === undefined || value === null) return [];
  if (shape.kind === "path") return typeof value === "string" ? [{ field: at.join("."), path: value }] : [];
  if (shape.kind === "list")
    return Array.isArray(value)
      ? value.flatMap((item, index) => pathsIn(item, shape.of, [...at, String(index)]))
      : [];
  if (shape.kind !== "object") return [];
  return [...shape.fields].flatMap(([name, field]) =>
    pathsIn((value as Readonly<Record<string, unknown>>)[name], field.shape, [...at, name]),
  );
}
