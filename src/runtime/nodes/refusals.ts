/**
 * What the runtime refuses in the payload of a node although it fits its type, while the agent is still there to mend it
 * (V3-05 to 08, 16, 36, 91). Pure: `judge-decision.ts` asks.
 */
import { pathFault } from "../../gates/node-paths.ts";
import { InitWork } from "../../protocol/graph-types/scaffold.ts";
import { TDDApproval } from "../../protocol/graph-types/shared.ts";
import { MoreTests } from "../../protocol/graph-types/tdd.ts";
import { refused, type Refusal, type TreeFacts } from "./refusal.ts";
import { childrenRefusal } from "./refused-children.ts";

export type NodeRefusal = (status: string, payload: unknown) => Refusal | null;

/** The payload has the type of its exit already. */
export function nodeRefusal(facts: TreeFacts): NodeRefusal {
  return (status, payload) => {
    const path = pathRefusal(status, payload, facts);
    if (path !== null) return path;
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
  return refused("nothing_asked", "additionalTests", "MoreTests names neither a test nor a critique");
}

function blankSignOff({ signOff }: TDDApproval): Refusal | null {
  return signOff.trim() === ""
    ? refused("sign_off_missing", "signOff", "say in words what you checked and approve")
    : null;
}

function pathRefusal(status: string, payload: unknown, { leaving }: TreeFacts): Refusal | null {
  for (const { field, path } of pathsOf(status, payload)) {
    const fault = pathFault(path, leaving);
    if (fault !== null) return refused("path_refused", field, `${path}: ${fault}`);
  }
  return null;
}

interface Placed {
  readonly field: string;
  readonly path: string;
}

/** Fields of the type FilePath, by the exit that has them; `*` stands for each entry of a list. */
const pathFields: Readonly<Record<string, readonly string[]>> = {
  InitWork: [
    "interfaceFile",
    "contractSuite",
    "interfaces.*.path",
    "childSpecs.*.targetPath",
    "childSpecs.*.testPath",
  ],
  TestsReady: ["testFiles.*"],
  InvalidScaffold: ["expectedLocation"],
  MoreTests: ["critiques.*.file"],
  BlockedDependency: ["expectedImportPath"],
  RebaseConflict: ["conflictFile"],
};

function pathsOf(status: string, payload: unknown): readonly Placed[] {
  const fields = Object.hasOwn(pathFields, status) ? (pathFields[status] ?? []) : [];
  return fields.flatMap((field) => found(payload, field.split("."), []));
}

function found(value: unknown, rest: readonly string[], at: readonly string[]): readonly Placed[] {
  const [next, ...later] = rest;
  if (next === undefined) return typeof value === "string" ? [{ field: at.join("."), path: value }] : [];
  if (typeof value !== "object" || value === null) return [];
  const entries = next === "*" ? Object.entries(value) : [[next, own(value, next)] as const];
  return entries.flatMap(([key, inner]) => found(inner, later, [...at, key]));
}

function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
