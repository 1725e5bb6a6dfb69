/**
 * Every stored format has a version: a newer version is refused and left unchanged, an unknown field is ignored.
 * @module-tag ci
 */
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { stringify } from "yaml";
import { openEnvelope } from "../../src/evidence/chain.ts";
import { parseRecord } from "../../src/evidence/record.ts";
import { signEnvelope } from "../../src/evidence/sign.ts";
import { onlyKey } from "../../src/evidence/trusted-keys.ts";
import { parseAnswer } from "../../src/lib/answer.ts";
import { canonicalJson } from "../../src/lib/hash.ts";
import {
  createWorld,
  eventsOf,
  golden,
  answerOnly,
  type CliResult,
  type DriveResult,
  type World,
} from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";
import { callIn } from "./here.ts";

const newer = expect.objectContaining({ code: "version_unsupported", exitCode: 2 });

describe("a format with a version", () => {
  let world: World;
  let driven: DriveResult;
  let temporary: string;
  let record: Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    world = await createWorld();
    temporary = newFolder();
    driven = await world.go(await golden(), answerOnly("questions"));
    const [written] = eventsOf(driven.events, "record.written");
    record = JSON.parse(await world.host.payloads.text(written?.ref ?? "")) as typeof record;
  });

  /** Calls with the file in place. @returns whether the file is unchanged */
  const refusal = async (file: string, text: string, args: readonly string[]): Promise<unknown> => {
    await writeFile(file, text);
    const { code, stderr } = await callIn(world, args);
    const same = (await readFile(file, "utf8")) === text;
    await rm(file);
    return { code, error: /^error\[(\w+)\]/u.exec(stderr)?.[1], hint: /^hint: .+$/mu.test(stderr), same };
  };

  verifies(
    "CORE-100",
    "protocol, settings and cassette of a newer version are refused and left unchanged",
    async () => {
      const refused = { code: 2, error: "version_unsupported", hint: true, same: true };
      const agent = await world.agent(await golden());
      const task = ["run", "Add slugify", "--protocol", "orchestrate", "--agent", agent];
      const settings = join(world.repository.dir, "mettle.yaml");
      expect(await refusal(settings, "version: 2\nanew: true\n", task)).toEqual(refused);

      await world.repository.write({ ".mettle/protocols/.keep": "" });
      const protocol = join(world.repository.dir, ".mettle/protocols/own.yaml");
      const text = "version: 2\nprotocol: own\nkind: machine\nextends: orchestrate\nanew: true\n";
      expect(await refusal(protocol, text, ["protocol", "check", "own"])).toEqual(refused);
      expect(
        await refusal(protocol, text, [...task.slice(0, 2), "--protocol", "own", "--agent", agent]),
      ).toEqual(refused);

      const cassette = join(temporary, "cassette.yaml");
      const played = ["run", "@orchestrate Add slugify", "--agent", `scripted:${cassette}`];
      expect(
        await refusal(cassette, stringify({ ...(await golden()), version: 2, anew: true }), played),
      ).toEqual(refused);
      expect(await world.host.journal.runs()).toEqual([driven.run]);
    },
  );

  verifies(
    "CORE-100",
    "a journal of a newer version is refused with its own error and left unchanged",
    async () => {
      const home = join(temporary, "home");
      spawnSync("cp", ["-r", world.home, home]);
      const root = join(home, basename(world.host.home.root));
      // In a separate process, which releases the file when it ends.
      const script = `const db = new (require("libsql"))(process.argv[1]);
      db.exec("PRAGMA user_version = 99");
      db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").raw().get();`;
      const written = spawnSync(process.execPath, ["-e", script, join(root, "mettle.db")], {
        encoding: "utf8",
      });
      expect([written.status, written.stderr]).toEqual([0, ""]);
      const hash = async () =>
        createHash("sha256")
          .update(await readFile(join(root, "mettle.db")))
          .digest("hex");
      const before = await hash();
      const call = (...args: readonly string[]): Promise<CliResult> =>
        callIn(world, args, { env: { METTLE_HOME: home } });
      for (const args of [["status"], ["approve", driven.run], ["clean", "--all", "--yes"]]) {
        const { code, stderr } = await call(...args);
        expect([args, code, stderr.split(":")[0]]).toEqual([args, 5, "error[journal_newer]"]);
      }
      expect(await hash()).toBe(before);
    },
  );

  verifies(
    "CORE-100",
    "a record of a newer version is refused wherever it is read, even with a valid signature",
    async () => {
      const later = { ...record, id: `${driven.run}/99`, version: 2, anew: true };
      const { payloads, journal } = world.host;
      const key = await world.host.key();
      const envelope = signEnvelope("application/vnd.mettle.evidence.v1+json", canonicalJson(later), key);
      expect(() => openEnvelope(envelope, onlyKey(key.publicKey))).toThrow(newer);
      expect(() => parseRecord(later)).toThrow(newer);

      const {
        type,
        seq: _seq,
        at: _at,
        ...data
      } = { ...eventsOf(driven.events, "record.written")[0], id: later.id };
      const ref = await payloads.put(canonicalJson(later));
      const written = { ...data, ref, envelope: await payloads.put(canonicalJson(envelope)) };
      await journal.append(driven.run, await journal.head(driven.run), [{ type: type ?? "", data: written }]);
      for (const args of [
        ["show", later.id],
        ["verify", driven.run],
      ]) {
        const { code, stderr } = await callIn(world, args);
        expect([args, code, stderr]).toEqual([
          args,
          2,
          expect.stringMatching(
            /^error\[version_unsupported\]: .* version 2, this Mettle reads version 1\nhint: [^\n]+\n$/u,
          ),
        ]);
      }
      expect(await payloads.text(ref)).toBe(canonicalJson(later));
    },
  );

  verifies(
    "CORE-100",
    "an answer of --json of a newer version is refused, and an unknown field is ignored",
    async () => {
      const { stdout } = await callIn(world, ["status", "--json"]);
      const answer = parseAnswer(stdout);
      expect(answer).toMatchObject({ version: 1, runs: [{ run: driven.run }] });
      expect(() => parseAnswer(JSON.stringify({ ...answer, version: 2 }))).toThrow(newer);
      expect(parseAnswer(JSON.stringify({ ...answer, anew: { deep: true } }))["runs"]).toEqual(
        answer["runs"],
      );
      expect(parseRecord({ ...record, anew: true })).toEqual(record);
    },
  );
});
