/** Reads a file with git's conflict markers: the text of each side, and the possible resolutions. */
export interface ConflictText {
  /** The text between the hunks; one part more than there are hunks. */
  readonly common: readonly string[];
  readonly hunks: readonly { readonly ours: string; readonly theirs: string }[];
}

/** Ignores the common ancestor's text, where git includes it. */
const hunk = /^<{7} [^\n]*\n([\s\S]*?)^(?:\|{7}[^\n]*\n[\s\S]*?^)?={7}\n([\s\S]*?)^>{7} [^\n]*(?:\n|$)/gm;

export function readConflict(text: string): ConflictText {
  const common: string[] = [];
  const hunks: { ours: string; theirs: string }[] = [];
  let from = 0;
  for (const match of text.matchAll(hunk)) {
    common.push(text.slice(from, match.index));
    hunks.push({ ours: match[1] ?? "", theirs: match[2] ?? "" });
    from = match.index + match[0].length;
  }
  return { common: [...common, text.slice(from)], hunks };
}

/** Above this number of hunks, all get the same choice: the combinations would be 4 or 6 to the power of the hunks. */
const maxCombinedHunks = 3;

/**
 * The possible resolutions: each hunk as one side, the other, or both in either order; lines that both sides share at their
 * start or end appear once or twice. Without a conflict, the text itself.
 */
export function resolutions(text: string): readonly string[] {
  const { common, hunks } = readConflict(text);
  if (hunks.length > maxCombinedHunks) {
    const each = hunks.map(choices);
    return [0, 1, 2, 3].map((nth) =>
      interleave(
        common,
        each.map((one) => one[nth] ?? ""),
      ),
    );
  }
  const mixes = hunks.reduce<readonly (readonly string[])[]>(
    (all, one) => all.flatMap((mix) => choices(one).map((choice) => [...mix, choice])),
    [[]],
  );
  return mixes.map((mix) => interleave(common, mix));
}

/** The same text with readable labels for the two sides. */
export function withLabels(
  text: string,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
): string {
  const { common, hunks } = readConflict(text);
  const marked = hunks.map((one) => `<<<<<<< ${ours}\n${one.ours}=======\n${one.theirs}>>>>>>> ${theirs}\n`);
  return interleave(common, marked);
}

function choices({ ours, theirs }: ConflictText["hunks"][number]): readonly string[] {
  const whole = [ours, `${ours}${theirs}`, `${theirs}${ours}`, theirs];
  const [own, other] = [ours, theirs].map((side) => side.split(/(?<=\n)/u));
  if (own === undefined || other === undefined) return whole;
  const max = Math.min(own.length, other.length);
  const isAlike = (at: number) => own.at(at) === other.at(at);
  let head = 0;
  while (head < max && isAlike(head)) head++;
  let tail = 0;
  while (tail < max - head && isAlike(-1 - tail)) tail++;
  if (head + tail === 0) return whole;
  const middle = (side: readonly string[]) => side.slice(head, side.length - tail).join("");
  const once = (inner: string) =>
    `${own.slice(0, head).join("")}${inner}${own.slice(own.length - tail).join("")}`;
  return [...whole, once(`${middle(own)}${middle(other)}`), once(`${middle(other)}${middle(own)}`)];
}

function interleave(common: readonly string[], between: readonly string[]): string {
  return common.map((part, index) => `${part}${between[index] ?? ""}`).join("");
}
