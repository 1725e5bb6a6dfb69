import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { YamlFault } from "./yaml-fault.ts";
import { parseYaml, renderFault } from "./yaml-document.ts";
import { thrown } from "../../../test/support/thrown.ts";

const Step = z.strictObject({ run: z.string(), tries: z.number().int().optional() });
const Settings = z.strictObject({
  version: z.literal(1),
  mode: z.enum(["fast", "safe"]).optional(),
  steps: z.record(z.string().regex(/^[a-z]+$/, "small letters only"), z.union([z.string(), Step])).optional(),
  list: z.array(z.string()).optional(),
});

function refused(text: string | Uint8Array): readonly string[] {
  return faultsOf(text).map(renderFault);
}

function faultsOf(text: string | Uint8Array): readonly YamlFault[] {
  const error = thrown(() => parseYaml({ file: "x.yaml", text }, Settings, "config_invalid"));
  expect(error.code).toBe("config_invalid");
  return (error.detail as { faults: YamlFault[] }).faults;
}

describe("a YAML document", () => {
  test("gives its value, and the line and column of every part, through anchors too", () => {
    const text = "version: 1\nsteps:\n  one: &one\n    run: npm test\n  two: *one\nlist: [a, b]\n";
    const document = parseYaml({ file: "x.yaml", text }, Settings, "config_invalid");

    expect(document.value).toEqual({
      version: 1,
      steps: { one: { run: "npm test" }, two: { run: "npm test" } },
      list: ["a", "b"],
    });
    expect(document.at(["list", 1])).toEqual({ file: "x.yaml", line: 6, column: 11 });
    expect(document.keyAt(["steps", "two"])).toEqual({ file: "x.yaml", line: 5, column: 3 });
    expect(document.at(["steps", "two", "run"])).toEqual({ file: "x.yaml", line: 4, column: 10 });
    expect(document.at(["steps", "three"])).toEqual({ file: "x.yaml", line: 3, column: 3 });
  });

  test("reads bytes, with or without a byte order mark", () => {
    const bytes = new TextEncoder().encode("\uFEFFversion: 1\n");
    expect(parseYaml({ file: "x.yaml", text: bytes }, Settings, "config_invalid").value).toEqual({
      version: 1,
    });
    expect(
      parseYaml({ file: "x.yaml", text: "\uFEFFversion: 1\n" }, Settings, "config_invalid").value,
    ).toEqual({ version: 1 });
  });

  test("lets the raw value choose its schema", () => {
    const choose = (raw: unknown) => (Array.isArray(raw) ? z.array(z.number()) : z.number());
    expect(
      parseYaml<number | number[]>({ file: "x.yaml", text: "[1, 2]" }, choose, "config_invalid").value,
    ).toEqual([1, 2]);
    expect(parseYaml<number | number[]>({ file: "x.yaml", text: "3" }, choose, "config_invalid").value).toBe(
      3,
    );
  });
});

