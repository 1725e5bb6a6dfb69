// Copies the demo's repository into a folder and calls the built program in it.
import { execFileSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../dist/bin/mettle.js", import.meta.url));
export const demo = fileURLToPath(new URL("../protocols/orchestrate/demo", import.meta.url));

/** `{git, mettle}`: both run in the repository; `mettle` returns the object of --json. A file with the text null is removed. */
export function demoRepository(folder, files = {}) {
  const repository = join(folder, "words");
  cpSync(join(demo, "repository"), repository, { recursive: true });
  for (const [name, text] of Object.entries(files))
    if (text === null) rmSync(join(repository, name));
    else writeFileSync(join(repository, name), text);
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: repository });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message=base");
  // Without a sandbox: the agents write their times outside their workspaces.
  const apart = { METTLE_HOME: join(folder, "state"), METTLE_SANDBOX: "off", METTLE_MUTATION_BUDGET: "0" };
  const env = { PATH: process.env.PATH, HOME: folder, ...apart };
  const options = { cwd: repository, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] };
  return { git, mettle: (...args) => JSON.parse(output([bin, ...args, "--json"], options)) };
}

export const answers = [1, 2, 3, 4, 5].map((n) => `Q${n}=as the task says`);

function output(argv, options) {
  try {
    return execFileSync(process.execPath, argv, options);
  } catch (error) {
    return error.stdout; // a run that waits for a person ends with 3
  }
}
