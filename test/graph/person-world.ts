/** A tree that waits for a person: five working nodes that never end by themselves, then a root that asks. */
import { stringify } from "yaml";
import type { TurnFile } from "../orchestrate/world.ts";
import { demoCassette, rolesOf, type TreeCassette } from "./world.ts";

/** A spec as a person writes it; the root's id is the demo's. */
export function specFile(third: string): string {
  return stringify({
    id: "receipt",
    description: "A receipt made of lines with prices",
    acceptanceCriteria: [
      { id: "AC-1", text: 'A line "bread 2.50" is an item with a name and a price in cents' },
      { id: "AC-2", text: "Cents are written with two decimals, 250 as 2.50" },
      { id: "AC-3", text: third },
    ],
    targetPath: "src/receipt.js",
    testPath: "test/receipt",
  });
}

export const questionFields = {
  question: "In which order?",
  ambiguityReference: "AC-3",
  specSentence: "lists each item and then the total",
};

export const stuck = {
  diagnosis: "Sums of decimals are not exact",
  recommendation: "Count in cents",
  attempts: 1,
};

const old = "lists each item and then the total";
/** Files that a person edits during the run. */
export const amended = ["in the order of the lines", "ANOTHER TEMPLATE"] as const;

const hang: TurnFile = { does: [{ hang: true }] };

/** The root splits its work and parse has two children; all but the root's Scaffold hang until a person ends them. */
export async function heldCassette(): Promise<TreeCassette> {
  const cassette = await demoCassette();
  const root = rolesOf(cassette, "receipt");
  const parse = rolesOf(cassette, "receipt--parse");
  const [split] = root["scaffold"] ?? [];
  const [scaffold] = parse["scaffold"] ?? [];
  const alone = payloadOf(split);
  return {
    ...cassette,
    nodes: {
      receipt: {
        ...root,
        scaffold: [
          split ?? {},
          {
            expects: ["MergeFailed", "Aborted", "receipt--parse"],
            report: { status: "ClarificationNeeded", message: "The order is open", payload: questionFields },
          },
          {
            expects: ["As they come", old],
            forbids: [...amended],
            report: { status: "ClarificationNeeded", message: "Still open", payload: questionFields },
          },
          {
            expects: ["lists each item in the order of the lines", "the spec was amended"],
            report: {
              status: "InitWork",
              message: "One function after all",
              payload: { ...alone, childSpecs: [], interfaces: [] },
            },
          },
        ],
        tdd: [hang, { ...root["tdd"]?.[0], expects: ["AC-3: ends with the total"] }],
        impl: [
          { report: { status: "Stuck", message: "It does not add up", payload: stuck } },
          {
            expects: ["count in whole cents", "Attempt 1 of 5", "As they come"],
            does: [{ write: { path: "src/receipt.js", content: receipt } }],
            report: root["impl"]?.[0]?.report ?? { status: "Stuck" },
          },
        ],
      },
      "receipt--parse": { ...parse, scaffold: [{ ...scaffold, report: split2(scaffold) }], tdd: [hang] },
      "receipt--parse--lines": { scaffold: [hang] },
      "receipt--parse--price": { scaffold: [hang] },
      "receipt--money": { scaffold: [hang] },
    },
  };
}

const receipt = `/** The receipt of a text with one item on each line. */
export function receipt(text) {
  const items = text.split("\\n").map((line) => line.split(" "));
  const cents = items.map(([, price]) => Math.round(Number(price) * 100));
  const total = cents.reduce((sum, each) => sum + each, 0);
  const amount = (value) => (value / 100).toFixed(2);
  return [...items.map(([name], index) => \`\${name} \${amount(cents[index])}\`), \`total \${amount(total)}\`].join("\\n");
}
`;

/** Parse has two children of its own. */
function split2(turn: TurnFile | undefined): NonNullable<TurnFile["report"]> {
  const child = (id: string, text: string, criterion: string) => ({
    id,
    description: text,
    acceptanceCriteria: [{ id: criterion, text }],
    targetPath: `src/${id}.js`,
    testPath: `test/${id}`,
  });
  return {
    status: "InitWork",
    message: "Two functions",
    payload: {
      ...payloadOf(turn),
      childSpecs: [child("lines", "Splits the lines", "AC-1.1"), child("price", "Reads a price", "AC-1.2")],
      interfaces: [],
    },
  };
}

function payloadOf(turn: TurnFile | undefined): object {
  const payload = turn?.report?.payload;
  return typeof payload === "object" && payload !== null ? payload : {};
}
