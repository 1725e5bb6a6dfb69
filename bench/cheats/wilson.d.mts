/** The 95 % confidence interval of a rate; null without cases. */
export function wilson(hits: number, cases: number): [number, number] | null;
