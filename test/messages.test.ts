/** The messages in the sources: the commands that they name exist, and a count has the right number (SEE-04). */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { messageTable } from "./message-table.ts";
import { verifies } from "./verifies.ts";
import { isNode, lineOf, loadParser, nodesIn, wordOf, type SyntaxNode } from "../src/source/syntax.ts";
import { wrongCommand } from "./wrong-command.ts";

interface Message {
  readonly at: string;
  /** Between the literal parts of the text there is one expression each. */
  readonly parts: readonly string[];
  readonly values: readonly SyntaxNode[];
  /** Whether a condition around it compares a count: it chooses between one and many. */
  readonly chosen: boolean;
}

const parse = await loadParser();

function messagesOf(file: string): readonly Message[] {
  const found: Message[] = [];
  const visit = (node: SyntaxNode, chosen: boolean): void => {
    const at = `${file}:${lineOf(node)}`;
    if (node.type === "StringLiteral") found.push({ at, parts: [String(node["value"])], values: [], chosen });
    if (node.type === "TemplateLiteral") {
      const parts = nodesIn(node["quasis"]).map(({ value }) => (value as { cooked: string }).cooked);
      found.push({ at, parts, values: nodesIn(node["expressions"]), chosen });
    }
    const chooses = chosen || node.type === "ConditionalExpression";
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, chooses);
  };
  const tree = parse(file, readFileSync(file, "utf8"));
  if (tree === null) throw new Error(`${file} does not parse`);
  visit(tree, false);
  return found;
}

const messages = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .flatMap((name) => messagesOf(join("src", name)));

test("every command that a message names exists, with its options", () => {
  const quoted = messages.flatMap(({ at, parts }) =>
    [...parts.join("X").matchAll(/`((?:mettle|envoy) [^`\n]+)`/gu)].map(([, line = ""]) => ({ at, line })),
  );
  expect(quoted.length).toBeGreaterThan(80);
  expect(
    quoted.flatMap(({ at, line }) => {
      const wrong = wrongCommand(line);
      return wrong === null ? [] : [`${at}: \`${line}\`: ${wrong}`];
    }),
  ).toEqual([]);
  expect(wrongCommand("mettle stauts")).toBe("no such command");
  expect(wrongCommand("mettle status --gren X")).toBe("no option --gren");
});

/** Things that are counted; of bytes and characters there are never a few. */
const things =
  /^ (?:more )?(?:agents|attempts|children|commits|criteria|days|errors|events|faults|files|findings|items|lines|minutes|nodes|processes|prompts|questions|replies|rounds|seconds|steps|tests|times|variants|versions)\b/u;

test("a count and what is counted agree, for one too", () => {
  const wrong = messages.flatMap(({ at, parts, values, chosen }) =>
    chosen
      ? []
      : values.flatMap((value, index) => {
          const name = wordOf(value) ?? wordOf(value["property"]) ?? "";
          const isNumber = /^(?:length|size|count|found|limit|number|total|minutes|seconds)$|Count$/u.test(
            name,
          );
          const after = parts[index + 1] ?? "";
          return isNumber && things.test(after) ? [`${at}: \${${name}}${after.slice(0, 20)}`] : [];
        }),
  );
  expect(wrong).toEqual([]);
});

const table = await messageTable();

/** Verbs of which one form goes with one thing and the other with several. */
const forms: Readonly<Record<string, string>> = {
  is: "are",
  was: "were",
  has: "have",
  does: "do",
  fails: "fail",
  passes: "pass",
  holds: "hold",
  waits: "wait",
  needs: "need",
  stays: "stay",
  objects: "object",
  appears: "appear",
  notices: "notice",
};
const ofMany = new Set(Object.values(forms));

/** The verb of `2 tests of the base fail`: the first one of the clause that has two forms; null if there is none, or a modal. */
function verbAfter(text: string, count: number): string | null {
  const after =
    new RegExp(`(?<!\\b(?:of|with) )\\b${count} [a-z]+(?: [a-z]+)?((?: [a-z]+)*)`, "u").exec(text)?.[0] ?? "";
  const words = after.split(" ").slice(2);
  const end = words.findIndex((word) =>
    /^(?:can|cannot|could|may|must|would|will|did|that|which|who|and|or|in|on|with)$/u.test(word),
  );
  return (
    words.slice(0, end === -1 ? undefined : end).find((word) => word in forms || ofMany.has(word)) ?? null
  );
}

verifies("SEE-04", "every message with a count has the right number for 0, 1 and 2 things", () => {
  expect(table.counts.length).toBeGreaterThan(60);
  const wrong = table.counts.flatMap(({ at, render, isForMany }) =>
    (isForMany ? [0, 2] : [0, 1, 2]).flatMap((count) => {
      const texts = render(count);
      expect(texts.join("\n"), at).toMatch(new RegExp(`\\b${count} `, "u"));
      const isRight = (text: string) => {
        const verb = verbAfter(text, count);
        return verb === null || (count === 1 ? verb in forms : ofMany.has(verb));
      };
      // A text that chooses between two forms has the right one.
      return texts.some(isRight) ? [] : [`${at}: ${texts.join(" | ")}`];
    }),
  );
  expect(wrong).toEqual([]);
  expect([
    verbAfter("1 test fail", 1),
    verbAfter("2 tests of the base are red", 2),
    verbAfter("1 test must fail", 1),
  ]).toEqual(["fail", "are", null]);
});

/** Any of the forms that a predicate begins with; a fragment such as `no protocol X` has none. */
const verb =
  /\b(?:is|are|was|were|be|has|have|had|do|does|did|can|cannot|could|must|may|will|would|ran|made|lost|gave|took|came|went|choose|exclude|begins?|needs?|[a-z]{2,}ed|[a-z]{3,}s)\b/u;

/** The sentence is a value, or that of the reference server of memory, which clients read. */
function isFilledIn(message: string): boolean {
  return /(?:: X|X ?X|^X|, in X)$/u.test(message) || message === "Entity with name X not found";
}

verifies(
  "SEE-04",
  "every error says in a sentence what happened, and its hint names commands that exist",
  () => {
    expect(table.errors.length).toBeGreaterThan(300);
    const fragments = table.errors.filter(({ message }) => !isFilledIn(message) && !verb.test(message));
    expect(fragments.map(({ at, message }) => `${at}: ${message}`)).toEqual([]);
    const commands = table.errors.flatMap(({ at, hint }) =>
      [...hint.matchAll(/(?<![\w/.-])(?:mettle|envoy) [a-z][^`;,\n()]*/gu)]
        .map(([line]) => ({ at, line: line.trim() }))
        .filter(({ line }) => !line.startsWith("mettle that ")),
    );
    expect(commands.length).toBeGreaterThan(100);
    expect(
      commands.flatMap(({ at, line }) => {
        const wrong = wrongCommand(line);
        return wrong === null ? [] : [`${at}: ${line}: ${wrong}`];
      }),
    ).toEqual([]);
  },
);
