export interface Differences {
  readonly outcomes: readonly string[];
  readonly checks: readonly string[];
}
export function outcomesOf(report: unknown): readonly string[];
export function differencesOf(
  before: readonly string[],
  after: readonly string[],
  options: { readonly whole: boolean },
): Differences;
