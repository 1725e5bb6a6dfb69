export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
export interface TreeSize {
  readonly nodes: number;
  readonly slots: number;
}
export interface TreeResult extends TreeSize {
  readonly dispatches: number;
  readonly makespan: number;
  readonly bound: number;
  readonly work: number;
}
export function tablesOf(inputs: unknown): readonly Table[];
export const trees: readonly TreeSize[];
export function simulateTree(size: TreeSize, code: Readonly<Record<string, unknown>>): TreeResult;
export function treeTable(found: readonly TreeResult[]): Table;
