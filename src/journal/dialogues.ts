/** The dialogues of observations: `PLAN_…` and `TDD_…_C{i}` (RIPER, MCP Storage Format; TDP-54, TDP-72). */
import { AppError } from "../lib/errors.ts";
import { selectAll, type SqlRow, type Statements } from "./statements.ts";
import type { Store } from "./store.ts";

export type DialogueKind = "plan_loop" | "tdd_loop";

export interface NewDialogue {
  readonly name: string;
  readonly kind: DialogueKind;
}

export interface Dialogue extends NewDialogue {
  readonly run: string;
  /** ISO 8601 UTC. */
  readonly opened: string;
  /** Null while it is open. */
  readonly closed: string | null;
}

/** The caller provides the transaction. */
export function openDialogue(
  sql: Statements,
  { name, kind, run, at }: NewDialogue & { readonly run: string; readonly at: string },
): void {
  if (sql.first("SELECT 1 FROM dialogues WHERE name = ?", name) !== null) throw sessionTaken(name);
  sql.run("INSERT INTO dialogues (name, kind, run, opened) VALUES (?, ?, ?, ?)", name, kind, run, at);
}

export function sessionTaken(name: string): AppError {
  return new AppError("session_taken", `there is a session ${name} already`, {
    hint: "open it under another name",
    retry: "safe",
  });
}

export function closeDialogue(sql: Statements, name: string, at: string): void {
  sql.run("UPDATE dialogues SET closed = ? WHERE name = ? AND closed IS NULL", at, name);
}

export function selectDialogues({ db }: Pick<Store, "db">, run?: string): readonly Dialogue[] {
  const where = run === undefined ? "" : "WHERE run = ?";
  const text = `SELECT name, kind, run, opened, closed FROM dialogues ${where} ORDER BY rowid`;
  return selectAll(db, text, run === undefined ? [] : [run]).map(dialogueOf);
}

/** The dialogue of a row `name, kind, run, opened, closed`. */
export function dialogueOf(row: SqlRow | null): Dialogue {
  const [name, kind, run, opened, closed] = row ?? [];
  return {
    name: String(name),
    kind: kind === "plan_loop" ? kind : "tdd_loop",
    run: String(run),
    opened: String(opened),
    closed: typeof closed === "string" ? closed : null,
  };
}
