/** Both children of the demo add to one file, so a Rebaser has to put the second on the first. */
import { join } from "node:path";
import { expect } from "vitest";
import type { TurnFile } from "../orchestrate/world.ts";
import { demoCassette, rolesOf, type TreeCassette } from "./world.ts";

const parse = "receipt--parse";
const heading = '/** What stands above each receipt. */\nexport const heading = "Corner shop";\n';
const currency = 'export const currency = "EUR";\n';
const separator = 'export const separator = " ";\n';
/** The final content of `src/shop.js`. */
export const bothAdded = `${heading}${currency}${separator}`;
export const adaptations = [
  { symbol: "currency", change: "kept before separator", reason: "both were added" },
];

/** Money is merged while parse is in review, so both have added a line at the same place. */
export async function conflictCassette({
  repository,
  folder,
}: {
  /** Its path. */
  readonly repository: string;
  /** A folder where the two wait for each other. */
  readonly folder: string;
}): Promise<TreeCassette> {
  const cassette = await demoCassette();
  const until = (test: string) => ({
    shell: `n=0; until ${test} || [ $n -gt 900 ]; do sleep 0.1; n=$((n+1)); done`,
  });
  const isReviewed = join(folder, "parse-is-reviewed");
  const merges = `git -C '${repository}' log --branches='mettle/*/receipt' --format=%s`;
  const also = (turn: TurnFile | undefined, ...steps: Record<string, unknown>[]) => {
    if (turn) turn.does = [...(turn.does ?? []), ...steps];
  };
  const [money, other] = [rolesOf(cassette, "receipt--money"), rolesOf(cassette, parse)].map((roles) =>
    structuredClone(roles),
  );
  if (!money || !other) throw new Error("the demo has two children");
  also(money["impl"]?.[0], { write: { path: "src/shop.js", content: `${heading}${currency}` } });
  also(money["merger"]?.[0], until(`[ -e '${isReviewed}' ]`));
  // Succeeds at the first attempt.
  const [, right] = other["impl"] ?? [];
  const [first] = other["impl"] ?? [];
  const fixed = JSON.parse(
    JSON.stringify(first).replace("Math.round(Number(price))", "Math.round(Number(price) * 100)"),
  ) as TurnFile;
  expect(right).toBeDefined();
  also(fixed, { write: { path: "src/shop.js", content: `${heading}${separator}` } });
  other["impl"] = [fixed];
  const isMerged = until(`${merges} | grep -qF 'feat(receipt--money): implement'`);
  also(other["reviewer"]?.[0], { shell: `touch '${isReviewed}'` }, isMerged, { sleep: 1000 });
  other["rebaser"] = [
    {
      expects: ["receipt--money", "currency"],
      does: [{ write: { path: "src/shop.js", content: bothAdded } }],
      report: {
        status: "RebaseAdapted",
        message: "Both lines stay",
        payload: { newBase: "HEAD", adaptations },
      },
    },
  ];
  return { ...cassette, nodes: { ...cassette.nodes, "receipt--money": money, [parse]: other } };
}
