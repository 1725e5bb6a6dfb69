export function run(options?: { rounds?: number; counts?: readonly number[] }): Promise<{
  readonly goal: number;
  readonly rows: readonly { readonly store: string; readonly word: string; readonly ratio: number }[];
} | null>;
