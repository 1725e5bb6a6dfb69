// @module-tag ci
/** Who may decide what: people × repositories × gates × front doors, and how people are identified (SCL-09). */
import { userInfo } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { isPermitted, permittedPeople, type Rule } from "../../src/journal/people/people.ts";
import { verifies } from "../verifies.ts";
import { golden, untestedFiles, type CliResult } from "../orchestrate/world.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { createRepository } from "../support/repository.ts";
import { decideInPage } from "./page.ts";
import { sharedHost, sharedRepository, type SharedHost } from "./world.ts";
import { agentOf, answers } from "./workers.ts";

const allow = (person: string, gate = "*", repository = "*"): Rule => ({
  person,
  repository,
  gate,
  allowed: true,
});
const deny = (person: string, gate = "*", repository = "*"): Rule => ({
  ...allow(person, gate, repository),
  allowed: false,
});

verifies("SCL-09", "the table of permissions", () => {
  const table: readonly (readonly [rules: readonly Rule[], permitted: readonly string[]])[] = [
    [
      [],
      ["ann shop plan", "ann shop land", "ann till plan", "bob shop plan", "bob shop land", "bob till plan"],
    ],
    [[allow("ann")], ["ann shop plan", "ann shop land", "ann till plan"]],
    [
      [deny("bob", "land")],
      ["ann shop plan", "ann shop land", "ann till plan", "bob shop plan", "bob till plan"],
    ],
    [
      [allow("ann", "pl*"), allow("bob", "*", "shop")],
      ["ann shop plan", "ann till plan", "bob shop plan", "bob shop land"],
    ],
    [
      [allow("*"), deny("ann", "land")],
      ["ann shop plan", "ann till plan", "bob shop plan", "bob shop land", "bob till plan"],
    ],
    [
      [allow("*", "plan"), allow("ann", "land", "sh*")],
      ["ann shop plan", "ann shop land", "ann till plan", "bob shop plan", "bob till plan"],
    ],
    [
      [allow("ann"), deny("*", "land")],
      ["ann shop plan", "ann till plan"],
    ],
  ];
  for (const [rules, permitted] of table) {
    const acts = ["ann", "bob"].flatMap((person) =>
      [
        ["shop", "plan"],
        ["shop", "land"],
        ["till", "plan"],
      ].map(([repository = "", gate = ""]) => ({ person, repository, gate })),
    );
    const found = acts.filter((act) => isPermitted(rules, act));
    expect(found.map(({ person, repository, gate }) => `${person} ${repository} ${gate}`)).toEqual(permitted);
  }
});

test("a refusal can name who may", () => {
  const land = { repository: "shop", gate: "land" };
  expect(permittedPeople([allow("ann"), allow("bob", "plan")], land)).toEqual(["ann"]);
  expect(permittedPeople([deny("bob", "land")], land)).toEqual(["*"]);
});

const codeOf = ({ code, stderr }: CliResult) => [code, /error\[(\w+)\]/u.exec(stderr)?.[1] ?? ""];

