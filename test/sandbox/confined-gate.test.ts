/** `mettle prove` of an unprivileged user, whose tests try to leave their sandbox. */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { verifiesWhen } from "../verifies.ts";
import { confinesHere } from "./bubblewrap.ts";
import { escapeTest } from "./escape-test.ts";

const nobody = { uid: 65_534, gid: 65_534 };

verifiesWhen(
  process.getuid?.() === 0 && confinesHere(nobody),
  "needs root to become another user, and that bubblewrap works for that user",
  "PRV-20",
  "tests that an unprivileged user proves cannot leave their sandbox either",
  { tags: "ci" },
  async () => {
    const root = realpathSync(newFolder());
    chmodSync(root, 0o755);
    const [home, state, repo] = ["home", "state", "repo"].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    const file = (path: string, text: string) => {
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, text);
      chownSync(path, nobody.uid, nobody.gid);
    };
    for (const folder of [root, home, state, repo]) {
      mkdirSync(folder, { recursive: true });
      chownSync(folder, nobody.uid, nobody.gid);
    }
    const secrets = [join(home, "login"), join(state, "mettle.db")];
    for (const path of secrets) file(path, "secret");
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      METTLE_HOME: state,
      METTLE_SANDBOX: "required",
      METTLE_MUTATION_BUDGET: "0",
    };
    const call = (name: string, ...args: readonly string[]) => {
      const ran = spawnSync(name, args, { ...nobody, cwd: repo, env, encoding: "utf8" });
      return { code: ran.status, text: ran.stdout.trim(), error: ran.stderr };
    };
    const git = (...args: readonly string[]) =>
      call("git", "-c", "user.name=N", "-c", "user.email=n@localhost", ...args);
    file(join(repo, "package.json"), '{ "name": "x" }\n');
    file(join(repo, ".gitignore"), "node_modules\n");
    git("init", "--quiet", "--initial-branch=main");
    git("add", "--all");
    git("commit", "--quiet", "--message=start");
    const commit = git("rev-parse", "HEAD").text;
    git("worktree", "add", "--quiet", join(root, "other"));
    file(join(repo, "node_modules", "oracle", "index.js"), "exports.answer = 42;\n");
    const socket = join(home, "socket");
    const servers = [{ path: socket }, { path: `\0${root}` }, { host: "127.0.0.1", port: 0 }].map((options) =>
      createServer((connection) => connection.end()).listen(options),
    );
    const isOpen = (server: Server) =>
      new Promise<void>((resolve) => {
        if (server.listening) resolve();
        else server.once("listening", resolve);
      });
    await Promise.all(servers.map(isOpen));
    chmodSync(socket, 0o777);
    const address = servers[2]?.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const outside = spawn("sleep", ["100"], { ...nobody, stdio: "ignore" });
    const text = escapeTest({
      checkout: repo,
      worktree: join(root, "other"),
      commit,
      home,
      stateRoot: state,
      secrets,
      port,
      unnamed: root,
      socket,
      pid: outside.pid ?? 0,
      sleeps: "27.25",
    });
    file(join(repo, "test", "escape.test.js"), text);
    git("add", "--all");
    git("commit", "--quiet", "--message=tests");
    git("switch", "--quiet", "--create=change");
    file(join(repo, "README.md"), "A project.\n");
    git("add", "--all");
    git("commit", "--quiet", "--message=text");
    const out = join(root, "record.json");
    const proved = call(
      process.execPath,
      packageRoot("dist/bin/mettle.js"),
      "prove",
      "--base=main",
      `--out=${out}`,
    );
    outside.kill();
    for (const server of servers) server.close();
    expect([proved.code, proved.error]).toEqual([0, expect.any(String)]);
    expect(existsSync(out)).toBe(true);
    const record = readFileSync(out, "utf8");
    expect(record).toMatch(/bubblewrap \d+\.\d+\.\d+ \(held: write, [^"]*, network\)/u);
    expect(readFileSync(join(repo, "node_modules", "oracle", "index.js"), "utf8")).toBe(
      "exports.answer = 42;\n",
    );
  },
);
