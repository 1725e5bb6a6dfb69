import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent } from "../../src/agents/agent.ts";
import { scriptedAgent } from "../../src/agents/scripted/adapter.ts";
import { Cassette } from "../../src/agents/scripted/cassette.ts";
import { bundleProgram } from "../support/bundle.ts";
import { newFolder } from "../support/folder.ts";
import { agentContract, type Act, type AgentStage } from "./contract.ts";

agentContract("scripted", createStage);
agentContract("scripted", createStage, { confined: true, tags: "ci" });

/** `prepare` writes the cassette of the next turn. The player does not record prompts, so this stage does. */
async function createStage(): Promise<AgentStage> {
  const player = await bundleProgram(`import "./src/agents/scripted/player.ts";`);
  const folder = newFolder();
  const received = join(folder, "heard.txt");
  let acts: readonly Act[] = [];
  const current = (): Agent =>
    scriptedAgent({
      cassette: Cassette.parse({
        version: 1,
        kind: "cassette",
        roles: { coder: [{ does: acts.map(stepOf) }] },
      }),
      vendor: "scripted",
      player: player.file,
      node: process.execPath,
    });
  const agent: Agent = {
    ...current(),
    async start(spec, sink, signal) {
      const remembered = spec.conversation.type === "new" ? "" : await readFile(received, "utf8");
      await writeFile(received, `${remembered}${spec.prompt}`);
      return current().start(spec, sink, signal);
    },
  };
  return {
    agent,
    patienceMs: 1500,
    prepare: async (list) => void (acts = list),
    received: () => readFile(received, "utf8"),
  };
}

function stepOf(act: Act): object {
  return "fails" in act ? { fails: { outcome: act.fails, why: "as the test says" } } : act;
}
