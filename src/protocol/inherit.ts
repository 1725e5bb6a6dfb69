/**
 * Resolves inheritance: `extends` between files, then `like` between machines, then `like` between states
 * (docs/protocol.md, "Inheritance"). compile.ts interprets the result.
 */
import type { YamlFault } from "../lib/yaml/yaml-fault.ts";
import { kinds } from "./schema.ts";
import {
  child,
  faultAt,
  mergeEach,
  mergeKeys,
  mergePlain,
  applyRemovals,
  textOf,
  without,
  withEntry,
  type Branch,
  type Merge,
  type Tree,
} from "./tree.ts";

export interface InheritanceResult {
  /** The file without `like`, `abstract`, abstract machines and removals. */
  readonly tree: Tree;
  /** Machine name -> states inherited unchanged from an abstract machine; they need not be reachable. */
  readonly mayBeUnreachable: ReadonlyMap<string, ReadonlySet<string>>;
  /** Unresolved `like`s. Their content is missing, so no further checks are possible. */
  readonly likeFaults: readonly YamlFault[];
  readonly faults: readonly YamlFault[];
}

/** Merges one file over its base. All files are merged before `like` is resolved. */
export function extend(base: Tree, over: Tree): Tree {
  return mergeKeys(base, over, (key) => (key === "machines" ? mergeEach(mergeInside) : mergePlain));
}

/** Resolves every `like` of a merged protocol. */
export function resolveLikes(file: Tree): InheritanceResult {
  const machines = child(file, "machines");
  if (file.type !== "branch" || machines?.type !== "branch") {
    return { tree: file, mayBeUnreachable: new Map(), likeFaults: [], faults: [] };
  }
  const faults: YamlFault[] = [];
  const resolved = new Map<string, Tree>();
  const mayBeUnreachable = new Map<string, ReadonlySet<string>>();
  for (const [name, machine] of machines.entries) {
    const liked = likeMachine({ name, machines, seen: [], faults });
    if (liked === undefined || isAbstract(machine)) continue;
    mayBeUnreachable.set(name, liked.mayBeUnreachable);
    resolved.set(name, likeStates(liked.tree, faults));
  }
  const settled = applyRemovals(withEntry(file, "machines", { ...machines, entries: resolved }));
  return { tree: settled.tree, mayBeUnreachable, likeFaults: faults, faults: settled.faults };
}

/** The merge rules inside machines, states, regions and handlers. */
const mergeInside: Merge = (base, over) =>
  mergeKeys(base, over, (key) => {
    if (key === "states") return mergeEach(mergeState);
    if (key === "parallel") return mergeEach(mergeRegion);
    return key === "events" ? mergeEach(mergeHandler) : mergePlain;
  });

/** A state with its own kind or `like` replaces the inherited one; otherwise it changes it. */
const mergeState: Merge = (base, over) => (isStandalone(over) ? over : mergeInside(base, over));

const mergeRegion: Merge = (base, over) =>
  isStandalone(over) || (isLong(over) && !isLong(base)) ? over : mergeInside(base, over);

const mergeHandler: Merge = (base, over) => (isLong(over) === isLong(base) ? mergeInside(base, over) : over);

function isStandalone(state: Tree): boolean {
  return [...kinds, "like"].some((key) => child(state, key) !== undefined);
}

function isLong(region: Tree): boolean {
  return child(region, "start") !== undefined || child(region, "states") !== undefined;
}

function isAbstract(machine: Tree): boolean {
  const abstract = child(machine, "abstract");
  return abstract?.type === "leaf" && abstract.value === true;
}

interface MachineSearch {
  readonly name: string;
  readonly machines: Branch;
  readonly seen: readonly string[];
  readonly faults: YamlFault[];
}

