/**
 * The variants gate: a person chooses the main variant of a number.
 * @module-tag ci
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect } from "vitest";
import { verifies } from "../verifies.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";

let world: GateWorld;
beforeAll(async () => void (world = await createGateWorld()));
beforeEach(() => world.reset());

const gate = (id: string) => ["plan", "block-prompt-variants-gate", ...id.split(" ")];
const duration_ms = expect.any(Number) as number;

verifies("ENV-73", "a prompt without variants needs no decision", async () => {
  const skipped = { skipped: true, thoughts: "", variant_solution: "main", reason: "not a variant prompt" };
  await world.prompt("1");
  await world.prompt("3 A");
  const times: number[] = [];
  for (let tries = 0; tries < 4; tries++) {
    const began = Date.now();
    expect(await world.ok(gate("1"))).toEqual(skipped);
    times.push(Date.now() - began);
  }
  // The fastest of several, since the machine may be busy.
  expect(Math.min(...times)).toBeLessThan(1000);
  expect(await world.ok(gate("3 A"))).toEqual(skipped);
  await world.prompt("2 A");
  await world.prompt("2 B");
  expect(await world.refused(gate("2"))).toMatchObject({ code: 2, type: "invalid_variant" });
  for (const number of [1, 2, 3]) expect(existsSync(world.place(`${number}_variants.yaml`))).toBe(false);
});

verifies("ENV-74", "exactly one passed variant is main, and the call waits on any other answer", async () => {
  const paths = new Map<string, string>();
  for (const letter of ["A", "B", "C"])
    paths.set(letter, await world.prompt(`1 ${letter}`, "--requires-testing"));
  for (const letter of ["A", "B"]) await world.implement(`1 ${letter}`, paths.get(letter) ?? "");
  await world.open(gate("1 A"));
  const first = await world.saved("1_variants.yaml");
  expect(first).toContain("1_A: implemented; review not passed, testing not passed\n");
  expect(first).toContain("1_C: unimplemented");
  const decide = (a: string, b: string, c: string) => ({
    "variants.A.decision": a,
    "variants.B.decision": b,
    "variants.C.decision": c,
  });
  const wrong = async (
    fields: Readonly<Record<string, string>>,
    why: string,
    change = (text: string) => text,
  ) => {
    await writeFile(world.place("1_variants.yaml"), change(first));
    await world.answer("1_variants", fields);
    const before = await world.saved("1_variants.yaml");
    expect(await world.refused([...gate("1 B"), "--wait", "0.6"])).toMatchObject({ code: 3 });
    expect(await world.saved("1_variants.yaml.error")).toContain(why);
    expect(await world.saved("1_variants.yaml")).toBe(before);
  };
  await wrong(decide("main", "discard", "discard"), "has not passed its review and testing");
  await world.review("1 A");
  await wrong(decide("main", "discard", "discard"), "has not passed its testing");
  await world.open(["plan", "block-prompt-testing-gate", "1", "A"]);
  await world.answer("1_A_testing", { test_passed: "true" });
  await world.ok(["plan", "block-prompt-testing-gate", "1", "A"]);
  await wrong(decide("alternative", "discard", "discard"), "exactly one variant must be main, not 0");
  await wrong(decide("main", "main", "discard"), "exactly one variant must be main, not 2");
  await wrong(decide("discard", "discard", "main"), "variants.C.decision: it is not implemented");
  await wrong(decide("main", "null", "discard"), "variants.B.decision: no decision");
  await wrong(decide("main", "nothing", "discard"), "variants.B.decision: ");
  await wrong(decide("main", "discard", "discard"), "variants.D: there is no such variant", (text) =>
    text.replace("  C:", "  D:"),
  );
  await wrong(decide("main", "discard", "discard"), "variants.C: it is missing", (text) =>
    text.replace(/ {2}C:\n.*\n.*\n/u, ""),
  );
  await writeFile(join(paths.get("A") ?? "", "src", "a.ts"), "2\n");
  await wrong(decide("main", "discard", "discard"), "changed since its review and testing");
  await writeFile(join(paths.get("A") ?? "", "src", "a.ts"), "1\n");
  // The words of the specification's success criteria.
  await writeFile(world.place("1_variants.yaml"), first);
  await world.answer("1_variants", decide("main", "accepted", "rejected"));
  const branch = "feature/x--implementation-1-B";
  const head = await world.repository.git("rev-parse", branch);
  expect(await world.ok(gate("1 A"))).toEqual({
    thoughts: "",
    variant_solution: "main",
    reason: "",
    unmerged_alternatives: [branch],
    duration_ms,
  });
  expect(await world.ok(gate("1 C"))).toMatchObject({ variant_solution: "discard" });
  expect(await world.fields("prompts/1_B.md")).toMatchObject({ variant_solution: "alternative" });
  expect(await world.repository.git("rev-parse", branch)).toBe(head);
  expect(existsSync(paths.get("B") ?? "")).toBe(true);
});

verifies("ENV-76", "of a debug prompt only one fix is kept", async () => {
  for (const letter of ["A", "B"]) {
    await world.implement(`2 ${letter}`, await world.prompt(`2 ${letter}`, "--debug"));
    await world.review(`2 ${letter}`);
    await world.open(["plan", "block-prompt-testing-gate", "2", letter]);
    await world.answer(`2_${letter}_testing`, { test_passed: "true" });
    await world.ok(["plan", "block-prompt-testing-gate", "2", letter]);
  }
  await world.open(gate("2 B"));
  await world.answer("2_variants", { "variants.A.decision": "main", "variants.B.decision": "alternative" });
  expect(await world.ok(gate("2 B"))).toEqual({
    thoughts: "",
    variant_solution: "discard",
    reason: "A debug prompt keeps only one fix, so the alternative is discarded.",
    duration_ms,
  });
  expect(await world.ok(gate("2 A"))).toEqual({
    thoughts: "",
    variant_solution: "main",
    reason: "",
    duration_ms,
  });
  expect(await world.fields("prompts/2_B.md")).toMatchObject({ variant_solution: "discard" });
});
