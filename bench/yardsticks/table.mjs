// The tables of a yardstick: one row for each variant, and the details of each case that is not as expected.

/** @returns Markdown: a row for each variant and what is expected of its cases, with how many cases and tests are so */
export function summaryTable(rows) {
  const heads = [
    "Variant",
    "Expected",
    "Cases",
    "As expected",
    "Otherwise",
    "Inconclusive",
    "Special-casing named",
    "Tests",
    "Pass already",
  ];
  const groups = new Map();
  for (const row of rows) {
    const key = `${row.variant}|${row.expected}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const body = [...groups.values()].map((own) => {
    const [{ variant, expected }] = own;
    const right = own.filter(({ outcome }) => outcome === expected).length;
    const unclear = own.filter(({ outcome }) => outcome === "inconclusive" && expected !== outcome).length;
    const special = own.filter(({ isSpecial }) => isSpecial === true).length;
    const sums = [sum(own, ({ tests }) => tests), sum(own, ({ passing }) => passing.length)];
    return [variant, expected, own.length, right, own.length - right - unclear, unclear, special, ...sums];
  });
  return tableOf(heads, body);
}

/** @returns Markdown: each case that is not as expected, with the reasons */
export function detailTable(rows) {
  const other = rows.filter(({ expected, outcome }) => outcome !== expected);
  if (other.length === 0) return "Every case is as expected.";
  return tableOf(
    ["Case", "Variant", "Expected", "Outcome", "Why"],
    other.map(({ name, variant, expected, outcome, reasons }) => [
      name,
      variant,
      expected,
      outcome,
      reasons.map(short).join("; "),
    ]),
  );
}

export function tableOf(heads, rows) {
  return [heads, heads.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map(cell).join(" | ")} |`)
    .join("\n");
}

function cell(value) {
  return String(value)
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ");
}

function short(text) {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function sum(rows, number) {
  return rows.reduce((total, row) => total + number(row), 0);
}
