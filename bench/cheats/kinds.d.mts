export interface Kind {
  readonly id: string;
  readonly name: string;
  readonly only?: string | readonly string[];
  readonly miss?: string;
}
export interface Scenario {
  readonly kind: string;
  readonly runner: string;
  readonly role: "cheat" | "honest";
}
export const runners: readonly string[];
export function readKinds(): readonly Kind[];
export function scenariosOf(kind: Kind, chosen: readonly string[]): readonly Scenario[];
