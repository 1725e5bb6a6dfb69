/** The commands that set up and clean a repository, and the programs that other programs start. */
import { verbose } from "./shared.ts";
import { shells } from "../../lib/command-line/completions.ts";
import { argument, flag, option, options } from "../../lib/command-line/row.ts";
import type { MettleCommand } from "../command.ts";

export const machine: readonly MettleCommand[] = [
  {
    name: "init",
    summary: "set a repository up",
    inputs: [
      option("protocol NAME", "the protocol you will use: dptr and riper keep a memory bank", {
        default: "orchestrate",
      }),
      flag("claude", "set up sessions of Claude Code (the default)"),
      flag(
        "envoy",
        "write the protocols of Envoy into this repository, and a git hook that makes a plan for each feature branch",
      ),
      option("plugin FOLDER", "write the session's files as a plugin of Claude Code there, and nothing else"),
      flag("dry-run", "print what would be written, and write nothing"),
      flag("remove", "remove what init wrote; files that you changed stay"),
    ],
    load: () => import("../commands/init.ts"),
  },
  {
    name: "doctor",
    summary: "check what a run needs here, and how to fix what is missing",
    inputs: [
      flag("run", "run the base in a clean checkout, and compare with your own test command"),
      flag(
        "store",
        "check the shared store instead: server, rights, clock, connections, workers, keys, remote",
      ),
    ],
    load: () => import("../commands/doctor.ts"),
  },
  {
    name: "demo",
    summary: "play a whole protocol on a bundled task",
    inputs: [
      option("protocol NAME", "orchestrate, riper, dptr or graph", {
        default: "orchestrate",
        oneOf: ["orchestrate", "riper", "dptr", "graph"],
      }),
      flag("cheat", "an implementer that edits a test and claims success"),
      flag("keep", "keep the demo's folder"),
      verbose,
    ],
    load: () => import("../commands/demo.ts"),
  },
  {
    name: "hook",
    summary: "answer a hook of a session",
    inputs: [
      option("format PROGRAM", "whose hooks these are: claude, codex or gemini", { default: "claude" }),
    ],
    load: () => import("../commands/hook.ts"),
  },
  {
    name: "mcp",
    summary: "serve the tools for agents over MCP",
    inputs: [
      option("http PORT", "serve on this port of 127.0.0.1 instead of standard input and output"),
      option("tools GROUPS", "offer only these: memory, session, envoy; several with commas"),
    ],
    load: () => import("../commands/mcp.ts"),
  },
  {
    name: "envoy",
    summary: "run envoy: steps and plans for an agent",
    inputs: [],
    load: () => import("../commands/envoy.ts"),
  },
  {
    name: "worker",
    summary: "do the runs of a shared store on this host",
    inputs: [
      options("label LABEL", "what this host has, for repositories that ask for it"),
      options(
        "agent NAME",
        "an agent of `agents.commands` that this host can start; others are found on PATH",
      ),
      flag("key", "print the public key of this worker for `mettle keys enrol NAME -`, and do nothing"),
      option("drain SECONDS", "how long what is begun may take after SIGTERM", { default: "30" }),
    ],
    load: () => import("../commands/worker.ts"),
  },
  {
    name: "metrics",
    summary: "serve figures of a shared store for Prometheus and OpenTelemetry",
    inputs: [
      option("listen HOST:PORT", "where Prometheus gets them, under /metrics; without a login", {
        default: "127.0.0.1:9464",
      }),
      option("every SECONDS", "how often the store is asked", { default: "5" }),
    ],
    load: () => import("../commands/metrics.ts"),
  },
  {
    name: "clean",
    summary: "remove what ended runs left behind",
    inputs: [
      flag("dry-run", "list what would be removed, and remove nothing"),
      flag("all", "remove the whole state of this repository: journal, evidence and keys too"),
      flag("yes", "with --all: really remove it"),
    ],
    load: () => import("../commands/clean.ts"),
  },
  {
    name: "completions",
    summary: "print the completions of mettle and envoy for a shell",
    inputs: [
      argument(
        "shell",
        "bash and zsh: source <(mettle completions bash); fish: mettle completions fish | source",
        {
          oneOf: shells,
        },
      ),
    ],
    load: () => import("../commands/completions.ts"),
  },
];
