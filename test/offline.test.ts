import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { verifies, verifiesWhen } from "./verifies.ts";

const namespace = ["--user", "--map-root-user", "--net"];
const canUnshare = spawnSync("unshare", [...namespace, "true"]).status === 0;

verifiesWhen(
  canUnshare,
  "no network namespace can be made here (unshare --user --net)",
  "CORE-99",
  "the demo plays where there is no network, and its process connects to nothing",
  () => {
    const home = mkdtempSync(join(tmpdir(), "offline-"));
    try {
      const program = ["--import", "./test/support/trap-connect.mjs", "dist/bin/mettle.js", "demo", "--json"];
      const env = { PATH: process.env["PATH"], HOME: home };
      const ran = spawnSync("unshare", [...namespace, process.execPath, ...program], {
        encoding: "utf8",
        env,
        timeout: 120_000,
      });
      expect(ran.stderr).not.toContain("error[");
      expect(ran.status).toBe(0);
      expect(JSON.parse(ran.stdout)).toMatchObject({ version: 1 });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
  130_000,
);

verifies("CORE-99", "no test of this suite can connect to anything but this machine", () => {
  for (const open of [
    () => connect(80, "192.0.2.1"),
    () => connect({ port: 443, host: "example.com" }),
    () => connect({ port: 443, host: "2001:db8::1" }),
  ])
    expect(open).toThrow(/^a connection to /u);
  const own = connect(1, "127.0.0.1");
  own.on("error", () => undefined);
  own.destroy();
});
