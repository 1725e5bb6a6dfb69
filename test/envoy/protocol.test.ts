/** `envoy protocol` with the shipped protocols: output, lookup and errors. */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../../src/config/package-root.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { createEnvoyWorld, file, stepsOf, type EnvoyWorld } from "./world.ts";

const shipped = ["implementation", "debugging", "discovery", "bug-discovery"] as const;
type Name = (typeof shipped)[number];

interface Data {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly unknown[];
  readonly outputs: readonly unknown[];
  readonly step_count: number;
  readonly steps: readonly { number: number; key: string; from: string; content: string }[];
  readonly formatted_output: string;
}

let world: EnvoyWorld;
const text = {} as Record<Name, string>;
const data = {} as Record<Name, Data>;
beforeAll(async () => {
  world = await createEnvoyWorld();
  for (const name of shipped) {
    text[name] = (await world.call(["protocol", name])).stdout;
    const { stdout } = await world.call(["protocol", name, "--json"]);
    const answer = JSON.parse(stdout) as { status: string; data: Data };
    expect([answer.status, stdout.trimEnd().split("\n").length]).toEqual(["success", 1]);
    data[name] = answer.data;
  }
});

const step = (name: Name, number: number): string => data[name].steps[number - 1]?.content ?? "";
const keys = (name: Name): string => data[name].steps.map(({ key }) => key).join(" ");

verifies("ENV-01", "prints name, description, inputs, outputs and the steps without a gap", async () => {
  const { code, stdout, stderr } = await world.call(["protocol", "implementation"]);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n");
  expect(lines.filter((line) => /^#|^Implementation workflow/u.test(line))).toEqual([
    "# implementation",
    "Implementation workflow for feature prompts",
    "## Inputs",
    "## Outputs",
    "## Steps",
  ]);
  const numbers = lines.flatMap((line) => /^(\d+):/u.exec(line)?.[1] ?? []).map(Number);
  expect(numbers).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
});

verifies("ENV-02", "each input and each output has one line", async () => {
  const heads = shipped.map((name) => text[name].slice(0, text[name].indexOf("\n## Steps")));
  await expect(heads.join("\n")).toMatchFileSnapshot("golden/heads.txt");
  expect(heads[0]).toContain("\n- variant: string (optional) - variant letter\n");
  expect(heads[0]).toContain(
    "\n- { success: true, merged: true } - implementation merged to feature branch\n",
  );
});

verifies("ENV-03", "a step keeps its bytes", async () => {
  const content =
    "Do Ω₁\n* one\n  * two\t`code`\n\n```\nenvoy  x\n\n\tend  \n```\n    * deep, see step 9 and `step 1`";
  const block = content.replaceAll(/^(?=.)/gmu, "    ");
  const own = file("own", `  1: |\n${block}\n`);
  expect((parse(own) as { steps: Record<string, string> }).steps["1"]).toBe(`${content}\n`);
  expect(stepsOf(await world.print("own", { own }))).toBe(`1: ${content}\n`);
});

verifies(
  "ENV-04",
  "files of the main checkout override the shipped ones; those of a worktree are not read",
  async () => {
    const { repository } = world;
    const worktree = join(repository.dir, ".claude", "worktree");
    await repository.write({ ".claude/protocols": null });
    await repository.git("worktree", "add", "--quiet", "--detach", worktree);
    const put = (place: string, content: string) =>
      repository.write({ [`${place}/protocols/implementation.yaml`]: file("implementation", content) });
    const one = async (name: string) => (await world.call(["protocol", name], { cwd: worktree })).stdout;
    await put(".claude/worktree/.claude", "  1: of the worktree\n");
    await put(".claude/worktree/.mettle", "  1: of the worktree\n");
    expect([await one("implementation"), await one("debugging")]).toEqual([
      text.implementation,
      text.debugging,
    ]);
    const own = (about: string) =>
      [6, 7, 8, 12, 13, 14].reduce((steps, key) => `${steps}  ${key}: x\n`, `  1: ${about}\n`);
    await put(".mettle", own("of mettle"));
    expect(await one("implementation")).toContain("\n1: of mettle\n");
    expect(await one("debugging")).toContain("\n1: of mettle\n");
    await put(".claude", own("of claude"));
    expect(await one("implementation")).toContain("\n1: of claude\n");
    expect(await one("debugging")).toContain("\n1: of claude\n");
    await repository.write({ ".mettle": null, ".claude/protocols": null });
    await repository.git("worktree", "remove", "--force", worktree);
  },
);

