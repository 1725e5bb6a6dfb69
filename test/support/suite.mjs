// What the workers of one run of the suite share, made before the first of them starts and gone after the last.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function setup() {
  const folder = mkdtempSync(join(tmpdir(), "mettle-executed-once-"));
  process.env["METTLE_EXECUTED_ONCE"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
