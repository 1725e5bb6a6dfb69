/** The messages in the sources: the commands that they name exist, and a count has the right number (SEE-04, in part). */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
