import { readdirSync, readFileSync } from "node:fs";
import { test, type TestContext, type TestOptions } from "vitest";
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

type Body = (context: TestContext) => unknown;
/** What follows a title, as in `test`: a body with an upper bound in milliseconds, or options and a body. */
type Rest = [body: Body, timeoutMs?: number] | [options: TestOptions, body: Body];

/**
 * A test that proves promises. Its title has the ids, where `npm run promises` finds them; an unknown id fails.
 * @param ids one or several ids of `promises/*.yaml`; for a promise about each protocol or runner, the proved one, as in
 *   `CORE-76@graph` (scripts/setup/variants.mjs)
 */
export function verifies(ids: string | readonly string[], title: string, ...rest: Rest): void {
  define(test, `${title} ${cite(ids)}`, rest);
}

/** A test that `npm test` leaves out, because a faster one proves the same: see CONTRIBUTING.md. */
export function inCi(title: string, body: Body, timeoutMs?: number): void {
  const timeout = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  define(test, title, [{ tags: "ci", ...timeout }, body]);
}

export function verifiesInCi(
  ids: string | readonly string[],
  title: string,
  body: Body,
  timeoutMs?: number,
): void {
  inCi(`${title} ${cite(ids)}`, body, timeoutMs);
}

/** Skips with a warning if something is missing on this machine; a skipped promise never counts as proved. */
export function verifiesWhen(
  available: boolean,
  missing: string,
  ids: string | readonly string[],
  title: string,
  ...rest: Rest
): void {
  if (!available) console.warn(`SKIPPED ${cite(ids)}: ${missing}`);
  define(test.skipIf(!available), `${title} ${cite(ids)}`, rest);
}

function define(tester: typeof test | ReturnType<typeof test.skipIf>, title: string, rest: Rest): void {
  if (typeof rest[0] === "function") tester(title, rest[0] as () => void, rest[1] as number | undefined);
  else tester(title, rest[0], rest[1] as () => void);
}

function cite(ids: string | readonly string[]): string {
  const list = typeof ids === "string" ? [ids] : ids;
  for (const id of list)
    if (!known.has(id))
      throw new Error(`unknown promise id ${id}: see promises/ and scripts/setup/variants.mjs`);
  return `[${list.join(" ")}]`;
}
