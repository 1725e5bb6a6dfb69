// Makes a real git repository of a scenario: a project, and what the scenario changes in its base, its tests and its solution.
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../real-input/drive.mjs";
import { runProgram } from "./program.mjs";

/**
 * @param {object} scenario
 * @param {string} folder an empty folder, for the repository and all state
 * @param {string} settings the text of its mettle.yaml
 * @returns {Promise<{repository: string, base: string, red: string, head: string}>} the commits; where the gate needs no commit of
 *   tests, `red` is `head`
 */
export async function makeRepository(scenario, folder, settings) {
  const repository = join(folder, "repo");
  for (const name of ["repo", "home", "tmp", "state"]) mkdirSync(join(folder, name), { recursive: true });
  const git = async (...args) => {
    const { code, stdout, stderr } = await runProgram("git", [...identity, ...args], {
      folder,
      cwd: repository,
    });
    if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${stderr}`);
    return stdout.trim();
  };
  const commit = async (name, ...changes) => {
    for (const change of changes) write(repository, change, scenario.project);
    // Forced, since a cheat may commit what is ignored.
    await git("add", "--all", "--force");
    await git("commit", "--quiet", "--allow-empty", "--message", name);
    return git("rev-parse", "HEAD");
  };
  await git("init", "--quiet", "--initial-branch=main");
  const { project } = scenario;
  write(repository, { "mettle.yaml": settings }, project);
  const commits = await commitsOf(scenario, project, commit);
  write(repository, scenario.dirty, project);
  for (const args of scenario.git) await git(...args);
  if (project.modules === true && !exists(join(repository, "node_modules")))
    symlinkSync(join(root, "node_modules"), join(repository, "node_modules"));
  return { repository, ...commits };
}

const identity = ["-c", "user.name=Person", "-c", "user.email=person@localhost", "-c", "core.autocrlf=false"];

async function commitsOf({ gate, base, red, head }, project, commit) {
  if (gate === "refactor") {
    const first = await commit("Base", project.base, project.red, project.head, base);
    const last = await commit("Refactor", red, head);
    return { base: first, red: last, head: last };
  }
  const first = await commit("Base", project.base, base);
  if (gate === "prove") {
    const last = await commit("Change", project.red, red, project.head, head);
    return { base: first, red: last, head: last };
  }
  const middle = await commit("Tests", project.red, red);
  return { base: first, red: middle, head: await commit("Solution", project.head, head) };
}

/** Each file is a text, null (deleted), or an object: `replace`, `append`, `prepend`, `link`, `move`. */
function write(repository, files, project) {
  for (const [name, value] of Object.entries(files)) {
    const path = join(repository, filled(name, project));
    mkdirSync(dirname(path), { recursive: true });
    if (typeof value === "string") {
      writeFileSync(path, filled(value, project));
      continue;
    }
    const old = value?.link === undefined && exists(path) ? readFileSync(path, "utf8") : "";
    rmSync(path, { recursive: true, force: true });
    if (value === null) continue;
    if (value.link !== undefined) symlinkSync(value.link, path);
    else if (value.move !== undefined) write(repository, { [value.move]: old }, project);
    else writeFileSync(path, edited(old, value, { name, project }));
  }
}

function edited(text, { replace = {}, append = "", prepend = "" }, { name, project }) {
  let now = text;
  for (const [from, to] of Object.entries(replace)) {
    const old = filled(from, project);
    if (!now.includes(old)) throw new Error(`${name} does not contain ${JSON.stringify(old)}`);
    now = now.replace(old, () => filled(to, project));
  }
  return filled(prepend, project) + now + filled(append, project);
}

/** Replaces `{{name}}` by the project's text of that name. */
function filled(text, { texts }) {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name) => texts[name] ?? whole);
}

function exists(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
