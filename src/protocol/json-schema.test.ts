import { expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { protocolJsonSchema } from "./json-schema.ts";

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  $defs?: Record<string, Schema>;
};

const schema = protocolJsonSchema() as Schema;

test("the JSON Schema knows both kinds of file and lets an extension remove", () => {
  expect(schema["$schema"]).toBe("https://json-schema.org/draft/2020-12/schema");
  const [machine, steps] = schema.anyOf ?? [];
  expect(Object.keys(machine?.properties ?? {})).toEqual([
    "version",
    "protocol",
    "kind",
    "extends",
    "about",
    "features",
    "reminders",
    "roles",
    "gates",
    "machines",
  ]);
  expect([machine?.["additionalProperties"], machine?.["required"]]).toEqual([
    false,
    ["version", "protocol", "kind"],
  ]);
  expect(Object.keys(steps?.properties ?? {})).toContain("steps");
  expect(machine?.properties?.["about"]).toEqual({ type: ["string", "null"] });
  expect(machine?.properties?.["protocol"]?.["type"]).toBe("string");
});

test("every reference in it leads somewhere, and every key of the language stands in it", () => {
  const text = JSON.stringify(schema);
  const references = [...text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name);
  expect(references.length).toBeGreaterThan(0);
  expect(references.filter((name) => !Object.hasOwn(schema.$defs ?? {}, name ?? ""))).toEqual([]);
  const written = readFileSync(new URL("fixtures/all-kinds.yaml", import.meta.url), "utf8");
  const keys = [
    "dispatch",
    "check",
    "merge",
    "rebase",
    "ask",
    "parallel",
    "each",
    "end",
    "counters",
    "reopen",
    "emit",
  ];
  for (const key of keys) {
    expect(written).toContain(`${key}:`);
    expect(text).toContain(`"${key}":{`);
  }
});
