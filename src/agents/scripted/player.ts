/**
 * The process of the scripted agent: reads one turn as JSON from standard input, plays it in the working folder, and prints
 * event lines. The adapter starts it. It is a real process, so that hangs, crashes and orphans are real too.
 */
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { askSocket } from "../../lib/ask-socket.ts";
import type { AgentEvent } from "../agent.ts";
import type { EndEvent } from "../event-line.ts";
import type { Reply, CassetteStep } from "./cassette.ts";
import { isPlain, performPlain, report } from "./plain-steps.ts";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const reply = await readReply();
void playReminders();
if (reply !== null) await play(reply);
process.stdin.destroy();

async function readReply(): Promise<Reply | null> {
  const line = await lines.next();
  return line.done === true ? null : (JSON.parse(line.value) as Reply);
}

/** A reminder within the turn: its scripted reply ends the turn. */
async function playReminders(): Promise<void> {
  for (let reminder = await readReply(); reminder !== null; reminder = await readReply()) {
    if (reminder.does.length === 0 && reminder.report === undefined) continue;
    await play(reminder);
    process.exit(0);
  }
}

async function play(reply: Reply): Promise<void> {
  for (const step of reply.does) await perform(step);
  report(reply, emit);
}

async function perform(step: CassetteStep): Promise<void> {
  if (isPlain(step)) return performPlain(step, { cwd: process.cwd(), emit });
  if ("shell" in step) return shell(step.shell);
  if ("print" in step) return print(step.print);
  if ("channel" in step) return callChannel("report", step.channel);
  if ("observe" in step) return callChannel("observe", { content: step.observe });
  if ("query" in step) return callChannel("query", { pattern: step.query });
  if ("payload" in step) return callChannel("payload", step.payload);
  if ("sleep" in step) return pause(step.sleep);
  if ("hang" in step) return pause(2 ** 31 - 1);
  if ("ignoreSigterm" in step) return void process.on("SIGTERM", () => undefined);
  if ("detach" in step) return detach(step.detach);
  if ("fails" in step) return fail(step.fails);
  return crash(step.crash);
}

function emit(event: AgentEvent | EndEvent): void {
  process.stdout.write(`${JSON.stringify({ mettle: 1, ...event })}\n`);
}

function shell(command: string): void {
  emit({ type: "running", tools: 1 });
  const ran = spawnSync("/bin/sh", ["-c", command], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  emit({ type: "tool", name: "shell", detail: `${command}\n${ran.stdout}${ran.stderr}`.slice(0, 64_000) });
  emit({ type: "running", tools: 0 });
}

async function callChannel(call: string, fields: object): Promise<void> {
  const { METTLE_SOCKET: path = "", METTLE_TOKEN: token } = process.env;
  const line = JSON.stringify({ version: 1, token, call, ...fields });
  const answer = await askSocket({ path, line, timeoutMs: 30_000 });
  emit({ type: "tool", name: call, detail: answer.type === "answered" ? answer.line : answer.type });
}

async function print({ bytes, hex }: { bytes: number; hex: string }): Promise<void> {
  const unit = Buffer.from(hex, "hex");
  const block = Buffer.alloc(Math.min(bytes, 1 << 20), unit);
  for (let left = bytes; left > 0; left -= block.length) {
    const chunk = left < block.length ? block.subarray(0, left) : block;
    if (!process.stdout.write(chunk))
      await new Promise<void>((done) => process.stdout.once("drain", () => done()));
  }
  process.stdout.write("\n");
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

function detach(seconds: number): void {
  spawn("sleep", [String(seconds)], { detached: true, stdio: "ignore" }).unref();
}

function fail(end: Omit<EndEvent, "type">): void {
  emit({ type: "end", ...end });
  process.exit(1);
}

function crash(how: number | string): void {
  if (typeof how === "number") process.exit(how);
  process.kill(process.pid, how);
}
