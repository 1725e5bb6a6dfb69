export function run(options?: { rounds?: number; turns?: number }): Promise<{
  readonly goal: number;
  readonly appends: readonly {
    readonly kind: string;
    readonly delayMs: number;
    readonly ratio: number;
    readonly goal: number | null;
  }[];
} | null>;
