/** Reads a bundle file and verifies it against the repository of a folder. The repository does not change. */
import { stat } from "node:fs/promises";
import { bundleInvalid, maxBundleBytes, readBundle } from "../evidence/bundle/bundle.ts";
import type { Statement } from "../evidence/bundle/statement.ts";
import { keyId } from "../evidence/keys.ts";
import type { SignedRecord } from "../evidence/trusted-keys.ts";
import { readPlainFile } from "../lib/plain-file.ts";
import { verifyBundle, type BundleFault } from "../verify/verify-bundle.ts";
import { gateFault } from "./bundle-fault.ts";
import { openForGate } from "./open-for-gate.ts";
import { withGatePlace } from "./place.ts";
import { replayBundle } from "./replay-bundle.ts";

export interface BundleRequest {
  readonly cwd: string;
  /** Absolute path. */
  readonly file: string;
  /** As a person typed it. */
  readonly name: string;
  /** Ids of the keys that may have signed it and its records; empty: any. */
  readonly keys: readonly string[];
  readonly replay: boolean;
  readonly signal: AbortSignal;
  readonly progress?: (what: string) => void;
}

export interface BundleVerification extends Omit<BundleFault, "verdict"> {
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** Id of the key that signed it. */
  readonly key: string;
  readonly records: number;
  /** Null if its statement could not be read. */
  readonly statement: Statement | null;
  /** The worker of each record; absent if the key of the bundle signed them all. */
  readonly signed?: readonly SignedRecord[];
  /** What was executed again, a line each, and the hash of the equal verdicts. */
  readonly replayed?: { readonly lines: readonly string[]; readonly verdict: string };
}

/** @throws bundle_invalid, version_unsupported */
export async function verifyBundleFile(request: BundleRequest): Promise<BundleVerification> {
  const { cwd, file, name, replay, signal, progress } = request;
  const bundle = readBundle(await readBundleFile(file, name), name);
  const key = keyId(bundle.key);
  const records = bundle.envelopes.length;
  const opened = await openForGate(cwd);
  return withGatePlace(opened, async (place): Promise<BundleVerification> => {
    const { repository } = place;
    const result = await verifyBundle(repository, bundle, request.keys);
    if (result.type === "broken") return { ...result.fault, key, records, statement: null };
    const { statement } = result;
    const wrong = await gateFault(repository, statement, result.records);
    if (wrong !== null) return { ...wrong, key, records, statement };
    const own = statement.made === "run" ? null : (result.records.at(-1) ?? null);
    if (own !== null && own.verdict !== "pass") {
      const why = `the evidence holds, and does not prove the change: ${own.reasons.join("; ")}`;
      return { verdict: own.verdict, why, record: own.id, phase: null, key, records, statement };
    }
    const whole = {
      verdict: "pass",
      why: "",
      record: null,
      phase: null,
      key,
      records,
      statement,
      ...(result.signed.length === 0 ? {} : { signed: result.signed }),
    } as const;
    if (!replay) return whole;
    const again = await replayBundle({
      place,
      opened,
      statement,
      records: result.records,
      signal,
      ...(progress === undefined ? {} : { progress }),
    });
    if (again.type === "other") return { ...again.fault, key, records, statement };
    return { ...whole, replayed: { lines: again.lines, verdict: again.verdict } };
  });
}

async function readBundleFile(file: string, name: string): Promise<string> {
  const text = await readPlainFile(file, maxBundleBytes);
  if (text !== null) return text;
  const found = await stat(file).catch(() => null);
  if (found === null) throw bundleInvalid(`${name} does not exist`);
  const { size } = found;
  throw bundleInvalid(
    size > maxBundleBytes
      ? `${name} has ${Math.ceil(size / 1e6)} MB; a bundle has at most ${Math.floor(maxBundleBytes / 1e6)} MB`
      : `${name} is not a readable file`,
  );
}
