import type { CommandEntry } from "./command.ts";

export const commands: Readonly<Record<string, CommandEntry>> = {
  run: { summary: "start a task", load: () => import("./commands/run.ts") },
  status: { summary: "where runs stand and what waits for you", load: () => import("./commands/status.ts") },
  watch: { summary: "follow a run live", load: () => import("./commands/watch.ts") },
  log: { summary: "the timeline of a run", load: () => import("./commands/log.ts") },
  show: { summary: "a run, record, payload or question", load: () => import("./commands/show.ts") },
  answer: { summary: "answer a question", load: () => import("./commands/answer.ts") },
  approve: { summary: "approve what a gate shows", load: () => import("./commands/approve.ts") },
  reject: { summary: "send a plan or code back with a reason", load: () => import("./commands/reject.ts") },
  resume: { summary: "continue a run", load: () => import("./commands/resume.ts") },
  abort: { summary: "end a run, keeping its work", load: () => import("./commands/abort.ts") },
  prove: {
    summary: "whether the tests of a change prove it, between two commits",
    load: () => import("./commands/prove.ts"),
  },
  gate: {
    summary: "one gate of the protocols over two commits",
    load: () => import("./commands/gate.ts"),
  },
  verify: { summary: "check a run's evidence", load: () => import("./commands/verify.ts") },
  land: { summary: "take a proven result over", load: () => import("./commands/land.ts") },
  protocol: { summary: "list, show, check or draw protocols", load: () => import("./commands/protocol.ts") },
  memory: {
    summary: "show, check or search the memory of a project",
    load: () => import("./commands/memory.ts"),
  },
  init: { summary: "set a repository up", load: () => import("./commands/init.ts") },
  doctor: {
    summary: "what a run needs here, what is missing, and what helps",
    load: () => import("./commands/doctor.ts"),
  },
  demo: { summary: "watch the whole protocol on a bundled task", load: () => import("./commands/demo.ts") },
  hook: {
    summary: "answer a hook of a session",
    load: () => import("./commands/hook.ts"),
  },
  mcp: { summary: "serve the tools of an agent over MCP", load: () => import("./commands/mcp.ts") },
  envoy: {
    summary: "print the steps of a protocol, for an agent that follows them",
    load: () => import("./commands/envoy.ts"),
  },
  clean: { summary: "remove what ended runs left", load: () => import("./commands/clean.ts") },
};
