/** How `envoy protocol` merges a protocol with its bases. */
import { beforeAll, expect } from "vitest";
import { callHere } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { createEnvoyWorld, file, stepsOf, type EnvoyWorld } from "./world.ts";

let world: EnvoyWorld;
beforeAll(async () => void (world = await createEnvoyWorld()));

const base = file("base", "  1: a\n  2: b\n  3: c\n");
const extending = (name: string, over: string, steps: string) => file(name, steps, `extends: ${over}\n`);
const six = file("six", [1, 2, 3, 4, 5, 6, 7].map((key) => `  ${key}: old ${key}\n`).join(""));

async function steps(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const printed = await world.print(name, files);
  expect([printed.code, printed.stderr]).toEqual([0, ""]);
  return stepsOf(printed);
}

/** Expects exit 2 and an empty stdout. @returns stderr */
async function refused(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const { code, stdout, stderr } = await world.print(name, files);
  expect([code, stdout]).toEqual([2, ""]);
  return stderr.replaceAll(`${world.repository.dir}/.claude/protocols/`, "").split("\nhint:")[0] ?? "";
}

verifies(
  "ENV-07",
  "a step with the same number replaces the base's, and a higher one is added at the end",
  async () => {
    const more = extending("more", "base", "  2: X\n  4: Y\n");
    expect(await steps("more", { base, more })).toBe("1: a\n2: X\n3: c\n4: Y\n");
  },
);

verifies("ENV-08", "a `+` appends on a new line, and only to an inherited step", async () => {
  expect(stepsOf(await world.call(["protocol", "bug-discovery"]))).toContain(
    "areas of focus to generate approaches\nover suspected bug areas in codebase relevant files\n5: ",
  );
  const more = extending("more", "base", "  2+: |\n    under b\n  2.1: new\n");
  const most = extending("most", "more", "  2+: last\n  2.1+: |\n    under new\n");
  expect(await steps("most", { base, more, most })).toBe(
    "1: a\n2: b\nunder b\nlast\n3: new\nunder new\n4: c\n",
  );
  const lost = extending("lost", "six", "  1: x\n  9+: y\n  9.1+: z\n");
  expect(await refused("lost", { six, lost })).toBe(
    "error[append_to_missing_step]: 2 faults\n" +
      "  lost.yaml:6:3: cannot append to step 9: no base defines it\n" +
      "  lost.yaml:7:3: cannot append to step 9.1: no base defines it",
  );
  expect(await refused("lost", { lost: file("lost", "  1+: y\n") })).toContain("lost.yaml:5:3: ");
});

verifies("ENV-09", "dotted keys come after their whole number, in numeric order", async () => {
  const more = extending("more", "six", "  6.10: tenth\n  6.2: second\n  6.1: first\n");
  expect(await steps("more", { six, more })).toBe(
    "1: old 1\n2: old 2\n3: old 3\n4: old 4\n5: old 5\n6: old 6\n7: first\n8: second\n9: tenth\n10: old 7\n",
  );
});

verifies(
  "ENV-10",
  "keys are read as written, quoted or not; 0.1 comes first and 6.1.1 after 6.1",
  async () => {
    const keys = "  6.10: e\n  6.1.1: d\n  6: b\n  6.1: c\n  0.1: a\n";
    expect(await steps("keys", { keys: file("keys", keys) })).toBe("1: a\n2: b\n3: c\n4: d\n5: e\n");
    const twice = file("twice", '  6: b\n  "6.1": c\n  6.1: d\n');
    expect(await refused("twice", { twice })).toContain("twice.yaml:7:3: step 6.1 is in line 6 already");
  },
);

