/** Names and hashes of what an ask shows. An answer is bound to the hash of all parts (CORE-73, ORC-68). */
import { canonicalJson, sha256 } from "../../lib/hash.ts";
import type { AskCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";

export interface AskFingerprint {
  readonly hash: string;
  readonly parts: Readonly<Record<string, string>>;
}

export function fingerprintOf(context: RunContext, ask: AskCommand): AskFingerprint {
  const { view } = context.session;
  const parts: Record<string, string> = { ask: sha256(ask.text) };
  // A reviewer's verdict shows no document: it is about the current commit.
  if (ask.answers.includes("approve") && ask.shows.length === 0) parts["commit"] = view.head.branch ?? "";
  for (const name of ask.shows) {
    if (name === "reviews")
      parts["reviews"] = sha256(
        canonicalJson(view.reviews.map(({ key, verdict, ref }) => [key, verdict, ref ?? ""])),
      );
    else if (name === "green_block" || name === "summary") {
      parts["commit"] = view.head.green ?? "";
      parts["record"] = view.records.findLast(({ purpose }) => purpose === "green")?.ref ?? "";
    } else parts[name] = view.documents[name]?.ref ?? "";
  }
  return { hash: sha256(canonicalJson(parts)), parts };
}
