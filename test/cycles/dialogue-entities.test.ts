/** Every dialogue is an entity of the nine memory tools, which accept no change of it except by `observe` (TDP-55). */
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { beforeAll, expect } from "vitest";
import { connectOriginal } from "../../src/mcp/fixtures/servers.ts";
import { graphShapes } from "../../src/memory/graph/shapes.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { playUntil, seatByProgram, sessionWorld, type DispatchStep, type Seat } from "./referee-world.ts";
import { oneCycle } from "./world.ts";

let seat: Seat & { readonly mcp: Client };
let original: Client;
let plan: string;

beforeAll(async () => {
  const world = await sessionWorld("dptr");
  seat = await seatByProgram(world);
  const { dir } = world.repository;
  const place = {
    dir,
    home: world.home,
    env: { PATH: process.env["PATH"] ?? "" },
    remove: async () => undefined,
  };
  original = await connectOriginal(place, join(world.home, "memory.jsonl"));
});

const entity = async (name: string) => {
  const { entities } = (await seat.call("open_nodes", { names: [name] })) as {
    entities: { name: string; entityType: string; observations: string[] }[];
  };
  return entities;
};

verifies(
  "TDP-55",
  "the nine tools are those of server-memory and answer a script of calls like it",
  async () => {
    const names = Object.keys(graphShapes);
    const lists = await Promise.all([seat.mcp.listTools(), original.listTools()]);
    const [ours, theirs] = lists.map(({ tools }) => tools.filter(({ name }) => names.includes(name)));
    expect(ours).toEqual(theirs);
    const script: readonly (readonly [string, Record<string, unknown>])[] = [
      ["create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["counts"] }] }],
      ["add_observations", { observations: [{ entityName: "Ada", contents: ["counts", "writes"] }] }],
      ["create_relations", { relations: [{ from: "Ada", to: "engine", relationType: "knows" }] }],
      ["search_nodes", { query: "WRIT" }],
      ["add_observations", { observations: [{ entityName: "nobody", contents: ["x"] }] }],
      ["delete_observations", { deletions: [{ entityName: "Ada", observations: ["counts"] }] }],
      ["open_nodes", { names: ["Ada"] }],
      ["delete_relations", { relations: [{ from: "Ada", to: "engine", relationType: "knows" }] }],
      ["delete_entities", { entityNames: ["Ada"] }],
      ["read_graph", {}],
    ];
    for (const [name, args] of script) {
      const [answer, expected] = await Promise.all(
        [seat.mcp, original].map((client) => client.callTool({ name, arguments: args })),
      );
      expect({ name, ...answer }).toEqual({ name, ...expected });
    }
  },
);

verifiesInCi(
  "TDP-55",
  "the dialogue of the open dispatch is an entity to which add_observations is observe",
  async () => {
    const cassette = await oneCycle();
    const at = await playUntil(seat, "Ω₄ᶜ", cassette);
    plan = /S(PLAN_\w+)/u.exec(at.line)?.[1] ?? "";
    const spoken = await seat.call("add_observations", {
      observations: [{ entityName: plan, contents: ["first\nline", "second"] }],
    });
    expect(spoken).toEqual([
      {
        entityName: plan,
        addedObservations: [expect.stringContaining("]: first\\nline"), expect.stringContaining("]: second")],
      },
    ]);
    const [found, ...none] = await entity(plan);
    const { observations } = (await seat.call("query", { pattern: "OBS[*,*,*,*]" })) as {
      observations: string[];
    };
    expect(found).toEqual({ name: plan, entityType: "plan_loop", observations });
    expect(none).toEqual([]);
    expect(observations.map((line) => line.replace(/T:[^\]]+/u, "T"))).toEqual([
      `OBS[S${plan},R0,A:Ω₃ᴾ,T]: One cycle for each module; slugify first.`,
      `OBS[S${plan},R0,A:Ω₄ᶜ,T]: first\\nline`,
      `OBS[S${plan},R0,A:Ω₄ᶜ,T]: second`,
    ]);
    const events = await seat.events();
    expect(events.filter(({ type }) => type === "observed").length).toBe(3);
  },
);

verifiesInCi(
  "TDP-55",
  "QA's addition has its name and round; an ended or foreign dialogue, and a deletion, are refused",
  async () => {
    await seat.call("report", { status: "PA" });
    const at = (await seat.call("next")) as DispatchStep;
    const tdd = /STDD_\w+/u.exec(at.line)?.[0].slice(1) ?? "";
    const add = (entityName: string, ...contents: string[]) =>
      seat.call("add_observations", { observations: [{ entityName, contents }] });
    await add(tdd, "it fails");
    const before = await seat.call("read_graph");
    const { length } = await seat.events();
    expect(before).toMatchObject({
      entities: [
        { name: plan, entityType: "plan_loop", observations: { length: 3 } },
        {
          name: tdd,
          entityType: "tdd_loop",
          observations: [
            expect.stringContaining(",R0,A:MT,"),
            expect.stringMatching(/,R0,A:QA,T:[^\]]+\]: it fails$/u),
          ],
        },
      ],
    });
    const refused: readonly (readonly [string, object, string])[] = [
      ["add_observations", { observations: [{ entityName: plan, contents: ["late"] }] }, "session_closed"],
      ["add_observations", { observations: [{ entityName: tdd, contents: ["x", ""] }] }, "bad_content"],
      [
        "delete_observations",
        { deletions: [{ entityName: tdd, observations: ["it fails"] }] },
        "dialogue_is_append_only",
      ],
      ["delete_entities", { entityNames: ["Ada", plan] }, "dialogue_is_append_only"],
      ["delete_entities", { entityNames: [tdd] }, "dialogue_is_append_only"],
    ];
    for (const [tool, args, code] of refused)
      expect(await seat.refused(tool, { ...args })).toMatch(new RegExp(`^error\\[${code}\\]`, "u"));
    const same = { name: tdd, entityType: "other", observations: ["mine"] };
    expect(await seat.call("create_entities", { entities: [same] })).toEqual([]);
    expect(await seat.call("read_graph")).toEqual(before);
    expect((await seat.events()).length).toBe(length);
    expect(await seat.call("search_nodes", { query: "IT FAILS" })).toMatchObject({
      entities: [{ name: tdd }],
    });
    await seat.call("create_relations", { relations: [{ from: "Ada", to: tdd, relationType: "reads" }] });
    expect(await entity(tdd)).toHaveLength(1);
    expect(await seat.call("open_nodes", { names: [tdd] })).toMatchObject({ relations: [{ from: "Ada" }] });
  },
);
