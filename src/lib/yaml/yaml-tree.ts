/** The tree of a YAML document: its plain value with resolved aliases, and the offsets of its parts. */
import { isAlias, isMap, isScalar, isSeq, visit, type Document, type Node } from "yaml";

const maxNodes = 100_000;

/** Alias -> target, collected in one pass, because the library's look-up walks the document each time. */
export type AliasTargets = ReadonlyMap<unknown, Node>;

export function aliasTargets(document: Document.Parsed): AliasTargets {
  const anchors = new Map<string, Node>();
  const targets = new Map<unknown, Node>();
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

export type YamlTree =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "fault"; readonly offset: number; readonly message: string };

/** The plain value with resolved aliases. Refuses unknown, recursive and exploding aliases. */
export function readTree(document: Document.Parsed, targets: AliasTargets): YamlTree {
  let nodes = 0;
  const open = new Set<Node>();
  const walk = (node: unknown): unknown => {
    if (++nodes > maxNodes) throw new TreeFault(offsetOf(node), "aliases multiply this file without measure");
    if (isAlias(node)) {
      const target = targets.get(node);
      if (target === undefined)
        throw new TreeFault(offsetOf(node), `no anchor &${node.source} is before this`);
      if (open.has(target)) throw new TreeFault(offsetOf(node), `the alias *${node.source} contains itself`);
      return walk(target);
    }
    if (isScalar(node)) return node.value;
    if (!isMap(node) && !isSeq(node)) return null;
    open.add(node);
    const value = isMap(node)
      ? Object.fromEntries(node.items.map((pair) => [keyText(pair.key), walk(pair.value)]))
      : node.items.map(walk);
    open.delete(node);
    return value;
  };
  try {
    return { type: "value", value: walk(document.contents) };
  } catch (error: unknown) {
    if (error instanceof TreeFault) return { type: "fault", offset: error.offset, message: error.message };
    throw error;
  }
}

class TreeFault extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Offsets of a path's key and value, or of the nearest part that exists. */
export function locate(
  document: Document.Parsed,
  targets: AliasTargets,
  path: readonly PropertyKey[],
): { readonly key: number; readonly value: number } {
  let node: unknown = document.contents;
  let found = { key: offsetOf(node), value: offsetOf(node) };
  for (const part of path) {
    const target: unknown = isAlias(node) ? targets.get(node) : node;
    if (isMap(target)) {
      // Of repeated keys, the last one counts.
      const pair = target.items.findLast((item) => keyText(item.key) === String(part));
      if (pair === undefined) return found;
      node = pair.value;
      found = { key: offsetOf(pair.key), value: offsetOf(pair.value ?? pair.key) };
    } else if (isSeq(target)) {
      node = target.items[Number(part)];
      if (node === undefined) return found;
      found = { key: offsetOf(node), value: offsetOf(node) };
    } else return found;
  }
  return found;
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : "";
}

function offsetOf(node: unknown): number {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0;
}
