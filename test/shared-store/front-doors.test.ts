// @module-tag ci
/** The same commands against a local store and a shared one: the same output, line by line, and the same exit codes (SCL-09). */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { verifies } from "../verifies.ts";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { createRepository } from "../support/repository.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { decideInPage } from "./page.ts";
import { plainLines } from "./plain-output.ts";
import { cloneOf, sharedHost, sharedRepository, type SharedHost } from "./world.ts";
import { agentOf, answers, startWorker, workersOrigin, type Worker } from "./workers.ts";

/** A call, its exit code and its output. */
interface Called {
  readonly line: string;
  readonly code: number;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

interface Front {
  readonly host: SharedHost;
  readonly calls: Called[];
  /** In the order of their starts. */
  readonly runs: string[];
}

function frontOf(host: SharedHost): Front {
  return { host, calls: [], runs: [] };
}

/** Calls a command; `RUN` is the newest run of the front. */
async function call(front: Front, line: string, extra: readonly string[] = []) {
  const words = line.split(" ").map((word) => word.replace("RUN", front.runs.at(-1) ?? ""));
  const called = await front.host.cli([...words, ...extra]);
  const plain = (text: string) => plainLines(text, front);
  if (words[0] === "run") front.runs.push(/"run":"(\w+)"/u.exec(called.stdout)?.[1] ?? "");
  front.calls.push({ line, code: called.code, stdout: plain(called.stdout), stderr: plain(called.stderr) });
  return called;
}

async function all(front: Front, lines: readonly string[]): Promise<void> {
  for (const line of lines) await call(front, line);
}

const start = async (front: Front, ...more: readonly string[]) => {
  const agent = `default=${await agentOf(await golden())}`;
  return call(front, ["run", ...more, "--json"].join(" "), ["Add slugify(text)", "--agent", agent]);
};

async function isLeft(front: Front): Promise<boolean> {
  const { runs } = (await front.host.cli(["status", front.runs.at(-1) ?? "", "--json"])).json();
  const [one] = runs as { readonly status: string; readonly owner: number | null }[];
  return one?.status !== "running" && one?.status !== "stopped" && one?.owner === null;
}

async function untilLeft(front: Front): Promise<void> {
  for (let look = 0; look < 200; look++) {
    if (await isLeft(front)) return;
    await pause(200);
  }
  throw new Error(`the run goes on and on: ${(await front.host.cli(["log"])).stdout}`);
}

/** Approves what the run waits for in the page of `mettle ui`, and waits until it waits again. */
async function approveInPage(front: Front): Promise<void> {
  const decided = await decideInPage(front.host, front.runs.at(-1) ?? "", {}, () => untilLeft(front));
  const stdout = plainLines(JSON.stringify(decided.json), front);
  front.calls.push({ line: "ui", code: decided.status, stdout, stderr: [] });
}

/** A run with this terminal, from its questions to the landing, then one that is aborted. */
async function attached(front: Front): Promise<void> {
  await all(front, ["status", "status --json", "watch", "land", "approve"]);
  await start(front);
  await all(front, [
    "status",
    "status --json",
    "status RUN --json",
    "watch RUN",
    "show RUN",
    "show RUN --json",
  ]);
  await all(front, ["approve RUN", "answer RUN", "answer RUN Q9=no", "verify RUN", "land RUN --json"]);
  await call(front, "answer RUN", answers);
  await call(front, "resume RUN --json");
  await approveInPage(front);
  await all(front, ["watch RUN --json", "approve RUN --json", "approve RUN", "approve RUN --json"]);
  await all(front, ["status", "watch RUN", "show RUN --gates", "show RUN/spec", "log RUN", "resume RUN"]);
  await all(front, ["verify RUN", "verify RUN --json", "verify", "land RUN --json", "land RUN"]);
  await start(front, "--approve plan");
  await all(front, [
    "abort RUN --reason enough",
    "abort RUN --json",
    "status RUN",
    "resume RUN",
    "show nosuch",
  ]);
}

/** A run that goes on without this terminal. */
async function detached(front: Front): Promise<void> {
  const then = async (line: string, more: readonly string[] = []) => {
    await call(front, line, more);
    await untilLeft(front);
    await call(front, "status RUN");
  };
  await call(front, "run --detach --land");
  front.runs.pop();
  await start(front, "--detach");
  await untilLeft(front);
  await all(front, ["status RUN --json", "approve RUN"]);
  await then("answer RUN", answers);
  await then("approve RUN --json");
  await then("approve RUN");
  await all(front, ["watch RUN", "resume RUN", "verify RUN", "verify RUN --json", "land RUN"]);
}

/**
 * Lines that differ with a reason: each host signs what it made in a shared store, `verify` cannot know their machines, and a process of
 * this host has a file for its output.
 */
const withReason = [
  /^ {2}signed by /u,
  /who could reach (?:the|a) signing key/u,
  /^ *- that (?:the|this) machines? .*honest/u,
  /^ *"that (?:the|this) machines? .*honest/u,
  /^the output of its process: /u,
  // A worker looks once more whether there is something to do.
  /^ *"owner": (?:null|\d+),$/u,
  // Lines of a box are broken anywhere in a hash or a path.
  /^│ +(?:\$|↪|-|ℹ duration)/u,
];

/** Two reviewers work at the same time: their lines come last, sorted. */
function inOrder(all: readonly string[]): readonly string[] {
  const lines = all.filter((text) => !withReason.some((one) => one.test(text)));
  const isOfReview = (line: string) => /_review\/|-review written|gate \d: |judge/u.test(line);
  return [...lines.filter((line) => !isOfReview(line)), ...lines.filter(isOfReview).toSorted()];
}

function compared(calls: readonly Called[]): readonly Called[] {
  return calls.map((called) => ({
    ...called,
    stdout: inOrder(called.stdout),
    stderr: inOrder(called.stderr),
  }));
}

describe.skipIf(!hasPostgres)("the front doors", () => {
  let server: PostgresServer;
  let worker: Worker | null = null;

  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => worker?.end("SIGKILL"));

  const localFront = async () =>
    frontOf(
      sharedHost(
        (await createRepository({ files: { ...(await untestedFiles()), "mettle.yaml": "version: 1\n" } }))
          .dir,
        null,
      ),
    );

  verifies(
    "SCL-09",
    "every command prints the same and exits alike with both stores",
    async () => {
      const repository = await sharedRepository(await untestedFiles());
      const shared = frontOf(sharedHost(repository.dir, server.newDatabase()));
      await shared.host.cli(["keys", "enrol", "first"]);
      const local = await localFront();
      await Promise.all([attached(local), attached(shared)]);
      expect(compared(shared.calls)).toEqual(compared(local.calls));
      // Another host reads the same.
      const there = sharedHost(await cloneOf(repository), shared.host.env["METTLE_STORE_URL"] ?? "");
      for (const line of ["status", "status --json", "log", "show RUN", "show RUN --json", "watch RUN"]) {
        const words = line.split(" ").map((word) => word.replace("RUN", shared.runs[0] ?? ""));
        const [one, other] = [await shared.host.cli(words), await there.cli(words)];
        expect([line, other.code, other.stdout]).toEqual([line, one.code, one.stdout]);
      }
    },
    240_000,
  );

  verifies(
    "SCL-09",
    "a detached run prints the same with both stores, from its questions to its landing",
    async () => {
      const url = server.newDatabase();
      const origin = await workersOrigin(await untestedFiles());
      const shared = frontOf(sharedHost(await cloneOf(origin), url));
      worker = await startWorker(url, [], { by: shared.host });
      const local = await localFront();
      await Promise.all([detached(local), detached(shared)]);
      expect(compared(shared.calls)).toEqual(compared(local.calls));
    },
    240_000,
  );
});
