import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { beforeAll, expect } from "vitest";
import { exitOfAsks } from "../../src/cli/exit.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { putJson } from "../../src/journal/payload-parts.ts";
import type { DispatchCommand } from "../../src/kernel/command.ts";
import { sha256 } from "../../src/lib/hash.ts";
import { openChannel } from "../../src/channel/channel.ts";
import { channelVariables } from "../../src/channel/current-dispatch.ts";
import { channelCalls } from "../../src/dispatch/channel/channel-calls.ts";
import { collectDecisions } from "../../src/dispatch/channel/decisions.ts";
import { payloadCall } from "../../src/families/graph/decision/payload-call.ts";
import { payloadsFor, largePayloadsSection } from "../../src/families/graph/prompt/payload-references.ts";
import { nodeOf } from "../../src/families/graph/node.ts";
import { openRun } from "../../src/families/open-run.ts";
import { answerNone, eventsOf, type Answer, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { callIn } from "../cli/here.ts";
import { files, spec } from "./threads-world.ts";
import { createTreeWorld } from "./world.ts";

let world: World;
beforeAll(async () => void (world = await createTreeWorld(files)));

const givesUp = { report: { status: "EN", message: "enough" } };

function begin(): Promise<string> {
  const cassette = { version: 1, kind: "cassette", nodes: { calc: { scaffold: [givesUp] } } };
  return world.start(cassette as unknown as Parameters<World["start"]>[0], {
    task: spec.description,
    protocol: "graph",
    spec: { spec, file: null },
  });
}

function placeOf(ref: string): string {
  const hex = ref.slice("sha256:".length);
  return join(world.host.home.payloads, hex.slice(0, 2), hex);
}

/** Resumes a node once that waits because a check could not be executed. */
function resumeOnce(): Answer {
  let left = 1;
  return async (_context, ask) => (ask.as === "inconclusive" && left-- > 0 ? { outcome: "resume" } : null);
}

verifies(
  "V3-56",
  "payloads are stored once, before their event; a node waits for a damaged or missing one without being charged",
  async () => {
    const { payloads } = world.host;
    const report = { criteriaWithTests: [["AC-1", "adds"]], criteriaMissing: [] };
    const ref = await putJson(payloads, report);
    expect(ref).toBe(sha256('{"criteriaMissing":[],"criteriaWithTests":[["AC-1","adds"]]}'));
    expect(await putJson(payloads, { criteriaMissing: [], criteriaWithTests: [["AC-1", "adds"]] })).toBe(ref);

    const run = await begin();
    const { session } = await openRun(world.host, { run });
    const { spec: needed = "" } = session.view.nodes["calc"] ?? {};
    // A payload exists before the journal names it.
    const named = JSON.stringify(await world.host.journal.read(run)).match(/sha256:[0-9a-f]{64}/gu) ?? [];
    for (const address of named) expect(await payloads.has(address)).toBe(true);

    const bytes = await readFile(placeOf(needed));
    const flipped = Buffer.from(bytes);
    flipped[0] = (flipped[0] ?? 0) ^ 1;
    await writeFile(placeOf(needed), flipped);
    const damaged = await world.drive(run, answerNone);
    await rm(placeOf(needed));
    const lost = await world.drive(run, resumeOnce());
    for (const { end, events } of [damaged, lost]) {
      expect(end.type === "waiting" ? exitOfAsks(end.asks) : end).toBe(5);
      expect(eventsOf(events, "dispatch.started")).toEqual([]);
      const [ask] = end.type === "waiting" ? end.asks : [];
      expect(Object.entries(ask?.counters ?? {}).filter(([, { value }]) => value > 1)).toEqual([]);
    }
    const stops = eventsOf(lost.events, "warned").flatMap(({ code, stopped }) =>
      stopped === undefined ? [] : [`${code} ${stopped.message.includes(needed)}`],
    );
    expect(stops).toEqual(["payload_corrupt true", "payload_missing true"]);
    await writeFile(placeOf(needed), bytes);
    const goesOn = await world.drive(run, resumeOnce());
    expect(eventsOf(goesOn.events, "dispatch.started")).toHaveLength(1);
  },
);

verifies(
  "V3-57",
  "an agent and a person read a field by pointer, which loads only the payloads on its path",
  async () => {
    const read: string[] = [];
    const opened = await openRun(world.host, { run: await begin() });
    const { session, payloads } = opened;
    const counting = {
      ...payloads,
      async text(address: string) {
        read.push(address);
        return payloads.text(address);
      },
    };
    const context = { ...opened, payloads: counting };
    const command = session.state.open[0] as DispatchCommand;
    const large = {
      diff: "x".repeat(5 << 20),
      coverageReport: {
        criteriaWithTests: Array.from({ length: 1_000 }, (_, at) => [`AC-${at}`, `test ${at}`]),
        criteriaMissing: ["AC-2"],
      },
    };
    const accepted = await putJson(payloads, large);
    const memory = await putJson(payloads, {
      conversationId: "c",
      coveredCriteria: [],
      pendingTests: ["secret"],
    });
    await session.record([
      { type: "node.accepted", node: "calc", exit: "Approved", ref: accepted },
      { type: "node.remembered", node: "calc", memory: "tdd", ref: memory },
    ]);
    const call = async (request: object) => payloadCall(context, command)?.["payload"]?.(request);
    expect(await call({ ref: accepted, pointer: "/coverageReport/criteriaMissing" })).toMatchObject({
      ok: true,
      result: { value: ["AC-2"] },
    });
    // The payload and its report, but neither the diff nor the long list.
    expect(read).toEqual([accepted, expect.any(String)]);
    expect(await payloads.text(read[1] ?? "")).toContain('"criteriaMissing":["AC-2"]');
    const channel = await openChannel(
      channelCalls(command, collectDecisions(command, []), { payloads: payloadCall(context, command) }),
    );
    const client = new Client({ name: "test", version: "1" });
    const args = [packageRoot("dist/bin/mcp.js")];
    const env = { ...channelVariables(channel) };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    const named = { ref: accepted, pointer: "/coverageReport/criteriaMissing/0" };
    expect(await client.callTool({ name: "payload", arguments: named })).toEqual({
      content: [{ type: "text", text: '"AC-2"' }],
    });
    expect(await client.callTool({ name: "payload", arguments: { ref: memory } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("error[not_allowed]") }],
    });
    await client.close();
    await channel.close();
    const shown = [
      "show",
      context.run,
      "--payload",
      accepted,
      "--pointer",
      "/coverageReport/criteriaMissing",
    ];
    const told = await callIn(world, [...shown, "--json"]);
    expect(told.json()).toMatchObject({ value: ["AC-2"] });
    const refused = async (request: object) => {
      const answer = await call(request);
      return answer?.ok === false ? answer.error.code : answer;
    };
    expect(await refused({ ref: accepted, pointer: "/coverageReport/none" })).toBe("pointer_not_found");
    expect(await refused({ ref: accepted, pointer: "/diff" })).toBe("bad_request");
    expect(await refused({ ref: memory, pointer: "" })).toBe("not_allowed");
    expect(await refused({ ref: session.view.settingsRef, pointer: "" })).toBe("not_allowed");
    expect(await refused({ pointer: "" })).toBe("bad_request");
    const node = nodeOf(context, command);
    const section =
      node === null ? "" : await largePayloadsSection(context, await payloadsFor(context, command, node));
    expect(section).toMatch(/^## Large payloads\n/u);
    expect(section).toContain(`\n- Approved: \`${accepted}\``);
    expect(section).not.toContain("Spec");
  },
);
