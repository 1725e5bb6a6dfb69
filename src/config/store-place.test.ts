import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { mask } from "../lib/mask.ts";
import { environment, secretValues, storeVariable } from "./env.ts";
import { parseSettings } from "./settings.ts";
import { markShared, storePlace, urlOf } from "./store-place.ts";

const url = "postgres://me:p%40ss-word@db.example.org/runs";

afterEach(() => void vi.unstubAllEnvs());

test("without a marker runs are in the state home, and the variable alone changes nothing", () => {
  vi.stubEnv(storeVariable, url);
  expect([storePlace(newFolder()), storePlace("/dev/null/none")]).toEqual([
    { kind: "local" },
    { kind: "local" },
  ]);
});

test("the first marker of a state home stays, and holds no URL", () => {
  vi.stubEnv(storeVariable, url);
  const root = join(newFolder(), "deep");
  markShared(root, { repository: "github.com/acme/shop" });
  const place = storePlace(root);
  expect(place).toEqual({
    kind: "postgres",
    repository: "github.com/acme/shop",
    home: expect.stringMatching(/^\w{16}$/u),
    url,
  });
  markShared(root, { repository: "another" });
  expect([storePlace(root), readdirSync(root)]).toEqual([place, ["store"]]);
  vi.stubEnv(storeVariable, " ");
  const unset = storePlace(root);
  if (unset.kind !== "postgres") throw new Error("the marker is gone");
  expect(() => urlOf(unset)).toThrow(
    expect.objectContaining({
      code: "store_url_missing",
      exitCode: 5,
      hint: expect.stringContaining(storeVariable),
    }),
  );
});

test("a damaged or unreadable marker is told; it never becomes a local store", () => {
  for (const text of ["", "{}", '{"kind":"postgres"}', '{"kind":"local"}', "null"]) {
    const root = newFolder();
    writeFileSync(join(root, "store"), text);
    expect(() => storePlace(root)).toThrow(expect.objectContaining({ code: "state_unwritable" }));
  }
  const root = newFolder();
  markShared(root, { repository: "shop" });
  chmodSync(join(root, "store"), 0);
  if (process.getuid?.() !== 0) expect(() => storePlace(root)).toThrow(/cannot be read/u);
});

test("started programs do not get the URL, and its password is masked in every text", () => {
  vi.stubEnv(storeVariable, url);
  expect(environment()).not.toHaveProperty(storeVariable);
  const secrets = secretValues({ PATH: "/bin" });
  for (const text of [url, "p%40ss-word", "p@ss-word", Buffer.from(url).toString("base64")])
    expect(mask(`it says ${text}.`, secrets)).not.toContain(text);
  vi.stubEnv(storeVariable, "host=db password=hunter2hunter2");
  expect(mask("host=db password=hunter2hunter2", secretValues({}))).toBe("[secret]");
});

test("settings name the store, without a URL, and pass the variable on to nobody", () => {
  const storeOf = (value: string) => parseSettings(`version: 1\nstore: ${value}\n`).store;
  expect([
    parseSettings("version: 1\n").store,
    storeOf("local"),
    storeOf("postgres"),
    storeOf("{ kind: postgres, repository: acme/shop }"),
  ]).toEqual([
    undefined,
    { kind: "local" },
    { kind: "postgres" },
    { kind: "postgres", repository: "acme/shop" },
  ]);

  const secret = "postgres://me:hunter2@db/runs";
  const refusals: [text: string, message: RegExp][] = [
    [`store: ${secret}`, /set the variable METTLE_STORE_URL/u],
    [`store: { kind: postgres, url: "${secret}" }`, /set the variable METTLE_STORE_URL/u],
    [`store: { kind: "${secret}" }`, /set the variable METTLE_STORE_URL/u],
    [`store: { kind: postgres, repository: "${secret}" }`, /set the variable METTLE_STORE_URL/u],
    ["store: sqlite", /local, postgres, or/u],
    ["store: { kind: postgres, repository: a b }", /local, postgres, or|a name such as/u],
    [`agents: { env: [${storeVariable}] }`, /never passed on/u],
    [`tests: { env: [${storeVariable}] }`, /each test run has of its own/u],
    [`notify: { webhook: $${storeVariable} }`, /never passed on/u],
  ];
  for (const [text, message] of refusals) {
    const refuse = () => parseSettings(`version: 1\n${text}\n`);
    expect(refuse).toThrow(
      expect.objectContaining({ code: "config_invalid", message: expect.stringMatching(message) }),
    );
    expect(refuse).not.toThrow(/hunter2/u);
  }
});
