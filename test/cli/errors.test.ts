/** Provokes every error code, most of them by the program, and checks the error line, the hint line and the exit code. */
// @module-tag ci
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import * as z from "zod";
import { packageRoot } from "../../src/config/package-root.ts";
import { hidesLogins } from "../../src/config/platform.ts";
import { parsePattern } from "../../src/journal/observation-line.ts";
import { openObservations } from "../../src/journal/observations.ts";
import { openJournal } from "../../src/journal/open.ts";
import { openChannel } from "../../src/channel/channel.ts";
import { openStore } from "../../src/journal/store.ts";
import { AppError, errorCodes, type ErrorCode } from "../../src/lib/errors.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { drive } from "../../src/engine/drive.ts";
import { run as runProcess } from "../../src/process/run.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository } from "../support/repository.ts";
import {
  answerNone,
  createWorld,
  golden,
  answerAll,
  answerOnly,
  type CliResult,
  type DriveResult,
  type World,
} from "../orchestrate/world.ts";
import { programHere } from "../sandbox/bubblewrap.ts";
import { verifies } from "../verifies.ts";
import { errorAttempts } from "./error-attempts.ts";
import { codesProvokedElsewhere } from "./provoked-elsewhere.ts";
import { callIn } from "./here.ts";

type CallOptions = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> };

interface ProvokedError extends Omit<CliResult, "json"> {
  readonly expected: ErrorCode;
  readonly args: readonly string[];
}

const deep = process.env["METTLE_DEEP"] !== undefined;
const canMount = spawnSync("unshare", ["-rm", "true"]).status === 0;
/** Preloads a script, to simulate a bug of the program or another system. */
const preload = (script: string) => {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
};
const brokenTerminal = `Object.defineProperty(process.stdout, "columns", { get() { throw new TypeError("a fault") } })`;

