/** Bundles that verify by signature and claim too much, made from one real proof by one change each (PRV-24). */
import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { beforeAll, expect } from "vitest";
import { gateFault } from "../../src/change/bundle-fault.ts";
import { readBundle } from "../../src/evidence/bundle/bundle.ts";
import { borrowStore } from "../../src/git/objects/borrowed-store.ts";
import { openRepository, type Repository } from "../../src/git/repository.ts";
import { verifyBundle } from "../../src/verify/verify-bundle.ts";
import { changeWorld } from "../cli/change-world.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";
import { contentsOf, edited, newKey, sealed, type BundleFile, type Contents } from "./packet.ts";
import type { OtherCommits, Packet } from "./packet-edits.ts";
import { packets } from "./packets.ts";

const [machine, attacker] = [newKey(), newKey()];
let bundle: string;
let store: Repository;
let others: OtherCommits;

beforeAll(async () => {
  const { repo, branch, home, ask } = await changeWorld(["honest", "documented"]);
  const file = join(home, "bundle.json");
  const { code } = await ask("prove", "--base", "main", "--head", "honest", "--bundle-out", file);
  expect(code).toBe(0);
  bundle = await readFile(file, "utf8");
  const at = async (revision: string) => ({
    commit: await repo.git("rev-parse", revision),
    tree: await repo.git("rev-parse", `${revision}^{tree}`),
  });
  await branch("root", "main", {});
  const root = await repo.git("commit-tree", "-m", "Another root", "main^{tree}");
  others = { other: await at("documented"), unrelated: await at(root) };
  const repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
  store = await borrowStore(repository, join(newFolder(), "store"));
});

/** The packet as a file. Without a change it is the honest bundle, signed by the machine. */
function fileOf({ change, edit, byAttacker }: Partial<Packet>): string {
  const contents: Contents = contentsOf(bundle);
  const of = (purpose: string) => {
    const record = contents.records.findLast((one) => one.purpose === purpose);
    if (record === undefined) throw new Error(`no record of ${purpose}`);
    return record;
  };
  change?.({ ...contents, ...others, of });
  const text = sealed(contents, byAttacker === true ? attacker : machine);
  const forged = JSON.parse(sealed(contents, attacker)) as BundleFile;
  return edit === undefined ? text : edited(text, (file) => edit(file, { file: forged }));
}

/** What verification finds; "" if the evidence holds. */
async function verdictOf(text: string, key: string | null = machine.id): Promise<string> {
  const result = await verifyBundle(store, readBundle(text, "bundle"), key === null ? [] : [key]);
  if (result.type === "broken") return `${result.fault.verdict}: ${result.fault.why}`;
  const fault = await gateFault(store, result.statement, result.records);
  return fault === null ? "" : `${fault.verdict}: ${fault.why}`;
}

verifies("PRV-24", "at least fifty packets are refused, each with its own reason", async () => {
  expect(packets.length).toBeGreaterThanOrEqual(50);
  // The same bundle without a change holds.
  expect(await verdictOf(fileOf({}))).toBe("");
  const wrong: string[] = [];
  const reasons = new Map<string, string>();
  for (const packet of packets) {
    const found = await verdictOf(fileOf(packet), packet.anyKey === true ? null : machine.id);
    const why = found.replace(/^fail: (?:record \S*?(?=\d+: ))?/u, "");
    if (!found.startsWith("fail: ") || !packet.why.test(why))
      wrong.push(`${packet.name}: ${found || "holds"}`);
    reasons.set(packet.name, why);
  }
  expect(wrong).toEqual([]);
  const own = [...reasons].filter(([name, why]) =>
    [...reasons].some(([other, same]) => other !== name && same === why),
  );
  expect(own.map(([name, why]) => `${name}: ${why}`)).toEqual([]);
});
