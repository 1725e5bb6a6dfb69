/**
 * A whole run with confined agents: each one inspects the sandbox and tries to escape; the work succeeds as usual.
 * @module-tag ci
 */
import { spawnSync } from "node:child_process";
import { createServer, type Server } from "node:net";
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callChannel } from "../../src/channel/client.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import type { EvidenceRecord } from "../../src/evidence/record.ts";
import { callIn } from "../cli/here.ts";
import { forgetEvent, onCopy, payloadFile, resealRecords, rewriteEvent } from "../orchestrate/tamper.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";
import {
  createWorld,
  eventsOf,
  golden,
  untestedFiles,
  type CassetteFile,
  type DriveResult,
  type World,
} from "../orchestrate/world.ts";
import { confinesHere } from "./bubblewrap.ts";
import { clients, search, unlisted } from "./clients.ts";
import { escapes, looks } from "./escapes.ts";

const dependency = "exports.answer = 42;\n";

describe.skipIf(!confinesHere())("a run whose agents are confined (SKIPPED without bubblewrap)", () => {
  let world: World;
  let home: string;
  let server: Server;
  let driven: DriveResult;
  /** `coder-1` -> its findings. */
  const found = new Map<string, readonly string[]>();
  beforeAll(async () => {
    home = newFolder();
    await writeFile(join(home, "secret"), "s");
    world = await createWorld(undefined, { HOME: home, METTLE_SANDBOX: "required" });
    const { dir } = world.repository;
    await mkdir(join(dir, "node_modules/dep"), { recursive: true });
    await writeFile(join(dir, "node_modules/dep/index.js"), dependency);
    await mkdir(join(dir, ".git/info"), { recursive: true });
    await writeFile(join(dir, ".git/info/exclude"), "node_modules\n");
    const socket = join(home, "socket");
    server = createServer((connection) => connection.end()).listen(socket);
    const tried = escapes({
      repository: world.repository.dir,
      state: world.host.home.root,
      home,
      socket,
      pid: process.pid,
    });
    driven = await world.go(trying(await golden(), tried));
    for (const [name, text] of await spied(join(world.host.home.homes, driven.run)))
      found.set(name, text.trimEnd().split("\n"));
  });
  afterAll(() => {
    server.close();
  });

  verifies("CORE-60", "as root no attempt to get out succeeds, and the record names what held", async () => {
    expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
    const lines = found.get("coder-1") ?? [];
    const failed = (prefix: string) =>
      lines.filter((line) => line.startsWith(prefix) && line.endsWith(": failed"));
    expect(lines.filter((line) => line.endsWith(": got through"))).toEqual([
      "control: source: got through",
      "control: temporary: got through",
      "control: dependency: got through",
    ]);
    expect(failed("frozen: ")).toHaveLength(11);
    expect(failed("outside: ")).toHaveLength(14);

    const [started] = eventsOf(driven.events, "run.started");
    const held = {
      write: true,
      umount: true,
      rename: true,
      state_home: true,
      user_home: true,
      kernel: true,
      root_only: true,
      connect: true,
    };
    expect(started?.sandbox).toMatchObject({ kind: "bubblewrap", held });
    for (const { isolation } of eventsOf(driven.events, "dispatch.started"))
      expect(isolation).toMatch(
        /^bubblewrap \d+\.\d+\.\d+ \(held: write, umount, rename, state home, user home, connect, kernel settings, root's files, network\)$/u,
      );
    expect(await world.repository.git("status", "--porcelain")).toBe("");
  });

  verifies("PRV-21", "what an agent wanted to reach is journaled with host and port, and shown", async () => {
    const lines = (found.get("coder-1") ?? []).filter((line) => line.startsWith("network "));
    expect(lines).toEqual(["network 403", "network 403"]);
    const { key } = eventsOf(driven.events, "dispatch.started").find(({ role }) => role === "coder") ?? {};
    expect(eventsOf(driven.events, "network.refused")).toEqual([
      expect.objectContaining({ key, host: "unlisted.test", port: 8443, count: 2 }),
    ]);
    for (const { hosts } of eventsOf(driven.events, "dispatch.started")) expect(hosts).toEqual([]);
    const shown = await callIn(world, ["show", driven.run]);
    expect(shown.stdout).toContain(
      "not reachable for agents, as agents.network does not name it: unlisted.test:8443",
    );
    const log = await callIn(world, ["log", driven.run]);
    expect(log.stdout).toContain("not reachable from the sandbox: unlisted.test:8443 (2 requests)");
  });

  verifies("CORE-45", "an agent reads the dependencies and cannot change them", async () => {
    const { dir } = world.repository;
    const tried = (found.get("coder-1") ?? []).filter((line) => line.startsWith("dependency: "));
    expect(tried.map((line) => line.split(": ").at(-1))).toEqual(["failed", "failed", "failed", "failed"]);
    expect(await readFile(join(dir, "node_modules/dep/index.js"), "utf8")).toBe(dependency);
    expect(await readdir(join(dir, "node_modules"))).toEqual(["dep"]);
  });

  verifies(
    "CORE-41",
    "the key is out of reach, the evidence is verified, and each tampered copy is refused with its reason",
    async () => {
      const { run } = driven;
      const { keys } = world.host.home;
      for (const [place, mode] of [[keys, 0o700] as const, [join(keys, "evidence.pem"), 0o600] as const])
        expect((await stat(place)).mode & 0o777).toBe(mode);
      for (const lines of found.values()) expect(taken(lines, "state ")).not.toContain("keys");
      expect(found.get("coder-1")).toContain("outside: keys: failed");

      const checked = await callIn(world, ["verify", run, "--json"]);
      expect([checked.code, checked.json()]).toMatchObject([0, { verdict: "pass" }]);
      expect(String(checked.json()["unchecked"])).toMatch(
        /machine and its clock.*who could reach the signing key/u,
      );

      for (const [name, tamper, why] of tampered()) {
        const called = await onCopy(world, tamper, (state) =>
          callIn(world, ["verify", run], { env: { METTLE_HOME: state } }),
        );
        expect([name, called.code, called.stdout]).toEqual([name, 1, expect.stringMatching(why)]);
      }
      const commit = eventsOf(driven.events, "commit.made").at(-1)?.commit ?? "";
      const object = join(world.repository.dir, ".git/objects", commit.slice(0, 2), commit.slice(2));
      await rename(object, `${object}.away`);
      const missing = await callIn(world, ["verify", run]);
      await rename(`${object}.away`, object);
      expect([missing.code, missing.stdout]).toEqual([5, expect.stringContaining(commit)]);
    },
  );

  type Tampered = readonly [name: string, tamper: (root: string) => Promise<void>, why: RegExp];

  /** Copies with a fault each; those that are sealed again are signed with the right key. */
  function tampered(): readonly Tampered[] {
    const { run, events } = driven;
    const written = eventsOf(events, "record.written");
    const green = written.findIndex(({ purpose }) => purpose === "green");
    const envelope = (root: string, at: number) => payloadFile(root, written[at]?.envelope ?? "");
    const change = (edit: (records: EvidenceRecord[]) => void) => (root: string) =>
      resealRecords(root, { world, run }, edit);
    const of = (records: readonly EvidenceRecord[], purpose: string): EvidenceRecord => {
      const record = records.find((one) => one.purpose === purpose);
      if (record === undefined) throw new Error(`no record of ${purpose}`);
      return record;
    };
    return [
      [
        "a flipped byte",
        async (root) => {
          const bytes = await readFile(envelope(root, 2));
          bytes[100] = (bytes[100] ?? 0) ^ 1;
          await writeFile(envelope(root, 2), bytes);
        },
        /its envelope is gone or was changed/u,
      ],
      ["a removed envelope", (root) => rm(envelope(root, green)), /its envelope is gone or was changed/u],
      [
        "a removed record",
        (root) => forgetEvent(root, { run, seq: written[1]?.seq ?? 0 }),
        /it does not follow the record before it|is complete on record|which is not an earlier record/u,
      ],
      [
        "reordered records",
        change((records) => void records.splice(1, 2, ...records.slice(1, 3).toReversed())),
        /its number is/u,
      ],
      [
        "another commit",
        change((records) => {
          const { commit, tree } = of(records, "red");
          Object.assign(of(records, "green.tests"), { commit, tree });
        }),
        /tested commit/u,
      ],
      [
        "another tree",
        change((records) => void (of(records, "green.canary").tree = of(records, "red").tree)),
        /has another tree than recorded/u,
      ],
      [
        "a frozen file of GREEN",
        change((records) => {
          const files = of(records, "green").hashes.protected ?? {};
          for (const path of Object.keys(files)) files[path] = "sha256:00";
        }),
        /is not the one that RED froze/u,
      ],
      [
        "GREEN before RED",
        change((records) => {
          for (const record of records.filter(({ purpose }) => purpose === "red")) record.verdict = "fail";
        }),
        /before any RED has passed|did not pass|its verdict is fail/u,
      ],
      [
        "a required id that did not run",
        change((records) => void of(records, "green").required.push("test/slugify.test.js::never")),
        /without the required test test\/slugify\.test\.js::never/u,
      ],
      [
        "a result that the run does not have",
        change((records) => {
          for (const test of of(records, "green.tests").tests.slice(0, 1)) test.message = "other";
        }),
        /is not that of its run/u,
      ],
      [
        "a printed block",
        async (root) => {
          const shown = eventsOf(events, "ask.shown").find(({ shown: of_ }) => of_["record"] !== undefined);
          if (shown === undefined) throw new Error("no block was shown");
          const { type, seq, at: _at, ...data } = shown;
          const text = data.text.replaceAll("EXIT_CODE: ", "EXIT_CODE: 1");
          await rewriteEvent(root, { run, seq, type, data: { ...data, text } });
        },
        /the shown block differs from the record/u,
      ],
      [
        "an output that is gone",
        async (root) => {
          const record = JSON.parse(
            await readFile(payloadFile(root, written[green]?.ref ?? ""), "utf8"),
          ) as EvidenceRecord;
          await rm(payloadFile(root, record.output));
        },
        /its output is gone, or was changed/u,
      ],
    ];
  }

  test("a role that writes nothing has a read-only workspace, except for its documents", () => {
    for (const reviewer of ["gemini-2", "claude-2"])
      expect(found.get(reviewer)).toEqual(
        expect.arrayContaining(["workspace failed", "documents got through"]),
      );
    expect(found.get("tester-1")).toContain("workspace got through");
  });

  verifies(
    "CORE-59",
    "each workspace contains what its role may know, and its git only the base commit",
    async () => {
      const project = Object.keys(await untestedFiles());
      const tests = "test/slugify.test.js";
      const source = "src/slugify.js";
      const [spec, architecture, output] = ["spec.md", "architecture.md", "test_output.txt"].map(
        (name) => `.claude/temp/${name}`,
      ) as [string, string, string];
      const table: Readonly<Record<string, readonly string[]>> = {
        "intake-1": [],
        "intake-2": [],
        "planner-1": [spec],
        "gemini-1": [spec, architecture],
        "claude-1": [spec, architecture],
        "tester-1": [spec, architecture],
        "gemini-2": [tests, spec, output],
        "claude-2": [tests, spec, output],
        "coder-1": [tests, spec, architecture, output],
        "gemini-3": [tests, source, spec, architecture, output],
        "claude-3": [tests, source],
      };
      const seen = [...found].map(([name, lines]) => [name, taken(lines, "file ").toSorted()]);
      expect(Object.fromEntries(seen)).toEqual(
        Object.fromEntries(
          Object.entries(table).map(([name, more]) => [name, [...project, ...more].toSorted()]),
        ),
      );
      for (const [name, lines] of found) {
        expect([name, taken(lines, "commit ")]).toEqual([name, [expect.stringMatching(/^[0-9a-f]{40}$/u)]]);
        expect([name, taken(lines, "changed ")]).toEqual([name, []]);
        // Every object there is reachable from the one commit.
        expect([name, taken(lines, "loose ")]).toEqual([name, []]);
      }
      // In the state home only its own workspace and home are visible.
      expect(taken(found.get("coder-1") ?? [], "state ").toSorted()).toEqual(["homes", "worktrees"]);
      expect(taken(found.get("coder-1") ?? [], "worktree ")).toHaveLength(1);
    },
  );

  test("report and the memory tools work inside, without the state home", () => {
    const [tools = ""] = taken(found.get("planner-1") ?? [], "memory ");
    expect(tools).toContain("create_entities");
    expect(tools).toContain("slugify-plan");
    expect(
      eventsOf(driven.events, "result").filter(({ channel }) => channel === "mcp").length,
    ).toBeGreaterThan(0);
  });

  verifies(
    "CORE-98",
    "report, memory, hooks and envoy work inside by the socket only; a foreign or old token is refused",
    async () => {
      const coder = found.get("coder-1") ?? [];
      const planner = found.get("planner-1") ?? [];
      const [held = ""] = taken(coder, "hook test ");
      expect(JSON.parse(held)).toMatchObject({
        hookSpecificOutput: {
          permissionDecision: "deny",
          permissionDecisionReason: expect.stringContaining("it is frozen with the tests") as string,
        },
      });
      expect(taken(coder, "hook source ")).toEqual([""]);
      expect(taken(coder, "outside: state home")).toEqual([": failed"]);
      expect(JSON.parse(taken(planner, "envoy ")[0] ?? "")).toMatchObject({ status: "success" });
      for (const lines of [coder, planner]) {
        expect(taken(lines, "foreign hook ")).toEqual([expect.stringContaining("error[not_your_dispatch]")]);
        expect(taken(lines, "foreign envoy ")).toEqual([expect.stringContaining("error[not_your_dispatch]")]);
      }
      const address = (lines: readonly string[]) => taken(lines, "address ")[0] ?? "";
      expect(address(coder)).not.toBe(address(planner));

      // The same address after the end of its dispatch.
      const [socket = "", token = ""] = address(planner).split(" ");
      const env = { PATH: process.env["PATH"] ?? "", HOME: home, METTLE_SOCKET: socket, METTLE_TOKEN: token };
      const stale = spawnSync(process.execPath, [packageRoot("dist/bin/envoy.cjs"), ...search], {
        cwd: world.repository.dir,
        env,
        encoding: "utf8",
      });
      expect([stale.status, stale.stderr]).toEqual([5, expect.stringContaining("error[not_your_dispatch]")]);
      const late = await callChannel({ socket, token }, { call: "report", status: "DONE", message: "late" });
      expect(late).toMatchObject({ ok: false, error: { code: "not_your_dispatch" } });
      const events = await world.host.journal.read(driven.run);
      expect(events).toHaveLength(driven.events.length);
    },
  );

  function trying(plain: CassetteFile, tried: string): CassetteFile {
    const roles = structuredClone(plain.roles);
    for (const [role, turns] of Object.entries(roles))
      for (const [index, turn] of turns.entries()) {
        const more =
          role === "coder" ? `${tried}\n${unlisted()}\n${clients()}` : role === "planner" ? clients() : "";
        turn.does?.unshift({
          shell: `{ ${looks(packageRoot("dist/bin/mcp.js"), role)}\n${more}\n} > "$HOME/spy-${role}-${index + 1}" 2>&1`,
        });
      }
    const [planner] = roles.planner;
    if (planner?.report) {
      planner.does?.push({ channel: planner.report });
      delete planner.report;
    }
    return { ...plain, roles };
  }
});

async function spied(homes: string): Promise<readonly (readonly [string, string])[]> {
  const files = await readdir(homes, { recursive: true });
  return Promise.all(
    files
      .filter((path) => /[/]spy-\w+-\d+$/u.test(path))
      .map(async (path) => [path.replace(/.*spy-/u, ""), await readFile(join(homes, path), "utf8")] as const),
  );
}

function taken(lines: readonly string[], prefix: string): readonly string[] {
  return lines.flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []));
}
