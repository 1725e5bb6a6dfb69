import type { By } from "./by.ts";

/** Who, and by which way: `hana (tty)`. */
export function byText({ who, answeredBy, unguarded }: By): string {
  return `${who} (${answeredBy}${unguarded === true ? "; nothing kept the agents from it" : ""})`;
}
