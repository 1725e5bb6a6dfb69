/** Finds completion claims in an agent's last message (ORC-49, ORC-50). A match is a suspicion and costs one test run. Pure. */
import { plainProse } from "./prose.ts";

export { forgedBlocks, type TypedBlock } from "./typed-block.ts";

export interface Claim {
  /** The phrase as the protocol lists it. */
  readonly phrase: string;
  /** The sentence that contains the phrase, at most 200 characters. */
  readonly excerpt: string;
}

/** Longest first, so that a phrase inside another is not counted twice. */
const phrases = [
  "ORCHESTRATION COMPLETE",
  "This should fix it",
  "Tests pass",
  "It works",
  "Complete",
  "Fixed",
  "Done",
];

// Excludes parts of longer words, compounds (`fixed-width`), paths and names (`done.txt`, `is_done`).
const phrasePattern = new RegExp(
  `(?<![\\w/.-])(?:${phrases.map((phrase) => phrase.replaceAll(" ", "\\s+")).join("|")})(?![\\w/-]|\\.\\w)`,
  "gi",
);

/** Returns each claimed phrase once. Ignores code, quotations, boxes, state lines, negations and questions. */
export function scanClaims(text: string): readonly Claim[] {
  const prose = plainProse(text);
  const found = new Map<string, string>();
  for (const match of prose.matchAll(phrasePattern)) {
    const phrase = canonical(match[0]);
    const before = clauseBefore(prose, match.index);
    const after = prose.slice(match.index + match[0].length);
    if (found.has(phrase) || isDenied(before) || isFuture(before) || isRetracted(after)) continue;
    found.set(phrase, sentenceAround(prose, match.index, match[0].length));
  }
  return [...found].map(([phrase, excerpt]) => ({ phrase, excerpt }));
}

function canonical(words: string): string {
  const plain = words.replace(/\s+/g, " ").toLowerCase();
  return phrases.find((phrase) => phrase.toLowerCase() === plain) ?? words;
}

/** At most six words of the same clause before an index. */
function clauseBefore(prose: string, index: number): string {
  const clause =
    prose
      .slice(Math.max(0, index - 200), index)
      .split(/[.!?;:,()\u2013\u2014\n]|\b(?:but|and|so)\b/i)
      .at(-1) ?? "";
  return ` ${clause.trim().split(/\s+/).slice(-6).join(" ").toLowerCase()} `;
}

/** "not done", "isn't fixed", "cannot say that it works", "almost done". */
function isDenied(before: string): boolean {
  return /(?: (?:not|never|no|none|nothing|neither|nor|without|cannot|hardly|almost|nearly|half|partly|partially|yet to be|far from|instead of) |n't )/.test(
    before,
  );
}

/** "when it is done", "until tests pass", "to be fixed", "definition of done": a condition, a plan or the concept. */
function isFuture(before: string): boolean {
  return /(?: (?:when|once|until|till|if|unless|before|whether)(?: \S+)?(?: is| are| was| were)? | to(?: be| get)? | (?:will|must|can|could|would) be | (?:definition|criteria|meaning) (?:of|for) )$/.test(
    before,
  );
}

/** "Done? No.", "complete: false". */
function isRetracted(after: string): boolean {
  return /^[^.!?\n]{0,120}\?/.test(after) || /^\s*[:=]\s*(?:no|not|false|0)\b/i.test(after);
}

function sentenceAround(prose: string, index: number, length: number): string {
  const start = Math.max(0, index - 100, prose.lastIndexOf("\n", index) + 1, lastStop(prose, index));
  const rest = prose.slice(index + length, index + length + 100);
  const end = rest.search(/[.!?](?:\s|$)|\n/);
  return prose.slice(start, index + length + (end < 0 ? rest.length : end + 1)).trim();
}

function lastStop(prose: string, index: number): number {
  const stops = [...prose.slice(Math.max(0, index - 100), index).matchAll(/[.!?]\s/g)];
  const last = stops.at(-1);
  return last === undefined ? 0 : Math.max(0, index - 100) + last.index + 2;
}
