/** A disk that becomes full during a merge: the run stops with exit 5, loses nothing, and continues later. */
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { wide } from "../wide.ts";
import { files, nodesOf, specOf } from "./story.ts";
import { runAsPerson } from "../support/as-person.ts";

const mount = "mount -t tmpfs -o size=24m none";
const canMount = spawnSync("unshare", ["-rm", "sh", "-c", `${mount} /mnt`]).status === 0;
const top = { id: "top" };

/** Filled by the build of the project, which proves the squash, or before its publication. */
describe.skipIf(!wide || !canMount).each(["squash", "publish"])(
  "a disk that becomes full before the %s",
  (at) => {
    let folder: string;
    let repository: TempRepository;
    let told: Readonly<Record<"first" | "second" | "log" | "disk" | "stderr", string>>;

    beforeAll(async () => {
      folder = newFolder();
      const disk = join(folder, "disk");
      await mkdir(disk);
      const [now, filled] = [join(folder, "now"), join(folder, "filled")];
      const fill = `if [ -e '${now}' ] && [ ! -e '${filled}' ]; then touch '${filled}'; cat /dev/zero > '${disk}/filler' 2>/dev/null; fi; true`;
      repository = await createRepository({
        files: {
          ...files,
          "package.json": JSON.stringify({
            type: "module",
            scripts: { test: "node --test", ...(at === "squash" ? { build: fill } : {}) },
          }),
          "spec.yaml": JSON.stringify(specOf(top)),
        },
      });
      const nodes = nodesOf(top);
      const roles = nodes["top"] ?? {};
      const role = at === "squash" ? "reviewer" : "merger";
      const shell = at === "squash" ? `touch '${now}'` : `touch '${now}'; ${fill}`;
      nodes["top"] = { ...roles, [role]: [{ ...roles[role]?.[0], does: [{ shell }] }] };
      const cassette = join(folder, "cassette.json");
      await writeFile(cassette, JSON.stringify({ version: 1, kind: "cassette", nodes }));
      told = await play(disk, cassette);
    }, 240_000);

    /** Repository and state on a small disk of their own, which is gone when the shell ends. */
    async function play(disk: string, cassette: string): Promise<typeof told> {
      const mettle = `'${process.execPath}' '${packageRoot("dist/bin/mettle.js")}'`;
      const script = [
        `${mount} '${disk}' && cp -a '${repository.dir}' '${disk}/repo' && mkdir '${disk}/home' && cd '${disk}/repo' || exit 99`,
        `${mettle} run --protocol graph --spec spec.yaml --agent 'scripted:${cassette}'; echo "exit $?"`,
        "echo ----",
        `df --output=avail '${disk}' | tail -1; rm '${disk}/filler'`,
        "echo ----",
        `${mettle} resume; echo "exit $?"`,
        "echo ----",
        "git log --format=%s --first-parent --branches='mettle/*/result'; git fsck --no-dangling; echo \"exit $?\"",
      ].join("\n");
      const ran = await runAsPerson("unshare", ["-rm", "/bin/sh", "-c", script], {
        cwd: folder,
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: join(disk, "home"),
          METTLE_HOME: join(disk, "home"),
          METTLE_SANDBOX: "off",
          METTLE_MUTATION_BUDGET: "0",
        },
        timeoutMs: 200_000,
      });
      const stdout = ran.stdout.toString("utf8");
      const stderr = ran.stderr.toString("utf8");
      if (process.env["SHOW"]) console.log(stdout, stderr);
      const [first = "", free = "", second = "", log = ""] = stdout.split("\n----\n");
      return { first, second, log, disk: free.trim(), stderr };
    }

    test("stops the run with exit 5 without charging an attempt, and the run continues to one commit when there is room", () => {
      expect(told.disk).toBe("0");
      expect(told.first).toMatch(/\nexit 5$/u);
      expect(told.first).toContain("Impl starts, attempt 1 of 5");
      expect(`${told.first}${told.stderr}`).toMatch(/disk_full|ENOSPC|no space left/iu);
      expect(told.second).toMatch(/✓ GRAPH COMPLETE\nexit 0$/u);
      expect(told.second).not.toContain("Impl starts");
      expect(told.second).toMatch(/ {2}top +complete +attempt 1\/5 +criteria 1\/1\n/u);
      expect(told.log).toBe("feat(top): implement\nStart\nexit 0\n");
    });
  },
);