verifies("ENV-14", "debugging has 18 steps, and its testing step goes back to the fix", async () => {
  await expect(text.debugging).toMatchFileSnapshot("golden/debugging.txt");
  expect(keys("debugging")).toBe("1 2 3 4 5 6 6.1 6.2 7 8 9 10 11 12 13 13.1 14 15");
  const own = data.debugging.steps.filter(({ from }) => from === "debugging").map(({ key }) => key);
  expect(own).toEqual(["6.1", "6.2", "7", "8", "12", "13", "13.1", "14"]);
  expect(step("debugging", 6)).toMatch(/^Create todo list .*\n\* Prioritize logging tasks first$/u);
  expect(step("debugging", 9)).toMatch(/^Implement fix based on prompt hypothesis/u);
  expect(step("debugging", 14)).toContain("Go to step 9");
  expect(step("debugging", 16)).toContain("`envoy plan cleanup-debug-logs`");
  expect(step("debugging", 18)).toContain("`envoy plan complete-prompt");
});

verifies("ENV-15", "discovery and bug-discovery have 6 steps, with the rules for variants", async () => {
  await expect(text.discovery).toMatchFileSnapshot("golden/discovery.txt");
  await expect(text["bug-discovery"]).toMatchFileSnapshot("golden/bug-discovery.txt");
  expect([keys("discovery"), keys("bug-discovery")]).toEqual(["1 2 3 4 5 6", "1 2 3 4 5 6"]);
  const own = data["bug-discovery"].steps.filter(({ from }) => from === "bug-discovery");
  expect(own.map(({ key }) => key)).toEqual(["1", "2", "5", "6"]);
  expect(step("bug-discovery", 3)).toBe(step("discovery", 3));
  expect(step("bug-discovery", 4)).toBe(
    `${step("discovery", 4)}\nover suspected bug areas in codebase relevant files`,
  );
  for (const [name, items] of [["discovery", 5] as const, ["bug-discovery", 6] as const]) {
    expect(step(name, 4)).toMatch(/^If available .* repomix extraction skill/u);
    expect(step(name, 6)).toContain("Approach Variant Rules:");
    for (const word of ["INVALID", "VALID"]) expect(step(name, 6)).toContain(`\n* ${word}: `);
    expect(step(name, 6).match(/^\d\. /gmu)).toHaveLength(items);
  }
});

verifies(
  "ENV-16",
  "the README lists every line in which a shipped file differs from its original text",
  async () => {
    const readme = await readFile("protocols/envoy/README.md", "utf8");
    for (const name of shipped) {
      const listed =
        new RegExp(`^### ${name}\\n\\n\`\`\`diff\\n([^]*?)\\n\`\`\`$`, "mu").exec(readme)?.[1] ?? "";
      const first = await readFile(`src/protocol/steps/fixtures/first-texts/${name}.yaml`, "utf8");
      const now = await readFile(`protocols/envoy/${name}.yaml`, "utf8");
      expect(applied(first.split("\n"), listed.split("\n")).join("\n")).toBe(now);
    }
    // Each correction has a row with its reason.
    expect(readme.match(/^\| (?!Correction|-).* \| .{30,} \|$/gmu)).toHaveLength(8);
  },
);

/** Applies a diff without line numbers: its ` `, `-` and `+` lines are in the order of the text. */
function applied(lines: readonly string[], diff: readonly string[]): readonly string[] {
  const rest = [...lines];
  const result: string[] = [];
  for (const change of diff) {
    const line = change.slice(1);
    if (change.startsWith("+")) {
      result.push(line);
      continue;
    }
    const at = rest.indexOf(line);
    if (at === -1) throw new Error(`the first text has no such line here: ${line}`);
    result.push(...rest.splice(0, at));
    const [taken = ""] = rest.splice(0, 1);
    if (change.startsWith(" ")) result.push(taken);
  }
  return [...result, ...rest];
}

verifies("ENV-18", "--json has the same content, plus the file that supplied each step", () => {
  const { name, description, inputs, outputs, step_count, steps, formatted_output } = data.debugging;
  expect([name, description, step_count, steps.length]).toEqual([
    "debugging",
    "Debugging workflow for debug prompts",
    18,
    18,
  ]);
  expect(steps[6]).toMatchObject({ number: 7, key: "6.1", from: "debugging" });
  expect(steps[0]).toMatchObject({ number: 1, key: "1", from: "implementation" });
  expect(`${formatted_output}\n`).toBe(text.debugging);
  const printed = steps.map(({ number, content }) => `${number}: ${content}`).join("\n");
  expect(formatted_output.endsWith(`\n${printed}`)).toBe(true);
  expect(inputs[0]).toEqual({
    name: "prompt_num",
    type: "integer",
    optional: false,
    description: "prompt number",
  });
  expect(outputs[0]).toEqual({
    value: "{ success: true, merged: true }",
    description: "fix merged to feature branch",
  });
});

