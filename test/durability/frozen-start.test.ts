/**
 * A run keeps the protocol, templates and settings it started with; only a person changes them, for this run (CORE-06).
 * @module-tag ci
 */
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import { callIn } from "../cli/here.ts";
import { files, scaffoldSteps, nodesOf, report, specOf, write, type TreeNode } from "../graph/story.ts";
import { createTreeWorld } from "../graph/world.ts";
import { verifies } from "../verifies.ts";
import { makeKiller } from "./killer.ts";
import {
  answerNone,
  createWorld,
  demoFiles,
  eventsOf,
  golden,
  answerAll,
  type CassetteFile,
  type World,
} from "../orchestrate/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({
    ...(await demoFiles()),
    "mettle.yaml": "version: 1\nlimits: { documents: 2 }\n",
    ".mettle/templates/planner.md": "---\nrole: planner\ntools: Read\n---\nFIRST TEMPLATE {{> report}}\n",
  });
});

/** A planner whose document is refused each time. */
async function stubborn(message = "first"): Promise<CassetteFile> {
  const cassette = await golden();
  const turn = {
    expects: ["FIRST TEMPLATE"],
    does: [{ write: { path: ".claude/temp/architecture.md", content: "# Nothing\n" } }],
    report: { status: "WRITTEN", message },
    repeat: true,
  };
  return { ...cassette, roles: { ...cassette.roles, planner: [turn] } };
}

verifies("CORE-06", "edited files change the next run, not this one, also after a resume", async () => {
  const cassette = await stubborn();
  const run = await world.start(cassette, { agents: { planner: await world.agent(cassette) } });
  await world.drive(run, answerNone);
  await world.repository.write({
    "mettle.yaml": "version: 1\nlimits: { documents: 1 }\n",
    ".mettle/templates/planner.md": "---\nrole: planner\ntools: Read\n---\nSECOND TEMPLATE {{> report}}\n",
    ".mettle/protocols/orchestrate.yaml": "broken: [",
  });
  const { end, events } = await world.drive(run, answerAll);
  expect(end).toMatchObject({ asks: [{ as: "escalated", trip: { counter: "documents", limit: 2 } }] });
  expect(eventsOf(events, "dispatch.started").filter(({ role }) => role === "planner")).toHaveLength(2);

  const shown = await callIn(world, ["show", run, "--json"]);
  const started = eventsOf(events, "run.started")[0];
  expect(shown.json()).toMatchObject({
    protocol_hash: started?.protocolRef,
    settings_hash: started?.settingsRef,
    templates_hash: started?.templatesRef,
  });

  // The next run reads the protocol anew, so it cannot begin with a broken one.
  await expect(world.start(cassette)).rejects.toThrow(".mettle/protocols/orchestrate.yaml");
  await world.repository.write({ ".mettle/protocols/orchestrate.yaml": null });
  const second = await world.start({
    ...cassette,
    roles: { ...cassette.roles, planner: [{ ...cassette.roles.planner[0], expects: ["SECOND TEMPLATE"] }] },
  });
  const later = await world.drive(second, answerAll);
  expect(later.end).toMatchObject({ asks: [{ trip: { counter: "documents", limit: 1 } }] });
});

verifies("CORE-06", "a person's --set and --agent change one run and are journaled as theirs", async () => {
  const [first = ""] = await world.host.journal.runs();
  const agent = await world.agent(await stubborn("second"));
  const resumed = await callIn(world, [
    "resume",
    first,
    "--context",
    "look again",
    "--set",
    "limits.documents=3",
    "--agent",
    `planner=${agent}`,
    "--json",
  ]);
  expect(resumed.code, resumed.stderr).toBe(4);
  const { context, events } = await world.drive(first, answerNone);
  expect(eventsOf(events, "settings.changed")).toMatchObject([
    { what: `limits.documents=3, agent planner=${agent}`, by: { answeredBy: "file" } },
  ]);
  expect(context.settings.agents.roles["planner"]).toBe(agent);
  const plans = eventsOf(events, "result").filter(({ key }) => key.startsWith("planning"));
  expect(plans.map(({ text }) => text)).toEqual(["first", "first", "second", "second", "second"]);
  expect(context.session.view.breakers.at(-1)).toMatchObject({ attempts: 3, max: 3 });
});

verifies(
  "V3-84",
  "a graph keeps its own templates although they are edited, for nodes that have not spoken yet too, and after its process was killed",
  async () => {
    const tree = await createTreeWorld(files);
    const killer = await makeKiller();

    const own = (name: string, text: string) => ({ [`.mettle/templates/graph/${name}.jinja`]: text });
    const both = (text: string) => ({
      ...own("scaffold", `${text} scaffold`),
      ...own("tdd", `${text} tdd`),
    });
    await tree.repository.write(both("FIRST"));
    const top: TreeNode = { id: "top" };
    const { top: roles = {} } = nodesOf(top);
    const { dir } = tree.repository;
    const edits = Object.entries(both("{{ broken }}")).map(([path, text]) => write(join(dir, path), text));
    const missing = { missingType: "Top", expectedLocation: "src/top-api.js" };
    const nodes = {
      top: {
        scaffold: [
          { does: [...scaffoldSteps(top), ...edits], report: roles["scaffold"]?.[0]?.report },
          { report: report("EN", null) },
        ],
        tdd: [{ report: report("InvalidScaffold", missing), repeat: true }],
      },
    };
    const cassette = { version: 1, kind: "cassette", nodes } as unknown as CassetteFile;
    const spec = { spec: specOf(top), file: null };
    const start = () => tree.start(cassette, { task: "A top", protocol: "graph", spec });
    const run = await start();
    const killed = await killer.drive({ repository: dir, home: tree.home, run, at: 6, when: "after" });
    expect(killed.signal, killed.stderr.toString()).toBe("SIGKILL");
    const prompts = async () => {
      const context = await openRun(tree.host, { run });
      const started = eventsOf((await tree.host.journal.read(run)).map(recorded), "dispatch.started");
      return Promise.all(
        started.map(async ({ role, prompt }) => {
          const [line] = (await context.payloads.text(prompt)).split("\n");
          return `${role}: ${line}`;
        }),
      );
    };
    const before = ["scaffold: FIRST scaffold", "tdd: FIRST tdd"];
    expect(await prompts()).toEqual(before);

    const claim = await tree.host.journal.claim(run, tree.host.me);
    await tree.drive(run, answerNone);
    await claim.release();
    expect(await prompts()).toEqual([...before, "tdd: FIRST tdd", "scaffold: FIRST scaffold"]);
    await expect(start()).rejects.toThrow("there is no broken here");
    await tree.repository.write(both("SECOND"));
    const { templates } = await openRun(tree.host, { run: await start() });
    expect(["scaffold", "tdd"].map((name) => templates.get(`${name}.jinja`))).toEqual([
      "SECOND scaffold",
      "SECOND tdd",
    ]);
  },
);
