import { readdirSync, readFileSync } from "node:fs";
import { test } from "vitest";
import { parse } from "yaml";
import { citationsOf } from "../scripts/setup/variants.mjs";

const folder = new URL("../promises/", import.meta.url);
const known = new Set(
  readdirSync(folder).flatMap((file) =>
    (parse(readFileSync(new URL(file, folder), "utf8")) as { id: string }[]).flatMap(({ id }) =>
      citationsOf(id),
    ),
  ),
);

/**
 * A test that proves promises. Its title has the ids, where `npm run promises` finds them; an unknown id fails.
 * @param ids one or several ids of `promises/*.yaml`; for a promise about each protocol or runner, the proved one, as in
 *   `CORE-76@graph` (scripts/setup/variants.mjs)
 * @param timeoutMs upper bound of the test in milliseconds
 */
export function verifies(
  ids: string | readonly string[],
  title: string,
  body: () => unknown,
  timeoutMs?: number,
): void {
  test(`${title} ${cite(ids)}`, body as () => void, timeoutMs);
}

/** Skips with a warning if something is missing on this machine; a skipped promise never counts as proved. */
export function verifiesWhen(
  available: boolean,
  missing: string,
  ids: string | readonly string[],
  title: string,
  body: () => unknown,
  timeoutMs?: number,
): void {
  if (!available) console.warn(`SKIPPED ${cite(ids)}: ${missing}`);
  test.skipIf(!available)(`${title} ${cite(ids)}`, body as () => void, timeoutMs);
}

function cite(ids: string | readonly string[]): string {
  const list = typeof ids === "string" ? [ids] : ids;
  for (const id of list)
    if (!known.has(id))
      throw new Error(`unknown promise id ${id}: see promises/ and scripts/setup/variants.mjs`);
  return `[${list.join(" ")}]`;
}
