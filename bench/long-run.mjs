// Generates the events of an endless run with the kernel, the same as a real run journals.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A run of orchestrate in which the person always rejects the plan. */
export function longRun(mettle, count) {
  const protocol = orchestrate(mettle);
  const address = `sha256:${"0123456789abcdef".repeat(4)}`;
  const events = [
    {
      type: "run.started",
      data: {
        version: 1,
        task: "bench",
        protocol: "orchestrate",
        protocolRef: address,
        templatesRef: address,
        settingsRef: address,
        repository: "bench",
        base: "0".repeat(40),
        branch: "main",
        dirty: false,
        folder: "docs",
        agents: {},
        reviewers: ["Gemini", "Claude"],
        preapproved: [],
        demo: false,
      },
    },
  ];
  const queue = [];
  let state = mettle.init(protocol);
  const take = (event) => {
    const step = mettle.step(protocol, state, event);
    if (step.ignored) throw new Error(step.ignored);
    state = step.state;
    for (const command of step.commands) {
      events.push({ type: "command.issued", data: { key: command.key, command } });
      queue.push(command);
    }
  };
  take({ type: "start", stamp: "1" });
  while (events.length < count) {
    const command = queue.shift();
    if (command === undefined) throw new Error("the run has no open command");
    const { key } = command;
    if (command.type === "dispatch") {
      events.push(
        {
          type: "dispatch.started",
          data: {
            key,
            role: command.role,
            agent: "scripted",
            vendor: "scripted",
            conversation: key,
            resumed: false,
            workspace: "w",
            isolation: "none",
            prompt: address,
          },
        },
        { type: "agent.said", data: { key, ref: address, bytes: 1234 } },
        { type: "agent.used", data: { key, context: 0.2, tokens: 1000, costUsd: 0.01 } },
      );
    }
    const outcome = outcomeOf(command);
    if (outcome === null) continue;
    events.push({ type: "result", data: { key, outcome, payload: address } });
    take({ type: "result", key, outcome, payload: address, stamp: String(events.length) });
  }
  return events.slice(0, count);
}

function outcomeOf(command) {
  switch (command.type) {
    case "dispatch":
      return (
        command.reports.find((code) => ["WRITTEN", "APPROVED", "RC", "GC"].includes(code)) ??
        command.reports[0]
      );
    case "check":
    case "merge":
    case "rebase":
      return "pass";
    case "ask":
      return command.answers.find((answer) => answer === "reject") ?? command.answers[0];
    default:
      return null;
  }
}

export function orchestrate(mettle) {
  const folder = fileURLToPath(new URL("../protocols", import.meta.url));
  const sources = new Map(
    readdirSync(folder)
      .map((name) => [name, join(folder, name, "protocol.yaml")])
      .filter(([, file]) => existsSync(file))
      .map(([name, file]) => [name, { file, text: readFileSync(file, "utf8") }]),
  );
  return mettle.loadProtocol("orchestrate", sources);
}
