// @module-tag ci
/** GREEN of a run tries mutants by default, and hands survivors on as missing tests (CORE-31). */
import { expect } from "vitest";
import { parseRecord } from "../../src/evidence/record.ts";
import { verifies } from "../verifies.ts";
import { createWorld, eventsOf, golden } from "./world.ts";

verifies(
  "CORE-31",
  "GREEN of a run hands survivors of its mutants on to the agents and reviewers",
  async () => {
    const world = await createWorld(undefined, { METTLE_MUTATION_BUDGET: "" });
    const { events } = await world.go(await golden());
    const green = eventsOf(events, "gate.judged").find(
      ({ gate, verdict }) => gate === "green" && verdict === "pass",
    );
    const missing = green?.findings.filter((finding) => finding.startsWith("missing_test: ")) ?? [];
    expect(missing[0]).toMatch(/^missing_test: src\/slugify\.js:\d+: no test /u);
    const written = eventsOf(events, "record.written").find(({ purpose }) => purpose === "green");
    const record = parseRecord(JSON.parse(await world.host.payloads.text(written?.ref ?? "")));
    expect(record.controls["mutants"]).toMatch(/^\d+ of \d+ mutants noticed by tests$/u);
    const byFile = record.controls["mutants"]?.replace("mutants noticed by tests", "src/slugify.js");
    expect(record.controls["mutants_by_file"]).toBe(byFile);
    const outputs = eventsOf(events, "document.written").filter(
      ({ name, key }) => name === "test-output" && key === green?.key,
    );
    const shown = await world.host.payloads.text(outputs[0]?.ref ?? "");
    expect(shown).toContain("Mettle made these faults, and no test noticed them:\n- src/slugify.js:");
  },
);