verifies(
  "ENV-11",
  "a chain keeps the steps of its middle protocol, and has at most 16 protocols",
  async () => {
    const b = extending("b", "base", "  2.1: from b\n  2.3: also b\n  2.4: left\n");
    const c = extending("c", "b", "  2.1+: and c\n  2.2: new\n  2.3: c's\n");
    expect(await steps("c", { base, b, c })).toBe(
      "1: a\n2: b\n3: from b\nand c\n4: new\n5: c's\n6: left\n7: c\n",
    );
    const chain = Object.fromEntries(
      Array.from({ length: 17 }, (_, index) => [
        `p${index}`,
        index === 0 ? file("p0", "  1: a\n") : extending(`p${index}`, `p${index - 1}`, `  ${index + 1}: x\n`),
      ]),
    );
    expect((await steps("p15", chain)).trim().split("\n")).toHaveLength(16);
    expect(await refused("p16", chain)).toContain("p1.yaml:3:10: extends: a chain has at most 16 protocols");
  },
);

verifies(
  "ENV-12",
  "inputs and outputs are inherited if null or absent, else replaced as a whole",
  async () => {
    const lists =
      "inputs:\n  - { name: n, type: integer, optional: false, description: d }\noutputs:\n  - { value: v, description: w }\n";
    const whole = file("whole", "  1: a\n", lists);
    const more = extending("more", "whole\ninputs: null", "  2: b\n");
    const none = extending("none", "more\ninputs: []\noutputs: []", "  2: b\n");
    const files = { whole, more, none };
    const own = "## Inputs\n\n- n: integer (required) - d\n\n## Outputs\n\n- v - w\n";
    expect((await world.print("more", files)).stdout).toContain(own);
    expect((await world.print("none", files)).stdout).toContain("## Inputs\n\nnone\n\n## Outputs\n\nnone\n");
    const inputs = (text: string) => text.slice(text.indexOf("## Inputs"), text.indexOf("## Outputs"));
    const printed = async (name: string) => inputs((await world.print(name, {})).stdout);
    expect(await printed("debugging")).toBe(await printed("implementation"));
    expect(await printed("bug-discovery")).toContain(
      "- segment_context: string (required) - bug context from main agent (symptoms, reproduction steps, suspected areas)\n",
    );
  },
);

verifies(
  "ENV-13",
  "a reference outside of code is printed with the new number, and its step must exist",
  async () => {
    const seven =
      "  7: seven\n  7.1: |\n    Go to step 7, or see step 7.1.\n    `step 7`, ``a ` step 7``\n    ```\n    Go to step 40\n    ```\n    **Go to step 7**, step 40, substep 7\n";
    const refers = file("refers", `${[1, 2, 3, 4, 5, 6].map((key) => `  ${key}: x\n`).join("")}${seven}`);
    const more = extending("more", "refers", "  2.1: new\n");
    expect(await steps("more", { refers, more })).toContain(
      "8: seven\n9: Go to step 8, or see step 9.\n`step 7`, ``a ` step 7``\n```\nGo to step 40\n```\n**Go to step 8**, step 40, substep 7\n",
    );
    const lost = extending(
      "lost",
      "base",
      "  2: |\n    First\n\n      then Go to step 40\n  3: go to step 41\n",
    );
    expect(await refused("lost", { base, lost })).toBe(
      "error[unknown_step_reference]: lost.yaml:8:12: there is no step 40 to go to",
    );
  },
);

verifies("ENV-33", "invalid keys, duplicate keys and keys without a preceding step are refused", async () => {
  for (const key of ["0x1", "1e1", "-1", "01", "a", "6.", "0", "6.01", "1++"])
    expect(await refused("bad", { bad: file("bad", `  1: a\n  ${key}: b\n`) })).toBe(
      `error[invalid_step_key]: bad.yaml:6:3: "${key}" is no step number such as 6, 6.10 or 6+`,
    );
  expect(await refused("bad", { bad: file("bad", "  1: a\n  2: b\n  1: c\n") })).toBe(
    "error[duplicate_step]: bad.yaml:7:3: step 1 is in line 5 already",
  );
  expect(await refused("bad", { base, bad: extending("bad", "base", "  1: a\n  1+: c\n") })).toBe(
    "error[duplicate_step]: bad.yaml:6:3: step 1 is in line 5 already: replace it or append to it, not both",
  );
  expect(await refused("bad", { bad: file("bad", "  1: a\n  4.1: c\n") })).toBe(
    "error[insert_without_step]: bad.yaml:6:3: cannot insert step 4.1: there is no step 4 before it",
  );
});

