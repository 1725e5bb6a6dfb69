import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { newFolder } from "./support/folder.ts";
import { inCi } from "./verifies.ts";

/** Needs dist/, which `npm test` builds; by hand: `npm run build`. */
const { exports, bin, files } = z
  .object({
    exports: z.record(z.string(), z.unknown()),
    bin: z.record(z.string(), z.string()),
    files: z.array(z.string()),
  })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

test("the public exports are exactly this list", async () => {
  const names = async (module: string) => Object.keys((await import(module)) as object).sort();
  expect(Object.keys(exports)).toEqual([".", "./testing", "./protocol"]);
  expect(await names("mettle")).toEqual([
    "AppError",
    "EvidenceRecord",
    "KernelEvent",
    "RunEvent",
    "checkProtocol",
    "errorCodes",
    "fold",
    "init",
    "isEnded",
    "loadProtocol",
    "openCommands",
    "parseAnswer",
    "step",
    "toMermaid",
    "waitingAsks",
  ]);
  expect(await names("mettle/testing")).toEqual([
    "createRepository",
    "manualClock",
    "memoryJournal",
    "memoryPayloads",
  ]);
  expect(await names("mettle/protocol")).toEqual([
    "checkProtocol",
    "envelopeOf",
    "isLibrary",
    "loadProtocol",
    "protocolJsonSchema",
    "readProtocolFile",
    "toMermaid",
  ]);
});

inCi("the bins run from a package with only the published files", () => {
  const folder = newFolder();

  for (const name of [...files, "package.json"]) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
  const run = (...argv: string[]) => execFileSync(process.execPath, argv, { cwd: folder, encoding: "utf8" });
  expect(Object.keys(bin)).toEqual(["mettle", "envoy"]);
  for (const file of Object.values(bin)) {
    expect(readFileSync(join(folder, file), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/u);
    expect(run(file, "--version")).toBe("0.1.0\n");
  }
  expect(run("dist/bin/mettle.js", "protocol", "list")).toMatch(/^orchestrate\b/mu);
});

test("envoy reports an unknown command", () => {
  const call = () =>
    execFileSync(process.execPath, ["dist/bin/envoy.cjs", "plan", "dream"], {
      encoding: "utf8",
      stdio: "pipe",
    });
  expect(call).toThrow(
    expect.objectContaining({
      status: 2,
      stdout: expect.stringMatching(
        /^\{"version":1,"status":"error","error":\{"type":"usage",.*"command":"plan dream".*\}\}\n$/u,
      ),
    }),
  );
});

for (const example of readdirSync("examples").filter((name) => name.endsWith(".mjs"))) {
  inCi(`the example ${example} passes its own checks`, () => {
    expect(execFileSync(process.execPath, [`examples/${example}`], { encoding: "utf8" })).not.toBe("");
  });
}
