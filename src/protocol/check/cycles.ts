/** The loops of a graph: its strongly connected components with at least one edge (Tarjan's algorithm, iterative). */
interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** Each loop as its nodes, in the order of the given edges. */
export function loopsOf(ways: readonly Arrow[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of ways) {
    next.set(from, [...(next.get(from) ?? []), to]);
    if (!next.has(to)) next.set(to, []);
  }
  const order = [...next.keys()];
  return componentsOf(next)
    .filter((part) => part.length > 1 || ways.some(({ from, to }) => from === to && from === part[0]))
    .map((part) => part.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
    .toSorted((a, b) => order.indexOf(a[0] ?? "") - order.indexOf(b[0] ?? ""));
}

interface Visit {
  readonly node: string;
  readonly index: number;
  low: number;
  /** Number of the node's edges followed so far. */
  followed: number;
}

function componentsOf(next: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const parts: string[][] = [];
  const visits = new Map<string, Visit>();
  const open: string[] = [];
  for (const root of next.keys()) {
    const path = visits.has(root) ? [] : [startVisit(root, visits, open)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const target = next.get(visit.node)?.[visit.followed++];
      if (target === undefined) {
        path.pop();
        const parent = path.at(-1);
        if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
        if (visit.low === visit.index) parts.push(open.splice(open.indexOf(visit.node)));
        continue;
      }
      const seen = visits.get(target);
      if (seen === undefined) path.push(startVisit(target, visits, open));
      else if (open.includes(target)) visit.low = Math.min(visit.low, seen.index);
    }
  }
  return parts;
}

function startVisit(node: string, visits: Map<string, Visit>, open: string[]): Visit {
  const visit = { node, index: visits.size, low: visits.size, followed: 0 };
  visits.set(node, visit);
  open.push(node);
  return visit;
}