verifies("ENV-34", "a missing base and a cycle are reported at `extends`", async () => {
  let begun = Date.now();
  const soon = () => {
    expect(Date.now() - begun).toBeLessThan(1000);
    begun = Date.now();
  };
  expect(await refused("lost", { lost: extending("lost", "nothing", "  1: a\n") })).toBe(
    "error[unknown_base]: lost.yaml:3:10: no steps protocol nothing to extend (allowed: bug-discovery, debugging, discovery, implementation, lost)",
  );
  const circle = {
    a: extending("a", "b", "  1: a\n"),
    b: extending("b", "c", "  1: a\n"),
    c: extending("c", "a", "  1: a\n"),
  };
  soon();
  expect(await refused("a", circle)).toBe(
    "error[extends_cycle]: c.yaml:3:10: extends refers back to itself: a -> b -> c -> a",
  );
  soon();
  expect(await refused("a", { a: extending("a", "a", "  1: a\n") })).toContain("a -> a");
  soon();
});

verifies(
  "ENV-06",
  "a file has exactly the documented fields, and each wrong one is reported with file, line and field",
  async () => {
    const input = (fields: string) => file("bad", "  1: a\n", `inputs:\n  - { ${fields} }\n`);
    const table: readonly (readonly [string, string])[] = [
      [input("name: a, type: float, optional: true, description: d"), "bad.yaml:4:22: type"],
      [input("name: a, type: array, optional: maybe, description: d"), "bad.yaml:4:39: optional"],
      [input("name: a, type: array, optional: true"), 'bad.yaml:4:5: the key "description" is missing'],
      [file("bad", "  1: a\n", "title: x\n"), 'bad.yaml:3:1: unknown key "title"'],
      [file("bad", "  1: a\n", "extends: 7.5.x\n"), "bad.yaml:3:10: extends"],
      [file("bad", "  1: a\n", "extends: [a]\n"), "bad.yaml:3:10: extends"],
      [file("bad", "  1: ' '\n"), "bad.yaml:5:6: 1: a step has a text"],
      [file("bad", "  1: [a]\n"), "bad.yaml:5:6: 1: expected a text, got a list"],
      [file("other", "  1: a\n"), "bad.yaml:1:7: name"],
      ["name: bad\nextends: null\nsteps: { 1: a }\n", 'the key "description" is missing'],
      [
        file("bad", "  1: a\n", "outputs: [{ value: v }]\n"),
        'bad.yaml:3:11: the key "description" is missing',
      ],
      [file("bad", "  1: a\n", "outputs: [{ value: v, description: d, more: x }]\n"), 'unknown key "more"'],
      [input("name: a, type: array, optional: true, description: d, more: x"), 'unknown key "more"'],
      [file("bad", "  1: a\n", "version: 1\n"), 'bad.yaml:3:1: unknown key "version"'],
      [file("bad", "  1: a\n", "kind: other\n"), "bad.yaml:3:7: kind"],
      ["name: bad\ndescription: d\nextends: null\n", 'the key "steps" is missing'],
      ["name: bad\ndescription: [d]\nsteps: { 1: a }\n", "bad.yaml:2:14: description"],
    ];
    for (const [text, message] of table) {
      const { code, stdout } = await world.print("bad", { bad: text });
      expect([code, stdout]).toEqual([2, ""]);
      const stderr = await refused("bad", { bad: text });
      expect(stderr).toContain("error[invalid_schema]: bad.yaml:");
      expect(stderr).toContain(message);
    }
    for (const more of ["", "extends: null\n", "kind: steps\n", "extends: base\ninputs: null\noutputs: []\n"])
      for (const type of ["array", "integer", "string"]) {
        const text = input(`name: a, type: ${type}, optional: false, description: d`);
        for (const fine of [file("bad", "  1: a\n", more), text])
          expect((await world.print("bad", { bad: fine, base: file("base", "  1: a\n") })).stderr).toBe("");
      }
  },
);

