import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { createRepository } from "../../test/support/repository.ts";
import { storeVariable } from "../config/env.ts";
import { stateHome } from "../config/home.ts";
import { openRepository } from "./repository.ts";
import { refuseOtherStore, settledHome } from "./settle-store.ts";

const url = "postgres://db.example.org/runs";
beforeAll(() => void vi.stubEnv(storeVariable, url));
afterAll(() => void vi.unstubAllEnvs());

test("mettle.yaml decides once where runs are; later the state home does", async () => {
  const made = await createRepository({ files: { "mettle.yaml": "version: 1\nstore: postgres\n" } });
  const repository = await openRepository(made.dir, { path: process.env["PATH"] ?? "" });
  const where = { env: { METTLE_HOME: newFolder() }, cwd: made.dir };
  const settle = () => settledHome(repository, where);

  await expect(settle()).rejects.toMatchObject({ code: "store_unnamed", exitCode: 2 });
  await made.git("remote", "add", "origin", "/srv/git/shop.git");
  await expect(settle()).rejects.toMatchObject({ hint: expect.stringContaining("repository: acme/shop") });
  await made.git("remote", "set-url", "origin", "git@GitHub.com:acme/shop.git");
  const { store } = await settle();
  expect(store).toMatchObject({ kind: "postgres", repository: "github.com/acme/shop", url });

  await made.git("remote", "set-url", "origin", "git@github.com:other/name.git");
  await made.write({ "mettle.yaml": "version: 1\nstore: local\n" });
  expect((await settle()).store).toEqual(store);
  expect(stateHome({ repository: repository.id, ...where }).store).toEqual(store);
});

test("a state home with local runs stays local, and settings that say otherwise are refused when a run starts", async () => {
  const made = await createRepository({ files: { "mettle.yaml": "version: 1\nstore: postgres\n" } });
  const repository = await openRepository(made.dir, { path: process.env["PATH"] ?? "" });
  const where = { env: { METTLE_HOME: newFolder() }, cwd: made.dir };
  const { root, journal } = stateHome({ repository: repository.id, ...where });
  mkdirSync(root, { recursive: true });
  writeFileSync(journal, "");
  const home = await settledHome(repository, where);
  expect(home.store).toEqual({ kind: "local" });

  const shared = { ...home, store: { kind: "postgres", repository: "acme/shop", home: "h", url } } as const;
  for (const [place, stated] of [
    [home, undefined],
    [home, { kind: "local" }],
    [shared, { kind: "postgres" }],
    [shared, { kind: "postgres", repository: "acme/shop" }],
  ] as const)
    expect(() => refuseOtherStore(place, stated)).not.toThrow();
  for (const [place, stated, message] of [
    [home, { kind: "postgres" }, "mettle.yaml says store: postgres, and the runs are in local"],
    [shared, undefined, "mettle.yaml says store: local, and the runs are in postgres, as acme/shop"],
    [
      shared,
      { kind: "postgres", repository: "acme/other" },
      "mettle.yaml says store: postgres, as acme/other, and the runs are in postgres, as acme/shop",
    ],
  ] as const)
    expect(() => refuseOtherStore(place, stated)).toThrow(
      expect.objectContaining({ code: "store_mismatch", message }),
    );
});
