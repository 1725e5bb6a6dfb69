// Creates the folder that all workers of a test run share, and removes it at the end.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function setup() {
  const folder = mkdtempSync(join(tmpdir(), "mettle-executed-once-"));
  process.env["METTLE_EXECUTED_ONCE"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
