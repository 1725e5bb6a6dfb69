/** The reason of a failed check for a screen: a long list of tests must not push out what to do. */
import { shortList } from "../gates/check.ts";

/** The reason with at most `most` ids of its list; the other tests are counted. */
export function shortReason(reason: string, tests: readonly string[], most: number): string {
  for (let count = tests.length; count > most; count--) {
    const list = tests.slice(0, count).join(", ");
    const at = reason.indexOf(list);
    if (at === -1) continue;
    const rest = reason.slice(at + list.length).replace(/^ and \d+ more/u, "");
    return `${reason.slice(0, at)}${shortList(tests, most)}${rest}`;
  }
  return reason;
}
