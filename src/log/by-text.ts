import type { By } from "./by.ts";

/** For an event that may lack it. */
export function personText(by: By | undefined): string {
  return by === undefined ? "a person" : byText(by);
}

/** Who, and by which way: `hana (tty)`. */
export function byText({ who, answeredBy, unguarded }: By): string {
  return `${who} (${answeredBy}${unguarded === true ? "; nothing kept the agents from it" : ""})`;
}
