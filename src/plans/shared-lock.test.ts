// @module-tag ci
/** Two hosts with a clone each hold one lock (SCL-01). */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../../test/support/postgres.ts";
import { createRepository } from "../../test/support/repository.ts";
import { verifies } from "../../test/verifies.ts";
import { storeVariable } from "../config/env.ts";
import { stateHome } from "../config/home.ts";
import { markShared } from "../config/store-place.ts";
import { openRepository } from "../git/repository.ts";
import { withLock } from "./lock.ts";

describe.skipIf(!hasPostgres)("the lock of a plan whose runs are in a shared store", () => {
  let server: PostgresServer;
  let plans: readonly string[] = [];
  const lockIn = (folder: string | undefined, name = ".lock") => join(folder ?? "", name);

  beforeAll(async () => {
    server = await startPostgres();
    vi.stubEnv("METTLE_HOME", newFolder());
    vi.stubEnv(storeVariable, server.url);
    plans = await Promise.all(
      ["acme/shop", "acme/shop", "acme/other"].map(async (name) => {
        const { dir } = await createRepository({ files: { a: "a" } });
        const { id } = await openRepository(dir, { path: process.env["PATH"] ?? "" });
        markShared(stateHome({ repository: id }).root, { repository: name });
        const plan = join(dir, ".claude/plans/feature");
        mkdirSync(plan, { recursive: true });
        return plan;
      }),
    );
  });
  afterAll(() => void vi.unstubAllEnvs());

  verifies(
    "SCL-01",
    "is held by one host at a time; another repository and another lock are free",
    async () => {
      const [here, there, other] = plans;
      const busy = withLock(lockIn(here), async () => {
        await withLock(lockIn(other), async () => undefined, 300);
        await withLock(lockIn(there, ".gates.lock"), async () => undefined, 300);
        return withLock(lockIn(there), async () => "both", 300);
      });
      await expect(busy).rejects.toMatchObject({
        code: "plan_busy",
        hint: expect.stringContaining("try again"),
      });
      expect(await withLock(lockIn(there), async () => "free", 5000)).toBe("free");
    },
  );

  test("orders the writes of two hosts", async () => {
    const count = join(newFolder(), "count");
    writeFileSync(count, "0");
    const add = (folder: string | undefined) =>
      withLock(lockIn(folder), async () => {
        const before = Number(readFileSync(count, "utf8"));
        await new Promise((resolve) => setTimeout(resolve, 2));
        writeFileSync(count, `${before + 1}`);
      });
    const [here, there] = plans;
    await Promise.all(Array.from({ length: 20 }, (_, turn) => add(turn % 2 === 0 ? here : there)));
    expect(readFileSync(count, "utf8")).toBe("20");
  });

  test("is refused without the store, which no other host would see", async () => {
    vi.stubEnv(storeVariable, "");
    const refused = withLock(lockIn(plans[0]), async () => "alone", 300);
    await expect(refused).rejects.toMatchObject({ code: "store_url_missing" });
    vi.stubEnv(storeVariable, server.url);
  });
});
