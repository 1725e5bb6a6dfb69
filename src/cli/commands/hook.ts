/**
 * `mettle hook`: what the hooks that init writes call. This version plays no referee in a session, so it lets everything
 * pass and says nothing. It must exist: a hook that ends with another code than 0 would block the session's tools.
 */
import type { CliCommand } from "../command.ts";

export const command: CliCommand = {
  define: () => undefined,
  run: () => Promise.resolve({ exit: 0, json: {}, text: "" }),
};
