/** Envoy under its two names, and with another program called envoy on PATH. */
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import type { DoctorFinding } from "../../src/cli/doctor/check.ts";
import { envoy as envoyCheck } from "../../src/cli/doctor/envoy.ts";
import { examine } from "../../src/cli/doctor/examine.ts";
import { readContext } from "../../src/cli/doctor/context.ts";
import { callHere } from "../cli/here.ts";
import { newFolder } from "../support/folder.ts";
import { verifies, verifiesInCi } from "../verifies.ts";

const bin = (name: string): string => packageRoot("dist", "bin", name);
const git = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();

let place = "";
/** A PATH with git and with no envoy, ours, or another one first. */
const paths = { none: "", ours: "", other: "", oursFirst: "", folder: "" };
beforeAll(async () => {
  place = newFolder();
  const folder = async (name: string) => {
    await mkdir(join(place, name));
    return join(place, name);
  };
  const [tools, ours, other, entered] = [
    await folder("tools"),
    await folder("ours"),
    await folder("other"),
    await folder("folder"),
  ];
  await symlink(git, join(tools, "git"));
  await symlink(bin("envoy.js"), join(ours, "envoy"));
  await writeFile(join(other, "envoy"), "#!/bin/sh\nexit 0\n");
  await chmod(join(other, "envoy"), 0o755);
  await mkdir(join(entered, "envoy"));
  Object.assign(paths, {
    none: tools,
    ours: `${ours}:${tools}`,
    other: `${other}:${ours}:${tools}`,
    oursFirst: `${ours}:${other}:${tools}`,
    folder: `${entered}:${ours}:${tools}`,
  });
});

const lines: readonly (readonly string[])[] = [
  ...["implementation", "debugging", "discovery", "bug-discovery"].flatMap((name) => [
    ["protocol", name],
    ["protocol", name, "--json"],
  ]),
  ["protocol", "implementation", "--inputs", '{"prompt_num":1,"feature_branch":"f"}'],
  ["protocol", "implementation", "--json", "--inputs={}"],
  ["protocol", "--help"],
  ["protocol"],
  ["protocol", "debuging"],
  ["protocol", "debuging", "--json"],
  ["protocol", "debugging", "--debug"],
  ["plan", "init"],
  ["plan", "init", "--help"],
  ["plan", "--json", "init", "--agent", "a"],
  ["--wait", "1", "plan", "init"],
  ["plan", "read-promt", "1"],
  ["plan"],
  ["git"],
  ["protocl", "debugging"],
  ["--help"],
  ["--version"],
  [],
];

async function both(path: string, some = lines): Promise<readonly unknown[]> {
  const program = (await import(pathToFileURL(bin("envoy.js")).href)) as {
    envoy: (argv: readonly string[]) => Promise<number>;
  };
  const surroundings = { cwd: place, env: { PATH: path, HOME: place } };
  const answers: unknown[] = [];
  for (const line of some) {
    const own = await callHere(line, surroundings, program.envoy);
    const mettles = await callHere(["envoy", ...line], surroundings);
    expect([line, mettles]).toEqual([line, own]);
    answers.push([line, own]);
  }
  return answers;
}

verifiesInCi("CORE-103", "envoy and mettle envoy give byte for byte the same answers", async () => {
  const answers = await both(paths.ours);
  expect(JSON.stringify(answers)).not.toContain("`mettle envoy ");
  // Another program of that name changes the printed commands under both names.
  expect((await both(paths.other, lines.slice(0, 1)))[0]).not.toEqual(answers[0]);
  const env = { PATH: paths.ours, HOME: place };
  const run = (file: string, argv: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin(file), ...argv], {
      cwd: place,
      env,
    });
    return { status, stdout: stdout.toString(), stderr: stderr.toString() };
  };
  for (const line of [
    ["protocol", "debugging"],
    ["plan", "next"],
  ]) {
    const own = run("envoy.js", line);
    expect(own.stdout).not.toBe("");
    expect(run("mettle.cjs", ["envoy", ...line])).toEqual(own);
  }
});

verifiesInCi(
  "CORE-103",
  "if another envoy is first on PATH, the printed commands are mettle envoy",
  async () => {
    const print = async (path: string, more: readonly string[] = []) =>
      (
        await callHere(["envoy", "protocol", "debugging", ...more], {
          cwd: place,
          env: { PATH: path, HOME: place },
        })
      ).stdout;
    const usual = await print(paths.ours);
    for (const path of [paths.none, paths.oursFirst, paths.folder]) expect(await print(path)).toBe(usual);
    const changed = await print(paths.other);
    expect(changed.replaceAll("`mettle envoy ", "`envoy ")).toBe(usual);
    const commands = usual.match(/`envoy /gu) ?? [];
    expect(commands.length).toBeGreaterThan(10);
    expect(changed.match(/`mettle envoy /gu)).toHaveLength(commands.length);
    expect(changed).not.toContain("`envoy ");
    const { data } = JSON.parse(await print(paths.other, ["--json"])) as {
      data: { formatted_output: string; steps: readonly { content: string }[] };
    };
    expect(`${data.formatted_output}\n`).toBe(changed);
    expect(data.steps[0]?.content).toContain("`mettle envoy plan read-prompt");
  },
);

verifies("CORE-103", "if another envoy is first on PATH, doctor reports it", async () => {
  const seen = async (path: string) => {
    const env = { PATH: path, HOME: place, METTLE_HOME: join(place, "state") };
    const { stdout } = await callHere(["doctor", "--json"], { cwd: place, env });
    const { checks } = JSON.parse(stdout) as { checks: readonly DoctorFinding[] };
    return checks.filter(({ name }) => name === "envoy");
  };
  const usual = { ...(await readContext(place)), path: paths.ours };
  expect(await examine(usual, [envoyCheck])).toEqual([]);
  expect(await seen(paths.other)).toEqual([
    {
      name: "envoy",
      state: "warn",
      seen: `another program named envoy comes first on PATH: ${join(place, "other", "envoy")}`,
      help: "call `mettle envoy`, as the printed protocols then say too",
    },
  ]);
});

test("an unknown command answers with one error object, on stderr too", async () => {
  const { code, stdout, stderr } = await callHere(["envoy", "plan", "ini"], {
    cwd: place,
    env: { PATH: paths.none, HOME: place },
  });
  expect(code).toBe(2);
  const hint = "did you mean `envoy plan init`?";
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    status: "error",
    error: {
      type: "usage",
      code: "usage",
      message: "there is no command plan ini",
      command: "plan ini",
      suggestion: hint,
      hint,
    },
  });
  expect(stderr).toBe(`error[usage]: there is no command plan ini\nhint: ${hint}\n`);
});
