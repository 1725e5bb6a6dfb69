/** A machine that forbids an own network, as some containers do. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { confinesHere, programHere } from "../../test/sandbox/bubblewrap.ts";
import { newFolder } from "../../test/support/folder.ts";
import { inCi } from "../../test/verifies.ts";
import { parseSettings } from "../config/settings.ts";
import { probeAgents } from "./probe-agents.ts";

describe.skipIf(!confinesHere())("agents without an own network (SKIPPED without bubblewrap)", () => {
  inCi(
    "are confined in everything else and the probe says why, but not where a sandbox is required",
    async () => {
      const bin = newFolder();
      const fails =
        'case "$*" in *--unshare-net*) echo "bwrap: loopback: Failed RTM_NEWADDR" >&2; exit 1;; esac';
      await writeFile(join(bin, "bwrap"), `#!/bin/sh\n${fails}\nexec ${programHere("bwrap")} "$@"\n`, {
        mode: 0o755,
      });
      const host = {
        path: `${bin}:${process.env["PATH"] ?? ""}`,
        env: { HOME: bin },
        node: process.execPath,
      };
      const machine = { host, stateRoot: "/nonexistent", repository: null };
      const probe = (settings: string) => probeAgents(machine, parseSettings(`version: 1\n${settings}`));
      const why = "loopback: Failed RTM_NEWADDR";
      const open = await probe("");
      expect(open).toMatchObject({ type: "confines", unlimited: why, held: { write: true } });
      expect("held" in open && open.held.network).toBe(undefined);
      expect(await probe("sandbox: required")).toMatchObject({ type: "absent", why });
      expect(await probe("agents: { network: open }")).toMatchObject({ type: "confines", unlimited: null });
    },
  );
});
