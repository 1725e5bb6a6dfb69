/** Prints the comparison of `mettle doctor --run`. */
import { counted } from "../../lib/counted.ts";
import type { BaseComparison, PackageComparison } from "../../change/own-run/compare-tests.ts";
import { safeLine } from "../../lib/safe-text.ts";
import { shortCommit } from "../../lib/short-commit.ts";

export function isAgreed({ unusable, packages }: BaseComparison): boolean {
  return unusable === null && packages.every((one) => agrees(one));
}

/** If the tests cannot be compared one by one, both exit codes must be zero or both nonzero. */
function agrees({ differences, uncompared, own, proof }: PackageComparison): boolean {
  return differences.length === 0 && (uncompared === null || (own.exit === 0) === (proof.exit === 0));
}

export function compareText(compared: BaseComparison): string {
  const { commit, unusable, causes, packages } = compared;
  const lines = packages.flatMap(packageLines);
  return [
    `The base commit ${shortCommit(commit)} in a clean checkout, and your own test command in your checkout:`,
    ...(packages.length === 0 ? ["  the commit holds no test yet"] : lines),
    ...(unusable === null ? [] : ["", `✗ a run could not begin: ${safeLine(unusable)}`]),
    ...(causes.length === 0 ? [] : ["", "Likely causes:"]),
    ...causes.map(({ what, help }) => `  ${safeLine(what)}\n    → ${safeLine(help)}`),
    "",
    isAgreed(compared) ? "They agree." : "They do not agree.",
  ].join("\n");
}

function packageLines(one: PackageComparison): readonly string[] {
  const { folder, runner, command, own, proof, differences, uncompared } = one;
  const count = own.tests === null ? "unread" : counted(own.tests, "test");
  return [
    `  ${folder === "." ? "" : `${folder}: `}${runner}: ${counted(proof.tests, "test")}, exit code ${proof.exit ?? "none"}; \`${command}\`: ${count}, exit code ${own.exit ?? "none"}`,
    ...(uncompared === null
      ? []
      : [`    ! ${safeLine(uncompared)}`, ...own.last_lines.map((line) => `      ${line}`)]),
    ...differences.flatMap((difference) => [
      `    ${safeLine(difference.test)}: yours ${difference.own ?? "not run"}, the proof ${difference.proof ?? "not run"}`,
      `      ${safeLine(difference.cause)}`,
    ]),
  ];
}
