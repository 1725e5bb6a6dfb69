/** Runs the tests for a session's claim (ORC-49). A separate process, since a hook has only two seconds. */
import { withHost } from "../run/host.ts";
import { openRun } from "../families/open-run.ts";
import { verifyTree } from "../verify/verify-tree.ts";
import { sessionKey } from "./session-claims.ts";

const [checkout = "", run = "", commit = ""] = process.argv.slice(2);
// The run's deadline for tests applies.
await withHost(checkout, async (host) => {
  const context = await openRun(host, { run });
  await context.session.prove(sessionKey, await verifyTree(context, commit), []);
});
