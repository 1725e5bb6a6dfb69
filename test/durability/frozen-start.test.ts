/** A run keeps the protocol, templates and settings it started with; only a person changes them, for this run (CORE-06). */
import { afterAll, beforeAll, expect } from "vitest";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import {
  absent,
  createWorld,
  demoFiles,
  eventsOf,
  golden,
  willing,
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
afterAll(() => world.remove());

/** A planner whose document is refused each time. */
async function stubborn(): Promise<CassetteFile> {
  const cassette = await golden();
  const turn = {
    expects: ["FIRST TEMPLATE"],
    does: [{ write: { path: ".claude/temp/architecture.md", content: "# Nothing\n" } }],
    report: { status: "WRITTEN" },
    repeat: true,
  };
  return { ...cassette, roles: { ...cassette.roles, planner: [turn] } };
}

verifies(
  "CORE-06",
  "edited files change the next run, not this one, also after a resume",
  async () => {
    const cassette = await stubborn();
    const run = await world.start(cassette);
    await world.drive(run, absent);
    await world.repository.write({
      "mettle.yaml": "version: 1\nlimits: { documents: 1 }\n",
      ".mettle/templates/planner.md": "---\nrole: planner\ntools: Read\n---\nSECOND TEMPLATE {{> report}}\n",
      ".mettle/protocols/orchestrate.yaml": "broken: [",
    });
    const { end, events } = await world.drive(run, willing);
    expect(end).toMatchObject({ asks: [{ as: "escalated", trip: { counter: "documents", limit: 2 } }] });
    expect(eventsOf(events, "dispatch.started").filter(({ role }) => role === "planner")).toHaveLength(2);

    const shown = await callIn(world, ["show", run, "--json"]);
    const started = eventsOf(events, "run.started")[0];
    expect(shown.json()).toMatchObject({
      protocol_hash: started?.protocolRef,
      settings_hash: started?.settingsRef,
      templates_hash: started?.templatesRef,
    });

    await world.repository.write({ ".mettle/protocols/orchestrate.yaml": null });
    const second = await world.start({
      ...cassette,
      roles: { ...cassette.roles, planner: [{ ...cassette.roles.planner[0], expects: ["SECOND TEMPLATE"] }] },
    });
    const later = await world.drive(second, willing);
    expect(later.end).toMatchObject({ asks: [{ trip: { counter: "documents", limit: 1 } }] });
  },
  90_000,
);

verifies(
  "CORE-06",
  "a person's --set changes one run and is journaled as theirs",
  async () => {
    const [first = ""] = await world.host.journal.runs();
    const resumed = await callIn(world, [
      "resume",
      first,
      "--context",
      "look again",
      "--set",
      "limits.documents=3",
      "--json",
    ]);
    expect(resumed.code, resumed.stderr).toBe(4);
    const { context, events } = await world.drive(first, absent);
    expect(eventsOf(events, "settings.changed")).toMatchObject([
      { what: "limits.documents=3", by: { answeredBy: "file" } },
    ]);
    expect(context.session.view.breakers.at(-1)).toMatchObject({ attempts: 3, max: 3 });
  },
  60_000,
);
