/** Tests that are rows of one table (PRV-22). */
import { fileOfTest, titleOfTest } from "../../evidence/test-ids.ts";
import { hasParts } from "../../source/flip/script-tables.ts";
import { statusOf } from "../suite/suite.ts";
import type { RedFacts, TestTable } from "./red-facts.ts";

/** The rows of a table are one test for its author; a row that fails shows that the table tests the change. */
export function rowReason(
  id: string,
  { first, tables = [] }: Pick<RedFacts, "first" | "tables">,
  all: readonly string[],
): string | undefined {
  const table = tableOf(id, tables);
  if (table === null) return undefined;
  const now = statusOf(first);
  const isShown = all.some((other) => tableOf(other, tables) === table && now.get(other) === "failed");
  return isShown ? "another row of its table fails" : undefined;
}

/** First test of each table, or a test of none -> the tests of that table. */
export function rowsTogether(
  ids: readonly string[],
  { tables = [] }: Pick<RedFacts, "tables">,
): ReadonlyMap<string, readonly string[]> {
  const first = new Map<string, string>();
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const table = tableOf(id, tables) ?? id;
    const name = first.get(table) ?? id;
    first.set(table, name);
    groups.set(name, [...(groups.get(name) ?? []), id]);
  }
  return groups;
}

/** The test function of a row: of a parametrised test of pytest, a subtest of go, or a test call in a loop. */
function tableOf(id: string, tables: readonly TestTable[]): string | null {
  const [path, title] = [fileOfTest(id), titleOfTest(id)];
  const table = tables.find((one) => one.path === path && hasParts(title, one.titles));
  if (table !== undefined) return [path, ...table.titles].join("::");
  if (fileOfTest(id).endsWith("_test.go")) return /^.*?::.*?(?=::)/s.exec(id)?.[0] ?? null;
  return /^(.*\.py::[^[]*)\[.*\]$/s.exec(id)?.[1] ?? null;
}
