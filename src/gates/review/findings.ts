/**
 * Tracks a reviewer's issues over the rounds of one gate (CORE-78). Each keeps its id, which shows a loop that does not
 * converge. Reviewers never see each other's findings.
 */
export interface TrackedFinding {
  /** `<reviewer>-<n>`, n from 1 at each gate. */
  readonly id: string;
  readonly text: string;
  readonly status: "open" | "fixed" | "new" | "regression";
}

/**
 * The findings after a round. An issue continues a known finding when it begins with `[id]` or says the same in other words.
 * A known finding is fixed when its reviewer gave a verdict without it; it stays when the reviewer gave none.
 */
export function trackFindings(options: {
  readonly previous: readonly TrackedFinding[];
  /** The reviewers that gave a verdict in this round. */
  readonly given: readonly { readonly reviewer: string; readonly issues: readonly string[] }[];
}): readonly TrackedFinding[] {
  return options.given.reduce(trackReviewer, options.previous);
}

/** The findings that are not fixed. */
export function openFindings(
  findings: readonly TrackedFinding[],
  reviewer?: string,
): readonly TrackedFinding[] {
  return findings.filter(
    ({ id, status }) => status !== "fixed" && (reviewer === undefined || reviewerOf(id) === reviewer),
  );
}

/** The value of `{{open_findings}}` in the reviewer's template. */
export function findingsText(findings: readonly TrackedFinding[], reviewer: string): string {
  return openFindings(findings, reviewer)
    .map(({ id, text }) => `- [${id}] ${text}`)
    .join("\n");
}

function trackReviewer(
  previous: readonly TrackedFinding[],
  { reviewer, issues }: { readonly reviewer: string; readonly issues: readonly string[] },
): readonly TrackedFinding[] {
  const own = previous.filter(({ id }) => reviewerOf(id) === reviewer);
  const named = new Map<string, TrackedFinding>();
  const added: TrackedFinding[] = [];
  for (const issue of issues) {
    const known = findKnown(
      issue,
      own.filter(({ id }) => !named.has(id)),
    );
    if (known) {
      named.set(known.id, { ...known, status: known.status === "fixed" ? "regression" : "open" });
      continue;
    }
    // Named twice in one round: the same finding.
    if (findKnown(issue, [...named.values(), ...added])) continue;
    const number = own.length + added.length + 1;
    added.push({ id: `${reviewer}-${String(number)}`, text: withoutId(issue), status: "new" });
  }
  const kept = previous.map((finding) =>
    reviewerOf(finding.id) === reviewer
      ? (named.get(finding.id) ?? { ...finding, status: "fixed" as const })
      : finding,
  );
  return [...kept, ...added];
}

function findKnown(issue: string, among: readonly TrackedFinding[]): TrackedFinding | undefined {
  const id = idIn(issue);
  if (id !== undefined && among.some((finding) => finding.id === id))
    return among.find((finding) => finding.id === id);
  const words = wordsOf(issue);
  let best: { finding: TrackedFinding; share: number } | undefined;
  for (const finding of among) {
    const share = likeness(words, wordsOf(finding.text));
    if (share >= sameFrom && share > (best?.share ?? 0)) best = { finding, share };
  }
  return best?.finding;
}

/** Two thirds of the words in common: a reworded issue keeps its id, and a new one rarely shares that many. */
const sameFrom = 0.66;
const tag = /^\s*\[([\w.]+(?:-[\w.]+)*-\d+)\]\s*/;

function idIn(issue: string): string | undefined {
  return tag.exec(issue)?.[1];
}

function withoutId(issue: string): string {
  return issue.replace(tag, "").trim();
}

function reviewerOf(id: string): string {
  return id.replace(/-\d+$/, "");
}

interface Words {
  readonly all: ReadonlySet<string>;
  /** Ids, paths, identifiers and numbers. */
  readonly names: ReadonlySet<string>;
}

/** Ignores line numbers, which change between rounds. */
function wordsOf(issue: string): Words {
  const text = withoutId(issue).replaceAll(/:\d+|\blines? \d+/gi, " ");
  const words = text.match(/[\p{L}\p{N}_](?:[\p{L}\p{N}_./-]*[\p{L}\p{N}_])?/gu) ?? [];
  const names = words.filter((word) => /[\d_./]|[a-z][A-Z]/.test(word));
  return { all: new Set(words.map((word) => word.toLowerCase())), names: new Set(names) };
}

/** From 0 to 1. Issues about different names are never the same, however similar their sentences. */
function likeness(a: Words, b: Words): number {
  if (a.names.size !== b.names.size || ![...a.names].every((name) => b.names.has(name))) return 0;
  if (a.all.size === 0 || b.all.size === 0) return a.all.size === b.all.size ? 1 : 0;
  const common = [...a.all].filter((word) => b.all.has(word)).length;
  return common / (a.all.size + b.all.size - common);
}
