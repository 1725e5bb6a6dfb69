/** What `mettle init --envoy` writes into a repository: copies of the protocols, a git hook, and slash commands. */
import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { envoy } from "../../src/envoy/envoy.ts";
import { initRepository } from "../../src/cli/init/initialize.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { callHere } from "../cli/here.ts";
import { inCi, verifies } from "../verifies.ts";

const names = ["bug-discovery", "debugging", "discovery", "implementation"];
const copy = (name: string) => `.claude/protocols/${name}.yaml`;
const shipped = (name: string) => readFile(packageRoot("protocols", "envoy", `${name}.yaml`), "utf8");

let base = "";
let programs = "";
beforeAll(async () => {
  base = newFolder();
  programs = join(base, "bin");
  await mkdir(programs);
  await symlink(packageRoot("dist", "bin", "mettle.cjs"), join(programs, "mettle"));
});

let repository: TempRepository;
beforeEach(async () => void (repository = await createRepository({ files: { "README.md": "x\n" } })));

const env = () => ({
  PATH: `${programs}:${process.env["PATH"] ?? ""}`,
  HOME: base,
  METTLE_HOME: join(base, "state"),
});
const init = async (...more: string[]) => {
  const { code, stdout, stderr } = await callHere(["init", ...more, "--json"], {
    cwd: repository.dir,
    env: env(),
  });
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as {
    readonly written: readonly string[];
    readonly kept: readonly string[];
    readonly removed: readonly string[];
    readonly notes: readonly string[];
  };
};
const text = (path: string) => readFile(join(repository.dir, path), "utf8");

verifies(
  "ENV-05",
  "init --envoy writes four copies, updates unchanged ones and keeps the others",
  async () => {
    expect((await init()).written.filter((path) => path.includes("protocols/"))).toEqual([
      ".mettle/protocols/README.md",
    ]);
    // A copy from an older version.
    const older = join(base, "older");
    await cp(packageRoot("protocols"), older, { recursive: true });
    for (const name of names)
      await writeFile(join(older, "envoy", `${name}.yaml`), `# older\n${await shipped(name)}`);
    const { id } = await import("../../src/git/repository.ts").then(({ openRepository }) =>
      openRepository(repository.dir, { path: env().PATH }),
    );
    const place = { root: repository.dir, state: join(base, "state", id), bank: null, session: null };
    await initRepository({ ...place, shipped: older, envoy: true, path: env().PATH, dryRun: false });
    for (const name of names) expect(await text(copy(name))).toBe(`# older\n${await shipped(name)}`);

    const mine = "# mine\n";
    await writeFile(join(repository.dir, copy("debugging")), mine);
    // A later init of any kind.
    const later = await init();
    expect(later.kept).toContain(copy("debugging"));
    expect(later.written).toEqual(names.filter((name) => name !== "debugging").map(copy));
    for (const name of names)
      expect(await text(copy(name))).toBe(name === "debugging" ? mine : await shipped(name));
    const again = await init("--envoy");
    expect(again.kept).toEqual(expect.arrayContaining(names.map(copy)));
    expect(await text(copy("debugging"))).toBe(mine);

    await rm(join(repository.dir, ".claude", "protocols"), { recursive: true });
    for (const name of names) {
      const printed = await callHere(["protocol", name], { cwd: repository.dir, env: env() }, envoy);
      expect([printed.code, printed.stdout.split("\n")[0]]).toEqual([0, `# ${name}`]);
    }
    expect((await init("--envoy")).written).toEqual(names.map(copy));
    expect((await init("--remove")).removed).toEqual(expect.arrayContaining(names.map(copy)));
    expect(await readdir(repository.dir)).toEqual([".git", "README.md"]);
  },
);

const plans = () =>
  readdir(join(repository.dir, ".claude", "plans")).then(
    (found) => found.filter((name) => !name.startsWith(".")),
    () => [],
  );
const checkOut = (...words: string[]) =>
  spawnSync("git", ["checkout", "--quiet", ...words], { cwd: repository.dir, env: env(), encoding: "utf8" });

