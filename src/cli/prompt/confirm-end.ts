/** Asks the person at a terminal whether a run, or a node with all below it, really ends. */
import { openNode } from "../../families/graph/find-node.ts";
import { rootId } from "../../families/graph/node.ts";
import { printableText } from "../../lib/printable.ts";
import { safeLine } from "../../lib/safe-text.ts";
import { readNodes } from "../../overview/read-nodes.ts";
import type { FamilyRun } from "../../family/family.ts";
import type { OpenHost } from "../../run/host.ts";
import { endingWith } from "../../views/model/ending.ts";
import { assertNodeShown } from "../shown-node.ts";
import { promptForWord } from "./terminal-prompt.ts";

const never = new AbortController().signal;

/** @param node null: the whole run @throws approval_stale if other nodes would end than were shown */
export async function confirmEnd(host: OpenHost, context: FamilyRun, node: string | null): Promise<boolean> {
  const task = safeLine(context.started.task);
  if (node === null || node === rootId(context))
    return isSure(
      `Run ${context.run} ends: ${task}. Its agents stop, their work is kept, and it cannot go on.`,
    );
  openNode(context, node);
  const nodes = await readNodes(host, context);
  const { parent, shown } = nodes.find(({ id }) => id === node) ?? { parent: null, shown: null };
  const others = endingWith(nodes, node).flatMap(({ id }) => (id === node ? [] : [`  ${id}`]));
  const below = others.length === 0 ? "" : `\nThese nodes end with it:\n${others.join("\n")}`;
  const isYes = await isSure(
    `${node} ends. Its agents stop, and their work is kept; ${parent ?? "the run"} decides how to continue, and the other nodes go on.${below}`,
  );
  if (!isYes) return false;
  await context.session.refresh();
  await assertNodeShown(host, context, { node, shown: shown ?? "" });
  return true;
}

async function isSure(what: string): Promise<boolean> {
  const message = `${printableText(what)}\n  yes    end it\n  Enter  let it go on`;
  const typed = await promptForWord(message, ["yes"], never);
  return typed.type === "word";
}