function likeMachine(
  search: MachineSearch,
): { tree: Branch; mayBeUnreachable: ReadonlySet<string> } | undefined {
  const { name, machines, seen, faults } = search;
  const own = child(machines, name);
  if (own?.type !== "branch") return undefined;
  const likeTree = child(own, "like");
  const like = textOf(likeTree);
  const bare = without(own, "like", "abstract");
  if (like === undefined || likeTree === undefined)
    return { tree: bare, mayBeUnreachable: unreachableAllowedIn(own, bare, new Set()) };
  if (like === name || seen.includes(like)) {
    faults.push(faultAt(likeTree, `like refers back to itself: ${[...seen, name, like].join(" -> ")}`));
    return undefined;
  }
  if (child(machines, like) === undefined) {
    faults.push(faultAt(likeTree, `no machine ${like}`, [...machines.entries.keys()]));
    return undefined;
  }
  const base = likeMachine({ ...search, name: like, seen: [...seen, name] });
  if (base === undefined) return undefined;
  const merged = mergeInside(base.tree, bare);
  if (merged.type !== "branch") return undefined;
  return {
    tree: merged,
    mayBeUnreachable: unreachableAllowedIn(own, merged, inheritedUnchanged(base, merged)),
  };
}

function inheritedUnchanged(
  base: { tree: Branch; mayBeUnreachable: ReadonlySet<string> },
  merged: Branch,
): ReadonlySet<string> {
  const before = child(base.tree, "states");
  const now = child(merged, "states");
  return new Set([...base.mayBeUnreachable].filter((name) => child(before, name) === child(now, name)));
}

function unreachableAllowedIn(
  own: Branch,
  merged: Branch,
  inherited: ReadonlySet<string>,
): ReadonlySet<string> {
  const states = child(merged, "states");
  return isAbstract(own) && states?.type === "branch" ? new Set(states.entries.keys()) : inherited;
}

function likeStates(machine: Branch, faults: YamlFault[]): Tree {
  const states = child(machine, "states");
  const scope: Scope = { levels: states?.type === "branch" ? [states] : [], open: [], faults };
  return resolveNested(machine, scope);
}

interface Scope {
  /** Scopes of a `like`: its sibling states, then those of the machine. */
  readonly levels: readonly Branch[];
  /** The states being resolved, outermost first. */
  readonly open: readonly Tree[];
  readonly faults: YamlFault[];
}

function resolveState(state: Tree, scope: Scope): Tree {
  if (state.type !== "branch") return state;
  const inner = { ...scope, open: [...scope.open, state] };
  const like = child(state, "like");
  const base = like === undefined ? undefined : baseState(like, inner);
  const bare = without(state, "like");
  return resolveNested(base === undefined ? bare : mergeInside(base, bare), inner);
}

function baseState(like: Tree, scope: Scope): Tree | undefined {
  const name = textOf(like) ?? "";
  for (const [depth, level] of scope.levels.entries()) {
    const found = child(level, name);
    if (found === undefined) continue;
    if (!scope.open.includes(found))
      return resolveState(found, { ...scope, levels: scope.levels.slice(depth) });
    scope.faults.push(
      faultAt(like, `like refers back to itself: ${[...scope.open, found].map(lastKey).join(" -> ")}`),
    );
    return undefined;
  }
  const known = scope.levels.flatMap((level) => [...level.entries.keys()]);
  scope.faults.push(faultAt(like, `no state ${name}`, known));
  return undefined;
}

/** Resolves the states, regions and handlers inside a machine, state, region or handler. */
function resolveNested(tree: Tree, scope: Scope): Tree {
  return eachKey(tree, {
    states: (states) => eachEntry(states, (state) => resolveState(state, scope)),
    parallel: (regions) => eachEntry(regions, (region) => resolveRegion(region, scope)),
    events: (handlers) =>
      eachEntry(handlers, (handler) => (isLong(handler) ? resolveRegion(handler, scope) : handler)),
  });
}

function resolveRegion(region: Tree, scope: Scope): Tree {
  const states = child(region, "states");
  if (states?.type !== "branch") return resolveState(region, scope);
  return resolveNested(region, { ...scope, levels: [states, ...scope.levels] });
}

function lastKey(tree: Tree): string {
  return String(tree.path.at(-1));
}

function eachEntry(tree: Tree, change: (tree: Tree, name: string) => Tree): Tree {
  if (tree.type !== "branch") return tree;
  return { ...tree, entries: new Map([...tree.entries].map(([name, inner]) => [name, change(inner, name)])) };
}

function eachKey(tree: Tree, changes: Readonly<Record<string, (tree: Tree) => Tree>>): Tree {
  if (tree.type !== "branch") return tree;
  return eachEntry(tree, (inner, key) =>
    Object.hasOwn(changes, key) ? (changes[key]?.(inner) ?? inner) : inner,
  );
}
