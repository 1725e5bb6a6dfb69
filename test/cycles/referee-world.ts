/**
 * A person's session in the referee: the tools of `mettle mcp` in this process, the demo's project as the checkout, and
 * a player that performs the cassette's roles in the checkout.
 */
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { currentProcess } from "../../src/config/owner.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { refereeTools } from "../../src/mcp/referee-tools.ts";
import { recorded } from "../../src/run/list-runs.ts";
import type { NextStep } from "../../src/referee/advance.ts";
import type { Client } from "../../src/referee/client.ts";
import { newestOfSessions } from "../../src/referee/run-in-hand.ts";
import { refereeOf } from "../../src/referee/referee.ts";
import type { TurnFile, World } from "../orchestrate/world.ts";
import { createCyclesWorld, type CyclesCassette, type Role } from "./world.ts";
import { afterFile } from "../support/folder.ts";

/** The referee's tools; the program adds the nine memory tools. */
export type Tool = string;
type Args = Readonly<Record<string, unknown>>;
export type Call = (tool: Tool, args?: Args) => Promise<unknown>;
export type DispatchStep = Extract<NextStep, { type: "dispatch" }>;

export interface Seat {
  readonly world: World;
  /** The parsed answer of a tool; a refusal is thrown with the tool's text. */
  readonly call: Call;
  /** The text of a refusal; throws if the call succeeds. */
  refused(tool: Tool, args?: Args): Promise<string>;
  /** Of the current or last run. */
  events(): Promise<readonly Recorded[]>;
}

export async function takeSeat(
  protocol: "riper" | "dptr",
  files: Readonly<Record<string, string>> = {},
): Promise<Seat> {
  return seatAt(await sessionWorld(protocol, files));
}

/** A project whose sessions start runs of this protocol. */
export function sessionWorld(
  protocol: "riper" | "dptr",
  files: Readonly<Record<string, string>> = {},
): Promise<World> {
  return createCyclesWorld({ "mettle.yaml": settingsFor(protocol), ...files });
}

export function settingsFor(protocol: "riper" | "dptr"): string {
  return `version: 1\nsession: { protocol: ${protocol} }\n`;
}

/** Another session of the same checkout, in this process. */
export function seatAt(world: World, client: Client = currentProcess()): Seat {
  const tools = refereeTools(async () => refereeOf(world.host, client));
  return seatOver(world, async (name, args) => tools.call(name, args));
}

export type ProgramSeat = Seat & { readonly mcp: McpClient; readonly pid: number };

/** A session of the built `mettle mcp`. */
export async function seatByProgram(world: World): Promise<ProgramSeat> {
  const mcp = new McpClient({ name: "session", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [packageRoot("dist/bin/mettle.js"), "mcp"],
    cwd: world.repository.dir,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: world.home,
      METTLE_HOME: world.home,
      METTLE_MUTATION_BUDGET: "0",
    },
    stderr: "ignore",
  });
  await mcp.connect(transport);
  afterFile(() => mcp.close());
  const seat = seatOver(
    world,
    async (name, args) =>
      // The SDK's type also allows results of older protocols, which this server does not send.
      mcp.callTool({ name, arguments: { ...args } }, undefined, {
        timeout: 120_000,
      }) as Promise<CallToolResult>,
  );
  return { ...seat, mcp, pid: transport.pid ?? 0 };
}

function seatOver(world: World, ask: (tool: string, args: Args) => Promise<CallToolResult>): Seat {
  const told = async (tool: string, args: Args = {}) => {
    const { content, isError = false } = await ask(tool, args);
    // While a run of Orchestrate is active, the state line comes first.
    const last = content.at(-1);
    return { text: last?.type === "text" ? last.text : "", isError };
  };
  return {
    world,
    async call(tool, args) {
      const { text, isError } = await told(tool, args);
      if (isError) throw new Error(`${tool}: ${text}`);
      return JSON.parse(text) as unknown;
    },
    async refused(tool, args) {
      const { text, isError } = await told(tool, args);
      expect({ isError, text }).toMatchObject({ isError: true });
      return text;
    },
    async events() {
      const { run } = await newestOfSessions(world.host);
      return (await world.host.journal.read(run ?? "")).map(recorded);
    },
  };
}

export interface Play {
  readonly seat: Pick<Seat, "call" | "world">;
  readonly cassette: CyclesCassette;
  /** Called before the role's work; true ends the play here, with this dispatch open. */
  readonly before?: (at: DispatchStep) => Promise<boolean | undefined | void>;
  /** Default true: calls observe and query as in the cassette. */
  readonly talks?: boolean;
}

/** Starts a run and plays it until a dispatch of this mode is open, which is returned. */
export async function playUntil(
  seat: Pick<Seat, "call" | "world">,
  mode: string,
  cassette: CyclesCassette,
): Promise<DispatchStep> {
  await seat.call("enter", { mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
  const at = await playOn({ seat, cassette, before: async (each) => each.mode === mode });
  if (at.type !== "dispatch") throw new Error(`the run came to no ${mode}`);
  return at;
}

/** Plays from `next` until nothing is dispatched. Each turn of a role is used once, its last one repeatedly. */
export async function playOn({ seat, cassette, before, talks = true }: Play): Promise<NextStep> {
  for (;;) {
    const at = (await seat.call("next")) as NextStep;
    if (at.type !== "dispatch" || (await before?.(at)) === true) return at;
    const turns = cassette.roles[at.role as Role];
    const turn = (turns.length > 1 ? turns.shift() : turns[0]) ?? {};
    await playTurn(seat, turn, talks);
    await seat.call("report", { ...turn.report });
  }
}

/** Performs the turn without its report. */
export async function playTurn(
  { call, world }: Pick<Seat, "call" | "world">,
  { does = [] }: TurnFile,
  talks = true,
): Promise<void> {
  for (const step of does) {
    const { write, edit, observe, query } = step as Step;
    if (write !== undefined) await put(world, write.path, write.content);
    if (edit !== undefined) {
      const text = await readFile(join(world.repository.dir, edit.path), "utf8");
      await put(
        world,
        edit.path,
        text.replace(edit.find, () => edit.replace),
      );
    }
    if (talks && observe !== undefined) await call("observe", { content: observe });
    if (talks && query !== undefined) await call("query", { pattern: query });
  }
}

interface Step {
  readonly write?: { readonly path: string; readonly content: string };
  readonly edit?: { readonly path: string; readonly find: string; readonly replace: string };
  readonly observe?: string;
  readonly query?: string;
}

async function put({ repository }: World, path: string, content: string): Promise<void> {
  const file = join(repository.dir, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
