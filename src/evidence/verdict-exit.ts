/** The exit code of each verdict, of `mettle gate` and in the records of gates. */
export const verdictExit = { pass: 0, fail: 1, inconclusive: 5 } as const;
