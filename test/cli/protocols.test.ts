/**
 * `mettle protocol` and custom protocols, by the program.
 * @module-tag ci
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { declaredRoutes } from "../../src/protocol/declared-routes.ts";
import { load } from "../../src/protocol/fixtures/sources.ts";
import { verifies } from "../verifies.ts";
import { createStage, type CallResult, type Stage } from "./stage.ts";

interface ProtocolEntry {
  readonly name: string;
  readonly kind: string | null;
  readonly base: string | null;
  readonly file: string;
  readonly own: boolean;
}

const own = (name: string, states: string): string =>
  `version: 1\nprotocol: ${name}\nkind: machine\nextends: orchestrate\nmachines:\n  main:\n    states:\n${states}`;

/** Continues without the answers to its questions. */
const hasty = own(
  "hasty",
  "      topics_check: { check: topics, phase: 1 INTAKE, on: { pass: { to: intake, do: [{ count: documents }] }, fail: questions } }\n",
);
const unsound = own("unsound", "      island: { ask: Nobody comes here, on: { answered: intake } }\n");
const unreadable = "version: 1\nprotocol: unreadable\nkind: [\n";

describe("protocols", () => {
  let stage: Stage;
  let listed: readonly ProtocolEntry[];
  let text = "";
  const results: Record<string, { readonly check: CallResult; readonly graph: CallResult }> = {};
  beforeAll(async () => {
    stage = await createStage();
    await stage.repository.write({
      ".mettle/protocols/hasty.yaml": hasty,
      ".mettle/protocols/unsound.yaml": unsound,
      ".mettle/protocols/unreadable.yaml": unreadable,
    });
    listed = JSON.parse((await stage.here(["protocol", "list", "--json"])).stdout).protocols;
    text = (await stage.here(["protocol", "list"])).stdout;
    for (const { name } of listed) {
      const check = await stage.here(["protocol", "check", name]);
      results[name] = { check, graph: await stage.here(["protocol", "graph", name]) };
    }
  });

  verifies("CORE-05", "are listed with kind, base and file, shipped and custom ones", () => {
    const rows = listed.map(({ name, kind, base, own: isOwn }) => [name, kind, base, isOwn]);
    expect(rows).toEqual(
      expect.arrayContaining([
        ["orchestrate", "machine", "base", false],
        ["hasty", "machine", "orchestrate", true],
        ["unsound", "machine", "orchestrate", true],
        ["unreadable", null, null, true],
      ]),
    );
    for (const { name, file, own: isOwn } of listed) {
      expect(existsSync(file)).toBe(true);
      if (isOwn) expect(file).toBe(join(stage.repository.dir, ".mettle", "protocols", `${name}.yaml`));
      const line = text.split("\n").find((one) => one.startsWith(`${name} `));
      expect(line).toMatch(new RegExp(`  ${isOwn ? "own" : "shipped"} +`, "u"));
      expect(line?.endsWith(file)).toBe(true);
    }
  });

  verifies("CORE-05", "that are shipped all pass the check, and so does a sound custom one", () => {
    const sound = listed.filter(({ own: isOwn, name }) => !isOwn || name === "hasty");
    expect(sound.length).toBeGreaterThan(2);
    for (const { name } of sound) expect([name, results[name]?.check.code]).toEqual([name, 0]);
    expect(results["unsound"]?.check.code).toBe(1);
    expect(results["unsound"]?.check.stdout).toContain("unreachable_state: main/island");
    expect(results["unreadable"]?.check.code).toBe(2);
    expect(results["unreadable"]?.check.stderr).toMatch(
      /^error\[protocol_invalid\]: .*unreadable\.yaml:\d+:\d+: /u,
    );
  });

  verifies("CORE-05", "are drawn with one solid arrow for each route", () => {
    const drawn = listed.filter(
      ({ own: isOwn, kind, name }) => kind === "machine" && (!isOwn || name === "hasty"),
    );
    expect(drawn.map(({ name }) => name)).toEqual(expect.arrayContaining(["orchestrate", "hasty"]));
    for (const { name } of drawn) {
      const graph = results[name]?.graph;
      expect(graph?.code).toBe(0);
      const lines = graph?.stdout.trimEnd().split("\n") ?? [];
      expect(lines[0]).toBe("flowchart TD");
      const { machines } = load(name, name === "hasty" ? { hasty } : {});
      const routes = Object.values(machines).flatMap(declaredRoutes);
      expect([name, lines.filter((line) => line.includes("-->")).length]).toEqual([name, routes.length]);
    }
  });

  verifies("CORE-05", "of the user run if they are sound", async () => {
    await stage.play();
    const ran = await stage.here([
      "run",
      "Add slugify",
      "--protocol",
      "hasty",
      "--agent",
      stage.agent,
      "--json",
    ]);
    expect(ran.code, ran.stderr).toBe(3);
    const { protocol, waiting } = JSON.parse(ran.stdout);
    // Two turns of intake without an answer between them, then the next phase.
    expect([protocol, waiting.kind]).toEqual(["hasty", "plan"]);
    expect(ran.stderr).toContain("intake#2: intake works\n");
  });

  verifies("CORE-05", "of the user that fail the check start no agent and no run", async () => {
    const marker = join(stage.home, "an-agent-was-here");
    await stage.play({ intake: [{ does: [{ shell: `touch ${marker}` }] }] });
    const runs = async () => (await stage.here(["status", "--json"])).stdout;
    const before = await runs();
    for (const name of ["unsound", "unreadable"]) {
      const ran = await stage.here(["run", "Add slugify", "--protocol", name, "--agent", stage.agent]);
      expect([ran.code, ran.stdout]).toEqual([2, ""]);
      expect(ran.stderr).toMatch(/^error\[protocol_invalid\]: /u);
    }
    expect(await runs()).toBe(before);
    expect(existsSync(marker)).toBe(false);
  });
});
