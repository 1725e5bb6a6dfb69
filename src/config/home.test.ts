import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { environment, secretValues, userHome, variable } from "./env.ts";
import { stateHome, stateRoot } from "./home.ts";
import { currentProcess, isAlive } from "./owner.ts";
import { packageRoot } from "./package-root.ts";
import { assertPlatform } from "./platform.ts";

verifies(
  "CORE-95",
  "the state home is $METTLE_HOME, else $XDG_STATE_HOME/mettle, else ~/.local/state/mettle",
  () => {
    const cwd = "/work dir";
    const all = { METTLE_HOME: "/m", XDG_STATE_HOME: "/x", HOME: "/home/me" };
    const root = (env: Record<string, string>) => stateRoot({ env, cwd });
    expect(root(all)).toBe("/m");
    expect(root({ ...all, METTLE_HOME: "state" })).toBe("/work dir/state");
    expect(root({ ...all, METTLE_HOME: "" })).toBe("/x/mettle");
    expect(root({ ...all, METTLE_HOME: "", XDG_STATE_HOME: "relative" })).toBe(
      "/home/me/.local/state/mettle",
    );
    expect(root({ HOME: "/home/me" })).toBe("/home/me/.local/state/mettle");
    expect(root({})).toBe(join(homedir(), ".local", "state", "mettle"));
  },
);

verifies(
  "CORE-95",
  "a repository's state is under its id, wherever in the repository Mettle is called",
  () => {
    const env = { METTLE_HOME: "/m" };
    const expected = {
      root: "/m/app-1f2e",
      journal: "/m/app-1f2e/mettle.db",
      payloads: "/m/app-1f2e/payloads",
      worktrees: "/m/app-1f2e/worktrees",
      homes: "/m/app-1f2e/homes",
      keys: "/m/app-1f2e/keys",
      owner: "/m/app-1f2e/git-dir",
      store: { kind: "local" },
    };
    for (const cwd of ["/app", "/app/.worktrees/two"])
      expect(stateHome({ repository: "app-1f2e", env, cwd })).toEqual(expected);
    for (const bad of ["", "..", "../x", "a/b", ".hidden", "a\u0000"])
      expect(() => stateHome({ repository: bad, env })).toThrow("not a repository id");
  },
);

test("an empty variable counts as unset, and secrets are recognised by their names", () => {
  const env = {
    A: "",
    B: "b",
    HOME: "/h",
    API_KEY: "k1",
    GITHUB_TOKEN: "t1",
    db_password: "p1",
    CLIENT_SECRET: "s1",
    MY_CREDENTIALS: "c1",
    PATH: "/bin",
  };
  expect([variable("A", env), variable("B", env), variable("C", env), userHome(env)]).toEqual([
    null,
    "b",
    null,
    "/h",
  ]);
  expect(secretValues(env)).toEqual(["k1", "t1", "p1", "s1", "c1"]);
  const handed = {
    GH_PAT: "planted1pat",
    APP_PASS: "hunter2",
    BASIC_AUTH: "me:pw",
    FOO: "planted4711foo",
    OTHER: "planted4712not",
    SSH_AUTH_SOCK: "/tmp/ssh-x/agent.1",
    PWD: "/work/dir",
    GOPATH: "/home/me/go:/opt/go",
    NODE_ENV: "production",
    LANG: "en_US.UTF-8",
    TZ: "Europe/Zurich",
    AWS_REGION: "eu-west-1",
    PROXY: "http://proxy:8080",
    HOOK: "https://hooks.example.org/T00/B00/x",
  };
  const names = Object.keys(handed).filter((name) => name !== "OTHER");
  expect(secretValues(handed, names)).toEqual([
    "planted1pat",
    "hunter2",
    "me:pw",
    "planted4711foo",
    "https://hooks.example.org/T00/B00/x",
  ]);
  expect(environment()["PATH"]).toBe(process.env["PATH"]);
});

test("a process is identified by id and start time; a reused id, an ended process and a zombie are dead", async () => {
  const me = currentProcess();
  expect(me.pid).toBe(process.pid);
  expect(isAlive(me)).toBe(true);
  if (existsSync("/proc/self/stat")) expect(isAlive({ ...me, started: `${me.started}0` })).toBe(false);
  expect(isAlive({ pid: 2 ** 30, started: "" })).toBe(false);

  const child = spawn("sleep", ["30"]);
  const pid = child.pid ?? 0;
  expect(isAlive({ pid, started: "" })).toBe(true);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  expect(isAlive({ pid, started: "" })).toBe(false);
});

test.skipIf(!existsSync("/proc/self/stat"))("a killed process that is not reaped is dead", async () => {
  // The shell becomes `sleep`, which never reaps its child.
  const parent = spawn("sh", ["-c", "sleep 0.05 & echo $!; exec sleep 30"]);
  const pid = Number(
    await new Promise((resolve) => parent.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString()))),
  );
  try {
    expect(isAlive({ pid, started: "" })).toBe(true);
    for (let tries = 0; tries < 100 && isAlive({ pid, started: "" }); tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(isAlive({ pid, started: "" })).toBe(false);
  } finally {
    parent.kill("SIGKILL");
  }
});

test("the package is found from its sources", () => {
  expect(existsSync(packageRoot("protocols", "base", "protocol.yaml"))).toBe(true);
  expect(packageRoot("protocols")).toBe(join(packageRoot(), "protocols"));
});

verifies(
  "CORE-102",
  "native Windows is refused with exit 5 and the hint to use WSL 2; Linux and macOS are not",
  () => {
    expect(() => assertPlatform("win32")).toThrow(
      expect.objectContaining({
        code: "platform_unsupported",
        exitCode: 5,
        hint: expect.stringContaining("WSL 2"),
      }),
    );
    expect(() => assertPlatform("freebsd")).toThrow(
      expect.objectContaining({ code: "platform_unsupported" }),
    );
    for (const platform of ["linux", "darwin", undefined])
      expect(() => assertPlatform(platform)).not.toThrow();
  },
);