verifies("ENV-19", "--inputs are validated against the schema and shown", async () => {
  const given = (inputs: unknown) =>
    world.call(["protocol", "implementation", "--inputs", JSON.stringify(inputs)]);
  const fine = { prompt_num: 1, feature_branch: "feature/x", variant: null };
  const shown = await given(fine);
  expect(shown.code).toBe(0);
  expect(shown.stdout.replace("given: prompt_num = 1\ngiven: feature_branch = feature/x\n", "")).toBe(
    text.implementation,
  );
  expect(shown.stdout.split("## Outputs")[0]).toContain("given: prompt_num = 1\n");
  for (const [inputs, named] of [
    [{ prompt_num: 1 }, "the input feature_branch is missing"],
    [{ ...fine, feature_branch: null }, "the input feature_branch is missing"],
    [{ ...fine, prompt_num: "one" }, 'the input prompt_num is no integer: "one"'],
    [{ ...fine, prompt_num: 1.5 }, "the input prompt_num is no integer: 1.5"],
    [{ ...fine, extra: 1 }, "implementation has no input extra"],
    [[1], "--inputs takes one JSON object"],
  ] as const) {
    const { code, stdout, stderr } = await given(inputs);
    expect([code, stdout, stderr.split("\n")[0]]).toEqual([2, "", `error[invalid_inputs]: ${named}`]);
  }
});

verifies(
  "ENV-35",
  "an invalid name, an unknown name and the name of a state machine are refused",
  async () => {
    const errorOf = async (name: string) => {
      const { code, stdout, stderr } = await world.call(["protocol", name]);
      expect([code, stdout]).toEqual([2, ""]);
      return stderr;
    };
    for (const name of ["../x", "a/b", "", "../../etc/passwd", "Debugging"])
      expect(await errorOf(name)).toContain(
        `error[invalid_name]: "${name}" is not a valid name of a protocol\n`,
      );
    expect(await errorOf("debuging")).toBe(
      "error[not_found]: there is no steps protocol debuging: there are bug-discovery, debugging, discovery, implementation\nhint: did you mean debugging?\n",
    );
    expect(await errorOf("riper")).toMatch(
      /^error\[not_a_steps_protocol\]: .*\nhint: mettle protocol graph riper\n$/u,
    );
  },
);

const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;

verifiesWhen(
  canTrace,
  "strace is missing",
  "ENV-35",
  "no file outside the protocol folders is read",
  { tags: "ci" },
  async () => {
    const { repository } = world;
    const own = `${repository.dir}/`;
    await repository.write({
      ".claude/protocols/a.yaml": file("a", "  1: x\n"),
      "b.yaml": file("b", "  1: x\n"),
      ".claude/b.yaml": file("b", "  1: x\n"),
    });
    const trace = join(repository.dir, ".claude", "trace");
    for (const name of ["../../etc/passwd", "../../b", "../b", "b", "a", "riper", "x"]) {
      const program = [process.execPath, packageRoot("dist/bin/envoy.cjs"), "protocol", name];
      const ran = spawnSync(
        "strace",
        ["-f", "-e", "trace=open,openat", "-s", "4096", "-o", trace, ...program],
        {
          cwd: repository.dir,
          env: { PATH: process.env["PATH"] ?? "", HOME: repository.dir },
        },
      );
      expect([name, ran.status]).toEqual([name, name === "a" ? 0 : 2]);
      const lines = (await readFile(trace, "utf8")).split("\n").filter((line) => / = \d+$/u.test(line));
      const read = lines.flatMap((line) => /\bopen(?:at)?\([^"]*"([^"]*)"/u.exec(line)?.[1] ?? []);
      expect(read).toContain(packageRoot("dist/bin/envoy.cjs"));
      const strange = read
        .filter((path) => path.startsWith(own) || path.endsWith("passwd.yaml"))
        .map((path) => path.replace(own, ""))
        // The state home with the log of calls is here too.
        .filter((path) => !/^(\.git|\.local\/state|\.(claude|mettle)\/protocols)(\/|$)/u.test(path));
      expect([name, strange]).toEqual([name, []]);
      if (name === "a") expect(read).toContain(`${own}.claude/protocols/a.yaml`);
    }
    await repository.write({ ".claude/protocols": null, ".claude/b.yaml": null, "b.yaml": null });
  },
);

test("outside of a repository the shipped protocols are used", async () => {
  expect((await world.call(["protocol", "debugging"], { cwd: "/" })).stdout).toBe(text.debugging);
});
