/** The text of GREEN's record about the tests that the implementer did not see (PRV-16). */
import { counted } from "../../lib/counted.ts";
import type { RunView } from "../../log/run-view.ts";

/** @param key of the implementer's dispatch. @returns undefined if nothing was to be withheld */
export function holdoutWords(
  { withheld, frozen, dispatches }: Pick<RunView, "withheld" | "frozen" | "dispatches">,
  key: string,
): string | undefined {
  const event = withheld[key];
  if (event === undefined) return undefined;
  const { tests, shown } = event;
  const all = counted(frozen?.required.length ?? 0, "test");
  const what = tests.map(({ id, criterion }) => `${criterion}: ${id}`).join(", ");
  const isolation = dispatches[key]?.isolation ?? "none";
  const visible = shown.map(({ id, why }) => `; not withheld: ${id}, because ${why}`).join("");
  return `${tests.length} of ${all} withheld${what === "" ? "" : ` (${what})`}, isolation of the implementer: ${isolation}${visible}`;
}