verifies("ENV-36", "every file that is not YAML is reported quickly with its position", async () => {
  const text = file("bad", '  1: a\n  2: b\n  3: "c\n');
  const bomb = Array.from(
    { length: 12 },
    (_, n) => `  ${n + 2}: &a${n} [${n === 0 ? "x" : `*a${n - 1},`.repeat(9)}]\n`,
  );
  const table: readonly (readonly [string, RegExp])[] = [
    [text, /^error\[invalid_yaml\]: bad\.yaml:7:6: the quote that begins here is never closed$/u],
    [
      file("bad", '  1: a\n  2: b\n  "3: c\n'),
      /\n  bad\.yaml:7:3: the quote that begins here is never closed$/mu,
    ],
    [file("bad", "  1: a\n  2: b\n  3: 'c\n\n  4: d\n"), /^error\[invalid_yaml\]: bad\.yaml:7:6: /u],
    [file("bad", "  1: a\n", "inputs: [\n"), /^error\[invalid_yaml\]: bad\.yaml:\d+:\d+: /u],
    [file("bad", `  1: a\n${bomb.join("")}`), /^error\[invalid_yaml\]: bad\.yaml:\d+:\d+: /u],
    [`# ${"x".repeat(1024 * 1024)}\n${text}`, /^error\[invalid_yaml\]: bad\.yaml:1:1: .* 1 MiB/u],
  ];
  for (const [bad, message] of table) {
    const begun = Date.now();
    expect(await refused("bad", { bad })).toMatch(message);
    expect(Date.now() - begun).toBeLessThan(1000);
  }
});

verifies("ENV-36", "protocol check reports all errors of a steps protocol at once", async () => {
  const check = async (name: string, content: string) => {
    await world.repository.write({ [`${name}.yaml`]: content });
    const { code, stdout, stderr } = await callHere(["protocol", "check", `${name}.yaml`], {
      cwd: world.repository.dir,
      env: { PATH: process.env["PATH"] ?? "", HOME: world.repository.dir },
    });
    return { code, lines: stdout.trimEnd().split("\n"), stderr };
  };
  await world.print("base", { base: file("base", "  1: a\n  2: b\n") });
  const three = file("three", "  01: a\n  9+: b\n  2: ' '\n", "extends: base\n");
  expect(await check("three", three)).toEqual({
    code: 2,
    lines: [
      'three.yaml:5:3: invalid_step_key: "01" is no step number such as 6, 6.10 or 6+',
      "three.yaml:6:3: append_to_missing_step: cannot append to step 9: no base defines it",
      "three.yaml:7:6: invalid_schema: 2: a step has a text",
    ],
    stderr: "",
  });
  const all = file(
    "wrong",
    "  1: x\n  1: again\n  2: Go to step 40\n  2+: y\n  7.1: z\n  3: [a]\n",
    "extends: base\nmore: 1\n",
  );
  expect(
    (await check("other", all)).lines.map((line) =>
      line.replace(/^other\.yaml:(\d+):\d+: (\w+): .*$/u, "$1 $2"),
    ),
  ).toEqual([
    "1 invalid_schema",
    "4 invalid_schema",
    "7 duplicate_step",
    "8 unknown_step_reference",
    "9 duplicate_step",
    "10 insert_without_step",
    "11 invalid_schema",
  ]);
  expect(await check("lost", file("lost", "  x: a\n", "extends: nothing\n"))).toMatchObject({
    code: 2,
    lines: [/:3:10: unknown_base: /u, /:5:3: invalid_step_key: /u].map((line) => expect.stringMatching(line)),
  });
  expect(await check("bad", file("bad", '  1: a\n  2: b\n  3: "c\n'))).toMatchObject({
    code: 2,
    lines: [expect.stringMatching(/^bad\.yaml:7:\d+: invalid_yaml: /u)],
  });
  expect(await check("fine", file("fine", "  2+: a\n", "extends: base\n"))).toEqual({
    code: 0,
    lines: ["fine is a well-formed steps protocol"],
    stderr: "",
  });
});