/** One run, at whose gates two persons with tokens decide by all front doors. */
function cases(begin: () => Promise<{ host: SharedHost; you: string }>): void {
  let host: SharedHost;
  let you = "";
  let run = "";
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    ({ host, you } = await begin());
    await host.cli(["keys", "enrol", "first"]);
    for (const name of ["ann", "bob"]) tokens[name] = (await host.cli(["people", "add", name])).stdout.trim();
  }, 60_000);

  const as = (name: string, ...args: readonly string[]) =>
    host.cli(args, undefined, "", { METTLE_PERSON_TOKEN: tokens[name] ?? name });

  const untilLeft = async () => {
    for (let look = 0; look < 150; look++) {
      const { status, owner } = (await host.cli(["show", run, "--json"])).json();
      if (status === "waiting" && owner === null) return;
      await pause(200);
    }
  };

  verifies(
    "SCL-09",
    "who may not decide at a gate is refused at every front door, with the names of those who may, and nothing is lost",
    async () => {
      expect((await as("bob", "people", "list", "--json")).json()).toMatchObject({
        you: "bob",
        you_by: "token",
        rules: [],
      });
      expect(codeOf(await as("bob", "people", "allow", "ann"))).toEqual([2, "usage"]);
      for (const rule of [
        [you],
        ["ann", "--gate", "user_gate_*"],
        ["bob", "--gate", "{start,resume,questions}"],
        ["bob", "--gate", "abort", "--repository", "other/*"],
      ])
        expect((await host.cli(["people", "allow", ...rule])).stderr).toBe("");
      expect(codeOf(await as("bob", "people", "deny", "ann"))).toEqual([1, "not_permitted"]);
      const agent = `default=${await agentOf(await golden())}`;
      const line = ["run", "Add slugify(text)", "--json", "--agent", agent];
      expect(codeOf(await as("ann", ...line))).toEqual([1, "not_permitted"]);
      expect(codeOf(await as("bob", ...line, "--approve", "plan"))).toEqual([1, "not_permitted"]);
      expect((await host.cli(["status", "--json"])).json()["runs"]).toEqual([]);
      run = String((await as("bob", ...line)).json()["run"]);
      expect(codeOf(await as("ann", "answer", run, ...answers))).toEqual([1, "not_permitted"]);
      expect((await as("bob", "answer", run, ...answers)).code).toBe(3);
      const refused = await as("bob", "approve", run);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(
          /bob may not decide user_gate_plan in .*\nhint: who may: ann, .*Nothing was changed/u,
        ),
      ]);
      for (const [name, ...args] of [
        ["bob", "reject", run, "--reason", "no"],
        ["bob", "abort", run],
        ["bob", "resume", run, "--set", "limits.green=7"],
        ["ann", "abort", run],
      ] as const)
        expect([args, ...codeOf(await as(name, ...args))]).toEqual([args, 1, "not_permitted"]);
      const page = await decideInPage(host, run, { METTLE_PERSON_TOKEN: tokens["bob"] ?? "" });
      expect([page.status, page.json]).toMatchObject([
        expect.any(Number),
        { error: { code: "not_permitted" } },
      ]);
      const seen = await decideInPage(host, run, { METTLE_PERSON_TOKEN: tokens["ann"] ?? "" }, untilLeft);
      expect(seen.status).toBe(200);
      expect((await as("ann", "approve", run)).code).toBe(0);
      expect(codeOf(await as("ann", "land", run))).toEqual([1, "not_permitted"]);
      expect(codeOf(await as("mettle_0", "land", run))).toEqual([2, "token_unknown"]);
      expect((await host.cli(["land", run])).code).toBe(0);
    },
    120_000,
  );

  verifies(
    "SCL-09",
    "the journal names each person as the store or the token does, whatever the environment says",
    async () => {
      const { events } = (
        await host.cli(["log", run, "--json"], undefined, "", { USER: "eve", LOGNAME: "eve" })
      ).json() as {
        events: { text: string }[];
      };
      const text = events.map((event) => event.text).join("\n");
      expect(text).toContain("Q1 answered by bob (file)");
      expect(text).toContain("user_gate_plan#1 -> approve by ann (page");
      expect(text).toContain("user_gate_code#1 -> approve by ann (file)");
      expect((await host.cli(["verify", run])).code).toBe(0);
    },
  );

  test("a removed person decides nothing more, and no output has a token", async () => {
    expect((await host.cli(["people", "remove", "bob"])).code).toBe(0);
    expect(codeOf(await as("bob", "people", "list"))).toEqual([2, "token_unknown"]);
    const listed = await host.cli(["people", "list"]);
    expect(listed.stdout).toContain("allow  ann  repository *  gate user_gate_*");
    for (const token of Object.values(tokens)) expect(listed.stdout).not.toContain(token);
  });
}

describe("people of a local store", () => {
  cases(async () => {
    const repository = await createRepository({ files: await untestedFiles() });
    return { host: sharedHost(repository.dir, null), you: userInfo().username };
  });
});

describe.skipIf(!hasPostgres)("people of a shared store", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  cases(async () => {
    const url = server.newDatabase();
    const repository = await sharedRepository(await untestedFiles());
    return { host: sharedHost(repository.dir, url), you: decodeURIComponent(new URL(url).username) };
  });
});
