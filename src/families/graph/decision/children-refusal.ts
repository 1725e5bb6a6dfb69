/** The rules for a scaffold's children: number, depth, ids, paths and criteria (V3-05 to 08). */
import { counted } from "../../../lib/counted.ts";
import { cleanPath, overlaps } from "../../../gates/node/node-paths.ts";
import type { ChildSpec, InitWork } from "../../../protocol/graph-types/scaffold.ts";
import { idRuleText, isNodeId } from "../node-ids.ts";
import { refusal, type Refusal, type TreeFacts } from "./refusal.ts";

/** Returns the first fault; null if there are no children, in any spelling. */
export function childrenRefusal(work: InitWork, facts: TreeFacts): Refusal | null {
  const children = work.childSpecs ?? [];
  if (children.length === 0) return null;
  return (
    bounds(children, facts) ??
    shapes(children) ??
    sameIds(children) ??
    samePaths(children, work) ??
    unknownCriteria(children, facts) ??
    sharedCriteria(children)
  );
}

function bounds(
  children: readonly ChildSpec[],
  { depth, node, nodes, limits: { maxDepth, maxChildren, maxNodes } }: TreeFacts,
): Refusal | null {
  if (depth >= maxDepth)
    return refusal(
      "depth_limit",
      "childSpecs",
      `this node is at depth ${depth} of at most ${maxDepth}, so it has no children`,
    );
  if (children.length > maxChildren)
    return refusal(
      "too_many_children",
      "childSpecs",
      `${counted(children.length, "child", "children")}, and a node may have ${maxChildren}`,
    );
  const fresh = children.filter(({ id }) => !nodes.includes(`${node}--${id}`)).length;
  if (nodes.length + fresh > maxNodes)
    return refusal(
      "too_many_nodes",
      "childSpecs",
      `${fresh} more beside ${counted(nodes.length, "node")}, and a run may have ${maxNodes}`,
    );
  return null;
}

function shapes(children: readonly ChildSpec[]): Refusal | null {
  for (const [index, child] of children.entries()) {
    const at = `childSpecs.${index}`;
    if (!isNodeId(child.id)) return refusal("bad_child", `${at}.id`, `${child.id}: ${idRuleText}`);
    if (child.description.trim() === "")
      return refusal("bad_child", `${at}.description`, `${child.id} has no description`);
    if (child.acceptanceCriteria.length === 0)
      return refusal("bad_child", `${at}.acceptanceCriteria`, `${child.id} has no criterion`);
    const blank = child.acceptanceCriteria.find(({ text }) => text.trim() === "");
    if (blank !== undefined)
      return refusal("bad_child", `${at}.acceptanceCriteria`, `${blank.id} of ${child.id} has no text`);
    if (cleanPath(child.targetPath) === cleanPath(child.testPath))
      return refusal(
        "path_refused",
        `${at}.testPath`,
        `${child.testPath}: it is the targetPath of ${child.id} too`,
      );
  }
  return null;
}

function sameIds(children: readonly ChildSpec[]): Refusal | null {
  const seen = new Map<string, string>();
  for (const { id } of children) {
    const before = seen.get(id.toLowerCase());
    if (before !== undefined)
      return refusal("children_collide", "childSpecs", `the ids ${before} and ${id} are one`);
    seen.set(id.toLowerCase(), id);
  }
  return null;
}

interface PathOwner {
  readonly what: string;
  readonly path: string;
  readonly owner: string | null;
}

function samePaths(
  children: readonly ChildSpec[],
  { interfaceFile, contractSuite }: InitWork,
): Refusal | null {
  const taken: PathOwner[] = [
    { what: "interfaceFile", path: interfaceFile, owner: null },
    { what: "contractSuite", path: contractSuite, owner: null },
  ];
  for (const { id, targetPath, testPath } of children) {
    const own = [
      { what: `targetPath of ${id}`, path: targetPath, owner: id },
      { what: `testPath of ${id}`, path: testPath, owner: id },
    ];
    for (const one of own) {
      const other = taken.find(({ path }) => overlaps(path, one.path));
      if (other !== undefined)
        return refusal(
          "children_collide",
          "childSpecs",
          `${one.path} (${one.what}) and ${other.path} (${other.what}) overlap`,
        );
    }
    taken.push(...own);
  }
  return null;
}

function unknownCriteria(children: readonly ChildSpec[], { spec }: TreeFacts): Refusal | null {
  const known = spec.acceptanceCriteria.map(({ id }) => id);
  for (const child of children)
    for (const { id } of child.acceptanceCriteria)
      if (!known.some((own) => id === own || refines(id, own)))
        return refusal(
          "criterion_unknown",
          "childSpecs",
          `${id} (${child.id}); known: ${known.join(", ")}, or <id>.<suffix>`,
        );
  return null;
}

/** Two children also share a criterion if one has a part of what the other has whole. */
function sharedCriteria(children: readonly ChildSpec[]): Refusal | null {
  const assigned: { readonly id: string; readonly to: string }[] = [];
  for (const child of children)
    for (const { id } of child.acceptanceCriteria) {
      const other = assigned.find(
        (one) => one.id === id || (one.to !== child.id && (refines(id, one.id) || refines(one.id, id))),
      );
      if (other !== undefined) {
        const shown = other.id === id ? id : `${id} of ${other.id}`;
        return refusal("criterion_assigned_twice", "childSpecs", `${shown} (${other.to}, ${child.id})`);
      }
      assigned.push({ id, to: child.id });
    }
  return null;
}

function refines(id: string, whole: string): boolean {
  return id.startsWith(`${whole}.`) && id.length > whole.length + 1;
}