verifies(
  "ENV-55",
  "the hook creates a plan for feature branches only, and never fails a checkout",
  async () => {
    const hooks = join(repository.dir, ".git", "hooks");
    await init();
    expect(await readdir(hooks).catch(() => [])).toEqual([]);
    await mkdir(hooks, { recursive: true });
    const earlier = `#!/bin/sh\necho "$@" >> earlier.txt\n`;
    await writeFile(join(hooks, "post-checkout"), earlier, { mode: 0o755 });
    expect((await init("--envoy")).written).toContain(".git/hooks/post-checkout");
    expect((await init("--envoy")).kept).toContain(".git/hooks/post-checkout");

    const guarded = "master develop development dev staging stage production prod".split(" ");
    for (const branch of ["quick/z", "curator/z", "feature/y--implementation-1", ...guarded, "main"]) {
      const { status, stderr } = checkOut(...(branch === "main" ? [branch] : ["-b", branch]));
      expect([branch, status, stderr, await plans()]).toEqual([branch, 0, "", []]);
    }
    // The feature branch exists and has no plan yet.
    await repository.git("branch", "feature/v");
    expect([checkOut("-b", "feature/v--implementation-1").status, await plans()]).toEqual([0, []]);
    // Git allows this name only without a branch feature/w.
    expect([checkOut("-b", "feature/w/implementation-2-A").status, await plans()]).toEqual([0, []]);
    expect(checkOut("-b", "feature/y")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(await plans()).toEqual(["feature-y"]);
    expect(await text(".claude/plans/feature-y/plan.md")).toContain("branch_name: feature/y");
    // A second checkout, and a checkout of files, change nothing.
    await writeFile(join(repository.dir, ".claude/plans/feature-y/user_input.md"), "said\n");
    for (const words of [["main"], ["feature/y"], ["--", "README.md"]])
      expect(checkOut(...words).status).toBe(0);
    expect(await text(".claude/plans/feature-y/user_input.md")).toBe("said\n");
    expect((await text("earlier.txt")).trim().split("\n")).toHaveLength(10 + guarded.length);

    // The hook never fails a checkout: without mettle, with a failing one, and if the folder cannot be created.
    const bare = { ...env(), PATH: process.env["PATH"] ?? "" };
    const without = spawnSync("git", ["checkout", "-q", "-b", "feature/a"], {
      cwd: repository.dir,
      env: bare,
    });
    expect([without.status, await plans()]).toEqual([0, ["feature-y"]]);
    const broken = join(base, "broken");
    await mkdir(broken);
    await writeFile(join(broken, "mettle"), "#!/bin/sh\necho no >&2\nexit 3\n", { mode: 0o755 });
    const failing = spawnSync("git", ["checkout", "-q", "-b", "feature/b"], {
      cwd: repository.dir,
      env: { ...bare, PATH: `${broken}:${bare.PATH}` },
      encoding: "utf8",
    });
    expect([failing.status, failing.stderr]).toEqual([0, ""]);
    expect(checkOut("--detach").status).toBe(0);
    // The failure of the previous hook is still reported: git exits with 1.
    await chmod(join(hooks, "post-checkout.before-mettle"), 0o755);
    await writeFile(join(hooks, "post-checkout.before-mettle"), "#!/bin/sh\nexit 7\n");
    expect([checkOut("-b", "feature/c").status, await plans()]).toEqual([1, ["feature-c", "feature-y"]]);
    await writeFile(join(hooks, "post-checkout.before-mettle"), earlier);

    expect((await init("--remove")).removed).toContain(".git/hooks/post-checkout");
    expect(await readFile(join(hooks, "post-checkout"), "utf8")).toBe(earlier);
    expect(await readdir(hooks)).toEqual(["post-checkout"]);
  },
);

inCi("an edited hook of ours is kept, and a hooks folder elsewhere is not touched", async () => {
  const hook = join(repository.dir, ".git", "hooks", "post-checkout");
  await init("--envoy");
  await writeFile(hook, `${await readFile(hook, "utf8")}# mine\n`);
  expect((await init("--envoy")).kept).toContain(".git/hooks/post-checkout");
  expect((await init("--remove")).kept).toContain(".git/hooks/post-checkout");
  expect(await readFile(hook, "utf8")).toMatch(/# mine\n$/u);
  await rm(hook);
  await repository.git("config", "core.hooksPath", ".husky");
  const { written, notes } = await init("--envoy");
  expect(written).not.toContain(".git/hooks/post-checkout");
  expect(notes.filter((note) => note.includes(".husky"))).toHaveLength(1);
});

test("/plan and /continue delegate with the texts that specialists know", async () => {
  await init();
  const plan = await text(".claude/commands/plan.md");
  for (const name of ["discovery", "bug-discovery"])
    expect(plan).toContain(
      `Run \`envoy protocol ${name}\` and follow the steps. INPUTS: \`{ agent_name: <specialist_name>[_N], segment_context: <requirements_for_segment> }\`\n`,
    );
  for (const part of ["approach_references", "`backend_1`, `backend_2`", "the specialist is `surveyor`"])
    expect(plan).toContain(part);
  // Step 6.4 is the fourth of the steps below 6.
  expect(/^6\. [\s\S]*?^ {3}4\. ([^\n]*)$/mu.exec(plan)?.[1]).toBe(
    "For each segment, delegate to its specialist, all at once, with exactly:",
  );
  const go = await text(".claude/commands/continue.md");
  for (const [when, name] of [
    ["If prompt is debug (`kind` is debug)", "debugging"],
    ["Otherwise", "implementation"],
  ])
    expect(/^3\. [\s\S]*?(?=^4\. )/mu.exec(go)?.[0]).toContain(
      `${when}: Run \`envoy protocol ${name}\` and follow the steps. INPUTS: \`{ prompt_num: <N>, variant: <V>, feature_branch: <current_branch> }\`\n`,
    );
  expect(go.indexOf("release-prompt")).toBeLessThan(go.indexOf("envoy plan next -n"));
  for (const part of ["`worker` where it defines none", "until `done`", "never claim"])
    expect(go).toContain(part);
  for (const agent of ["surveyor", "worker"])
    expect(await text(`.claude/agents/${agent}.md`)).toMatch(new RegExp(`^---\\nname: ${agent}\\n`, "u"));
});