describe("a faulty YAML document tells", () => {
  test("an unknown key with the keys that exist", () => {
    expect(refused("version: 1\nmood: fast\n")).toEqual([
      'x.yaml:2:1: unknown key "mood" (allowed: version, mode, steps, list)',
    ]);
  });

  test("a wrong word with the words that exist", () => {
    expect(refused("version: 1\nmode: slow\n")).toEqual([
      'x.yaml:2:7: mode: the text "slow" is not allowed here (allowed: fast, safe)',
    ]);
  });

  test("a wrong type, a missing key, a bad name", () => {
    expect(refused("list: a\nsteps: {Bad: x}\n")).toEqual([
      'x.yaml:1:1: the key "version" is missing (allowed: 1)',
      'x.yaml:1:7: list: expected a list, got the text "a"',
      'x.yaml:2:9: "Bad" is not a valid name: small letters only',
    ]);
  });

  test("in a union what is wrong with the alternative that was meant", () => {
    expect(refused("version: 1\nsteps:\n  one: {run: 3, fries: 2}\n  two: 3\n")).toEqual([
      "x.yaml:3:14: run: expected a text, got the number 3",
      'x.yaml:3:17: unknown key "fries" (allowed: run, tries)',
      "x.yaml:4:8: two: expected a text or a mapping, got the number 3",
    ]);
  });

  test("a duplicate key together with the other faults", () => {
    expect(refused("version: 1\nmode: fast\nmode: slow\nmood: 1\n")).toEqual([
      "x.yaml:3:1: this key is here twice",
      'x.yaml:3:7: mode: the text "slow" is not allowed here (allowed: fast, safe)',
      'x.yaml:4:1: unknown key "mood" (allowed: version, mode, steps, list)',
    ]);
  });

  test("a syntax error alone, since what follows it is a guess", () => {
    const faults = faultsOf("version: 1\nlist: [a\nmood: 1\n");
    expect(faults.map((fault) => [fault.line, fault.column])).toEqual(
      [
        [3, 1],
        [3, 1],
      ].slice(0, faults.length),
    );
    expect(faults.length).toBeGreaterThan(0);
  });

  test("a tag, a second document and an empty file", () => {
    expect(refused("version: !one 1\n")[0]).toBe("x.yaml:1:10: the tag !one does not fit here");
    expect(refused("version: 1\n---\nversion: 1\n")[0]).toMatch(
      /^x\.yaml:2:1: one document is expected, and here begins another/,
    );
    expect(refused("")).toEqual(["x.yaml:1:1: the file: expected a mapping, got nothing"]);
  });

  test("bytes that are not UTF-8, by line and character", () => {
    const good = new TextEncoder().encode("version: 1\nmode: é");
    expect(refused(Uint8Array.of(...good, 0xff, 0x0a))).toEqual(["x.yaml:2:8: not valid UTF-8 here"]);
    expect(refused(Uint8Array.of(...good, 0xc3))).toEqual(["x.yaml:2:8: not valid UTF-8 here"]);
  });

  test("an alias without anchor, into itself, or multiplied without measure", () => {
    expect(refused("version: 1\nlist: *gone\n")).toEqual(["x.yaml:2:7: no anchor &gone is before this"]);
    expect(refused("version: 1\nlist: &a [*a]\n")).toEqual(["x.yaml:2:11: the alias *a contains itself"]);
    const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let n = 1; n < 9; n++)
      bomb.push(
        `a${n}: &a${n} [${Array(10)
          .fill(`*a${n - 1}`)
          .join(", ")}]`,
      );
    expect(refused(bomb.join("\n"))[0]).toMatch(/aliases multiply this file without measure$/);
  });

  test("a file that is too large or nested too deeply", () => {
    expect(refused(`version: 1 #${"x".repeat(1024 * 1024)}`)).toEqual([
      "x.yaml:1:1: the file is larger than 1 MiB",
    ]);
    expect(refused("[".repeat(5_000))[0]).toMatch(/^x\.yaml:1:\d+: nested too deeply$/);
  });

  test("everything in the message and in the detail of one error", () => {
    const error = thrown(() =>
      parseYaml({ file: "x.yaml", text: "mode: slow\nmood: 1\n" }, Settings, "protocol_invalid"),
    );
    expect(error.code).toBe("protocol_invalid");
    expect(error.exitCode).toBe(2);
    expect(error.message).toBe(
      [
        "3 faults",
        'x.yaml:1:1: the key "version" is missing (allowed: 1)',
        'x.yaml:1:7: mode: the text "slow" is not allowed here (allowed: fast, safe)',
        'x.yaml:2:1: unknown key "mood" (allowed: version, mode, steps, list)',
      ].join("\n  "),
    );
    expect(error.detail).toEqual({
      faults: [
        {
          file: "x.yaml",
          line: 1,
          column: 1,
          path: ["version"],
          message: 'the key "version" is missing',
          allowed: ["1"],
        },
        {
          file: "x.yaml",
          line: 1,
          column: 7,
          path: ["mode"],
          message: 'mode: the text "slow" is not allowed here',
          allowed: ["fast", "safe"],
        },
        {
          file: "x.yaml",
          line: 2,
          column: 1,
          path: ["mood"],
          message: 'unknown key "mood"',
          allowed: ["version", "mode", "steps", "list"],
        },
      ],
    });
  });
});
