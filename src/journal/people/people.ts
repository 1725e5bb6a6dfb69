/**
 * The people of a store, the hashes of their tokens, and the rules of what they may decide (SCL-09). A store without rules lets everybody
 * decide everything.
 */
import { matchesGlob } from "../../lib/glob.ts";

export interface Person {
  readonly name: string;
  readonly added: PersonAct;
}

export interface PersonAct {
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** What a person may decide, or may not. */
export interface Rule {
  /** A name, or `*` for everybody. */
  readonly person: string;
  /** Globs of repositories and gates: `acme/shop`, `user_gate_*`, `land`. */
  readonly repository: string;
  readonly gate: string;
  readonly allowed: boolean;
}

export interface SetRule extends Rule {
  readonly set: PersonAct;
}

export interface People {
  /** Whether its user is that of the operating system. */
  readonly isLocal: boolean;
  /** As the store itself knows who is connected. */
  user(): Promise<string>;
  list(): Promise<readonly Person[]>;
  rules(): Promise<readonly SetRule[]>;
  /** Whose token has this hash; null: no person's. */
  named(tokenHash: string): Promise<string | null>;
  /** A person who is there gets the new token instead of the old one. */
  add(name: string, tokenHash: string, by: string): Promise<void>;
  /** Removes the person with the token and the rules; both are gone when it resolves. */
  remove(name: string): Promise<void>;
  /** Replaces the rule for the same person, repository and gate. */
  set(rule: Rule, by: string): Promise<void>;
}

export interface Act {
  readonly person: string;
  readonly repository: string;
  /** A gate, or `start`, `resume`, `abort`, `land`, `settings`, `people`. */
  readonly gate: string;
}

/** A rule that denies wins. As soon as one rule allows something, only what a rule allows is permitted. */
export function isPermitted(rules: readonly Rule[], act: Act): boolean {
  const fitting = rules.filter((rule) => fits(rule, act));
  if (fitting.some(({ allowed }) => !allowed)) return false;
  return fitting.length > 0 || !rules.some(({ allowed }) => allowed);
}

/** Who may do it, for a hint; `*` means all other people. */
export function permittedPeople(rules: readonly Rule[], act: Omit<Act, "person">): readonly string[] {
  const names = [...new Set(rules.map(({ person }) => person))].filter((name) => name !== "*").toSorted();
  const isOpen = isPermitted(rules, { ...act, person: "*" });
  return [...names.filter((person) => isPermitted(rules, { ...act, person })), ...(isOpen ? ["*"] : [])];
}

function fits({ person, repository, gate }: Rule, act: Act): boolean {
  return (
    (person === "*" || person === act.person) && isLike(repository, act.repository) && isLike(gate, act.gate)
  );
}

/** `*` alone fits all, also names with a slash. */
function isLike(glob: string, name: string): boolean {
  return glob === "*" || glob === name || matchesGlob(name, glob);
}
