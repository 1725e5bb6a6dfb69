// Creates a repository outside this one and runs a cassette through Orchestrate there like a person.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const mettle = join(root, "dist/bin/mettle.js");

/** Reads files of the newest commit of a git directory. */
export function reader(gitDir) {
  const git = (...args) =>
    execFileSync("git", [`--git-dir=${gitDir}`, ...args], { encoding: "utf8", maxBuffer: 64 << 20 });
  return {
    list: (folder) => git("ls-tree", "-r", "--name-only", "HEAD", folder).split("\n").filter(Boolean),
    read: (path) => git("show", `HEAD:${path}`),
  };
}

export function write(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export function commitAll(repository, home) {
  const run = (...args) =>
    execFileSync("git", args, { cwd: repository, env: { PATH: process.env.PATH, HOME: home } });
  if (!existsSync(join(repository, ".git"))) run("init", "--quiet", "--initial-branch=main");
  run("add", "--all");
  run("-c", "user.name=Person", "-c", "user.email=person@localhost", "commit", "--quiet", "--message=Start");
}

/** The folder of a tool in the user's home, which the program does not get. */
const toolchains = Object.fromEntries(
  [
    ["RUSTUP_HOME", ".rustup"],
    ["CARGO_HOME", ".cargo"],
  ].map(([name, folder]) => [name, process.env[name] ?? join(homedir(), folder)]),
);

/** Calls the built program in that repository, with the state home in `folder`. */
export function caller({ repository, folder, timeout = 900_000 }) {
  const home = join(folder, "state");
  return (...args) => {
    const done = spawnSync(process.execPath, [mettle, ...args, "--json"], {
      cwd: repository,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        METTLE_HOME: home,
        METTLE_MUTATION_BUDGET: "0",
        ...toolchains,
      },
      encoding: "utf8",
      maxBuffer: 64 << 20,
      timeout,
    });
    return { code: done.status, json: JSON.parse(done.stdout || "{}") };
  };
}

/** Runs, answers, and returns the result; `settings` are more lines of mettle.yaml, null keeps the file. */
export function drive({ repository, folder, cassette, ask, settings = "" }) {
  const file = join(folder, "cassette.yaml");
  writeFileSync(file, stringify(cassette));
  const call = caller({ repository, folder });
  const limits = "version: 1\nlimits: { green: 1, red: 1 }\n";
  if (settings !== null) writeFileSync(join(repository, "mettle.yaml"), `${limits}${settings}`);
  const started = Date.now();
  const timed = (result, why) => ({ result, why, seconds: ((Date.now() - started) / 1000).toFixed(1) });
  let first = call(
    "run",
    ask,
    "--agent",
    `scripted:${file}`,
    "--protocol",
    "orchestrate",
    "--approve",
    "plan,code",
  );
  // Accepts a base with failing tests by the printed command, like a person.
  const [accepts] = first.json.waiting?.kind === "base" ? first.json.waiting.commands : [];
  if (accepts !== undefined) first = call(...accepts.split(" ").slice(1));
  if (first.code !== 3)
    return timed("not judged", short(first.json.error?.message ?? first.json.status ?? "no answer"));
  const last = call("answer", first.json.run, "Q1=a", "Q2=a", "Q3=a", "Q4=a", "Q5=a");
  if (last.code === 0) {
    const verified = call("verify", first.json.run);
    return timed("proven", `${last.json.status}; \`mettle verify\` ${verified.code}`);
  }
  const why =
    last.json.waiting?.breaker?.last_error ??
    last.json.waiting?.text ??
    last.json.error?.message ??
    last.json.reason ??
    "";
  return timed(last.code === 4 ? "refused" : `exit ${last.code}`, short(why));
}

export function tableOf(heads, rows) {
  return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function short(text) {
  const [line = ""] = String(text).split("\n");
  return (line.length > 110 ? `${line.slice(0, 110)}…` : line).replaceAll("|", "\\|");
}
