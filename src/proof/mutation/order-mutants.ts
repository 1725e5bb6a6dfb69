/** The order in which mutants are tried: a part of them should say as much as possible about the whole change. Pure. */
import type { Mutant } from "../../source/mutants/mutant.ts";

/** What rarely matters to a test: texts of messages, and literals without behaviour. */
const late: ReadonlySet<string> = new Set(["StringLiteral", "ObjectLiteral", "ArrayDeclaration", "Regex"]);

/** One mutant of each line first, then the second of each line. */
export function inTurns<One extends { readonly mutant: Mutant }>(mutants: readonly One[]): readonly One[] {
  const lines = new Map<string, One[]>();
  const isLate = ({ mutant }: One) => (late.has(mutant.operator) ? 1 : 0);
  for (const one of mutants.toSorted((a, b) => isLate(a) - isLate(b))) {
    const line = `${one.mutant.path}:${one.mutant.line}`;
    lines.set(line, [...(lines.get(line) ?? []), one]);
  }
  const turns = [...lines.values()].flatMap((own) => own.map((one, turn) => ({ one, turn })));
  return turns.toSorted((a, b) => a.turn - b.turn || isLate(a.one) - isLate(b.one)).map(({ one }) => one);
}