describe("errors", () => {
  let world: World;
  let temporary: string;
  let limited: DriveResult;
  const provoked: ProvokedError[] = [];
  const runs: Record<"plan" | "questions" | "broken", string> = { plan: "", questions: "", broken: "" };
  const heads: { readonly before: Map<string, number>; readonly after: Map<string, number> } = {
    before: new Map(),
    after: new Map(),
  };

  const provoke = async (
    expected: ErrorCode,
    args: readonly string[],
    options: CallOptions = {},
  ): Promise<void> => {
    provoked.push({ expected, args, ...(await here([...args, "--json"], options)) });
  };
  /** Calls `main` in this process. */
  const here = (args: readonly string[], options?: CallOptions) => callIn(world, args, options);
  /** Starts the built program, for a simulated bug, another system, or a separate process. */
  const provokeInProgram = async (
    expected: ErrorCode,
    args: readonly string[],
    options: CallOptions = {},
  ): Promise<void> => {
    provoked.push({ expected, args, ...(await world.cli([...args, "--json"], options)) });
  };
  const withFiles = async (
    files: Readonly<Record<string, string>>,
    body: () => Promise<void>,
  ): Promise<void> => {
    await world.repository.write(files);
    try {
      await body();
    } finally {
      await world.repository.write(Object.fromEntries(Object.keys(files).map((path) => [path, null])));
    }
  };
  /** A changed copy of the state home. */
  const spoilt = async (name: string, spoil: (root: string) => Promise<unknown>) => {
    const home = join(temporary, name);
    const root = basename(world.host.home.root);
    // In another process: closing a file of SQLite here would release the locks of this process.
    spawnSync("cp", ["-r", world.home, home]);
    await spoil(join(home, root));
    return { env: { METTLE_HOME: home } };
  };
  const sql = (statement: string) => async (root: string) => {
    const store = await openStore({ home: root, clock: manualClock() });
    store.db.exec(statement);
    await store.close();
  };
  const provokeLocked = async (run: string): Promise<void> => {
    const { env } = await spoilt("locked", async () => undefined);
    const home = join(env.METTLE_HOME, basename(world.host.home.root));
    const holder = await openStore({ home, clock: manualClock() });
    holder.db.exec("BEGIN EXCLUSIVE");
    await provokeInProgram("journal_locked", ["resume", run], { env });
    holder.db.exec("ROLLBACK");
    await holder.close();
  };
  const provokeFullDisk = async (): Promise<void> => {
    const mount = 'mount -t tmpfs -o size=32k none "$METTLE_HOME" && exec "$@"';
    const args = [
      "-rm",
      "sh",
      "-c",
      mount,
      "sh",
      process.execPath,
      packageRoot("dist/bin/mettle.js"),
      "status",
      "--json",
    ];
    const ran = await runProcess("unshare", args, {
      cwd: world.repository.dir,
      env: { PATH: process.env["PATH"] ?? "", METTLE_HOME: temporary },
      timeoutMs: 30_000,
    });
    provoked.push({
      expected: "disk_full",
      args: ["status"],
      code: ran.exitCode ?? -1,
      stdout: ran.stdout.toString("utf8"),
      stderr: ran.stderr.toString("utf8"),
    });
  };
  const task = ["run", "Add slugify(text)", "--protocol", "orchestrate"];

  beforeAll(async () => {
    temporary = newFolder();
    world = await createWorld();
    const cassette = await golden();
    const agent = await world.agent(cassette);
    const { roles } = cassette;
    runs.plan = (await world.go(cassette, answerOnly("questions"))).run;
    runs.questions = (
      await world.go({ ...cassette, roles: { ...roles, intake: roles.intake.slice(0, 1) } }, answerNone)
    ).run;
    runs.broken = (
      await world.go({ ...cassette, roles: { ...roles, intake: [{ does: [{ crash: 3 }] }] } }, answerNone)
    ).run;
    const { plan, questions, broken } = runs;
    const own = (content: string) => ({ ".mettle/protocols/own.yaml": content });
    for (const run of Object.values(runs)) heads.before.set(run, await world.host.journal.head(run));

    // The command waits ten seconds for the lock; by default the journal's shorter wait below is tested.
    const locked = deep ? provokeLocked(plan) : null;

    await provoke("usage", ["aprove"]);
    await provoke("empty_task", ["run", "@orchestrate"]);
    await provoke("protocol_conflict", ["run", "@orchestrate x", "--protocol", "riper"]);
    await provoke("protocol_unknown", ["run", "x", "--protocol", "nowhere", "--agent", agent]);
    await withFiles(own("version: 1\nkind: [\n"), () =>
      provoke("protocol_invalid", ["protocol", "check", "own"]),
    );
    await withFiles(own("version: 2\nprotocol: own\nkind: machine\n"), () =>
      provoke("version_unsupported", ["protocol", "show", "own"]),
    );
    await withFiles({ ".mettle/templates/planner.md": "{{nothing}}\n" }, () =>
      provoke("template_invalid", [...task, "--agent", agent]),
    );
    await withFiles({ "mettle.yaml": "version: 1\nlimits: { green: 0 }\nlimit: 3\n" }, () =>
      provoke("config_invalid", [...task, "--agent", agent]),
    );
    await withFiles({ "mettle.yaml": "version: 1\nlimits: { greens: 5 }\n" }, () =>
      provoke("bad_setting", [...task, "--agent", agent]),
    );
    await withFiles({ ".claude/settings.local.json": "{" }, () => provoke("settings_invalid", ["init"]));
    const gitOnly = join(temporary, "git-only");
    await mkdir(gitOnly);
    await symlink(programHere("git"), join(gitOnly, "git"));
    await withFiles({ "mettle.yaml": "version: 1\nsandbox: required\n" }, () =>
      provoke("sandbox_missing", [...task, "--agent", agent], { env: { PATH: gitOnly } }),
    );
    await provoke("agent_unknown", [...task, "--agent", "hal"]);
    await provoke("bundle_invalid", ["verify", "--bundle", "nothing.json"]);
    await provoke("cassette_invalid", [...task, "--agent", "scripted:nothing.yaml"]);
    await provoke("run_unknown", ["status", "nowhere"]);
    await provoke("question_unknown", ["answer", questions, "Q9=what"]);
    await provoke("reason_required", ["reject", plan]);
    await provoke("nothing_waiting", ["approve", questions]);
    await provoke("revision_unknown", ["resume", broken, "--reset", "feedbeef"]);
    await provoke("land_refused", ["land", plan]);
    await provoke("agent_cannot_approve", ["approve", plan], { env: { METTLE_DISPATCH: "1" } });
    await provokeInProgram("internal", ["status"], { env: preload(brokenTerminal) });
    await provokeInProgram("platform_unsupported", ["status"], {
      env: preload(`Object.defineProperty(process, "platform", { value: "win32" })`),
    });

    await provoke("not_a_repository", ["status"], { cwd: temporary });
    const fresh = await createRepository({ commit: false });
    await provoke("no_commit", ["status"], { cwd: fresh.dir });
    await fresh.write({ "README.md": "nothing to test\n" });
    await fresh.commit();
    await provoke("runner_not_found", [...task, "--agent", agent], { cwd: fresh.dir });
    await fresh.write({ "package.json": `{"devDependencies": {"vitest": "1", "jest": "1"}}` });
    await fresh.commit();
    await provoke("runner_ambiguous", [...task, "--agent", agent], { cwd: fresh.dir });
    await fresh.git("branch", "mettle");
    await provoke("ref_blocked", [...task, "--agent", agent], { cwd: fresh.dir });
    await fresh.git("symbolic-ref", "HEAD", "refs/heads/gone");
    await provoke("branch_unresolved", ["status"], { cwd: fresh.dir });
    await fresh.remove();

    const agents = join(temporary, "agents");
    await mkdir(agents);
    const withClaude = async (version: string): Promise<CallOptions> => {
      await writeFile(join(agents, "claude"), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
      return { env: { PATH: `${agents}:${process.env["PATH"] ?? ""}` } };
    };
    await provoke("agent_outdated", [...task, "--agent", "claude"], await withClaude("1.0.3"));
    if (!hidesLogins())
      await provoke("agent_login", [...task, "--agent", "claude"], await withClaude("2.1.332"));

    const bin = join(temporary, "bin");
    await mkdir(bin);
    await provoke("git_missing", ["status"], { env: { PATH: bin } });
    const git = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();
    await writeFile(
      join(bin, "git"),
      `#!/bin/sh\ncase "$*" in *for-each-ref*) exit 9;; esac\nexec ${git} "$@"\n`,
    );
    await chmod(join(bin, "git"), 0o755);
    for (const name of ["sh", "true"]) await symlink(`/bin/${name}`, join(bin, name));
    await provoke("git_failed", ["clean"], { env: { PATH: bin } });

    const claim = await world.host.journal.claim(plan, world.host.me);
    await provokeInProgram("run_busy", ["resume", plan]);
    await claim.release();
    await provoke("state_unwritable", ["status"], { env: { METTLE_HOME: "/dev/null/state" } });
    const newest = `run = '${plan}' AND seq = (SELECT max(seq) FROM events WHERE run = '${plan}')`;
    const damage = `DROP TRIGGER events_keep; UPDATE events SET data = data || ' ' WHERE ${newest}`;
    await provoke("journal_corrupt", ["log", plan], await spoilt("corrupt", sql(damage)));
    await provoke("journal_newer", ["log", plan], await spoilt("newer", sql("PRAGMA user_version = 99")));
    const spec =
      (await openRun(world.host, { run: plan })).session.view.documents["spec"]?.ref.slice(7) ?? "";
    const payload = (root: string) => join(root, "payloads", spec.slice(0, 2), spec);
    await provoke("key_lost", ["resume", plan], await spoilt("key", (to) => rm(`${to}/keys/evidence.pem`)));
    const show = ["show", `${plan}/spec`];
    await provoke("payload_missing", show, await spoilt("missing", (root) => rm(payload(root))));
    await provoke("payload_corrupt", show, await spoilt("changed", (root) => writeFile(payload(root), "x")));
    await locked;
    for (const run of Object.values(runs)) heads.after.set(run, await world.host.journal.head(run));

    // Errors of the environment pause a driven run with the reason.
    await world.repository.write({ ".claude/temp/spec.md": "# Another\n" });
    await provoke("approval_stale", ["approve", plan]);
    await rename(world.host.home.worktrees, `${world.host.home.worktrees}.away`);
    await writeFile(world.host.home.worktrees, "");
    const answers = ["Q1=a", "Q2=a", "Q3=a", "Q4=a", "Q5=a"];
    await provoke("worktree_failed", ["answer", questions, ...answers]);
    await rm(world.host.home.worktrees);
    await rename(`${world.host.home.worktrees}.away`, world.host.home.worktrees);
    await provoke("cassette_mismatch", ["resume", questions]);
    const mute = await world.go({ ...cassette, roles: { ...roles, claude: [{ repeat: true }] } }, answerAll);
    await provoke("reviewer_unreachable", ["resume", mute.run]);
    const gone = await world.agent(cassette);
    const orphan = await world.start(cassette, { agents: { default: gone } });
    await rm(gone.replace("scripted:", ""));
    await provoke("agent_missing", ["resume", orphan]);
    await here(["abort", mute.run]);
    await provoke("run_ended", ["abort", mute.run]);
    limited = await loggedOut(world);
    if (canMount) await provokeFullDisk();
  }, 240_000);

  verifies(
    "CORE-89",
    "are one line with the code and one with a hint, the same in --json, and never a stack",
    () => {
      for (const { expected, args, code, stdout, stderr } of provoked) {
        const about = `${expected}: mettle ${args.join(" ")}`;
        const [, printed, message, hint] =
          /(?:^|\n)error\[([a-z_]+)\]: ([\s\S]+)\nhint: (.+)\n$/u.exec(stderr) ?? [];
        expect([about, printed, code]).toEqual([about, expected, errorCodes[expected]]);
        const { error } = z.object({ error: z.record(z.string(), z.unknown()) }).parse(JSON.parse(stdout));
        expect([about, error]).toEqual([
          about,
          { code: expected, message, hint, ...("detail" in error && { detail: error["detail"] }) },
        ]);
        expect([about, /^\s+at /mu.test(stderr)]).toEqual([about, false]);
      }
      // A refused command loses and changes nothing.
      expect(heads.after).toEqual(heads.before);
    },
  );

  verifies("CORE-89", "show a stack only with --debug", async () => {
    const { code, stderr } = await here(["status", "nowhere", "--debug"]);
    expect([code, stderr.split("\n")[0]]).toEqual([2, "error[run_unknown]: there is no run nowhere"]);
    expect(stderr).toMatch(/^\s+at /mu);
  });

  verifies("CORE-89", "cover every code of the list, which is the documented one", async () => {
    const caught: AppError[] = [];
    const holder = await openStore({ home: temporary, clock: manualClock() });
    const waiting = await openJournal({
      home: temporary,
      clock: manualClock(),
      alive: () => true,
      lockTimeoutMs: 100,
    });
    holder.db.exec("BEGIN EXCLUSIVE");
    const attempts = [
      () => waiting.claim("r1", world.host.me),
      () => world.host.journal.append(runs.plan, 0, [{ type: "tick", data: {} }]),
      async () => observations.query(parsePattern("OBS[")),
      () => openChannel({}, ["/dev/null/nowhere"]),
      () => observations.append({ session: "s", round: 1, agent: "a", content: "" }),
      ...errorAttempts.map(([, attempt]) => attempt),
    ];
    const observations = await openObservations({ home: join(temporary, "seen"), clock: manualClock() });
    for (const attempt of attempts)
      caught.push(
        await attempt().then(
          () => expect.fail("nothing failed"),
          (error: unknown) => appError(error),
        ),
      );
    await observations.close();
    await waiting.close();
    await holder.close();
    expect(caught.map(({ code }) => code)).toEqual([
      "journal_locked",
      "journal_conflict",
      "bad_pattern",
      "channel_failed",
      "bad_content",
      ...errorAttempts.map(([code]) => code),
    ]);
    for (const { hint } of caught) expect(hint).toMatch(/^.+$/u);

    const { run, end, context } = limited;
    expect(end).toMatchObject({ type: "waiting", asks: [{ as: "inconclusive" }] });
    expect(context.session.view.warnings.at(-1)).toMatchObject({
      code: "agent_failed",
      stopped: {
        message: "intake: auth: nobody is logged in",
        hint: `fix it, then \`mettle resume ${run}\``,
      },
    });

    // A run must reach Phase 9 for this code; another test provokes it.
    const elsewhere = await readFile("test/orchestrate/rework.test.ts", "utf8");
    expect(elsewhere).toContain('{ code: "approval_unproven"');
    expect(await readFile("test/cycles/dispute.test.ts", "utf8")).toContain("error[unknown_answer]");
    const codes = [
      ...(await codesProvokedElsewhere()),
      "unknown_answer",
      ...provoked.map(({ expected }) => expected),
      ...caught.map(({ code }) => code),
      "agent_failed",
      "approval_unproven",
    ];
    const missing = Object.keys(errorCodes).filter((code) => !codes.includes(code));
    expect(missing).toEqual([...(hidesLogins() ? ["agent_login"] : []), ...(canMount ? [] : ["disk_full"])]);
  });
});

function appError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** An agent without a login. */
async function loggedOut(world: World): Promise<DriveResult> {
  const run = await world.start(await golden());
  const context = await openRun(world.host, { run });
  const outcome = { type: "auth", text: "", why: "nobody is logged in" } as const;
  const agentOf: typeof context.agentOf = async (command) => ({
    ...(await context.agentOf(command)),
    start: () => Promise.resolve(outcome),
  });
  const loggedOutContext = { ...context, agentOf };
  const end = await drive(loggedOutContext, {
    signal: new AbortController().signal,
    answer: () => Promise.resolve(null),
  });
  return { run, end, context: loggedOutContext, events: (await world.host.journal.read(run)).map(recorded) };
}
